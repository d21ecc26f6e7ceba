#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "base/archive.h"
#include "core/pace.h"
#include "core/placement.h"

namespace muster {

// Ended: gone from the tables, its id never used again.
enum class RunState : std::uint8_t { waiting, starting, running, stopping };

// One start-to-stop of one job, and the only key of commands and reports.
struct Run {
  RunId id{};
  JobId job{};
  GrantId grant{};
  RunState state = RunState::waiting;
  std::optional<std::int64_t> quota{};  // As the plan said.
  std::int64_t steps = 0;               // To be done here, fixed at its start; a guess before.
  Pace pace{};                          // Believed, in the present company.
  Time requested_at{};
  Time begun_at{};

  bool is_wanted() const { return state != RunState::stopping; }
  // Its StartRun was sent: it holds its grant's GPUs.
  bool has_begun() const { return state != RunState::waiting; }
  void transfer(Archive& archive) {
    archive(id, job, grant, state, quota, steps, pace, requested_at, begun_at);
  }
  // Believed to be done by `now`; only a run that has started makes steps.
  std::int64_t steps_by(Time now) const {
    if (state != RunState::running && state != RunState::stopping) return 0;
    const std::int64_t done = pace.steps(now);
    return done < steps ? done : steps;
  }
};

// The GPUs of one assignment: one run, or several that share them.
struct Grant {
  GrantId id{};
  Placement placement{};
  std::vector<std::int32_t> gpu_indices{};  // Slot by slot, within the pool. Empty until held.
  std::vector<RunId> runs{};                // Ascending.
  std::int32_t wanted_count = 0;            // Its runs that are not stopping.

  bool is_held() const { return !gpu_indices.empty(); }
  void transfer(Archive& archive) { archive(id, placement, gpu_indices, runs, wanted_count); }
};

using RunTable = std::map<RunId, Run>;  // Live ones only.
using GrantTable = std::map<GrantId, Grant>;

}  // namespace muster
