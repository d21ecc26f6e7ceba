#include "workload/catalogue.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/text.h"

namespace muster {
namespace {

constexpr double figure_max = 1e9;
constexpr std::size_t entries_max = 1000;
constexpr std::size_t aliases_max = 100;

struct Figure {
  std::string_view key;
  double GpuType::* field;
};

constexpr std::array<Figure, 7> figure_fields = {{
    {"memory_gib", &GpuType::memory_gib},
    {"memory_bandwidth_gb_per_second", &GpuType::memory_bandwidth_gb_per_second},
    {"fp32_tflops", &GpuType::fp32_tflops},
    {"tensor_tflops", &GpuType::tensor_tflops},
    {"pcie_gb_per_second", &GpuType::pcie_gb_per_second},
    {"power_watts", &GpuType::power_watts},
    {"price_dollars_per_hour", &GpuType::price_dollars_per_hour},
}};

std::vector<std::string> allowed_keys() {
  std::vector<std::string> keys;
  for (const Figure& figure : figure_fields) keys.emplace_back(figure.key);
  keys.insert(keys.end(), {"source", "aliases"});
  return keys;
}

Result<Catalogue> catalogue_from(const Result<YamlValue>& document, const std::string& path) {
  if (!document) return tl::unexpected(document.error());
  const YamlFields fields(path);
  if (const auto is_map = fields.expect_map(*document, ""); !is_map) {
    return tl::unexpected(is_map.error());
  }
  Catalogue catalogue;
  for (std::size_t i = 0; i < document->keys.size(); ++i) {
    const std::string& name = document->keys[i];
    if (catalogue.find(name) != nullptr) {
      return tl::unexpected(
          fields.error_at(document->items[i].line, name, "expected each name once, got it again"));
    }
    if (const auto added = catalogue.define(fields, name, document->items[i]); !added) {
      return tl::unexpected(added.error());
    }
  }
  return catalogue;
}

}  // namespace

const Catalogue::Entry* Catalogue::find(std::string_view name) const {
  const std::string lower = to_lower(name);
  const auto found = std::find_if(entries_.begin(), entries_.end(), [&](const Entry& entry) {
    return entry.type.name == lower ||
           std::find(entry.aliases.begin(), entry.aliases.end(), lower) != entry.aliases.end();
  });
  return found == entries_.end() ? nullptr : &*found;
}

std::string Catalogue::canonical_name(std::string_view name) const {
  const Entry* entry = find(name);
  return entry == nullptr ? to_lower(name) : entry->type.name;
}

std::vector<std::string> Catalogue::names() const {
  std::vector<std::string> names;
  for (const Entry& entry : entries_) {
    names.push_back(entry.type.name);
    names.insert(names.end(), entry.aliases.begin(), entry.aliases.end());
  }
  return names;
}

Result<void> Catalogue::read_aliases(const YamlFields& fields, const YamlValue& aliases,
                                     Entry& entry) const {
  const std::string field = entry.type.name + ".aliases";
  if (aliases.kind != YamlValue::Kind::list || aliases.items.size() > aliases_max) {
    return tl::unexpected(fields.expected(aliases, field, "a short list of names"));
  }
  for (const YamlValue& alias : aliases.items) {
    const auto text = fields.name(alias, field);
    if (!text) return tl::unexpected(text.error());
    const Entry* holder = find(*text);
    if (holder != nullptr && holder->type.name != entry.type.name) {
      return tl::unexpected(fields.expected(alias, field, "a name that no other type has"));
    }
    entry.aliases.push_back(to_lower(*text));
  }
  return {};
}

Result<void> Catalogue::define(const YamlFields& fields, const std::string& name,
                               const YamlValue& figures) {
  if (!is_plain_name(name)) {
    return tl::unexpected(fields.error_at(figures.line, "gpu_types",
                                          "expected a name of letters, digits, '.', '_' and '-', "
                                          "got " +
                                              quoted(name)));
  }
  if (const auto keys = fields.expect_keys(figures, name, allowed_keys()); !keys) return keys;
  const Entry* known = find(name);
  Entry entry = known == nullptr ? Entry{.type = {.name = to_lower(name)}} : *known;
  for (const Figure& figure : figure_fields) {
    const YamlValue* value = figures.find(figure.key);
    if (value == nullptr) continue;
    const auto number = fields.number(*value, name + "." + std::string(figure.key), 0, figure_max);
    if (!number) return tl::unexpected(number.error());
    entry.type.*figure.field = *number;
  }
  if (const YamlValue* source = figures.find("source")) {
    const auto text = fields.text(*source, name + ".source");
    if (!text) return tl::unexpected(text.error());
    entry.source = *text;
  }
  if (const YamlValue* aliases = figures.find("aliases")) {
    if (const auto read = read_aliases(fields, *aliases, entry); !read) return read;
  }
  if (known == nullptr && entries_.size() >= entries_max) {
    return tl::unexpected(fields.error_at(figures.line, name, "too many GPU types"));
  }
  if (known == nullptr) {
    entries_.push_back(std::move(entry));
  } else {
    entries_[static_cast<std::size_t>(known - entries_.data())] = std::move(entry);
  }
  return {};
}

Result<Catalogue> read_catalogue(const std::string& path) {
  return catalogue_from(read_yaml(path), path);
}

Result<Catalogue> read_catalogue_text(std::string_view text, const std::string& path) {
  return catalogue_from(parse_yaml(text, path), path);
}

}  // namespace muster
