#include "workload/catalogue.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>

#include "base/text.h"
#include "support/shared_data.h"

namespace muster {
namespace {

const std::string shipped_path = std::string(MUSTER_SOURCE_DIR) + "/data/gpus.yaml";

Catalogue shipped() {
  auto catalogue = read_catalogue(shipped_path);
  EXPECT_TRUE(catalogue) << catalogue.error().message;
  return catalogue ? *std::move(catalogue) : Catalogue();
}

TEST(Catalogue, every_type_says_where_its_figures_come_from) {
  const Catalogue catalogue = shipped();
  EXPECT_GT(catalogue.entries().size(), 30U);
  for (const Catalogue::Entry& entry : catalogue.entries()) {
    EXPECT_FALSE(entry.source.empty()) << entry.type.name;
    EXPECT_EQ(entry.type.name, to_lower(entry.type.name));
  }
}

// The rows of the collected specification table, by device and scope, under our names.
TEST(Catalogue, has_the_collected_specifications) {
  MUSTER_NEED_SHARED(path, "data/throughputs/gpu_specs.csv");
  const Catalogue catalogue = shipped();
  const std::map<std::string, std::string> renamed = {
      {"k80/board as paleo models it (base clock)", "k80-board"},
      {"rtx 2080 ti/", "rtx2080ti"},
      {"rtx 3090/", "rtx3090"},
      {"a100/pcie 40gb", "a100-40gb"},
      {"h100/pcie 80gb", "h100-pcie"}};
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  int checked = 0;
  while (std::getline(file, line)) {
    const auto fields = split(line, ',');
    ASSERT_GE(fields.size(), 5U);
    const std::string device = to_lower(fields[0]);
    const auto found = renamed.find(device + "/" + to_lower(fields[1]));
    std::string name = found == renamed.end() ? device : found->second;
    std::replace(name.begin(), name.end(), ' ', '-');
    const Catalogue::Entry* entry = catalogue.find(name);
    ASSERT_NE(entry, nullptr) << name;
    EXPECT_EQ(entry->type.memory_gib, parse_number(fields[2])) << name;
    // The two sources differ in the third digit; words follow some figures.
    const auto bandwidth = parse_number(fields[3].substr(0, fields[3].find(' ')));
    ASSERT_TRUE(bandwidth) << name;
    EXPECT_NEAR(entry->type.memory_bandwidth_gb_per_second / *bandwidth, 1, 0.005) << name;
    const auto fp32 = parse_number(fields[4].substr(0, fields[4].find(' ')));
    if (fp32) {
      EXPECT_NEAR(entry->type.fp32_tflops / *fp32, 1, 0.03) << name;
    }
    ++checked;
  }
  EXPECT_EQ(checked, 23);
  testing::count_oracle_cases(checked);
}

TEST(Catalogue, has_the_figures_that_the_estimator_uses) {
  struct Row {
    std::string name;
    double fp32_tflops, bandwidth, memory_gib;
  };
  const std::vector<Row> rows = {{"v100", 14.13, 897, 16},      {"p100", 9.526, 732.2, 16},
                                 {"k80", 4.113, 240.6, 12},     {"t4", 8.141, 320, 16},
                                 {"titan-rtx", 16.31, 672, 24}, {"t400", 1.094, 80, 2},
                                 {"rtx3090", 35.58, 936.2, 24}, {"rtx-a2000", 7.987, 288, 6}};
  const Catalogue catalogue = shipped();
  for (const Row& row : rows) {
    const Catalogue::Entry* entry = catalogue.find(row.name);
    ASSERT_NE(entry, nullptr) << row.name;
    EXPECT_EQ(entry->type.fp32_tflops, row.fp32_tflops) << row.name;
    EXPECT_EQ(entry->type.memory_bandwidth_gb_per_second, row.bandwidth) << row.name;
    EXPECT_EQ(entry->type.memory_gib, row.memory_gib) << row.name;
  }
  EXPECT_EQ(catalogue.find("v100")->type.price_dollars_per_hour, 0.74);
  EXPECT_EQ(catalogue.find("p100")->type.price_dollars_per_hour, 0.43);
  EXPECT_EQ(catalogue.find("k80")->type.price_dollars_per_hour, 0.135);
  testing::count_oracle_cases(static_cast<int>(rows.size()) + 3);
}

TEST(Catalogue, names_are_found_in_any_case_and_by_alias) {
  const Catalogue catalogue = shipped();
  EXPECT_EQ(catalogue.find("V100"), catalogue.find("v100"));
  EXPECT_EQ(catalogue.find("GTX2080Ti"), catalogue.find("rtx2080ti"));
  EXPECT_EQ(catalogue.canonical_name("GTX2080Ti"), "rtx2080ti");
  EXPECT_EQ(catalogue.canonical_name("Unheard-Of"), "unheard-of");
  EXPECT_EQ(catalogue.find("unheard-of"), nullptr);
}

TEST(Catalogue, names_line_and_field_of_faults) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"- v100\n", "gpus.yaml:1: expected a map, got a list"},
      {"v100: 16\n", "gpus.yaml:1: v100: expected a map, got '16'"},
      {"v100:\n  memory_gib: lots\n",
       "gpus.yaml:2: v100.memory_gib: expected a number from 0 to 1e+09, got 'lots'"},
      {"v100:\n  memory_gib: nan\n",
       "gpus.yaml:2: v100.memory_gib: expected a number from 0 to 1e+09, got 'nan'"},
      {"v100: {}\nV100: {}\n", "gpus.yaml:2: V100: expected each name once, got it again"},
      {"v100: {}\nv100: {}\n", "gpus.yaml:2: 'v100': expected each key once, got it again"},
      {"a: {}\nb: {aliases: [a]}\n",
       "gpus.yaml:2: b.aliases: expected a name that no other type has, got 'a'"},
      {"a: {aliases: b}\n", "gpus.yaml:1: a.aliases: expected a short list of names, got 'b'"},
  };
  for (const auto& [text, message] : cases) {
    const auto catalogue = read_catalogue_text(text, "gpus.yaml");
    ASSERT_FALSE(catalogue) << text;
    EXPECT_EQ(catalogue.error().message, message);
  }
}

TEST(Catalogue, suggests_the_key_that_was_meant) {
  const auto catalogue = read_catalogue_text("v100: {memory_gb: 16}\n", "gpus.yaml");
  ASSERT_FALSE(catalogue);
  EXPECT_EQ(catalogue.error().hint, "did you mean 'memory_gib'?");
}

}  // namespace
}  // namespace muster
