#include "core/placement.h"

#include <algorithm>

namespace muster {

std::int32_t gpu_total(const Placement& placement) {
  std::int32_t total = 0;
  for (const Slot& slot : placement) total += slot.gpu_count;
  return total;
}

std::int32_t node_count(const Placement& placement, const Cluster& cluster) {
  std::int32_t count = 0;
  NodeId previous;
  for (const Slot& slot : placement) {
    const NodeId node = cluster.pools[slot.pool.index()].node;
    if (node != previous) ++count;
    previous = node;
  }
  return count;
}

bool is_one_type(const Placement& placement, const Cluster& cluster) {
  return std::all_of(placement.begin(), placement.end(), [&](const Slot& slot) {
    return cluster.pools[slot.pool.index()].type ==
           cluster.pools[placement.front().pool.index()].type;
  });
}

}  // namespace muster
