#pragma once

#include <memory>
#include <string>

#include "base/result.h"
#include "cli/console.h"
#include "cli/flags.h"

namespace muster {

// What every command has at hand.
struct CommandContext {
  Console& console;
  std::string data_flag{};  // --data DIR; empty: look for it.
};

// One command. Its members hold what the flags said.
class Subcommand {
 public:
  virtual ~Subcommand() = default;
  virtual void declare(Flags& flags) = 0;
  // Makes sense of the flags; an error is one of usage.
  virtual Result<void> prepare() = 0;
  virtual Result<void> execute(const CommandContext& context) = 0;
};

// One row of the list of commands.
struct SubcommandInfo {
  std::string name;  // "simulate", "policy list".
  std::string summary;
  std::unique_ptr<Subcommand> (*make)() = nullptr;
};

std::unique_ptr<Subcommand> simulate_command();
std::unique_ptr<Subcommand> compare_command();
std::unique_ptr<Subcommand> policy_list_command();
std::unique_ptr<Subcommand> policy_show_command();
std::unique_ptr<Subcommand> trace_info_command();
std::unique_ptr<Subcommand> trace_convert_command();
std::unique_ptr<Subcommand> trace_generate_command();
std::unique_ptr<Subcommand> cluster_show_command();
std::unique_ptr<Subcommand> cluster_import_command();

}  // namespace muster
