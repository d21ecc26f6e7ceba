#include <nlohmann/json.hpp>
#include <string>

#include "base/text.h"
#include "cli/subcommand.h"
#include "cli/values.h"
#include "policies/registry.h"
#include "report/table.h"

namespace muster {
namespace {

using Json = nlohmann::ordered_json;

std::string_view kind_text(OptionKind kind) {
  switch (kind) {
    case OptionKind::number: return "number";
    case OptionKind::integer: return "whole number";
    case OptionKind::boolean: return "boolean";
    case OptionKind::choice: return "choice";
    case OptionKind::number_list: return "numbers a/b/c";
    case OptionKind::column_file: return "CSV file";
  }
  return "";
}

// What the option takes, in words.
std::string range_text(const OptionInfo& option) {
  switch (option.kind) {
    case OptionKind::boolean: return "true, false";
    case OptionKind::choice: return join(option.choices, ", ");
    case OptionKind::column_file: return "one column named '" + option.choices.front() + "'";
    case OptionKind::number:
    case OptionKind::integer:
    case OptionKind::number_list: break;
  }
  const bool has_maximum = option.maximum < OptionInfo().maximum;
  return format_number(option.minimum) +
         (has_maximum ? " to " + format_number(option.maximum) : " or more");
}

Json to_json(const PolicyInfo& policy) {
  Json json;
  json["name"] = policy.name;
  json["summary"] = policy.summary;
  json["source"] = policy.source;
  json["preempts"] = policy.preempts;
  json["needs_run_times"] = policy.needs_run_times;
  json["is_work_conserving"] = policy.is_work_conserving;
  json["options"] = Json::array();
  for (const OptionInfo& option : policy.options) {
    Json entry;
    entry["name"] = option.name;
    entry["kind"] = kind_text(option.kind);
    entry["unit"] = option.unit;
    entry["default"] = option.default_text;
    entry["range"] = range_text(option);
    entry["help"] = option.help;
    json["options"].push_back(std::move(entry));
  }
  return json;
}

Table option_table(const PolicyInfo& policy) {
  Table table({{.title = "option"},
               {.title = "kind"},
               {.title = "unit"},
               {.title = "default"},
               {.title = "range"},
               {.title = "help"}});
  for (const OptionInfo& option : policy.options) {
    table.add_row({option.name, std::string(kind_text(option.kind)), option.unit,
                   option.default_text, range_text(option), option.help});
  }
  return table;
}

class PolicyListCommand final : public Subcommand {
 public:
  void declare(Flags& flags) override {
    flags.add_switch({.name = "--json", .help = "print one JSON object"}, is_json_);
  }
  Result<void> prepare() override { return {}; }

  Result<void> execute(const CommandContext& context) override {
    if (is_json_) {
      Json json;
      json["policies"] = Json::array();
      for (const PolicyInfo& policy : all_policies()) json["policies"].push_back(to_json(policy));
      context.console.print(json.dump(2) + "\n");
      return {};
    }
    Table table({{.title = "policy"},
                 {.title = "preempts"},
                 {.title = "needs run times"},
                 {.title = "summary"},
                 {.title = "source"}});
    for (const PolicyInfo& policy : all_policies()) {
      table.add_row({policy.name, policy.preempts ? "yes" : "no",
                     policy.needs_run_times ? "yes" : "no", policy.summary, policy.source});
    }
    Console& console = context.console;
    console.print(console.is_for_people() ? console.readable(table) : table.tab_separated());
    return {};
  }

 private:
  bool is_json_ = false;
};

class PolicyShowCommand final : public Subcommand {
 public:
  void declare(Flags& flags) override {
    flags.add_argument("NAME", "the policy", name_);
    flags.add_switch({.name = "--json", .help = "print one JSON object"}, is_json_);
  }

  Result<void> prepare() override {
    if (const auto given = require("NAME", name_); !given) return given;
    const auto found = find_policy(name_);
    if (!found) return tl::unexpected(found.error());
    policy_ = *found;
    return {};
  }

  Result<void> execute(const CommandContext& context) override {
    Console& console = context.console;
    if (is_json_) {
      console.print(to_json(*policy_).dump(2) + "\n");
    } else if (console.is_for_people()) {
      console.print(policy_->name + ": " + policy_->summary + "\nsource: " + policy_->source +
                    "\n" + (policy_->preempts ? "stops running jobs\n" : "lets jobs run on\n"));
      if (!policy_->options.empty()) {
        console.print("\n" + console.readable(option_table(*policy_)));
      }
    } else {
      console.print(option_table(*policy_).tab_separated());
    }
    return {};
  }

 private:
  std::string name_;
  bool is_json_ = false;
  const PolicyInfo* policy_ = nullptr;
};

}  // namespace

std::unique_ptr<Subcommand> policy_list_command() { return std::make_unique<PolicyListCommand>(); }
std::unique_ptr<Subcommand> policy_show_command() { return std::make_unique<PolicyShowCommand>(); }

}  // namespace muster
