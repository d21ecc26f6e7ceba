#include "policies/packing.h"

#include <algorithm>

#include "base/check.h"

namespace muster {
namespace {

// More than half: the largest tensor alone dominates the traffic (vgg*, alexnet).
constexpr double skew_min_ratio = 0.5;

// A notional placement of `gpus` GPUs of one type on an idle cluster: the first node that holds
// them all, else node after node; empty when there are not enough.
Placement idle_placement(const Cluster& cluster, GpuTypeId type, std::int32_t gpus) {
  if (cluster.gpu_count_by_type[type.index()] < gpus) return {};
  const std::vector<PoolId>& pools = cluster.pools_by_type[type.index()];
  for (const PoolId pool : pools) {
    if (cluster.pools[pool.index()].gpu_count >= gpus) return {{.pool = pool, .gpu_count = gpus}};
  }
  Placement placement;
  for (const PoolId pool : pools) {
    if (gpus == 0) break;
    const std::int32_t taken = std::min(gpus, cluster.pools[pool.index()].gpu_count);
    placement.push_back({.pool = pool, .gpu_count = taken});
    gpus -= taken;
  }
  return placement;
}

}  // namespace

OptionInfo placement_option(std::string default_text) {
  return {.name = "placement",
          .kind = OptionKind::choice,
          .default_text = std::move(default_text),
          .choices = {"count", "consolidated", "spread", "skew"},
          .help = "where a gang may sit"};
}

PlacementRule placement_rule(const OptionValues& options) {
  const std::string& choice = options.choice("placement");
  if (choice == "consolidated") return PlacementRule::consolidated;
  if (choice == "spread") return PlacementRule::spread;
  if (choice == "skew") return PlacementRule::skew;
  return PlacementRule::count;
}

void Capacity::reset(const Snapshot& snapshot) {
  cluster_ = &snapshot.cluster;
  free_.assign(snapshot.free.begin(), snapshot.free.end());
  free_by_type_.assign(snapshot.free_by_type.begin(), snapshot.free_by_type.end());
  free_total_ = snapshot.free_total;
  free_cpus_milli_.assign(snapshot.free_cpus_milli.begin(), snapshot.free_cpus_milli.end());
  free_memory_mib_.assign(snapshot.free_memory_mib.begin(), snapshot.free_memory_mib.end());
}

void Capacity::reset_idle(const Cluster& cluster) {
  constexpr std::int64_t unlimited = std::int64_t{1} << 61U;
  cluster_ = &cluster;
  free_.clear();
  for (const Pool& pool : cluster.pools) free_.push_back(pool.gpu_count);
  free_by_type_ = cluster.gpu_count_by_type;
  free_total_ = cluster.gpu_count();
  free_cpus_milli_.clear();
  free_memory_mib_.clear();
  for (const Node& node : cluster.nodes) {
    free_cpus_milli_.push_back(node.cpus_milli > 0 ? node.cpus_milli : unlimited);
    free_memory_mib_.push_back(node.memory_mib > 0 ? node.memory_mib : unlimited);
  }
}

std::int32_t Capacity::usable(const Shape& shape, PoolId pool, std::int32_t wanted) const {
  std::int32_t gpus = std::min(wanted, free_[pool.index()]);
  if (shape.cpus_milli == 0 && shape.memory_mib == 0) return gpus;
  const std::size_t node = cluster_->pools[pool.index()].node.index();
  const JobSpec needs{
      .gpu_count = shape.gpu_count, .cpus_milli = shape.cpus_milli, .memory_mib = shape.memory_mib};
  while (gpus > 0 && (needs.cpus_milli_for(gpus) > free_cpus_milli_[node] ||
                      needs.memory_mib_for(gpus) > free_memory_mib_[node])) {
    --gpus;
  }
  return gpus;
}

std::optional<Placement> Capacity::find(const Shape& shape) const {
  for (std::size_t type = 0; type < free_by_type_.size(); ++type) {
    if (auto placement = find_on(shape, GpuTypeId(type))) return placement;
  }
  return std::nullopt;
}

std::optional<Placement> Capacity::find_on(const Shape& shape, GpuTypeId type) const {
  if (((shape.types >> type.index()) & 1U) == 0) return std::nullopt;
  if (free_by_type_[type.index()] < shape.gpu_count) return std::nullopt;
  switch (shape.rule) {
    case PlacementRule::skew:
    case PlacementRule::count: return find_count(shape, type);
    case PlacementRule::consolidated: return find_consolidated(shape, type);
    case PlacementRule::spread: return find_spread(shape, type);
  }
  return std::nullopt;
}

std::optional<Placement> Capacity::find_count(const Shape& shape, GpuTypeId type) const {
  Placement placement;
  std::int32_t missing = shape.gpu_count;
  for (const PoolId pool : cluster_->pools_by_type[type.index()]) {
    if (free_[pool.index()] == 0) continue;
    const std::int32_t gpus = usable(shape, pool, missing);
    if (gpus == 0) continue;
    placement.push_back({.pool = pool, .gpu_count = gpus});
    missing -= gpus;
    if (missing == 0) return placement;
  }
  return std::nullopt;
}

std::optional<Placement> Capacity::find_consolidated(const Shape& shape, GpuTypeId type) const {
  const std::vector<PoolId>& pools = cluster_->pools_by_type[type.index()];
  std::int32_t node_gpus = 0;
  for (const PoolId pool : pools) {
    node_gpus = std::max(node_gpus, cluster_->pools[pool.index()].gpu_count);
  }
  if (node_gpus == 0) return std::nullopt;
  Placement placement;
  std::int32_t whole_nodes = shape.gpu_count <= node_gpus ? 0 : shape.gpu_count / node_gpus;
  std::int32_t remainder = shape.gpu_count - whole_nodes * node_gpus;
  for (const PoolId pool : pools) {
    if (whole_nodes == 0) break;
    const std::int32_t gpus = cluster_->pools[pool.index()].gpu_count;
    if (gpus < node_gpus || usable(shape, pool, gpus) < gpus) continue;
    placement.push_back({.pool = pool, .gpu_count = gpus});
    --whole_nodes;
  }
  if (whole_nodes > 0) return std::nullopt;
  for (const PoolId pool : pools) {
    if (remainder == 0) break;
    const bool is_taken = std::any_of(placement.begin(), placement.end(),
                                      [&](const Slot& slot) { return slot.pool == pool; });
    if (is_taken || usable(shape, pool, remainder) < remainder) continue;
    placement.push_back({.pool = pool, .gpu_count = remainder});
    remainder = 0;
  }
  if (remainder > 0) return std::nullopt;
  std::sort(placement.begin(), placement.end(),
            [](const Slot& a, const Slot& b) { return a.pool < b.pool; });
  return placement;
}

std::optional<Placement> Capacity::find_spread(const Shape& shape, GpuTypeId type) const {
  Placement placement;
  std::int32_t missing = shape.gpu_count;
  for (const PoolId pool : cluster_->pools_by_type[type.index()]) {
    if (missing == 0) break;
    if (usable(shape, pool, 1) == 0) continue;
    placement.push_back({.pool = pool, .gpu_count = 1});
    --missing;
  }
  // More rounds over the same nodes, one GPU each, while the gang is larger than their number.
  for (bool grew = true; missing > 0 && grew;) {
    grew = false;
    for (Slot& slot : placement) {
      if (missing == 0) break;
      if (usable(shape, slot.pool, slot.gpu_count + 1) <= slot.gpu_count) continue;
      ++slot.gpu_count;
      --missing;
      grew = true;
    }
  }
  if (missing > 0) return std::nullopt;
  return placement;
}

bool Capacity::holds(const Shape& shape, const Placement& placement) const {
  return std::all_of(placement.begin(), placement.end(), [&](const Slot& slot) {
    return usable(shape, slot.pool, slot.gpu_count) == slot.gpu_count;
  });
}

void Capacity::change(const Shape& shape, const Placement& placement, std::int32_t sign) {
  const JobSpec needs{
      .gpu_count = shape.gpu_count, .cpus_milli = shape.cpus_milli, .memory_mib = shape.memory_mib};
  for (const Slot& slot : placement) {
    const Pool& pool = cluster_->pools[slot.pool.index()];
    // What stops on a node that is down frees nothing.
    const bool counts = cluster_->is_usable(slot.pool);
    if (!counts && sign > 0) continue;
    free_[slot.pool.index()] += sign * slot.gpu_count;
    free_by_type_[pool.type.index()] += sign * slot.gpu_count;
    free_total_ += sign * slot.gpu_count;
    CHECK(free_[slot.pool.index()] >= 0);
    free_cpus_milli_[pool.node.index()] += sign * needs.cpus_milli_for(slot.gpu_count);
    free_memory_mib_[pool.node.index()] += sign * needs.memory_mib_for(slot.gpu_count);
  }
}

void Capacity::limit_to(const Capacity& other) {
  for (std::size_t pool = 0; pool < free_.size(); ++pool) {
    const std::int32_t excess = std::max(free_[pool] - other.free_[pool], 0);
    free_[pool] -= excess;
    free_by_type_[cluster_->pools[pool].type.index()] -= excess;
    free_total_ -= excess;
  }
  for (std::size_t node = 0; node < free_cpus_milli_.size(); ++node) {
    free_cpus_milli_[node] = std::min(free_cpus_milli_[node], other.free_cpus_milli_[node]);
    free_memory_mib_[node] = std::min(free_memory_mib_[node], other.free_memory_mib_[node]);
  }
}

ShapeId ShapeTable::shape_of(const Snapshot& snapshot, const JobSpec& spec) {
  Shape shape{.gpu_count = spec.gpu_count,
              .rule = rule_,
              .cpus_milli = spec.cpus_milli,
              .memory_mib = spec.memory_mib};
  if (rule_ == PlacementRule::skew) {
    shape.rule = spec.tensor_skew_ratio > skew_min_ratio ? PlacementRule::consolidated
                                                         : PlacementRule::count;
  }
  const std::vector<double> rates = isolated_rates(snapshot, spec);
  for (std::size_t type = 0; type < rates.size(); ++type) {
    if (rates[type] > 0) shape.types |= std::uint64_t{1} << type;
  }
  const auto [found, is_new] =
      index_.try_emplace(shape, static_cast<std::uint32_t>(shapes_.size()));
  if (is_new) {
    Capacity idle;
    idle.reset_idle(snapshot.cluster);
    shapes_.push_back({.shape = shape, .ever_fits = idle.find(shape).has_value()});
  }
  return ShapeId(found->second);
}

void ShapeTable::transfer(Archive& archive) { archive(shapes_, index_); }

std::vector<double> isolated_rates(const Snapshot& snapshot, const JobSpec& spec) {
  std::vector<double> rates(snapshot.cluster.types.size(), 0);
  for (std::size_t type = 0; type < rates.size(); ++type) {
    if (!spec.allows(GpuTypeId(type))) continue;
    const Placement placement = idle_placement(snapshot.cluster, GpuTypeId(type), spec.gpu_count);
    if (placement.empty()) continue;
    rates[type] = snapshot.belief.rate(spec, {.cluster = snapshot.cluster, .placement = placement})
                      .steps_per_second;
  }
  return rates;
}

}  // namespace muster
