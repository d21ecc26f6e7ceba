#include "core/cluster.h"

#include <algorithm>
#include <numeric>

#include "base/check.h"

namespace muster {

GpuTypeId Cluster::add_type(GpuType type) {
  CHECK(types.size() < gpu_types_max);
  CHECK(!find_type(type.name));
  types.push_back(std::move(type));
  pools_by_type.emplace_back();
  gpu_count_by_type.push_back(0);
  return GpuTypeId(types.size() - 1);
}

NodeId Cluster::add_node(Node node, const std::vector<std::pair<GpuTypeId, std::int32_t>>& gpus) {
  const NodeId id(nodes.size());
  node.first_pool = PoolId(pools.size());
  node.pool_count = static_cast<std::uint32_t>(gpus.size());
  node.gpu_count = 0;
  GpuTypeId previous;
  for (const auto& [type, count] : gpus) {
    CHECK(type.index() < types.size() && count > 0);
    CHECK(!previous.is_valid() || previous < type);
    previous = type;
    pools_by_type[type.index()].push_back(PoolId(pools.size()));
    gpu_count_by_type[type.index()] += count;
    pools.push_back({.node = id, .type = type, .gpu_count = count});
    node.gpu_count += count;
  }
  nodes.push_back(std::move(node));
  return id;
}

std::optional<GpuTypeId> Cluster::find_type(std::string_view type_name) const {
  const auto found = std::find_if(types.begin(), types.end(),
                                  [&](const GpuType& type) { return type.name == type_name; });
  if (found == types.end()) return std::nullopt;
  return GpuTypeId(static_cast<std::size_t>(found - types.begin()));
}

std::optional<NodeId> Cluster::find_node(std::string_view node_name) const {
  const auto found = std::find_if(nodes.begin(), nodes.end(),
                                  [&](const Node& node) { return node.name == node_name; });
  if (found == nodes.end()) return std::nullopt;
  return NodeId(static_cast<std::size_t>(found - nodes.begin()));
}

std::int32_t Cluster::gpu_count() const {
  return std::accumulate(gpu_count_by_type.begin(), gpu_count_by_type.end(), 0);
}

}  // namespace muster
