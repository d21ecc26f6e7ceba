#pragma once

#include <cstdint>
#include <set>
#include <utility>
#include <vector>

#include "core/policy.h"
#include "policies/preemption.h"

namespace muster {

// Tiresias' discretised two-dimensional queues, shared by its LAS and Gittins policies: a job sinks
// from queue to queue as its attained service (GPUs x time since its last promotion) crosses the
// thresholds, at the exact moment, and may be promoted back to the top after a long wait.
class ServiceQueues {
 public:
  // `thresholds` in GPU-seconds, ascending: one more queue than thresholds. `promote_ratio`: a job
  // below the top that has waited at least this many times as long as it has run goes back to the
  // top with its service set to zero; 0: never.
  ServiceQueues(const std::vector<double>& thresholds, double promote_ratio);

  // Call first in every decision, before the waiting jobs are updated: demotions, promotions,
  // waits.
  void update(const Snapshot& snapshot, const RunningJobs& running);
  // Jobs that have just changed queues: whether they run or wait, they are now last in theirs.
  const std::vector<JobId>& moved() const { return moved_; }
  bool has_moved(JobId job) const { return states_[job.index()].has_moved; }

  std::int32_t level(JobId job) const { return states_[job.index()].level; }
  // Ascending in the order in which jobs entered the queues that they are in.
  std::uint64_t entry_stamp(JobId job) const { return states_[job.index()].entry_stamp; }
  // GPU-seconds since the last promotion. `gpu_time` as Job::gpu_time_at.
  double attained_gpu_seconds(JobId job, Duration gpu_time) const {
    return to_seconds(gpu_time - states_[job.index()].gpu_time_before);
  }
  // The next moment at which a job that runs, or that `plan` starts, sinks or a waiting one is
  // promoted, if nothing happens.
  std::optional<Time> next_crossing(const Snapshot& snapshot, const RunningJobs& running,
                                    const Plan& plan) const;
  void transfer(Archive& archive) { archive(states_, promotions_, next_stamp_, moved_); }

 private:
  struct State {
    bool is_known = false;
    bool has_moved = false;  // In the present decision.
    bool waits = false;
    std::int32_t level = 0;
    std::uint64_t entry_stamp = 0;
    Duration gpu_time_before{};  // Attained service that a promotion wiped out.
    Duration waited{};           // In earlier waits since the first run or the last promotion.
    Time wait_since{};
    bool wait_counts = false;       // It has run since it was submitted or promoted.
    Time promoted_at = time_never;  // If it goes on waiting.
  };

  void enter(State& state, std::int32_t level);
  void move(JobId job);
  void sink(JobId job, Duration gpu_time);
  void plan_promotion(const Job& job, State& state, Time now);
  void end_wait(JobId job, State& state, Time now);

  std::vector<Duration> thresholds_;
  double promote_ratio_;
  std::vector<State> states_;  // By JobId.
  std::set<std::pair<Time, JobId>> promotions_;
  std::uint64_t next_stamp_ = 0;
  std::vector<JobId> moved_;  // Of the present decision.
};

// The two options of every policy on these queues.
std::vector<OptionInfo> service_queue_options();

}  // namespace muster
