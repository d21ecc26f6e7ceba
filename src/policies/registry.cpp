#include "policies/registry.h"

#include <algorithm>

#include "base/text.h"

namespace muster {

#define POLICY(name) PolicyInfo name##_policy();
#include "policies/policies.def"
#undef POLICY

namespace {

const std::vector<PolicyInfo>& table() {
  static const std::vector<PolicyInfo> policies = {
#define POLICY(name) name##_policy(),
#include "policies/policies.def"
#undef POLICY
  };
  return policies;
}

std::string range_text(const OptionInfo& option) {
  return format_number(option.minimum) + " to " + format_number(option.maximum);
}

Result<double> parse_item(const OptionInfo& option, std::string_view text) {
  const std::optional<double> value = parse_number(text);
  if (!value || *value < option.minimum || *value > option.maximum) {
    return failure("expected a number from " + range_text(option) + ", got " + quoted(text));
  }
  return *value;
}

Result<OptionValues::Value> parse_list(const OptionInfo& option, std::string_view text) {
  std::vector<double> items;
  if (text.empty()) return OptionValues::Value(items);
  for (const std::string_view part : split(text, '/')) {
    const Result<double> item = parse_item(option, part);
    if (!item) return tl::unexpected<Error>(item.error());
    items.push_back(*item);
  }
  if (option.name == "thresholds" && !std::is_sorted(items.begin(), items.end())) {
    return failure("expected ascending numbers, got " + quoted(text));
  }
  return OptionValues::Value(items);
}

Result<OptionValues::Value> parse_value(const OptionInfo& option, std::string_view text,
                                        ReadColumn read_column) {
  switch (option.kind) {
    case OptionKind::number: {
      const Result<double> value = parse_item(option, text);
      if (!value) return tl::unexpected<Error>(value.error());
      return OptionValues::Value(*value);
    }
    case OptionKind::integer: {
      const std::optional<std::int64_t> value = parse_integer(text);
      if (!value || static_cast<double>(*value) < option.minimum ||
          static_cast<double>(*value) > option.maximum) {
        return failure("expected a whole number from " + range_text(option) + ", got " +
                       quoted(text));
      }
      return OptionValues::Value(*value);
    }
    case OptionKind::boolean:
      if (text == "true" || text == "false") return OptionValues::Value(text == "true");
      return failure("expected true or false, got " + quoted(text));
    case OptionKind::choice:
      if (std::find(option.choices.begin(), option.choices.end(), text) == option.choices.end()) {
        return failure("expected one of " + join(option.choices, ", ") + ", got " + quoted(text));
      }
      return OptionValues::Value(std::string(text));
    case OptionKind::number_list: return parse_list(option, text);
    case OptionKind::column_file: {
      if (text.empty()) return OptionValues::Value(std::vector<double>{});
      if (read_column == nullptr) return failure("files cannot be read here");
      Result<std::vector<double>> column = read_column(std::string(text), option.choices.front());
      if (!column) return tl::unexpected<Error>(column.error());
      return OptionValues::Value(std::move(*column));
    }
  }
  return failure("unknown kind of option");
}

}  // namespace

std::span<const PolicyInfo> all_policies() { return table(); }

Result<const PolicyInfo*> find_policy(std::string_view name) {
  std::vector<std::string> names;
  for (const PolicyInfo& policy : table()) {
    if (policy.name == name) return &policy;
    names.push_back(policy.name);
  }
  const std::optional<std::string> similar = nearest(name, names);
  return failure("unknown policy " + quoted(name), similar ? "did you mean '" + *similar + "'?"
                                                           : "`muster policy list` shows them all");
}

Result<OptionValues> parse_options(const PolicyInfo& policy, std::string_view text,
                                   ReadColumn read_column) {
  OptionValues values;
  for (const OptionInfo& option : policy.options) {
    auto value = parse_value(option, option.default_text, read_column);
    if (!value) return failure(policy.name + ": " + option.name + ": " + value.error().message);
    values.set(option.name, std::move(*value));
  }
  if (text.empty()) return values;
  for (const std::string_view item : split(text, ',')) {
    const std::size_t equals = item.find('=');
    if (equals == std::string_view::npos) {
      return failure("policy " + policy.name + ": expected key=value, got " + quoted(item));
    }
    const std::string_view key = item.substr(0, equals);
    const auto option = std::find_if(policy.options.begin(), policy.options.end(),
                                     [&](const OptionInfo& info) { return info.name == key; });
    if (option == policy.options.end()) {
      std::vector<std::string> names;
      for (const OptionInfo& info : policy.options) names.push_back(info.name);
      const std::optional<std::string> similar = nearest(key, names);
      return failure(
          "policy " + policy.name + ": unknown option " + quoted(key),
          similar ? "did you mean '" + *similar + "'?" : "its options: " + join(names, ", "));
    }
    auto value = parse_value(*option, item.substr(equals + 1), read_column);
    if (!value) {
      return failure("policy " + policy.name + ": " + option->name + ": " + value.error().message,
                     value.error().hint);
    }
    values.set(option->name, std::move(*value));
  }
  return values;
}

Result<PolicyChoice> parse_policy(std::string_view text, ReadColumn read_column) {
  const std::size_t colon = text.find(':');
  const Result<const PolicyInfo*> info = find_policy(text.substr(0, colon));
  if (!info) return tl::unexpected<Error>(info.error());
  const std::string_view options_text =
      colon == std::string_view::npos ? std::string_view() : text.substr(colon + 1);
  Result<OptionValues> options = parse_options(**info, options_text, read_column);
  if (!options) return tl::unexpected<Error>(options.error());
  return PolicyChoice{
      .info = *info, .options_text = std::string(options_text), .options = std::move(*options)};
}

Result<std::vector<PolicyChoice>> parse_policies(std::string_view text, ReadColumn read_column) {
  std::vector<std::string> items;
  for (const std::string_view part : split(text, ',')) {
    const bool continues = part.find('=') != std::string_view::npos &&
                           part.find(':') == std::string_view::npos && !items.empty();
    if (continues) {
      items.back() += items.back().find(':') == std::string::npos ? ":" : ",";
      items.back() += part;
    } else {
      items.emplace_back(part);
    }
  }
  std::vector<PolicyChoice> choices;
  for (const std::string& item : items) {
    Result<PolicyChoice> choice = parse_policy(item, read_column);
    if (!choice) return tl::unexpected<Error>(choice.error());
    choices.push_back(std::move(*choice));
  }
  return choices;
}

}  // namespace muster
