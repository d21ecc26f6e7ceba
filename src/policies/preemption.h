#pragma once

#include <vector>

#include "core/plan.h"
#include "policies/queueing.h"

namespace muster {

// What a preemptive policy keeps of each running job, so that a pass looks nothing up.
struct RunningJob {
  JobId job{};
  RunId run{};
  ShapeId shape{};
  GpuTypeId type{};
  std::int32_t gpus = 0;
  Placement placement{};
  Pace pace{};
  std::int64_t run_steps = 0;
  std::int64_t left_before = 0;  // Steps left without what the run has done.
  bool makes_steps = false;
  Time predicted_end{};  // As believed.
  Duration gpu_time{};   // Attained service at settled_at, growing with gpus_held.
  Time settled_at{};
  std::int32_t gpus_held = 0;
  Rank rank{};

  std::int64_t steps_left(Time now) const;
  Duration gpu_time_at(Time now) const { return gpu_time + gpus_held * (now - settled_at); }
  void transfer(Archive& archive) {
    archive(job, run, shape, type, gpus, placement, pace, run_steps, left_before, makes_steps,
            predicted_end, gpu_time, settled_at, gpus_held, rank);
  }
};

// The running jobs in the policy's order. A policy's memory. Jobs have one run each.
class RunningJobs {
 public:
  // Brings the list up to date with snapshot.changed. A job that starts comes in with the rank it
  // had while waiting; the ranks of jobs that leave are kept until the next update (`left`).
  void update(const Snapshot& snapshot, WaitingJobs& waiting);
  // Puts the list in order after ranks have changed. Cost: O(jobs + inversions).
  void sort();
  std::vector<RunningJob>& jobs() { return jobs_; }
  const std::vector<RunningJob>& jobs() const { return jobs_; }
  // The rank of a job that has just left the list, or null.
  const Rank* left(JobId job) const;
  void transfer(Archive& archive) { archive(jobs_, left_); }

 private:
  static constexpr std::size_t nowhere = static_cast<std::size_t>(-1);
  static void refresh(const Snapshot& snapshot, const Job& job, RunningJob& known);

  std::vector<RunningJob> jobs_;
  std::vector<std::pair<JobId, Rank>> left_;  // Ascending.
  std::vector<std::size_t> place_of_;         // By JobId, into jobs_; nowhere outside of update().
};

// One preemptive pass, as if the cluster were emptied and everybody placed again in order, running
// or waiting, passing over those that do not fit; but a running job that is reached stays on its
// GPUs, and those displaced first are the last in the order. Runs that may not be stopped, and runs
// on nodes that are going down, stay whatever their rank; plan.wake_at is when the first of them
// has run long enough. Cost: O(running + (starts + shapes) log waiting + starts x (running +
// pools)).
void place_in_order(const Snapshot& snapshot, const WaitingJobs& waiting,
                    const RunningJobs& running, Capacity& capacity, Plan& plan);

}  // namespace muster
