#include "cli/values.h"

#include <gtest/gtest.h>

#include "unit/cli/temporary_folder.h"

namespace muster {
namespace {

template <class T>
std::string message(const Result<T>& result) {
  return result ? "" : result.error().message;
}

TEST(Values, counts_are_whole_numbers_in_range) {
  EXPECT_EQ(parse_count("--jobs", "7"), 7);
  EXPECT_EQ(message(parse_count("--jobs", "0")),
            "--jobs: expected a whole number from 1 on, got '0'");
  EXPECT_EQ(message(parse_count("--seeds", "2.5", {.maximum = 9})),
            "--seeds: expected a whole number from 1 to 9, got '2.5'");
  EXPECT_FALSE(parse_count("--jobs", "7x"));
  EXPECT_FALSE(parse_count("--jobs", "99999999999999999999"));
}

TEST(Values, seeds_begin_at_zero) {
  EXPECT_EQ(parse_seed("--seed", "0"), 0U);
  EXPECT_FALSE(parse_seed("--seed", "-1"));
}

TEST(Values, seconds_may_have_a_fraction_but_no_sign) {
  EXPECT_EQ(parse_seconds("--from", "1.5"), Duration(1'500'000));
  EXPECT_EQ(parse_seconds("--from", "0"), Duration(0));
  for (const char* text : {"-1", "inf", "nan", "1e300", "", "5s"}) {
    EXPECT_EQ(message(parse_seconds("--from", text)),
              "--from: expected seconds, got '" + std::string(text) + "'");
  }
}

TEST(Values, ratios_are_below_one) {
  EXPECT_EQ(parse_ratio("--noise", "0.25"), 0.25);
  EXPECT_FALSE(parse_ratio("--noise", "1"));
  EXPECT_FALSE(parse_ratio("--noise", "-0.1"));
}

TEST(Values, a_window_holds_at_least_one_job) {
  const auto window = parse_window("10:20");
  ASSERT_TRUE(window);
  EXPECT_EQ(*window, std::pair(std::int64_t{10}, std::int64_t{20}));
  for (const char* text : {"5:5", "6:5", "-1:5", "5", "1:2:3", "a:b", ""}) {
    EXPECT_FALSE(parse_window(text)) << text;
  }
}

TEST(Values, failures_need_the_time_between_them) {
  const auto both = parse_failures("mtbf=3600,mttr=60");
  ASSERT_TRUE(both);
  EXPECT_EQ(both->failure_mean, std::chrono::hours(1));
  EXPECT_EQ(both->repair_mean, std::chrono::minutes(1));
  const auto one = parse_failures("mtbf=10");
  ASSERT_TRUE(one);
  EXPECT_EQ(one->repair_mean, std::chrono::hours(1));
  EXPECT_EQ(message(parse_failures("mttr=60")),
            "--failures: expected mtbf=SECONDS,mttr=SECONDS, got 'mttr=60'");
  EXPECT_EQ(message(parse_failures("mtbf=0")),
            "--failures: mtbf: expected seconds over 0, got '0'");
  EXPECT_FALSE(parse_failures("mtfb=10"));
}

TEST(Values, an_unknown_format_gets_a_suggestion) {
  EXPECT_TRUE(check_format(""));
  EXPECT_TRUE(check_format("native"));
  const auto unknown = check_format("tiresia");
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().message, "unknown trace format 'tiresia'");
  EXPECT_EQ(unknown.error().hint, "did you mean 'tiresias'?");
}

TEST(ColumnFile, reads_numbers_below_the_header) {
  const testing::TemporaryFolder folder;
  const auto column = read_column_file(folder.write("a.csv",
                                                    "\xEF\xBB\xBF"
                                                    "duration\r\n1\r\n2.5\r\n\n"),
                                       "duration");
  ASSERT_TRUE(column) << column.error().message;
  EXPECT_EQ(*column, (std::vector<double>{1, 2.5}));
}

TEST(ColumnFile, faults_name_the_line) {
  const testing::TemporaryFolder folder;
  const std::string path = folder.write("a.csv", "duration\n1\ntwo\n");
  EXPECT_EQ(message(read_column_file(path, "duration")),
            path + ":3: duration: expected a number, got 'two'");
  EXPECT_EQ(message(read_column_file(path, "gpus")),
            path + ":1: expected the header 'gpus', got 'duration'");
  EXPECT_EQ(message(read_column_file(folder.write("b.csv", "duration\n"), "duration")),
            folder.file("b.csv") + ": no values below the header");
  EXPECT_EQ(message(read_column_file(folder.file("c.csv"), "duration")),
            folder.file("c.csv") + ": cannot be read");
}

}  // namespace
}  // namespace muster
