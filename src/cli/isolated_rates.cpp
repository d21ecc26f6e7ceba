#include "cli/isolated_rates.h"

#include <algorithm>
#include <vector>

namespace muster {
namespace {

// The smallest pool that holds the gang, else whole pools from the largest down.
Placement packed(const Cluster& cluster, GpuTypeId type, std::int32_t gpu_count) {
  std::vector<PoolId> pools = cluster.pools_by_type[type.index()];
  const auto size = [&](PoolId pool) { return cluster.pools[pool.index()].gpu_count; };
  std::stable_sort(pools.begin(), pools.end(),
                   [&](PoolId a, PoolId b) { return size(a) > size(b); });
  const auto too_small =
      std::find_if(pools.begin(), pools.end(), [&](PoolId pool) { return size(pool) < gpu_count; });
  if (too_small != pools.begin()) return {{*(too_small - 1), gpu_count}};
  Placement placement;
  std::int32_t left = gpu_count;
  for (const PoolId pool : pools) {
    if (left == 0) break;
    placement.push_back({pool, std::min(left, size(pool))});
    left -= placement.back().gpu_count;
  }
  if (left > 0) return {};
  std::sort(placement.begin(), placement.end(),
            [](const Slot& a, const Slot& b) { return a.pool < b.pool; });
  return placement;
}

}  // namespace

double IsolatedRates::rate(const JobSpec& job, GpuTypeId type) {
  const Placement& where = placement(type, job.gpu_count);
  if (where.empty()) return 0;
  return model_.rate(job, {.cluster = cluster_, .placement = where}).steps_per_second;
}

const Placement& IsolatedRates::placement(GpuTypeId type, std::int32_t gpu_count) {
  const auto key = std::pair(type, gpu_count);
  const auto known = placements_.find(key);
  if (known != placements_.end()) return known->second;
  return placements_.emplace(key, packed(cluster_, type, gpu_count)).first->second;
}

}  // namespace muster
