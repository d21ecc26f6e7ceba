#pragma once

#include <cstdint>
#include <span>

#include "core/cluster.h"
#include "core/job.h"
#include "core/performance_model.h"
#include "core/run.h"

namespace muster {

// What a policy sees: views of the engine's own state, O(1) to make. Views end with the call.
struct Snapshot {
  Time now{};
  const Cluster& cluster;
  const PerformanceModel& belief;
  std::span<const Job> jobs;       // By JobId; ended ones too: iterate over the next three.
  std::span<const JobId> waiting;  // Active, no wanted run; ascending = order of submission.
  std::span<const JobId> running;  // With a wanted run, begun or not; ascending.
  std::span<const JobId> changed;  // Submitted, ended, or with another set, state or pace of runs
                                   // since the last decision; ascending, each once.
  const RunTable& runs;
  const GrantTable& grants;
  std::span<const std::int32_t> free;          // By PoolId: on usable nodes, in no wanted grant.
  std::span<const std::int32_t> free_by_type;  // The sums of `free`.
  std::int32_t free_total = 0;
  std::span<const std::int64_t> free_cpus_milli;  // By NodeId; huge where not limited.
  std::span<const std::int64_t> free_memory_mib;  // By NodeId; huge where not limited.
  Duration minimum_run_time{};

  const Job& job(JobId id) const { return jobs[id.index()]; }
  const Run& run(RunId id) const { return runs.at(id); }
  const Grant& grant_of(const Run& run) const { return grants.at(run.grant); }
  // False while the run has not run for minimum_run_time; a run that has not begun may be dropped.
  bool may_stop(const Run& run) const {
    return run.is_wanted() && (!run.has_begun() || now - run.begun_at >= minimum_run_time);
  }
  // Not saved yet and not believed to be done by the live runs.
  std::int64_t steps_left(const Job& job) const;
};

}  // namespace muster
