#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "core/policy.h"

namespace muster {

enum class OptionKind : std::uint8_t {
  number,
  integer,
  boolean,
  choice,       // One of `choices`.
  number_list,  // a/b/c
  column_file,  // A CSV file with one column named `choices.front()`; the caller reads it.
};

// One option of a policy, as `muster policy show` prints it.
struct OptionInfo {
  std::string name;
  OptionKind kind = OptionKind::number;
  std::string default_text;  // In the same form as on the command line.
  std::string unit{};
  std::vector<std::string> choices{};
  double minimum = 0;  // Of number, integer and each item of number_list.
  double maximum = 1e15;
  std::string help;
};

// Values after defaults and checks. The getters REQUIRE an option of that name and kind.
class OptionValues {
 public:
  using Value = std::variant<double, std::int64_t, bool, std::string, std::vector<double>>;

  void set(const std::string& name, Value value) { values_[name] = std::move(value); }
  double number(std::string_view name) const { return get<double>(name); }
  std::int64_t integer(std::string_view name) const { return get<std::int64_t>(name); }
  bool boolean(std::string_view name) const { return get<bool>(name); }
  const std::string& choice(std::string_view name) const { return get<std::string>(name); }
  const std::vector<double>& numbers(std::string_view name) const {
    return get<std::vector<double>>(name);
  }

 private:
  template <class T>
  const T& get(std::string_view name) const {
    return std::get<T>(values_.find(name)->second);
  }
  std::map<std::string, Value, std::less<>> values_;
};

// What every policy is given beside its options.
struct PolicySettings {
  std::uint64_t seed = 0;
  Duration round = std::chrono::seconds(360);  // Of policies that work in rounds.
};

// Everything the rest of the program knows about a policy. Claims are tested by conformance.
struct PolicyInfo {
  std::string name;
  std::string summary;  // One line.
  std::string source;   // Paper or system.
  std::vector<OptionInfo> options{};
  bool preempts = false;
  bool needs_run_times = false;  // Its order rests on how long jobs will take.
  // Never leaves GPUs idle that a waiting job could use under the `count` placement.
  bool is_work_conserving = false;
  std::unique_ptr<Policy> (*make)(const OptionValues&, const PolicySettings&) = nullptr;
};

// All policies, in the order of policies.def.
std::span<const PolicyInfo> all_policies();
// An error with a suggestion where the name is unknown.
Result<const PolicyInfo*> find_policy(std::string_view name);

// Reads the one column of a column_file option; `place` names it in errors.
using ReadColumn = Result<std::vector<double>> (*)(const std::string& path,
                                                   const std::string& column);

// Options from "key=value,key=value" (may be empty): unknown keys, bad values and values out of
// range are errors that name the policy and the key. `read_column` may be null.
Result<OptionValues> parse_options(const PolicyInfo& policy, std::string_view text,
                                   ReadColumn read_column);

// "name" or "name:key=value,..." to a policy ready to decide.
struct PolicyChoice {
  const PolicyInfo* info = nullptr;
  std::string options_text;
  OptionValues options;

  std::unique_ptr<Policy> make(const PolicySettings& settings) const {
    return info->make(options, settings);
  }
  std::string text() const {
    return options_text.empty() ? info->name : info->name + ":" + options_text;
  }
};
Result<PolicyChoice> parse_policy(std::string_view text, ReadColumn read_column);
// A comma-separated list; an item with '=' and no ':' continues the options before it.
Result<std::vector<PolicyChoice>> parse_policies(std::string_view text, ReadColumn read_column);

}  // namespace muster
