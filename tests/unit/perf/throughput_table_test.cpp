#include "perf/throughput_table.h"

#include <gtest/gtest.h>

#include "support/shared_data.h"
#include "unit/perf/perf_data.h"

namespace muster {
namespace {

constexpr std::string_view small_isolated =
    "# comment\n"
    "model,gpu_type,gpus,consolidated,steps_per_second\n"
    "A,v100,1,1,10\n"
    "A,v100,2,1,16\n"
    "A,v100,2,0,12\n"
    "A,k80,1,1,2\n"
    "B,v100,1,1,6\n"
    "B,k80,1,1,none\n";
constexpr std::string_view small_pairs =
    "gpu_type,model_a,model_b,steps_per_second_a,steps_per_second_b\n"
    "v100,A,B,7,4\n"
    "v100,B,B,none,none\n";

Result<ThroughputTable> parse(std::string_view isolated, std::string_view pairs) {
  return ThroughputTable::parse({.text = isolated, .path = "isolated.csv"},
                                {.text = pairs, .path = "pairs.csv"});
}

std::string gavel_model(const std::string& name, const std::string& batch_size) {
  return batch_size.empty() ? name : name + " (batch size " + batch_size + ")";
}

TEST(ThroughputTable, has_every_isolated_figure_of_gavel) {
  MUSTER_NEED_SHARED(path, "data/throughputs/gavel_isolated_throughputs.csv");
  const PerfTables tables = testing::shipped_tables();
  const ThroughputTable& table = tables.throughputs;
  int checked = 0;
  for (const auto& row : testing::read_rows(path)) {
    ASSERT_EQ(row.size(), 7U);
    if (row[0] != "simulation") continue;
    const auto model = table.find_model(gavel_model(row[3], row[4]));
    const auto gpu = table.find_gpu_type(row[1]);
    ASSERT_TRUE(model && gpu) << row[1] << " " << row[3];
    const auto gpus = static_cast<std::int32_t>(*parse_integer(row[5]));
    const Layout layout = row[2] == "1" ? Layout::consolidated : Layout::spread;
    const double expected = *parse_number(row[6]);
    EXPECT_EQ(table.rate(*model, *gpu, gpus, layout), expected) << row[1] << " " << row[3];
    if (layout == Layout::consolidated) {
      EXPECT_EQ(table.is_measured(*model, *gpu, gpus), expected > 0);
    }
    ++checked;
  }
  EXPECT_EQ(checked, 492);
  testing::count_oracle_cases(checked);
}

TEST(ThroughputTable, has_every_pair_of_gavel) {
  MUSTER_NEED_SHARED(path, "data/throughputs/gavel_pair_throughputs_1gpu.csv");
  const PerfTables tables = testing::shipped_tables();
  const ThroughputTable& table = tables.throughputs;
  int checked = 0;
  for (const auto& row : testing::read_rows(path)) {
    ASSERT_EQ(row.size(), 8U);
    const auto gpu = table.find_gpu_type(row[0]);
    const auto first = table.find_model(row[1]);
    const auto second = table.find_model(row[2]);
    ASSERT_TRUE(gpu && first && second);
    EXPECT_EQ(table.pair_rate(*gpu, *first, *second), parse_number(row[4]));
    EXPECT_EQ(table.pair_rate(*gpu, *second, *first), parse_number(row[5]));
    EXPECT_EQ(table.rate(*first, *gpu, 1), parse_number(row[6]));
    ++checked;
  }
  EXPECT_EQ(checked, 2028);
  testing::count_oracle_cases(checked);
}

TEST(ThroughputTable, grows_linearly_from_the_nearest_lower_count) {
  const auto table = parse(small_isolated, small_pairs);
  ASSERT_TRUE(table) << table.error().message;
  const ProfileId model = *table->find_model("A");
  const ProfiledGpuId v100 = *table->find_gpu_type("v100");
  EXPECT_EQ(table->rate(model, v100, 3), 24);
  EXPECT_EQ(table->rate(model, v100, 100), 800);
  EXPECT_EQ(table->rate(model, *table->find_gpu_type("k80"), 2), 4);
  EXPECT_EQ(table->rate(model, *table->find_gpu_type("k80"), 3), 6);
}

TEST(ThroughputTable, what_does_not_fit_is_zero_on_more_gpus_too) {
  const auto table = parse(small_isolated, small_pairs);
  ASSERT_TRUE(table);
  const ProfileId model = *table->find_model("B");
  EXPECT_EQ(table->rate(model, *table->find_gpu_type("k80"), 1), 0);
  EXPECT_EQ(table->rate(model, *table->find_gpu_type("k80"), 4), 0);
  EXPECT_FALSE(table->is_measured(model, *table->find_gpu_type("k80"), 1));
  EXPECT_FALSE(table->is_measured(model, *table->find_gpu_type("v100"), 2));
}

TEST(ThroughputTable, unmeasured_pairs_are_told_from_pairs_that_do_not_fit) {
  const auto table = parse(small_isolated, small_pairs);
  ASSERT_TRUE(table);
  const ProfileId a = *table->find_model("A");
  const ProfileId b = *table->find_model("B");
  const ProfiledGpuId v100 = *table->find_gpu_type("v100");
  EXPECT_EQ(table->pair_rate(v100, a, b), 7);
  EXPECT_EQ(table->pair_rate(v100, b, a), 4);
  EXPECT_EQ(table->pair_rate(v100, b, b), 0);
  EXPECT_EQ(table->pair_rate(v100, a, a), std::nullopt);
}

std::string isolated_with(std::string_view row) {
  return std::string(small_isolated) + std::string(row) + "\n";
}

TEST(ThroughputTable, names_line_and_value_of_bad_figures) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"C,v100,1,1,0",
       "isolated.csv:9: steps_per_second: expected a positive number or 'none', got '0'"},
      {"C,v100,1,1,-3",
       "isolated.csv:9: steps_per_second: expected a positive number or 'none', got '-3'"},
      {"C,v100,1,1,nan",
       "isolated.csv:9: steps_per_second: expected a positive number or 'none', got 'nan'"},
      {"C,v100,1,1,",
       "isolated.csv:9: steps_per_second: expected a positive number or 'none', got ''"},
      {"C,v100,0,1,5", "isolated.csv:9: gpus: expected a positive integer, got '0'"},
      {"C,v100,1,yes,5", "isolated.csv:9: consolidated: expected 0 or 1, got 'yes'"},
      {",v100,1,1,5", "isolated.csv:9: model: expected a name, got ''"},
      {"A,v100,1,1,5", "isolated.csv:9: model: expected each measurement once, got 'A'"},
      {"C,v100,1,1", "isolated.csv:9: expected 5 fields, got 4"},
  };
  for (const auto& [row, message] : cases) {
    const auto table = parse(isolated_with(row), small_pairs);
    ASSERT_FALSE(table) << row;
    EXPECT_EQ(table.error().message, message);
  }
}

TEST(ThroughputTable, names_line_and_value_of_bad_pairs) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"t4,A,B,7,4", "pairs.csv:4: gpu_type: expected a type with isolated speeds, got 't4'"},
      {"v100,A,C,7,4", "pairs.csv:4: model_b: expected a model with isolated speeds, got 'C'"},
      {"v100,B,A,7,4", "pairs.csv:4: model_a: expected each pair once, got 'B'"},
      {"v100,A,A,7,inf",
       "pairs.csv:4: steps_per_second_b: expected a positive number or 'none', got 'inf'"},
  };
  for (const auto& [row, message] : cases) {
    const auto table = parse(small_isolated, std::string(small_pairs) + row + "\n");
    ASSERT_FALSE(table) << row;
    EXPECT_EQ(table.error().message, message);
  }
}

TEST(ThroughputTable, refuses_a_wrong_header_and_an_empty_file) {
  EXPECT_FALSE(parse("model,gpu\nA,v100\n", small_pairs));
  EXPECT_FALSE(parse("", small_pairs));
  EXPECT_FALSE(parse(small_isolated,
                     "gpu_type,model_a,model_b,steps_per_second_a,"
                     "steps_per_second_b\n"));
}

}  // namespace
}  // namespace muster
