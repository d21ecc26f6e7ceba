// Runs every *.scenario file of this folder, and tells that unmet expectations are found.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>

#include "policies/registry.h"
#include "scenarios/scenario.h"

namespace muster::testing {
namespace {

std::vector<std::filesystem::path> scenario_files() {
  std::vector<std::filesystem::path> files;
  const auto folder = std::filesystem::path(MUSTER_SOURCE_DIR) / "tests" / "scenarios";
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() == ".scenario") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

std::string case_name(const ::testing::TestParamInfo<std::filesystem::path>& info) {
  std::string name = info.param.stem().string();
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

Scenario read_or_fail(const std::filesystem::path& path) {
  std::ifstream stream(path, std::ios::binary);
  const std::string text((std::istreambuf_iterator<char>(stream)), {});
  Result<Scenario> scenario = parse_scenario(text);
  EXPECT_TRUE(scenario) << scenario.error().message;
  return scenario ? std::move(*scenario) : Scenario{};
}

class Scenarios : public ::testing::TestWithParam<std::filesystem::path> {};

TEST_P(Scenarios, meets_its_expectations) {
  const Scenario scenario = read_or_fail(GetParam());
  ASSERT_FALSE(scenario.jobs.empty());
  const auto unmet = run_scenario(scenario);
  ASSERT_TRUE(unmet) << unmet.error().message;
  for (const std::string& line : *unmet) ADD_FAILURE() << line;
}

INSTANTIATE_TEST_SUITE_P(Files, Scenarios, ::testing::ValuesIn(scenario_files()), case_name);

TEST(ScenarioFiles, cover_every_policy_three_times) {
  std::map<std::string, int> counts;
  for (const auto& path : scenario_files()) {
    const std::string policy = read_or_fail(path).policy;
    ++counts[policy.substr(0, policy.find(':'))];
  }
  for (const PolicyInfo& policy : all_policies()) EXPECT_GE(counts[policy.name], 3) << policy.name;
}

constexpr const char* small = R"(
policy fifo
cluster 1 x 2 v100
job a submit=0 gpus=2 work=10s
job b submit=0 gpus=1 work=10s
)";

std::vector<std::string> unmet_of(const std::string& expectations) {
  const auto scenario = parse_scenario(small + expectations);
  EXPECT_TRUE(scenario) << scenario.error().message;
  const auto unmet = run_scenario(*scenario);
  EXPECT_TRUE(unmet) << unmet.error().message;
  return unmet.value_or(std::vector<std::string>{});
}

TEST(ScenarioFiles, unmet_expectations_are_told) {
  EXPECT_TRUE(unmet_of("expect a runs 0..10s\nexpect b runs 10s..20s\nexpect b on v100").empty());
  EXPECT_EQ(unmet_of("expect a runs 0..10s\nexpect b runs 0..10s").size(), 1U);
  EXPECT_EQ(unmet_of("expect a nodes 1\nexpect b rejected").size(), 2U);
}

TEST(ScenarioFiles, mistakes_are_told) {
  const std::string text = small;
  for (const char* mistake :
       {"expect a runs 0..10s", "expct a runs 0..1s", "job c submit=0 gpus=1", "option x=1s",
        "failure node=7 at=1s back=2s", "expect a runs 0-10s", "cluster 2 4 v100"}) {
    EXPECT_FALSE(parse_scenario(text + mistake)) << mistake;
  }
}

}  // namespace
}  // namespace muster::testing
