#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/id.h"

namespace muster {

inline constexpr std::size_t gpu_types_max = 64;  // JobSpec::types_allowed is a 64-bit mask.

// Published figures of one kind of GPU; 0 means not known.
struct GpuType {
  std::string name;
  double memory_gib = 0;
  double memory_bandwidth_gb_per_second = 0;
  double fp32_tflops = 0;
  double tensor_tflops = 0;
  double pcie_gb_per_second = 0;
  double power_watts = 0;
  double price_dollars_per_hour = 0;
};

enum class NodeState : std::uint8_t { up, draining, down };  // Only `up` takes new runs.

// One machine. Its pools are numbered one after the other.
struct Node {
  std::string name;
  std::string rack{};
  std::int64_t cpus_milli = 0;  // 0: not limited.
  std::int64_t memory_mib = 0;  // 0: not limited.
  NodeState state = NodeState::up;
  PoolId first_pool{};
  std::uint32_t pool_count = 0;
  std::int32_t gpu_count = 0;
};

// The GPUs of one type in one node: one dense index says where and what.
struct Pool {
  NodeId node;
  GpuTypeId type;
  std::int32_t gpu_count = 0;
};

// The machines and what is in them. Types stand in the order of the cluster file: policies that do
// not care about types take the first that fits. Built by add_type and add_node.
struct Cluster {
  std::string name;
  std::vector<GpuType> types;
  std::vector<Node> nodes;
  std::vector<Pool> pools;                         // Node by node.
  std::vector<std::vector<PoolId>> pools_by_type;  // Ascending.
  std::vector<std::int32_t> gpu_count_by_type;     // Whatever the nodes' states.

  // REQUIRES: fewer than gpu_types_max types so far, a new name.
  GpuTypeId add_type(GpuType type);
  // `gpus`: counts per type, ascending by type, counts > 0. A node without GPUs is allowed.
  NodeId add_node(Node node, const std::vector<std::pair<GpuTypeId, std::int32_t>>& gpus);

  std::optional<GpuTypeId> find_type(std::string_view type_name) const;
  std::optional<NodeId> find_node(std::string_view node_name) const;
  std::int32_t gpu_count() const;
  bool is_usable(PoolId pool) const {
    return nodes[pools[pool.index()].node.index()].state == NodeState::up;
  }
};

}  // namespace muster
