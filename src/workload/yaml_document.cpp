#include "workload/yaml_document.h"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/mark.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <exception>
#include <fstream>
#include <iterator>
#include <optional>
#include <sstream>
#include <unordered_set>
#include <utility>

#include "base/text.h"

namespace muster {
namespace {

constexpr std::size_t bytes_max = std::size_t{16} << 20U;
constexpr std::size_t depth_max = 16;
constexpr std::size_t name_length_max = 100;

std::string place(const std::string& path, std::uint32_t line) {
  return line == 0 ? path + ": " : path + ":" + std::to_string(line) + ": ";
}

std::uint32_t line_of(const YAML::Mark& mark) {
  return mark.line < 0 ? 0 : static_cast<std::uint32_t>(mark.line) + 1;
}

// Builds the tree from the parser's events. After the first fault it ignores what follows.
class TreeBuilder : public YAML::EventHandler {
 public:
  explicit TreeBuilder(const std::string& path) : path_(path) {}

  const std::optional<Error>& fault() const { return fault_; }
  YamlValue take_root() { return std::move(root_); }

  void OnDocumentStart(const YAML::Mark& mark) override {
    if (document_count_++ > 0) fail(mark, "expected one document, got another");
  }
  void OnDocumentEnd() override {}

  void OnNull(const YAML::Mark& mark, YAML::anchor_t) override {
    add({.kind = YamlValue::Kind::null, .line = line_of(mark)}, mark);
  }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t) override {
    fail(mark, "aliases are not supported");
  }
  void OnScalar(const YAML::Mark& mark, const std::string&, YAML::anchor_t,
                const std::string& text) override {
    if (fault_) return;
    if (expects_key()) {
      add_key(mark, text);
    } else {
      add({.kind = YamlValue::Kind::scalar, .line = line_of(mark), .text = text}, mark);
    }
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t,
                       YAML::EmitterStyle::value) override {
    open(YamlValue::Kind::list, mark);
  }
  void OnSequenceEnd() override { close(); }
  void OnMapStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t,
                  YAML::EmitterStyle::value) override {
    open(YamlValue::Kind::map, mark);
  }
  void OnMapEnd() override { close(); }

 private:
  struct Open {  // A list or map whose end is yet to come.
    YamlValue value;
    std::unordered_set<std::string> keys{};
    std::uint32_t key_line = 0;  // Of the last key: where faults of its value are reported.
  };

  bool expects_key() const {
    if (open_.empty()) return false;
    const YamlValue& top = open_.back().value;
    return top.kind == YamlValue::Kind::map && top.keys.size() == top.items.size();
  }

  void fail(const YAML::Mark& mark, const std::string& problem) {
    if (!fault_) fault_ = Error{.message = place(path_, line_of(mark)) + problem};
  }

  void add_key(const YAML::Mark& mark, const std::string& key) {
    if (!open_.back().keys.insert(key).second) {
      return fail(mark, quoted(key) + ": expected each key once, got it again");
    }
    open_.back().value.keys.push_back(key);
    open_.back().key_line = line_of(mark);
  }

  void add(YamlValue value, const YAML::Mark& mark) {
    if (fault_) return;
    if (expects_key()) return fail(mark, "expected a plain key");
    attach(std::move(value));
  }

  void attach(YamlValue value) {
    if (open_.empty()) {
      root_ = std::move(value);
      return;
    }
    if (open_.back().value.kind == YamlValue::Kind::map) value.line = open_.back().key_line;
    open_.back().value.items.push_back(std::move(value));
  }

  void open(YamlValue::Kind kind, const YAML::Mark& mark) {
    if (fault_) return;
    if (expects_key()) return fail(mark, "expected a plain key");
    if (open_.size() >= depth_max) return fail(mark, "nested too deeply");
    open_.push_back({.value = {.kind = kind, .line = line_of(mark)}});
  }

  void close() {
    if (fault_) return;
    YamlValue value = std::move(open_.back().value);
    open_.pop_back();
    attach(std::move(value));
  }

  const std::string& path_;
  std::optional<Error> fault_;
  std::vector<Open> open_;
  YamlValue root_;
  int document_count_ = 0;
};

std::string shown(const YamlValue& value) {
  switch (value.kind) {
    case YamlValue::Kind::null: return "nothing";
    case YamlValue::Kind::scalar: return quoted(value.text);
    case YamlValue::Kind::list: return "a list";
    case YamlValue::Kind::map: return "a map";
  }
  return "";
}

}  // namespace

const YamlValue* YamlValue::find(std::string_view key) const {
  const auto found = std::find(keys.begin(), keys.end(), key);
  return found == keys.end() ? nullptr : &items[static_cast<std::size_t>(found - keys.begin())];
}

Result<YamlValue> parse_yaml(std::string_view text, const std::string& path) {
  if (text.size() > bytes_max) {
    return failure(path + ": expected at most 16 MiB, got " + std::to_string(text.size()) +
                   " bytes");
  }
  TreeBuilder builder(path);
  try {
    std::istringstream stream{std::string(text)};
    YAML::Parser parser(stream);
    while (!builder.fault() && parser.HandleNextDocument(builder)) {
    }
  } catch (const YAML::Exception& fault) {
    return failure(place(path, line_of(fault.mark)) + fault.msg);
  } catch (const std::exception& fault) {
    return failure(path + ": " + fault.what());
  }
  if (builder.fault()) return tl::unexpected(*builder.fault());
  return builder.take_root();
}

Result<YamlValue> read_yaml(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return failure(path + ": cannot read the file");
  std::string text;
  try {
    text.assign(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  } catch (const std::exception&) {  // A directory opens, but does not read.
    return failure(path + ": cannot read the file");
  }
  return parse_yaml(text, path);
}

bool is_plain_name(std::string_view text) {
  return !text.empty() && text.size() <= name_length_max &&
         std::all_of(text.begin(), text.end(), [](char c) {
           return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                  c == '.' || c == '_' || c == '-';
         });
}

Error YamlFields::error_at(std::uint32_t line, std::string_view field,
                           std::string_view problem) const {
  std::string message = place(path_, line);
  if (!field.empty()) message += std::string(field) + ": ";
  message += problem;
  return {.message = std::move(message)};
}

Error YamlFields::expected(const YamlValue& value, std::string_view field,
                           std::string_view what) const {
  return error_at(value.line, field, "expected " + std::string(what) + ", got " + shown(value));
}

Result<void> YamlFields::expect_map(const YamlValue& value, std::string_view field) const {
  if (value.kind == YamlValue::Kind::map) return {};
  return tl::unexpected(expected(value, field, "a map"));
}

Result<void> YamlFields::expect_keys(const YamlValue& map, std::string_view field,
                                     std::span<const std::string> allowed) const {
  if (const auto is_map = expect_map(map, field); !is_map) return is_map;
  for (std::size_t i = 0; i < map.keys.size(); ++i) {
    const std::string& key = map.keys[i];
    if (std::find(allowed.begin(), allowed.end(), key) != allowed.end()) continue;
    Error error = error_at(map.items[i].line, field,
                           "expected one of " + join(allowed, ", ") + ", got " + quoted(key));
    if (const auto suggestion = nearest(key, allowed)) {
      error.hint = "did you mean '" + *suggestion + "'?";
    }
    return tl::unexpected(std::move(error));
  }
  return {};
}

Result<std::string> YamlFields::text(const YamlValue& value, std::string_view field) const {
  if (value.kind == YamlValue::Kind::scalar) return value.text;
  return tl::unexpected(expected(value, field, "a text"));
}

Result<std::string> YamlFields::name(const YamlValue& value, std::string_view field) const {
  if (value.kind == YamlValue::Kind::scalar && is_plain_name(value.text)) return value.text;
  return tl::unexpected(expected(value, field, "a name of letters, digits, '.', '_' and '-'"));
}

Result<std::int64_t> YamlFields::integer(const YamlValue& value, std::string_view field,
                                         std::int64_t minimum, std::int64_t maximum) const {
  const auto number = value.kind == YamlValue::Kind::scalar ? parse_integer(value.text)
                                                            : std::optional<std::int64_t>();
  if (number && *number >= minimum && *number <= maximum) return *number;
  return tl::unexpected(
      expected(value, field,
               "an integer from " + std::to_string(minimum) + " to " + std::to_string(maximum)));
}

Result<double> YamlFields::number(const YamlValue& value, std::string_view field, double minimum,
                                  double maximum) const {
  const auto number =
      value.kind == YamlValue::Kind::scalar ? parse_number(value.text) : std::optional<double>();
  if (number && *number >= minimum && *number <= maximum) return *number;
  return tl::unexpected(expected(
      value, field, "a number from " + format_number(minimum) + " to " + format_number(maximum)));
}

}  // namespace muster
