#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/hash.h"
#include "base/result.h"
#include "core/command.h"
#include "core/event.h"
#include "core/policy.h"
#include "engine/ledger.h"

namespace muster {

struct EngineOptions {
  Duration minimum_run_time{};    // A run younger than this is not stopped by a plan.
  std::int32_t failures_max = 3;  // A job that fails more often than this has failed.
};

// The state machine between the world and the policy: events in, commands out. It has no threads,
// no clock and no I/O; simulation and live differ only in the World around it.
//
// Invariants after every step (check_invariants):
// 1. A GPU has at most one grant; only runs of one grant share it; a begun grant has all its GPUs
//    until its last begun run has ended.
// 2. committed <= gpu_count in every pool; free = usable ? gpu_count - committed : 0. A waiting run
//    holds nothing, and everything it waits for is stopping: no deadlock.
// 3. No run of a job begins while another of its runs is stopping or its copies are being averaged,
//    and none on a node that is not up.
// 4. steps_done + steps of the begun runs <= total_steps: copies add up exactly.
// 5. waiting, running and "ended or held" split the jobs.
// 6. A late, repeated or unknown report changes nothing but a counter.
// 7. Saving engine and policy after any step and loading them leaves the rest of the schedule
//    identical.
//
// Cost of a step: O(changes x (log live runs + slots)), plus the policy's own.
class Engine {
 public:
  struct Step {
    std::span<const Command> commands;  // Stops, consolidations, starts. Valid until the next step.
    std::span<const JobId> ended;       // Jobs that ended in this step. Valid likewise.
    std::optional<Time> wake_at;        // Ask the world to come back then.
    std::optional<Error> refused;       // The policy's plan was wrong, and was not carried out.
  };
  struct Counters {
    std::int64_t events = 0;
    std::int64_t decisions = 0;
    std::int64_t late_reports = 0;
    std::int64_t stops = 0;  // Of begun runs, by plans.
  };

  // `belief` and `policy` must outlive the engine.
  Engine(Cluster cluster, const PerformanceModel& belief, Policy& policy,
         EngineOptions options = {});
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  // REQUIRES: `now` does not go back.
  Step step(Time now, std::span<const Event> events);

  Snapshot snapshot() const;
  const Cluster& cluster() const { return cluster_; }
  std::span<const Job> jobs() const { return jobs_; }
  const RunTable& runs() const { return runs_; }
  const GrantTable& grants() const { return grants_; }
  const Counters& counters() const { return counters_; }
  // Over every begin, stop and end of a run: equal hashes mean equal schedules.
  std::uint64_t schedule_hash() const { return hash_.value(); }

  // Engine and policy, between two steps.
  std::string save();
  // REQUIRES: constructed with the same cluster, belief and kind of policy, no step made. After an
  // error the engine is of no further use.
  Result<void> load(std::string bytes);

  Result<void> check_invariants() const;

 private:
  bool apply(const Event& event);
  bool apply_event(const Submitted& event);
  bool apply_event(const Cancelled& event);
  bool apply_event(const Held& event);
  bool apply_event(const Released& event);
  bool apply_event(const RunStarted& event);
  bool apply_event(const Progress& event);
  bool apply_event(const RunEnded& event);
  bool apply_event(const Consolidated& event);
  bool apply_event(const NodeJoined& event);
  bool apply_event(const NodeDrained& event);
  bool apply_event(const NodeLost& event);
  bool late();

  void ask_policy(std::optional<Error>& refused);
  void adopt(const Plan& plan);
  void adopt_start(const Assignment& start);
  // True if a copy was dropped because nothing was left for it: the policy is asked again.
  bool begin_waiting_runs();
  bool can_begin(const Run& run) const;
  void begin(Run& run, std::int64_t steps);
  std::int64_t steps_for(const Run& run) const;

  void stop(Run& run);
  void stop_all(Job& job);
  void drop(RunId id);  // REQUIRES: not begun.
  void unlink(const Run& run);
  void settle(Job& job);
  void end(Job& job, JobState state);
  void release_wanted(Run& run);
  void update_lists(Job& job);
  void mark_changed(JobId job);
  void change_gpus_held(Job& job, std::int32_t change);
  void rerate(const Grant& grant);
  double believed_rate(const Run& run) const;
  bool set_node_state(NodeId node, NodeState state);
  void drop_unbegun_on(NodeId node);
  void hash_event(std::uint64_t kind, const Run& run, std::int64_t steps);
  bool fits_somewhere(const JobSpec& spec) const;
  void add_idle_gpus(const JobSpec& spec, GpuTypeId type, std::int32_t needed,
                     Placement& placement) const;
  double believed_rate(const JobSpec& spec, const Placement& placement) const {
    return belief_->rate(spec, {.cluster = cluster_, .placement = placement}).steps_per_second;
  }
  void transfer(Archive& archive);

  Cluster cluster_;
  const PerformanceModel* belief_;
  Policy* policy_;
  EngineOptions options_;
  Policy::Traits traits_;

  Time now_{};
  std::vector<Job> jobs_;
  RunTable runs_;
  GrantTable grants_;
  Ledger ledger_;
  std::vector<JobId> waiting_;  // Ascending.
  std::vector<JobId> running_;  // Ascending.
  std::vector<RunId> unbegun_;  // Ascending.
  std::vector<JobId> changed_;  // Sorted when asked.
  RunId next_run_{std::uint32_t{0}};
  GrantId next_grant_{std::uint32_t{0}};
  std::optional<Time> wake_at_;
  Counters counters_;
  Fnv hash_;

  // Of the step being made.
  std::vector<Command> stops_;
  std::vector<Command> consolidations_;
  std::vector<Command> commands_;
  std::vector<JobId> ended_;
};

}  // namespace muster
