#include "base/time.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "base/rng.h"

namespace muster {
namespace {

using std::chrono::microseconds;
using std::chrono::seconds;

// Spread evenly over the powers of ten.
double log_uniform(Rng& rng, double low, double high) {
  return low * std::pow(high / low, rng.uniform());
}

TEST(Time, seconds_and_back) {
  EXPECT_EQ(from_seconds(1.5), microseconds(1500000));
  EXPECT_EQ(from_seconds(-0.25), microseconds(-250000));
  EXPECT_EQ(from_seconds(4e-7), microseconds(0));
  EXPECT_EQ(from_seconds(6e-7), microseconds(1));
  EXPECT_DOUBLE_EQ(to_seconds(microseconds(1500000)), 1.5);
  EXPECT_DOUBLE_EQ(to_seconds(Time(seconds(7))), 7);
}

TEST(Time, seconds_beyond_the_clock_are_a_bug) {
  EXPECT_DEATH(static_cast<void>(from_seconds(1e13)), "broken invariant");
  EXPECT_DEATH(static_cast<void>(from_seconds(std::nan(""))), "broken invariant");
}

TEST(StepsIn, counts_whole_steps) {
  EXPECT_EQ(steps_in(10, seconds(360)), 3600);
  EXPECT_EQ(steps_in(0.3, seconds(10)), 3);
  EXPECT_EQ(steps_in(1, microseconds(999999)), 0);
  EXPECT_EQ(steps_in(1, microseconds(1000000)), 1);
}

TEST(StepsIn, nothing_is_done_without_time_or_rate) {
  EXPECT_EQ(steps_in(10, seconds(0)), 0);
  EXPECT_EQ(steps_in(10, seconds(-5)), 0);
  EXPECT_EQ(steps_in(0, seconds(5)), 0);
  EXPECT_EQ(steps_in(-1, seconds(5)), 0);
  EXPECT_EQ(steps_in(std::nan(""), seconds(5)), 0);
}

TEST(StepsIn, more_than_fits_is_the_largest_number) {
  EXPECT_EQ(steps_in(1e12, seconds(1000000000000)), std::numeric_limits<std::int64_t>::max());
}

TEST(TimeFor, what_never_happens_takes_for_ever) {
  EXPECT_EQ(time_for(1, 0), Duration::max());
  EXPECT_EQ(time_for(1, -2), Duration::max());
  EXPECT_EQ(time_for(1, std::nan("")), Duration::max());
  EXPECT_EQ(time_for(std::numeric_limits<std::int64_t>::max(), 1e-6), Duration::max());
}

TEST(TimeFor, no_steps_take_no_time) {
  EXPECT_EQ(time_for(0, 5), Duration::zero());
  EXPECT_EQ(time_for(-3, 5), Duration::zero());
  EXPECT_EQ(time_for(0, 0), Duration::zero());
}

TEST(TimeFor, is_the_shortest_span_that_suffices) {
  EXPECT_EQ(time_for(3600, 10), seconds(360));
  EXPECT_EQ(time_for(1, 3), microseconds(333334));
  Rng rng{1};
  for (int i = 0; i < 20000; ++i) {
    const double rate = log_uniform(rng, 1e-6, 1e9);
    const double steps_max = std::min(1e15, rate * 1e10);
    const auto steps = static_cast<std::int64_t>(log_uniform(rng, 1, std::max(2.0, steps_max)));
    const Duration span = time_for(steps, rate);
    ASSERT_GE(steps_in(rate, span), steps) << rate << " " << steps;
    ASSERT_LT(steps_in(rate, span - Duration(1)), steps) << rate << " " << steps;
  }
}

TEST(TimeFor, the_steps_of_a_span_take_no_longer) {
  Rng rng{2};
  for (int i = 0; i < 20000; ++i) {
    const double rate = log_uniform(rng, 1e-6, 1e9);
    const Duration span(static_cast<std::int64_t>(log_uniform(rng, 1, 1e13)));
    const std::int64_t steps = steps_in(rate, span);
    ASSERT_LE(time_for(steps, rate), span) << rate << " " << span.count();
    ASSERT_EQ(steps_in(rate, time_for(steps, rate)), steps) << rate << " " << span.count();
  }
}

TEST(StepsIn, never_falls_as_time_goes_on) {
  Rng rng{3};
  for (int i = 0; i < 20000; ++i) {
    const double rate = log_uniform(rng, 1e-6, 1e9);
    const Duration span(static_cast<std::int64_t>(log_uniform(rng, 1, 1e13)));
    ASSERT_LE(steps_in(rate, span), steps_in(rate, span + Duration(1)));
  }
}

}  // namespace
}  // namespace muster
