#include "cli/program.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <vector>

#include "base/text.h"
#include "cli/subcommand.h"

namespace muster {
namespace {

constexpr std::string_view version = MUSTER_VERSION;

// In the order in which help lists them.
std::vector<SubcommandInfo> all_commands() {
  return {
      {"simulate", "one policy on one trace", simulate_command},
      {"compare", "several policies on one trace, best first", compare_command},
      {"policy list", "all policies", policy_list_command},
      {"policy show", "one policy with its options", policy_show_command},
      {"trace info", "what a trace holds, in figures", trace_info_command},
      {"trace convert", "any known format to muster's own", trace_convert_command},
      {"trace generate", "a trace that is like a published one", trace_generate_command},
      {"cluster show", "nodes, GPUs and totals of a cluster", cluster_show_command},
      {"cluster import", "a machine list to a cluster file", cluster_import_command},
  };
}

bool is_noun(std::span<const SubcommandInfo> commands, const std::string& word) {
  return std::any_of(commands.begin(), commands.end(), [&](const SubcommandInfo& command) {
    return command.name.starts_with(word + " ");
  });
}

// All commands, or those of one noun.
std::string command_lines(std::span<const SubcommandInfo> commands, const std::string& noun) {
  constexpr std::size_t width = 16;
  std::string text;
  for (const SubcommandInfo& command : commands) {
    if (!noun.empty() && !command.name.starts_with(noun + " ")) continue;
    text += "  muster " + command.name + std::string(width - command.name.size(), ' ') +
            command.summary + "\n";
  }
  return text;
}

std::string short_help(std::span<const SubcommandInfo> commands) {
  return "muster: one scheduler for deep-learning training on GPUs that are not all alike\n\n" +
         command_lines(commands, "") +
         "\nExamples:\n"
         "  muster trace generate --like gavel --jobs 200 --seed 1 --out jobs.csv\n"
         "  muster compare --cluster gavel-36 --trace jobs.csv --policies fifo,srtf,tiresias-l\n"
         "\nNext: `muster policy list` shows the policies, `muster simulate --help` the flags of a "
         "run.\n";
}

struct Selection {
  const SubcommandInfo* command = nullptr;
  std::span<const std::string> rest{};  // Its flags and arguments.
};

// Of all commands and nouns, the one that was perhaps meant.
std::optional<std::string> similar_command(std::span<const SubcommandInfo> commands,
                                           std::span<const std::string> arguments) {
  std::vector<std::string> names;
  for (const SubcommandInfo& command : commands) names.push_back(command.name);
  if (arguments.size() > 1) {
    if (auto similar = nearest(join(arguments.first(2), " "), names)) return similar;
  }
  for (const SubcommandInfo& command : commands) {
    names.push_back(command.name.substr(0, command.name.find(' ')));
  }
  return nearest(arguments[0], names);
}

Result<Selection> select_command(std::span<const SubcommandInfo> commands,
                                 std::span<const std::string> arguments) {
  const std::size_t word_count = is_noun(commands, arguments[0]) ? 2 : 1;
  const std::string name = join(arguments.first(word_count), " ");
  for (const SubcommandInfo& command : commands) {
    if (command.name == name) {
      return Selection{.command = &command, .rest = arguments.subspan(word_count)};
    }
  }
  if (name.starts_with("-")) {
    return failure("unknown flag " + quoted(name), "flags stand behind the command");
  }
  const auto similar = similar_command(commands, arguments);
  return failure("unknown command " + quoted(name), similar
                                                        ? "did you mean 'muster " + *similar + "'?"
                                                        : "`muster --help` shows the commands");
}

struct GlobalFlags {
  std::string data{};
  bool is_quiet = false;
  bool has_no_color = false;
};

void declare_global_flags(Flags& flags, GlobalFlags& global) {
  flags.begin_group("Everywhere");
  flags.add({.name = "--data", .value = "DIR", .help = "the folder of clusters and GPU figures"},
            global.data);
  flags.add_switch({.name = "--quiet", .help = "no progress, no warnings"}, global.is_quiet);
  flags.add_switch({.name = "--no-color", .help = "no colour, like NO_COLOR=1"},
                   global.has_no_color);
}

ExitStatus fail(Console& console, const Error& error, ExitStatus status) {
  console.report(error);
  return status;
}

ExitStatus succeed(Console& console) {
  if (console.flush()) return ExitStatus::ok;
  return fail(console, {"the output could not be written"}, ExitStatus::failed);
}

ExitStatus print(Console& console, const std::string& text) {
  console.print(text);
  return succeed(console);
}

ExitStatus run_command(const Selection& selection, Console::Options options) {
  const SubcommandInfo& info = *selection.command;
  Flags flags("muster " + info.name, info.summary);
  const std::unique_ptr<Subcommand> command = info.make();
  command->declare(flags);
  GlobalFlags global;
  declare_global_flags(flags, global);

  const Result<bool> parsed = flags.parse(selection.rest);
  options.is_quiet = global.is_quiet;
  options.has_color = options.has_color && !global.has_no_color;
  options.output_has_color = options.output_has_color && !global.has_no_color;
  Console console(options);
  if (!parsed) return fail(console, parsed.error(), ExitStatus::usage);
  if (!*parsed) return print(console, flags.help());
  const Result<void> prepared = command->prepare();
  if (!prepared) return fail(console, prepared.error(), ExitStatus::usage);
  const Result<void> done = command->execute({.console = console, .data_flag = global.data});
  if (!done) return fail(console, done.error(), ExitStatus::failed);
  return succeed(console);
}

bool asks_for_help(const std::string& word) {
  return word == "--help" || word == "-h" || word == "help";
}

}  // namespace

ExitStatus run_program(std::span<const std::string> arguments, Console::Options options) {
  const std::vector<SubcommandInfo> commands = all_commands();
  Console console(options);
  if (arguments.empty() || asks_for_help(arguments[0])) {
    return print(console, short_help(commands));
  }
  if (arguments[0] == "--version") {
    return print(console, "muster " + std::string(version) + "\n");
  }
  if (is_noun(commands, arguments[0]) && (arguments.size() == 1 || asks_for_help(arguments[1]))) {
    return print(console, command_lines(commands, arguments[0]));
  }
  const Result<Selection> selection = select_command(commands, arguments);
  if (!selection) return fail(console, selection.error(), ExitStatus::usage);
  return run_command(*selection, options);
}

}  // namespace muster
