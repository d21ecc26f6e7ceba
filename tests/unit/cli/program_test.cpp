#include "cli/program.h"

#include <gtest/gtest.h>

#include <cstdlib>

namespace muster {
namespace {

struct Said {
  ExitStatus status = ExitStatus::ok;
  std::string output{};
  std::string messages{};
};

// Runs the program in this process.
Said say(const std::vector<std::string>& arguments, Console::Options options = {}) {
  char* output = nullptr;
  char* messages = nullptr;
  std::size_t output_size = 0;
  std::size_t messages_size = 0;
  options.output = open_memstream(&output, &output_size);
  options.messages = open_memstream(&messages, &messages_size);
  Said said{.status = run_program(arguments, options)};
  std::fclose(options.output);
  std::fclose(options.messages);
  said.output.assign(output, output_size);
  said.messages.assign(messages, messages_size);
  std::free(output);
  std::free(messages);
  return said;
}

TEST(Program, no_arguments_give_a_short_help_with_examples) {
  const Said said = say({});
  EXPECT_EQ(said.status, ExitStatus::ok);
  EXPECT_NE(said.output.find("Examples:\n  muster trace generate"), std::string::npos);
  EXPECT_NE(said.output.find("Next: `muster policy list`"), std::string::npos);
  EXPECT_EQ(said.messages, "");
  EXPECT_EQ(say({"--help"}).output, said.output);
}

TEST(Program, unknown_words_get_a_suggestion) {
  EXPECT_EQ(say({"simulat"}).messages,
            "error: unknown command 'simulat'\nhint: did you mean 'muster simulate'?\n");
  EXPECT_EQ(say({"policy", "lst"}).messages,
            "error: unknown command 'policy lst'\nhint: did you mean 'muster policy list'?\n");
  EXPECT_EQ(say({"polcy", "list"}).messages,
            "error: unknown command 'polcy'\nhint: did you mean 'muster policy list'?\n");
  EXPECT_EQ(say({"trase", "info", "x"}).messages,
            "error: unknown command 'trase'\nhint: did you mean 'muster trace info'?\n");
  EXPECT_EQ(say({"clustr"}).messages,
            "error: unknown command 'clustr'\nhint: did you mean 'muster cluster'?\n");
  EXPECT_EQ(say({"simulate", "--polcy", "fifo"}).messages,
            "error: unknown flag '--polcy'\nhint: did you mean '--policy'?\n");
  EXPECT_EQ(say({"policy", "show", "tiresias"}).status, ExitStatus::usage);
  EXPECT_EQ(say({"wxyz"}).messages,
            "error: unknown command 'wxyz'\nhint: `muster --help` shows the commands\n");
}

TEST(Program, a_missing_flag_is_an_error_of_usage) {
  const Said said = say({"simulate"});
  EXPECT_EQ(said.status, ExitStatus::usage);
  EXPECT_EQ(said.messages, "error: --policy is missing\nhint: for example --policy tiresias-l\n");
  EXPECT_EQ(said.output, "");
}

TEST(Program, a_value_given_twice_is_an_error_of_usage) {
  const Said said = say({"simulate", "--policy", "fifo", "--policy", "srtf"});
  EXPECT_EQ(said.status, ExitStatus::usage);
  EXPECT_EQ(said.messages,
            "error: --policy is given twice\nhint: `muster simulate --help` shows the flags\n");
}

TEST(Program, a_noun_alone_shows_its_verbs) {
  const Said said = say({"policy"});
  EXPECT_EQ(said.status, ExitStatus::ok);
  EXPECT_NE(said.output.find("muster policy show"), std::string::npos);
  EXPECT_EQ(said.output.find("muster simulate"), std::string::npos);
}

TEST(Program, help_of_a_command_shows_defaults) {
  const Said said = say({"simulate", "--help"});
  EXPECT_EQ(said.status, ExitStatus::ok);
  EXPECT_NE(said.output.find("--checkpoint-seconds S=1800"), std::string::npos) << said.output;
}

TEST(Program, people_get_aligned_tables_and_programs_tabs) {
  EXPECT_TRUE(say({"policy", "list"})
                  .output.starts_with("policy\tpreempts\tneeds run times\tsummary\tsource\n"));
  const Said people = say({"policy", "list"}, {.output_is_terminal = true});
  EXPECT_EQ(people.output.find('\t'), std::string::npos);
}

TEST(Program, colour_goes_only_where_it_is_wanted) {
  const Console::Options colored{.messages_is_terminal = true, .has_color = true};
  EXPECT_TRUE(say({"simulate"}, colored).messages.starts_with("\x1b[1;31merror: \x1b[0m"));
  EXPECT_TRUE(say({"simulate", "--no-color"}, colored).messages.starts_with("error: "));
  const Console::Options people{.output_is_terminal = true, .output_has_color = true};
  const std::string table = say({"policy", "list"}, people).output;
  EXPECT_TRUE(table.starts_with("\x1b[1mpolicy "));
  EXPECT_LT(table.find("\x1b[0m\n"), table.find("fifo"));
  EXPECT_EQ(say({"policy", "list", "--no-color"}, people).output.find('\x1b'), std::string::npos);
}

}  // namespace
}  // namespace muster
