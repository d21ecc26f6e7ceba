#include "base/rng.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <set>
#include <vector>

namespace muster {
namespace {

// The published test values of SplitMix64.
TEST(Rng, known_values) {
  Rng zero;
  EXPECT_EQ(zero.next(), 0xE220A8397B1DCDAFULL);
  EXPECT_EQ(zero.next(), 0x6E789E6AA1B965F4ULL);
  EXPECT_EQ(zero.next(), 0x06C45D188009454FULL);
  Rng seeded{1234567};
  EXPECT_EQ(seeded.next(), 6457827717110365317ULL);
  EXPECT_EQ(seeded.next(), 3203168211198807973ULL);
  EXPECT_EQ(seeded.next(), 9817491932198370423ULL);
}

TEST(Rng, the_state_is_the_whole_generator) {
  Rng rng{5};
  rng.next();
  Rng copy{rng.state};
  EXPECT_EQ(rng.next(), copy.next());
}

// Chi squared with 99 degrees of freedom is over 148.2 once in a thousand.
double chi_squared(const std::vector<int>& counts, double expected) {
  double sum = 0;
  for (const int count : counts) sum += (count - expected) * (count - expected) / expected;
  return sum;
}

TEST(Rng, uniform_fills_the_unit_interval_evenly) {
  Rng rng{6};
  std::vector<int> counts(100, 0);
  for (int i = 0; i < 100000; ++i) {
    const double drawn = rng.uniform();
    ASSERT_GE(drawn, 0);
    ASSERT_LT(drawn, 1);
    ++counts[static_cast<std::size_t>(drawn * 100)];
  }
  EXPECT_LT(chi_squared(counts, 1000), 148.2);
}

TEST(Rng, below_is_even) {
  Rng rng{7};
  std::vector<int> counts(100, 0);
  for (int i = 0; i < 100000; ++i) ++counts[rng.below(100)];
  EXPECT_LT(chi_squared(counts, 1000), 148.2);
}

TEST(Rng, below_one_is_zero) {
  Rng rng{8};
  for (int i = 0; i < 100; ++i) EXPECT_EQ(rng.below(1), 0U);
}

// With a bound of three quarters of 2^64 a plain remainder would give the lowest third twice as
// often as it should.
TEST(Rng, below_is_unbiased_for_huge_bounds) {
  Rng rng{9};
  constexpr std::uint64_t third = std::uint64_t{1} << 62U;
  std::array<int, 3> counts{};
  for (int i = 0; i < 30000; ++i) {
    const std::uint64_t drawn = rng.below(3 * third);
    ASSERT_LT(drawn, 3 * third);
    ++counts[drawn / third];
  }
  for (const int count : counts) EXPECT_NEAR(count, 10000, 400);
}

TEST(Rng, below_nothing_is_a_bug) {
  Rng rng;
  EXPECT_DEATH(static_cast<void>(rng.below(0)), "broken invariant");
}

TEST(Rng, exponential_has_its_mean_and_tail) {
  Rng rng{10};
  double sum = 0;
  int over_mean = 0;
  constexpr int count = 100000;
  for (int i = 0; i < count; ++i) {
    const double drawn = rng.exponential(5);
    ASSERT_GE(drawn, 0);
    ASSERT_TRUE(std::isfinite(drawn));
    sum += drawn;
    over_mean += drawn > 5 ? 1 : 0;
  }
  EXPECT_NEAR(sum / count, 5, 0.08);
  EXPECT_NEAR(static_cast<double>(over_mean) / count, std::exp(-1), 0.006);
}

TEST(Rng, normal_has_mean_zero_and_deviation_one) {
  Rng rng{11};
  double sum = 0;
  double squares = 0;
  int within_one = 0;
  constexpr int count = 100000;
  for (int i = 0; i < count; ++i) {
    const double drawn = rng.normal();
    sum += drawn;
    squares += drawn * drawn;
    within_one += std::abs(drawn) < 1 ? 1 : 0;
  }
  EXPECT_NEAR(sum / count, 0, 0.015);
  EXPECT_NEAR(squares / count, 1, 0.02);
  EXPECT_NEAR(static_cast<double>(within_one) / count, 0.6827, 0.006);
}

TEST(Mix, depends_on_both_and_on_their_order) {
  std::set<std::uint64_t> seen;
  for (std::uint64_t a = 0; a < 100; ++a) {
    for (std::uint64_t b = 0; b < 100; ++b) seen.insert(mix(a, b));
  }
  EXPECT_EQ(seen.size(), 10000U);
  EXPECT_EQ(mix(3, 4), mix(3, 4));
}

}  // namespace
}  // namespace muster
