#include "policies/gittins.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>

#include "base/rng.h"
#include "base/text.h"
#include "support/shared_data.h"

namespace muster {
namespace {

constexpr double quantum = 3250;

std::vector<double> read_column(const std::filesystem::path& path) {
  std::vector<double> values;
  std::ifstream file(path);
  std::string line;
  while (std::getline(file, line)) {
    if (const auto value = parse_number(trim(line))) values.push_back(*value);
  }
  return values;
}

TEST(GittinsIndex, the_values_of_the_tiresias_simulator) {
  MUSTER_NEED_SHARED(path, "oracles/tiresias/inputs/yarn-gput1000.csv");
  GittinsIndex gittins(quantum);
  gittins.set_samples(read_column(path));
  ASSERT_GE(gittins.sample_count(), 1000U);
  const std::vector<std::pair<double, double>> expected = {{0, 299.701},     {121, 299.2165},
                                                           {1000, 191.5154}, {3250, 87.4493},
                                                           {1e4, 29.9396},   {1e6, 0.9037}};
  for (const auto& [attained, index] : expected) {
    EXPECT_DOUBLE_EQ(gittins.lookup(attained).index, index) << attained;
  }
  testing::count_oracle_cases(static_cast<int>(expected.size()));
}

// By the definition, without prefix sums. Samples ascend.
double index_at(const std::vector<double>& samples, double attained, double delta) {
  const std::size_t n = samples.size();
  const auto above = [&](double bound) {
    std::size_t i = 0;
    while (i < n && samples[i] <= bound) ++i;
    return i;
  };
  const std::size_t i = above(attained);
  const std::size_t k = attained + delta > samples.back() - 1 ? n - 1 : above(attained + delta);
  if (k <= i) return 0;
  double sum = 0;
  for (std::size_t j = i; j < k; ++j) sum += samples[j];
  const auto left = static_cast<double>(n - i);
  const double probability = std::round(static_cast<double>(k - i) / left * 1e5) / 1e5;
  const double expectation = std::floor((sum + delta * static_cast<double>(n - k)) / left);
  return std::round(1e6 * probability / expectation * 1e4) / 1e4;
}

TEST(GittinsIndex, is_what_the_definition_says) {
  Rng rng{1};
  for (int round = 0; round < 100; ++round) {
    std::vector<double> samples;
    for (std::uint64_t n = 1 + rng.below(50); n > 0; --n) {
      samples.push_back(std::floor(10 + rng.exponential(5000)));
    }
    GittinsIndex gittins(quantum);
    gittins.set_samples(samples);
    std::sort(samples.begin(), samples.end());
    for (int i = 0; i < 50; ++i) {
      const double attained = std::floor(rng.uniform() * samples.back());
      const auto next = std::upper_bound(samples.begin(), samples.end(), attained);
      if (next == samples.end()) continue;
      ASSERT_DOUBLE_EQ(gittins.lookup(attained).index, index_at(samples, *next - 1, quantum));
    }
  }
}

TEST(GittinsIndex, holds_up_to_the_next_sample) {
  GittinsIndex gittins(quantum);
  gittins.set_samples({300, 100, 200});
  EXPECT_EQ(gittins.lookup(0).valid_below, 100);
  EXPECT_EQ(gittins.lookup(99.9).index, gittins.lookup(0).index);
  EXPECT_EQ(gittins.lookup(100).valid_below, 200);
  EXPECT_EQ(gittins.lookup(299).valid_below, 300);
}

TEST(GittinsIndex, is_zero_beyond_the_largest_sample) {
  GittinsIndex gittins(quantum);
  EXPECT_EQ(gittins.lookup(0).index, 0);
  gittins.set_samples({100, 200, 300});
  EXPECT_EQ(gittins.lookup(300).index, 0);
  EXPECT_TRUE(std::isinf(gittins.lookup(300).valid_below));
}

TEST(GittinsIndex, prefers_those_likely_to_end_soon) {
  GittinsIndex gittins(quantum);
  std::vector<double> samples(50, 100);
  samples.insert(samples.end(), 50, 100000);
  gittins.set_samples(samples);
  EXPECT_GT(gittins.lookup(0).index, gittins.lookup(5000).index);
}

TEST(GittinsIndex, learns_a_sixteenth_at_a_time) {
  Rng rng{2};
  GittinsIndex gittins(quantum);
  std::vector<double> learned;
  int rebuilds = 0;
  for (int i = 0; i < 3000; ++i) {
    learned.push_back(std::floor(1 + rng.exponential(5000)));
    if (!gittins.learn(learned.back())) continue;
    ++rebuilds;
    ASSERT_EQ(gittins.sample_count(), learned.size());
    if (rebuilds % 20 != 0) continue;
    GittinsIndex whole(quantum);
    whole.set_samples(learned);
    for (const double attained : {0.0, 50.0, 1000.0, 10000.0}) {
      ASSERT_EQ(gittins.lookup(attained).index, whole.lookup(attained).index);
    }
  }
  // About log(3000) / log(17/16) times, not 3,000.
  EXPECT_GT(rebuilds, 50);
  EXPECT_LT(rebuilds, 150);
}

TEST(GittinsIndex, goes_through_an_archive) {
  GittinsIndex gittins(quantum);
  gittins.set_samples({300, 100, 200, 50000});
  gittins.learn(70);
  Archive saver = Archive::saver();
  saver(gittins);
  Archive loader = Archive::loader(saver.bytes());
  GittinsIndex loaded(quantum);
  loader(loaded);
  ASSERT_TRUE(loader.is_complete());
  EXPECT_EQ(loaded.lookup(150).index, gittins.lookup(150).index);
  EXPECT_EQ(loaded.sample_count(), gittins.sample_count());
}

}  // namespace
}  // namespace muster
