#include "policies/registry.h"

#include <gtest/gtest.h>

#include <set>

namespace muster {
namespace {

std::unique_ptr<Policy> make_nothing(const OptionValues&, const PolicySettings&) { return nullptr; }

// One option of each kind.
const PolicyInfo& sample_policy() {
  static const PolicyInfo policy = {
      .name = "sample",
      .summary = "for tests",
      .source = "nowhere",
      .options =
          {{.name = "ratio", .default_text = "0.5", .maximum = 2, .help = "a number"},
           {.name = "count",
            .kind = OptionKind::integer,
            .default_text = "3",
            .minimum = 1,
            .maximum = 10,
            .help = "an integer"},
           {.name = "aware", .kind = OptionKind::boolean, .default_text = "true", .help = "a flag"},
           {.name = "rule",
            .kind = OptionKind::choice,
            .default_text = "near",
            .choices = {"near", "far"},
            .help = "a choice"},
           {.name = "thresholds",
            .kind = OptionKind::number_list,
            .default_text = "1/2",
            .maximum = 100,
            .help = "numbers"},
           {.name = "past",
            .kind = OptionKind::column_file,
            .default_text = "",
            .choices = {"duration"},
            .help = "a file"}},
      .make = make_nothing};
  return policy;
}

Result<std::vector<double>> read_sample(const std::string& path, const std::string& column) {
  if (path != "good.csv") return failure(path + ": cannot be opened", "is the path right?");
  return std::vector<double>{column == "duration" ? 7.0 : 0.0};
}

Result<OptionValues> parse(std::string_view text) {
  return parse_options(sample_policy(), text, read_sample);
}

std::string fault(std::string_view text) {
  const auto values = parse(text);
  return values ? "" : values.error().message;
}

TEST(ParseOptions, defaults) {
  const auto values = parse("");
  ASSERT_TRUE(values) << values.error().message;
  EXPECT_EQ(values->number("ratio"), 0.5);
  EXPECT_EQ(values->integer("count"), 3);
  EXPECT_TRUE(values->boolean("aware"));
  EXPECT_EQ(values->choice("rule"), "near");
  EXPECT_EQ(values->numbers("thresholds"), (std::vector<double>{1, 2}));
  EXPECT_TRUE(values->numbers("past").empty());
}

TEST(ParseOptions, values) {
  const auto values =
      parse("ratio=1.5,count=10,aware=false,rule=far,thresholds=3/3/4.5,past=good.csv");
  ASSERT_TRUE(values) << values.error().message;
  EXPECT_EQ(values->number("ratio"), 1.5);
  EXPECT_EQ(values->integer("count"), 10);
  EXPECT_FALSE(values->boolean("aware"));
  EXPECT_EQ(values->choice("rule"), "far");
  EXPECT_EQ(values->numbers("thresholds"), (std::vector<double>{3, 3, 4.5}));
  EXPECT_EQ(values->numbers("past"), std::vector<double>{7});
}

TEST(ParseOptions, an_empty_list_is_a_list) {
  const auto values = parse("thresholds=");
  ASSERT_TRUE(values);
  EXPECT_TRUE(values->numbers("thresholds").empty());
}

TEST(ParseOptions, the_last_of_two_counts) {
  EXPECT_EQ(parse("count=4,count=5")->integer("count"), 5);
}

TEST(ParseOptions, faults_name_the_policy_and_the_option) {
  EXPECT_EQ(fault("ratio"), "policy sample: expected key=value, got 'ratio'");
  EXPECT_EQ(fault("ratio=1,,count=2"), "policy sample: expected key=value, got ''");
  EXPECT_EQ(fault("ratoi=1"), "policy sample: unknown option 'ratoi'");
  EXPECT_EQ(fault("ratio=x"), "policy sample: ratio: expected a number from 0 to 2, got 'x'");
  EXPECT_EQ(fault("ratio=2.1"), "policy sample: ratio: expected a number from 0 to 2, got '2.1'");
  EXPECT_EQ(fault("ratio=nan"), "policy sample: ratio: expected a number from 0 to 2, got 'nan'");
  EXPECT_EQ(fault("count=2.5"),
            "policy sample: count: expected a whole number from 1 to 10, got '2.5'");
  EXPECT_EQ(fault("count=0"),
            "policy sample: count: expected a whole number from 1 to 10, got '0'");
  EXPECT_EQ(fault("aware=yes"), "policy sample: aware: expected true or false, got 'yes'");
  EXPECT_EQ(fault("rule=here"), "policy sample: rule: expected one of near, far, got 'here'");
  EXPECT_EQ(fault("thresholds=1//2"),
            "policy sample: thresholds: expected a number from 0 to 100, got ''");
  EXPECT_EQ(fault("thresholds=2/1"),
            "policy sample: thresholds: expected ascending numbers, got '2/1'");
  EXPECT_EQ(fault("past=bad.csv"), "policy sample: past: bad.csv: cannot be opened");
}

TEST(ParseOptions, hints) {
  EXPECT_EQ(parse("rati=1").error().hint, "did you mean 'ratio'?");
  EXPECT_EQ(parse("zzzzzz=1").error().hint,
            "its options: ratio, count, aware, rule, thresholds, past");
  EXPECT_EQ(parse("past=bad.csv").error().hint, "is the path right?");
}

TEST(ParseOptions, files_need_a_reader) {
  const auto values = parse_options(sample_policy(), "past=good.csv", nullptr);
  ASSERT_FALSE(values);
  EXPECT_EQ(values.error().message, "policy sample: past: files cannot be read here");
}

TEST(Registry, finds_policies_by_name) {
  ASSERT_TRUE(find_policy("fifo"));
  EXPECT_EQ((*find_policy("tiresias-l"))->name, "tiresias-l");
  const auto unknown = find_policy("tiresias-x");
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().message, "unknown policy 'tiresias-x'");
  EXPECT_EQ(unknown.error().hint, "did you mean 'tiresias-l'?");
  EXPECT_EQ(find_policy("quite-another-thing").error().hint, "`muster policy list` shows them all");
}

TEST(Registry, every_policy_is_described_and_can_be_made) {
  std::set<std::string> names;
  for (const PolicyInfo& policy : all_policies()) {
    EXPECT_TRUE(names.insert(policy.name).second) << policy.name;
    EXPECT_FALSE(policy.summary.empty()) << policy.name;
    EXPECT_FALSE(policy.source.empty()) << policy.name;
    const auto values = parse_options(policy, "", nullptr);
    ASSERT_TRUE(values) << values.error().message;
    EXPECT_NE(policy.make(*values, {}), nullptr) << policy.name;
    for (const OptionInfo& option : policy.options) {
      EXPECT_FALSE(option.help.empty()) << policy.name << " " << option.name;
    }
  }
  EXPECT_GE(names.size(), 9U);
}

TEST(ParsePolicy, name_and_options) {
  const auto choice = parse_policy("fifo:placement=consolidated", nullptr);
  ASSERT_TRUE(choice) << choice.error().message;
  EXPECT_EQ(choice->info->name, "fifo");
  EXPECT_EQ(choice->options.choice("placement"), "consolidated");
  EXPECT_EQ(choice->text(), "fifo:placement=consolidated");
  EXPECT_EQ(parse_policy("fifo", nullptr)->text(), "fifo");
  EXPECT_NE(choice->make({}), nullptr);
}

std::vector<std::string> texts(std::string_view list) {
  const auto choices = parse_policies(list, nullptr);
  if (!choices) return {choices.error().message};
  std::vector<std::string> texts;
  for (const PolicyChoice& choice : *choices) texts.push_back(choice.text());
  return texts;
}

using Texts = std::vector<std::string>;

TEST(ParsePolicies, options_continue_until_the_next_name) {
  EXPECT_EQ(texts("fifo"), (Texts{"fifo"}));
  EXPECT_EQ(texts("fifo,srtf"), (Texts{"fifo", "srtf"}));
  EXPECT_EQ(texts("tiresias-l:thresholds=1/2,promote=8,fifo"),
            (Texts{"tiresias-l:thresholds=1/2,promote=8", "fifo"}));
  EXPECT_EQ(texts("tiresias-l,promote=8,fifo:placement=spread"),
            (Texts{"tiresias-l:promote=8", "fifo:placement=spread"}));
}

TEST(ParsePolicies, faults) {
  EXPECT_EQ(texts("fifo,nope"), (Texts{"unknown policy 'nope'"}));
  EXPECT_EQ(texts(""), (Texts{"unknown policy ''"}));
  EXPECT_EQ(texts("fifo,,srtf"), (Texts{"unknown policy ''"}));
  EXPECT_EQ(texts("placement=count,fifo"), (Texts{"unknown policy 'placement=count'"}));
  EXPECT_EQ(texts("fifo,promote=8"), (Texts{"policy fifo: unknown option 'promote'"}));
}

}  // namespace
}  // namespace muster
