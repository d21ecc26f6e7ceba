#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "base/text.h"
#include "workload/cluster_file.h"

namespace muster {
namespace {

// Text as YAML reads it back: as it is where that is safe, else in double quotes.
std::string yaml_text(std::string_view text) {
  const bool is_word = !text.empty() && to_lower(text) != "null" &&
                       ((text.front() >= 'a' && text.front() <= 'z') ||
                        (text.front() >= 'A' && text.front() <= 'Z'));
  if (is_word && is_plain_name(text)) return std::string(text);
  std::string quoted_text = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7F) {
      constexpr std::string_view digits = "0123456789abcdef";
      quoted_text += "\\x";
      quoted_text += digits[byte >> 4U];
      quoted_text += digits[byte & 0xFU];
      continue;
    }
    if (c == '"' || c == '\\') quoted_text += '\\';
    quoted_text += c;
  }
  return quoted_text + "\"";
}

// "{v100: 2, k80: 2}": of one node.
std::string gpus_text(const Cluster& cluster, const Node& node) {
  std::string text;
  for (std::uint32_t i = 0; i < node.pool_count; ++i) {
    const Pool& pool = cluster.pools[node.first_pool.index() + i];
    if (!text.empty()) text += ", ";
    text +=
        yaml_text(cluster.types[pool.type.index()].name) + ": " + std::to_string(pool.gpu_count);
  }
  return "{" + text + "}";
}

// All of a node but its name.
std::string node_text(const Cluster& cluster, const Node& node) {
  std::string text = "gpus: " + gpus_text(cluster, node);
  if (node.cpus_milli > 0) {
    text += ", cpus: " + format_number(static_cast<double>(node.cpus_milli) / 1000);
  }
  if (node.memory_mib > 0) {
    text += ", memory_gib: " + format_number(static_cast<double>(node.memory_mib) / 1024);
  }
  if (!node.rack.empty()) text += ", rack: " + yaml_text(node.rack);
  return text;
}

std::string default_prefix(const Cluster& cluster, const Node& node) {
  if (node.pool_count != 1) return "node";
  return cluster.types[cluster.pools[node.first_pool.index()].type.index()].name;
}

// Writes the entries of `nodes`, with the numbering that the reader will use.
class NodeWriter {
 public:
  explicit NodeWriter(const Cluster& cluster) : cluster_(cluster) {}

  std::string entries() {
    for (const Node& node : cluster_.nodes) add(node);
    flush();
    return std::move(text_);
  }

 private:
  // The prefix of a name that the reader would give to the next node of that prefix.
  std::optional<std::string> numbered_prefix(const std::string& name) const {
    const std::size_t dash = name.rfind('-');
    if (dash == std::string::npos || dash == 0) return std::nullopt;
    std::string prefix = name.substr(0, dash);
    const auto known = next_number_.find(prefix);
    const std::int64_t next = known == next_number_.end() ? 0 : known->second;
    if (name.substr(dash + 1) != std::to_string(next)) return std::nullopt;
    return prefix;
  }

  void add(const Node& node) {
    const std::optional<std::string> prefix = numbered_prefix(node.name);
    std::string description = node_text(cluster_, node);
    if (!prefix) {
      flush();
      text_ += "  - {name: " + yaml_text(node.name) + ", " + description + "}\n";
      return;
    }
    ++next_number_[*prefix];
    if (count_ == 0 || *prefix != prefix_ || description != description_) {
      flush();
      prefix_ = *prefix;
      description_ = std::move(description);
      has_default_name_ = prefix_ == default_prefix(cluster_, node);
    }
    ++count_;
  }

  void flush() {
    if (count_ == 0) return;
    text_ += "  - {count: " + std::to_string(count_) + ", ";
    if (!has_default_name_) text_ += "name: " + yaml_text(prefix_) + ", ";
    text_ += description_ + "}\n";
    count_ = 0;
  }

  const Cluster& cluster_;
  std::string text_;
  std::map<std::string, std::int64_t> next_number_;  // By prefix.
  std::int64_t count_ = 0;                           // Of the group under way.
  std::string prefix_;
  std::string description_;
  bool has_default_name_ = false;
};

std::string type_text(const GpuType& type) {
  const std::vector<std::pair<std::string, double>> figures = {
      {"memory_gib", type.memory_gib},
      {"memory_bandwidth_gb_per_second", type.memory_bandwidth_gb_per_second},
      {"fp32_tflops", type.fp32_tflops},
      {"tensor_tflops", type.tensor_tflops},
      {"pcie_gb_per_second", type.pcie_gb_per_second},
      {"power_watts", type.power_watts},
      {"price_dollars_per_hour", type.price_dollars_per_hour}};
  std::string text;
  for (const auto& [key, value] : figures) {
    if (value > 0) text += "\n    " + key + ": " + format_number(value);
  }
  // Even a type of which nothing is known is named: the reader may not know the name.
  if (text.empty()) text = " {}";
  return "  " + yaml_text(type.name) + ":" + text + "\n";
}

}  // namespace

std::string write_cluster_text(const Cluster& cluster) {
  std::string text = "name: " + yaml_text(cluster.name) + "\nnodes:\n";
  text += NodeWriter(cluster).entries();
  if (cluster.types.empty()) return text;
  text += "gpu_types:\n";
  for (const GpuType& type : cluster.types) text += type_text(type);
  return text;
}

}  // namespace muster
