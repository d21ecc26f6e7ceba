#include "base/text.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "base/rng.h"

namespace muster {
namespace {

TEST(Trim, takes_blanks_from_both_ends) {
  EXPECT_EQ(trim(" \t a b\r\n"), "a b");
  EXPECT_EQ(trim(" \n"), "");
  EXPECT_EQ(trim(""), "");
}

TEST(Split, keeps_empty_fields) {
  EXPECT_EQ(split("a,b,c", ','), (std::vector<std::string_view>{"a", "b", "c"}));
  EXPECT_EQ(split(",a,,", ','), (std::vector<std::string_view>{"", "a", "", ""}));
  EXPECT_EQ(split("", ','), (std::vector<std::string_view>{""}));
}

TEST(Join, is_the_inverse_of_split) {
  EXPECT_EQ(join(std::vector<std::string>{"a", "", "c"}, ","), "a,,c");
  EXPECT_EQ(join(std::vector<std::string>{"a"}, ", "), "a");
  EXPECT_EQ(join(std::vector<std::string>{}, ","), "");
  const std::string text = "x,,y,z,";
  std::vector<std::string> fields;
  for (const std::string_view field : split(text, ',')) fields.emplace_back(field);
  EXPECT_EQ(join(fields, ","), text);
}

TEST(ToLower, touches_ascii_letters_only) {
  EXPECT_EQ(to_lower("ResNet-50 \xC3\x84"), "resnet-50 \xC3\x84");
}

TEST(ParseInteger, takes_the_whole_text_or_nothing) {
  EXPECT_EQ(parse_integer("42"), 42);
  EXPECT_EQ(parse_integer("-7"), -7);
  EXPECT_EQ(parse_integer("9223372036854775807"), std::numeric_limits<std::int64_t>::max());
  for (const char* text :
       {"", " 1", "1 ", "1.0", "1e3", "0x10", "9223372036854775808", "-", "one"}) {
    EXPECT_EQ(parse_integer(text), std::nullopt) << text;
  }
}

TEST(ParseNumber, takes_the_whole_text_or_nothing) {
  EXPECT_EQ(parse_number("0.5"), 0.5);
  EXPECT_EQ(parse_number("+2"), 2);
  EXPECT_EQ(parse_number("-1e3"), -1000);
  EXPECT_EQ(parse_number("3.7e+06"), 3.7e6);
  for (const char* text :
       {"", " 1", "1 ", "1,5", "nan", "inf", "-inf", "1e999", "0x1p3", "+", "1e"}) {
    EXPECT_EQ(parse_number(text), std::nullopt) << text;
  }
}

TEST(ParseNumber, one_sign_is_enough) { EXPECT_EQ(parse_number("+-1"), std::nullopt); }

TEST(FormatNumber, is_short) {
  EXPECT_EQ(format_number(0.1), "0.1");
  EXPECT_EQ(format_number(1000), "1000");
  EXPECT_EQ(format_number(100000), "1e+05");
  EXPECT_EQ(format_number(1e300), "1e+300");
  EXPECT_EQ(format_number(-2.5), "-2.5");
  EXPECT_EQ(format_number(0), "0");
}

TEST(FormatNumber, reads_back_as_the_same_number) {
  Rng rng{1};
  for (int i = 0; i < 20000; ++i) {
    const std::uint64_t bits = rng.next();
    double value = 0;
    std::memcpy(&value, &bits, sizeof value);
    if (!std::isfinite(value)) continue;
    ASSERT_EQ(parse_number(format_number(value)), value) << format_number(value);
  }
}

TEST(FormatFixed, has_so_many_places) {
  EXPECT_EQ(format_fixed(1.005, 2), "1.00");
  EXPECT_EQ(format_fixed(2.5, 0), "2");
  EXPECT_EQ(format_fixed(-0.125, 3), "-0.125");
  EXPECT_EQ(format_fixed(1e300, 1).size(), 303U);
}

TEST(FormatMicroseconds, shows_only_the_decimals_needed) {
  EXPECT_EQ(format_microseconds(1500000), "1.5");
  EXPECT_EQ(format_microseconds(0), "0");
  EXPECT_EQ(format_microseconds(1), "0.000001");
  EXPECT_EQ(format_microseconds(-250000), "-0.25");
  EXPECT_EQ(format_microseconds(360000000), "360");
  EXPECT_EQ(format_microseconds(std::numeric_limits<std::int64_t>::min()), "-9223372036854.775808");
}

TEST(Quoted, escapes_what_a_terminal_should_not_see) {
  EXPECT_EQ(quoted("abc"), "'abc'");
  EXPECT_EQ(quoted("a\tb\x1B[0m"), "'a\\x09b\\x1b[0m'");
  EXPECT_EQ(quoted("\xFF"), "'\\xff'");
}

TEST(Quoted, shortens_what_is_long) {
  EXPECT_EQ(muster::quoted(std::string(60, 'a')), "'" + std::string(60, 'a') + "'");
  EXPECT_EQ(muster::quoted(std::string(61, 'a')), "'" + std::string(60, 'a') + "...'");
}

TEST(Nearest, finds_a_typo) {
  const std::vector<std::string> words = {"fifo", "first-fit", "tiresias-l", "tiresias-g"};
  EXPECT_EQ(nearest("fifi", words), "fifo");
  EXPECT_EQ(nearest("tiresiasl", words), "tiresias-l");
  EXPECT_EQ(nearest("first_fit", words), "first-fit");
}

TEST(Nearest, guesses_nothing_far_off) {
  const std::vector<std::string> words = {"fifo", "easy"};
  EXPECT_EQ(nearest("gavel", words), std::nullopt);
  EXPECT_EQ(nearest("", words), std::nullopt);
  EXPECT_EQ(nearest("fifo", std::vector<std::string>{}), std::nullopt);
}

TEST(Nearest, the_first_of_equals_wins) {
  EXPECT_EQ(nearest("bat", std::vector<std::string>{"cat", "hat"}), "cat");
}

}  // namespace
}  // namespace muster
