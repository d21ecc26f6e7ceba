#include "report/histogram.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/rng.h"

namespace muster {
namespace {

TEST(DurationHistogram, is_empty_at_first) {
  const DurationHistogram histogram;
  EXPECT_EQ(histogram.count(), 0);
  EXPECT_FALSE(histogram.mean_seconds());
  EXPECT_FALSE(histogram.max_seconds());
  EXPECT_FALSE(histogram.percentile_seconds(50));
}

TEST(DurationHistogram, mean_and_maximum_are_exact) {
  DurationHistogram histogram;
  for (const double seconds : {0.25, 0.5, 1.5}) histogram.add(seconds);
  EXPECT_EQ(histogram.mean_seconds(), 0.75);
  EXPECT_EQ(histogram.max_seconds(), 1.5);
  EXPECT_EQ(histogram.percentile_seconds(100), 1.5);
}

TEST(DurationHistogram, percentiles_are_at_most_one_percent_too_long) {
  DurationHistogram histogram;
  Rng rng{5};
  std::vector<double> all;
  for (int i = 0; i < 10000; ++i) {
    all.push_back(1e-8 * std::exp(20 * rng.uniform()));
    histogram.add(all.back());
  }
  std::sort(all.begin(), all.end());
  for (const int percent : {1, 10, 50, 90, 95, 99, 100}) {
    const double exact = all[static_cast<std::size_t>(percent) * 100 - 1];
    const double found = *histogram.percentile_seconds(percent);
    EXPECT_GE(found, exact * (1 - 1e-12)) << percent;
    EXPECT_LE(found, exact * 1.0101) << percent;
  }
}

TEST(DurationHistogram, takes_the_shortest_and_the_longest) {
  DurationHistogram histogram;
  histogram.add(0);
  histogram.add(1e9);
  EXPECT_LE(*histogram.percentile_seconds(50), 1.01e-9);
  EXPECT_EQ(histogram.percentile_seconds(99), 1e9);
  EXPECT_EQ(histogram.max_seconds(), 1e9);
}

}  // namespace
}  // namespace muster
