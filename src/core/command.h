#pragma once

#include <cstdint>
#include <utility>
#include <variant>
#include <vector>

#include "core/placement.h"

namespace muster {

struct StopRun {
  RunId run;
};
struct Consolidate {  // Average the copies, weighted as the world sees fit.
  JobId job;
  std::vector<std::pair<RunId, std::int64_t>> copies;
};
struct StartRun {  // The world ends it after `steps`.
  RunId run;
  JobId job;
  GrantId grant;
  std::int64_t steps = 0;
  Placement placement;
  std::vector<std::int32_t> gpu_indices;  // Slot by slot, within the pool.
};

using Command = std::variant<StopRun, Consolidate, StartRun>;

}  // namespace muster
