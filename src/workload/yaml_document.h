#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace muster {

// A YAML document as a tree of our own, so that no library shows. Anchors are ignored; aliases,
// repeated keys, deep nesting and oversized documents are errors: our files need none of them, and
// a damaged or hostile file must neither crash nor hang us.
struct YamlValue {
  enum class Kind : std::uint8_t { null, scalar, list, map };

  Kind kind = Kind::null;
  std::uint32_t line = 0;           // One-based; of a map's value: the line of its key.
  std::string text{};               // Of a scalar.
  std::vector<std::string> keys{};  // Of a map, in file order: keys[i] names items[i].
  std::vector<YamlValue> items{};   // Of a list or a map.

  const YamlValue* find(std::string_view key) const;  // Null where absent, or not a map.
};

// Reads the only document of a text. Errors begin with `path:line`.
Result<YamlValue> parse_yaml(std::string_view text, const std::string& path);
// The same from a file.
Result<YamlValue> read_yaml(const std::string& path);

// Typed fields of a document; errors read `path:line: field: expected ..., got ...`.
class YamlFields {
 public:
  explicit YamlFields(std::string path) : path_(std::move(path)) {}

  Error expected(const YamlValue& value, std::string_view field, std::string_view what) const;
  Error error_at(std::uint32_t line, std::string_view field, std::string_view problem) const;

  Result<void> expect_map(const YamlValue& value, std::string_view field) const;
  // A map without keys beside `allowed`; a typo gets a suggestion.
  Result<void> expect_keys(const YamlValue& map, std::string_view field,
                           std::span<const std::string> allowed) const;
  Result<std::string> text(const YamlValue& value, std::string_view field) const;
  // 1 to 100 letters, digits, '.', '_', '-': what is safe in every output format.
  Result<std::string> name(const YamlValue& value, std::string_view field) const;
  // Both bounds are inclusive.
  Result<std::int64_t> integer(const YamlValue& value, std::string_view field, std::int64_t minimum,
                               std::int64_t maximum) const;
  Result<double> number(const YamlValue& value, std::string_view field, double minimum,
                        double maximum) const;

 private:
  std::string path_;
};

// Would YamlFields::name accept it?
bool is_plain_name(std::string_view text);

}  // namespace muster
