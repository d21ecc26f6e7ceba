#include "cli/comparison.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace muster {
namespace {

Summary run_with(std::optional<double> jct_seconds, std::uint64_t seed = 0) {
  Summary summary;
  summary.run.seed = seed;
  summary.jct_mean_seconds = jct_seconds;
  summary.preemptions_count = 3;
  return summary;
}

std::vector<ComparisonRow> ranked(std::vector<ComparisonRow> rows) {
  rank(rows);
  return rows;
}

std::vector<std::string> policies(const std::vector<ComparisonRow>& rows) {
  std::vector<std::string> names;
  for (const ComparisonRow& row : rows) names.push_back(row.policy);
  return names;
}

std::string last_cell(const std::string& line) { return line.substr(line.rfind(' ') + 1); }

TEST(Comparison, best_first_equal_ones_in_order_and_none_last) {
  const auto rows = ranked({{"none", {run_with(std::nullopt)}},
                            {"slow", {run_with(30)}},
                            {"first", {run_with(10)}},
                            {"second", {run_with(10)}}});
  EXPECT_EQ(policies(rows), (std::vector<std::string>{"first", "second", "slow", "none"}));
}

TEST(Comparison, the_last_column_is_relative_to_the_best) {
  const auto rows = ranked({{"slow", {run_with(43.1)}}, {"best", {run_with(10)}}});
  const std::string text = readable_comparison(rows).aligned();
  const std::size_t second = text.find('\n') + 1;
  const std::size_t third = text.find('\n', second) + 1;
  EXPECT_EQ(last_cell(text.substr(second, third - second - 1)), "1.00");
  EXPECT_NE(text.find("4.31 x\n"), std::string::npos) << text;
}

TEST(Comparison, seeds_give_mean_and_sample_deviation) {
  const auto rows = ranked({{"fifo", {run_with(10, 5), run_with(14, 6)}}});
  EXPECT_NE(readable_comparison(rows).aligned().find("12.0 ± 2.8"), std::string::npos);
  const std::string csv = comparison_csv(rows);
  EXPECT_TRUE(
      csv.starts_with("policy,seed,seeds_count,jct_mean_seconds,jct_mean_seconds_deviation,"))
      << csv;
  EXPECT_NE(csv.find("\nfifo,5,2,12,2.8284271247461903,"), std::string::npos) << csv;
}

TEST(Comparison, one_seed_has_no_deviation) {
  const auto rows = ranked({{"fifo:placement=count,a=1", {run_with(10)}}});
  const std::string csv = comparison_csv(rows);
  EXPECT_EQ(csv.find("deviation"), std::string::npos);
  EXPECT_NE(csv.find("\n\"fifo:placement=count,a=1\",0,1,10,"), std::string::npos) << csv;
  EXPECT_EQ(readable_comparison(rows).aligned().find("±"), std::string::npos);
}

TEST(Comparison, json_holds_the_summaries_best_first) {
  const auto rows = ranked({{"slow", {run_with(20)}}, {"best", {run_with(10)}}});
  const auto json = nlohmann::json::parse(comparison_json(rows));
  EXPECT_EQ(json["seeds_count"], 1);
  ASSERT_EQ(json["policies"].size(), 2U);
  EXPECT_EQ(json["policies"][0]["policy"], "best");
  EXPECT_EQ(json["policies"][1]["jct_mean_relative_ratio"], 2.0);
  EXPECT_EQ(json["policies"][1]["runs"][0]["jct_mean_seconds"], 20.0);
  EXPECT_TRUE(json["policies"][1]["runs"][0]["makespan_seconds"].is_null());
}

}  // namespace
}  // namespace muster
