#pragma once

#include <cstdint>
#include <vector>

#include "base/id.h"
#include "core/cluster.h"

namespace muster {

struct Slot {
  PoolId pool;
  std::int32_t gpu_count = 0;
  friend bool operator==(const Slot&, const Slot&) = default;
};

// The GPUs of one grant: ascending by pool, counts > 0. May mix nodes and types.
using Placement = std::vector<Slot>;

std::int32_t gpu_total(const Placement& placement);
std::int32_t node_count(const Placement& placement, const Cluster& cluster);
bool is_one_type(const Placement& placement, const Cluster& cluster);

}  // namespace muster
