#include "cli/flags.h"

#include <CLI/CLI.hpp>

#include "base/text.h"

namespace muster {

Flags::Flags(const std::string& command, const std::string& summary)
    : command_(command), app_(std::make_unique<CLI::App>(summary, command)) {
  app_->get_formatter()->column_width(34);
}

Flags::~Flags() = default;

void Flags::add(const FlagText& flag, std::string& value) {
  CLI::Option* option = app_->add_option(flag.name, value, flag.help);
  option->type_name(flag.value)->group(group_);
  if (!value.empty()) option->capture_default_str();
  names_.push_back(flag.name);
}

void Flags::add_switch(const FlagText& flag, bool& value) {
  app_->add_flag(flag.name, value, flag.help)->group(group_);
  names_.push_back(flag.name);
}

void Flags::add_argument(const std::string& name, const std::string& help, std::string& value) {
  app_->add_option(name, value, help)->type_name("");
}

std::string Flags::help() const { return app_->help(); }

Result<bool> Flags::parse(std::span<const std::string> words) {
  const std::string hint = "`" + command_ + " --help` shows the flags";
  try {
    // The parser takes them from the end.
    app_->parse(std::vector<std::string>(words.rbegin(), words.rend()));
    return true;
  } catch (const CLI::CallForHelp&) {
    return false;
  } catch (const CLI::ParseError& fault) {
    // A word that could not be used says more of the fault than what was missed for want of it.
    for (const std::string& word : app_->remaining()) {
      if (!word.starts_with("-")) {
        return failure("unexpected argument " + muster::quoted(word), hint);
      }
      const std::string name = word.substr(0, word.find('='));
      const auto similar = nearest(name, names_);
      return failure("unknown flag " + muster::quoted(name),
                     similar ? "did you mean '" + *similar + "'?" : hint);
    }
    for (const CLI::Option* option : app_->get_options()) {
      if (option->count() > 1) return failure(option->get_name() + " is given twice", hint);
    }
    return failure(fault.what(), hint);
  }
}

}  // namespace muster
