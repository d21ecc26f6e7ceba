#include "workload/cluster_file.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <unordered_set>
#include <utility>
#include <vector>

#include "base/text.h"

namespace muster {
namespace {

constexpr std::int64_t count_max = 1000000;  // Of nodes in a group, of GPUs in a node.
constexpr std::size_t nodes_max = 1000000;   // In the cluster.
constexpr std::int64_t gpus_max = 10000000;  // In the cluster.
constexpr double cpus_max = 1e6;             // Of a node.
constexpr double memory_max_gib = 1e6;       // Of a node.

using GpuCounts = std::vector<std::pair<GpuTypeId, std::int32_t>>;

std::string default_prefix(const Cluster& cluster, const GpuCounts& gpus) {
  return gpus.size() == 1 ? cluster.types[gpus.front().first.index()].name : "node";
}

// Reads one file: holds what the entries of `nodes` share.
class ClusterReader {
 public:
  ClusterReader(std::string path, Catalogue catalogue)
      : path_(std::move(path)), fields_(path_), catalogue_(std::move(catalogue)) {}

  Result<Cluster> read(const YamlValue& root) {
    const std::array<std::string, 3> keys = {"name", "nodes", "gpu_types"};
    if (const auto known = fields_.expect_keys(root, "", keys); !known) return fail(known);
    if (const auto named = read_name(root); !named) return fail(named);
    if (const auto types = read_types(root); !types) return fail(types);
    const YamlValue* nodes = root.find("nodes");
    if (nodes == nullptr) {
      return tl::unexpected(fields_.error_at(root.line, "nodes", "expected a list, got nothing"));
    }
    if (nodes->kind != YamlValue::Kind::list || nodes->items.empty()) {
      return tl::unexpected(fields_.expected(*nodes, "nodes", "a list of nodes"));
    }
    for (const YamlValue& entry : nodes->items) {
      if (const auto added = read_entry(entry); !added) return fail(added);
    }
    if (cluster_.gpu_count() == 0) {
      return tl::unexpected(fields_.error_at(nodes->line, "nodes", "expected at least one GPU"));
    }
    return std::move(cluster_);
  }

 private:
  static tl::unexpected<Error> fail(const Result<void>& result) {
    return tl::unexpected(result.error());
  }

  Result<void> read_name(const YamlValue& root) {
    cluster_.name = std::filesystem::path(path_).stem().string();
    const YamlValue* value = root.find("name");
    if (value == nullptr) return {};
    const auto text = fields_.text(*value, "name");
    if (!text) return tl::unexpected(text.error());
    cluster_.name = *text;
    return {};
  }

  Result<void> read_types(const YamlValue& root) {
    const YamlValue* types = root.find("gpu_types");
    if (types == nullptr || types->kind == YamlValue::Kind::null) return {};
    if (const auto is_map = fields_.expect_map(*types, "gpu_types"); !is_map) return is_map;
    for (std::size_t i = 0; i < types->keys.size(); ++i) {
      const auto added = catalogue_.define(fields_, types->keys[i], types->items[i]);
      if (!added) return added;
    }
    return {};
  }

  Result<GpuTypeId> type_of(const std::string& name, const YamlValue& count) {
    const std::string lower = to_lower(name);
    if (const auto known = cluster_.find_type(lower)) return *known;
    const Catalogue::Entry* entry = catalogue_.find(lower);
    if (entry == nullptr) {
      Error error =
          fields_.error_at(count.line, "gpus", "unknown GPU type " + muster::quoted(name));
      const auto suggestion = nearest(lower, catalogue_.names());
      error.hint =
          suggestion ? "did you mean '" + *suggestion + "'?" : "give its figures under gpu_types";
      return tl::unexpected(std::move(error));
    }
    if (cluster_.types.size() >= gpu_types_max) {
      return tl::unexpected(fields_.error_at(
          count.line, "gpus",
          "expected at most " + std::to_string(gpu_types_max) + " GPU types in a cluster"));
    }
    GpuType type = entry->type;
    type.name = lower;  // An alias stays the name that the file uses.
    return cluster_.add_type(std::move(type));
  }

  Result<GpuCounts> read_gpus(const YamlValue& entry) {
    const YamlValue* value = entry.find("gpus");
    if (value == nullptr) {
      return tl::unexpected(fields_.error_at(
          entry.line, "gpus", "expected a map of GPU types to counts ({} for none), got nothing"));
    }
    if (const auto is_map = fields_.expect_map(*value, "gpus"); !is_map) return fail(is_map);
    GpuCounts gpus;
    for (std::size_t i = 0; i < value->keys.size(); ++i) {
      const std::string& name = value->keys[i];
      const auto type = type_of(name, value->items[i]);
      if (!type) return tl::unexpected(type.error());
      const auto count = fields_.integer(value->items[i], "gpus." + name, 1, count_max);
      if (!count) return tl::unexpected(count.error());
      gpus.emplace_back(*type, static_cast<std::int32_t>(*count));
    }
    std::sort(gpus.begin(), gpus.end());
    const auto repeated = std::adjacent_find(
        gpus.begin(), gpus.end(), [](const auto& a, const auto& b) { return a.first == b.first; });
    if (repeated == gpus.end()) return gpus;
    return tl::unexpected(fields_.expected(*value, "gpus", "each GPU type once"));
  }

  // What all nodes of the entry share, without name and GPUs.
  Result<Node> read_node(const YamlValue& entry) {
    Node node;
    if (const YamlValue* value = entry.find("cpus")) {
      const auto cpus = fields_.number(*value, "cpus", 0.001, cpus_max);
      if (!cpus) return tl::unexpected(cpus.error());
      node.cpus_milli = std::llround(*cpus * 1000);
    }
    if (const YamlValue* value = entry.find("memory_gib")) {
      const auto memory = fields_.number(*value, "memory_gib", 0.001, memory_max_gib);
      if (!memory) return tl::unexpected(memory.error());
      node.memory_mib = std::llround(*memory * 1024);
    }
    if (const YamlValue* value = entry.find("rack")) {
      const auto rack = fields_.name(*value, "rack");
      if (!rack) return tl::unexpected(rack.error());
      node.rack = *rack;
    }
    return node;
  }

  Result<void> read_entry(const YamlValue& entry) {
    const std::array<std::string, 6> keys = {"count", "name", "gpus", "cpus", "memory_gib", "rack"};
    if (const auto known = fields_.expect_keys(entry, "nodes", keys); !known) return known;
    const auto gpus = read_gpus(entry);
    if (!gpus) return tl::unexpected(gpus.error());
    auto node = read_node(entry);
    if (!node) return tl::unexpected(node.error());

    std::int64_t count = 1;
    const YamlValue* count_value = entry.find("count");
    if (count_value != nullptr) {
      const auto given = fields_.integer(*count_value, "count", 1, count_max);
      if (!given) return tl::unexpected(given.error());
      count = *given;
    }
    std::string prefix = default_prefix(cluster_, *gpus);
    const YamlValue* name_value = entry.find("name");
    if (name_value != nullptr) {
      const auto name = fields_.name(*name_value, "name");
      if (!name) return tl::unexpected(name.error());
      prefix = *name;
    }
    if (const auto room = check_room(entry, count, *gpus); !room) return room;
    if (name_value != nullptr && count_value == nullptr) {
      node->name = prefix;
      return add_node(entry, *std::move(node), *gpus);
    }
    std::int64_t& next = next_number_[prefix];
    for (; count > 0; --count) {
      node->name = prefix + "-" + std::to_string(next++);
      if (const auto added = add_node(entry, *node, *gpus); !added) return added;
    }
    return {};
  }

  Result<void> check_room(const YamlValue& entry, std::int64_t count, const GpuCounts& gpus) {
    std::int64_t per_node = 0;
    for (const auto& [type, type_count] : gpus) per_node += type_count;
    if (cluster_.nodes.size() + static_cast<std::size_t>(count) > nodes_max) {
      return tl::unexpected(fields_.error_at(
          entry.line, "count", "expected at most " + std::to_string(nodes_max) + " nodes in all"));
    }
    gpus_left_ -= per_node * count;
    if (gpus_left_ >= 0) return {};
    return tl::unexpected(fields_.error_at(
        entry.line, "gpus", "expected at most " + std::to_string(gpus_max) + " GPUs in all"));
  }

  Result<void> add_node(const YamlValue& entry, Node node, const GpuCounts& gpus) {
    if (!node_names_.insert(node.name).second) {
      return tl::unexpected(fields_.error_at(
          entry.line, "name",
          "expected each node name once, got " + muster::quoted(node.name) + " again"));
    }
    cluster_.add_node(std::move(node), gpus);
    return {};
  }

  std::string path_;
  YamlFields fields_;
  Catalogue catalogue_;  // With the file's own types.
  Cluster cluster_;
  std::map<std::string, std::int64_t> next_number_;  // By prefix.
  std::unordered_set<std::string> node_names_;
  std::int64_t gpus_left_ = gpus_max;
};

Result<Cluster> cluster_from(const Result<YamlValue>& document, const std::string& path,
                             const Catalogue& catalogue) {
  if (!document) return tl::unexpected(document.error());
  return ClusterReader(path, catalogue).read(*document);
}

bool has_figures(const GpuType& type) {
  return type.memory_gib > 0 || type.memory_bandwidth_gb_per_second > 0 || type.fp32_tflops > 0 ||
         type.tensor_tflops > 0 || type.pcie_gb_per_second > 0 || type.power_watts > 0 ||
         type.price_dollars_per_hour > 0;
}

}  // namespace

Result<Cluster> read_cluster(const std::string& path, const Catalogue& catalogue) {
  return cluster_from(read_yaml(path), path, catalogue);
}

Result<Cluster> read_cluster_text(std::string_view text, const std::string& path,
                                  const Catalogue& catalogue) {
  return cluster_from(parse_yaml(text, path), path, catalogue);
}

Cluster with_catalogue_figures(Cluster cluster, const Catalogue& catalogue) {
  for (GpuType& type : cluster.types) {
    const Catalogue::Entry* entry = catalogue.find(type.name);
    if (entry == nullptr || has_figures(type)) continue;
    std::string name = std::move(type.name);
    type = entry->type;
    type.name = std::move(name);
  }
  return cluster;
}

}  // namespace muster
