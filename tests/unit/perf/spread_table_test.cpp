#include "perf/spread_table.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "support/shared_data.h"
#include "unit/perf/perf_data.h"

namespace muster {
namespace {

Result<SpreadTable> parse(const std::string& rows) {
  const std::string text = "model,gpus,nodes,speed_ratio\n" + rows;
  return SpreadTable::parse({.text = text, .path = "spread.csv"});
}

TEST(SpreadTable, has_every_figure_of_chronus) {
  MUSTER_NEED_SHARED(path, "data/throughputs/chronus_placement_slowdown.csv");
  const PerfTables tables = testing::shipped_tables();
  int checked = 0;
  for (const auto& row : testing::read_rows(path)) {
    ASSERT_EQ(row.size(), 4U);
    const auto curve = tables.spread.find_curve(row[0]);
    ASSERT_TRUE(curve) << row[0];
    const double ratio =
        tables.spread.speed_ratio(*curve, static_cast<std::int32_t>(*parse_integer(row[1])),
                                  static_cast<std::int32_t>(*parse_integer(row[2])));
    EXPECT_EQ(ratio, std::min(1.0, *parse_number(row[3]))) << row[0] << " " << row[1];
    ++checked;
  }
  EXPECT_EQ(checked, 50);
  testing::count_oracle_cases(checked);
}

TEST(SpreadTable, knows_families_by_name) {
  const PerfTables tables = testing::shipped_tables();
  const SpreadTable& table = tables.spread;
  EXPECT_EQ(table.find_curve("VGG19"), table.find_curve("vgg16"));
  EXPECT_EQ(table.find_curve("ResNet-50 (batch size 64)"), table.find_curve("resnet101"));
  EXPECT_EQ(table.find_curve("GoogLeNet"), table.find_curve("inception_v3"));
  EXPECT_TRUE(table.find_curve("mobilenet_v3"));
  EXPECT_FALSE(table.find_curve("LM (batch size 20)"));
  EXPECT_FALSE(table.find_curve(""));
}

TEST(SpreadTable, one_node_is_never_slower) {
  const PerfTables tables = testing::shipped_tables();
  const CurveId curve = *tables.spread.find_curve("alexnet");
  for (const std::int32_t gpus : {1, 2, 3, 8, 64}) {
    EXPECT_EQ(tables.spread.speed_ratio(curve, gpus, 1), 1);
    EXPECT_LE(tables.spread.speed_ratio(curve, gpus, 2), 1);
  }
}

TEST(SpreadTable, takes_the_nearest_measured_row) {
  const auto table = parse("alexnet,2,2,0.9\nalexnet,4,2,0.8\nalexnet,4,4,0.5\nalexnet,8,4,0.3\n");
  ASSERT_TRUE(table) << table.error().message;
  const CurveId curve = *table->find_curve("alexnet");
  EXPECT_EQ(table->speed_ratio(curve, 3, 3), 0.9);
  EXPECT_EQ(table->speed_ratio(curve, 4, 3), 0.8);
  EXPECT_EQ(table->speed_ratio(curve, 6, 6), 0.5);
  EXPECT_EQ(table->speed_ratio(curve, 128, 16), 0.3);
}

TEST(SpreadTable, names_line_and_value_of_bad_figures) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"vgg16,1,1,1", "spread.csv:2: gpus: expected an integer over 1, got '1'"},
      {"vgg16,4,5,1", "spread.csv:2: nodes: expected an integer from 2 to gpus, got '5'"},
      {"vgg16,4,2,0",
       "spread.csv:2: speed_ratio: expected a ratio over 0, at most 1 but for noise, got '0'"},
      {"vgg16,4,2,nan",
       "spread.csv:2: speed_ratio: expected a ratio over 0, at most 1 but for noise, got 'nan'"},
      {"vgg16,4,2,2",
       "spread.csv:2: speed_ratio: expected a ratio over 0, at most 1 but for noise, got '2'"},
  };
  for (const auto& [row, message] : cases) {
    const auto table = parse(row + "\n");
    ASSERT_FALSE(table) << row;
    EXPECT_EQ(table.error().message, message);
  }
}

}  // namespace
}  // namespace muster
