#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "core/cluster.h"
#include "workload/yaml_document.h"

namespace muster {

// The kinds of GPU that are known by name. Names are compared without regard to case.
class Catalogue {
 public:
  struct Entry {
    GpuType type;
    std::string source{};
    std::vector<std::string> aliases{};
  };

  std::span<const Entry> entries() const { return entries_; }  // In file order.
  // By name or alias; null where unknown.
  const Entry* find(std::string_view name) const;
  // The one name of all that mean the same type: "GTX2080Ti" -> "rtx2080ti". The lower-case name
  // itself where unknown.
  std::string canonical_name(std::string_view name) const;
  std::vector<std::string> names() const;  // Aliases included.

  // Adds a type, or overrides the figures that `figures` gives of a known one.
  Result<void> define(const YamlFields& fields, const std::string& name, const YamlValue& figures);

 private:
  Result<void> read_aliases(const YamlFields& fields, const YamlValue& aliases, Entry& entry) const;

  std::vector<Entry> entries_;
};

// Reads data/gpus.yaml: a map of type names to their figures.
Result<Catalogue> read_catalogue(const std::string& path);
// The same from memory: what tests and fuzzers use.
Result<Catalogue> read_catalogue_text(std::string_view text, const std::string& path);

}  // namespace muster
