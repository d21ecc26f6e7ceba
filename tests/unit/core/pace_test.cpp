#include "core/pace.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/rng.h"

namespace muster {
namespace {

using std::chrono::microseconds;
using std::chrono::seconds;

Time at(double at_seconds) { return Time(from_seconds(at_seconds)); }

double log_uniform(Rng& rng, double low, double high) {
  return low * std::pow(high / low, rng.uniform());
}

TEST(Pace, counts_on_from_steps_before) {
  const Pace pace{.rate = 2, .since = at(10), .steps_before = 5};
  EXPECT_EQ(pace.steps(at(10)), 5);
  EXPECT_EQ(pace.steps(at(10.999999)), 6);
  EXPECT_EQ(pace.steps(at(20)), 25);
  EXPECT_EQ(pace.when(25), at(20));
  EXPECT_EQ(pace.when(5), at(10));
  EXPECT_EQ(pace.when(-1), at(10));
}

TEST(Pace, without_a_rate_no_step_comes) {
  const Pace pace{.rate = 0, .since = at(10), .steps_before = 5};
  EXPECT_EQ(pace.steps(at(1e6)), 5);
  EXPECT_EQ(pace.when(5), at(10));
  EXPECT_EQ(pace.when(6), time_never);
}

TEST(Pace, what_takes_too_long_never_comes) {
  const Pace pace{.rate = 1e-6, .since = at(10)};
  EXPECT_EQ(pace.when(std::int64_t{1} << 60U), time_never);
}

// The property that lets quotas end on time.
void expect_inverse(const Pace& pace, std::int64_t target) {
  const Time when = pace.when(target);
  ASSERT_GE(pace.steps(when), target) << pace.rate << " " << target;
  if (target <= pace.steps_before) return;
  ASSERT_LT(pace.steps(when - Duration(1)), target) << pace.rate << " " << target;
}

TEST(Pace, when_is_the_first_moment_to_the_microsecond) {
  Rng rng{1};
  for (int i = 0; i < 20000; ++i) {
    const Pace pace{.rate = log_uniform(rng, 1e-5, 1e8),
                    .since = at(log_uniform(rng, 1e-6, 1e8)),
                    .steps_before = static_cast<std::int64_t>(rng.below(1000000))};
    const double steps_max = std::max(2.0, std::min(1e12, pace.rate * 1e9));
    expect_inverse(pace,
                   pace.steps_before + static_cast<std::int64_t>(log_uniform(rng, 1, steps_max)));
  }
}

TEST(Pace, a_new_rate_keeps_the_step_under_way) {
  Pace pace{.rate = 2, .since = at(100)};
  pace.set_rate(at(100.75), 1);  // A step and a half are done.
  EXPECT_EQ(pace.steps(at(100.75)), 1);
  EXPECT_EQ(pace.when(2), at(101.25));
  EXPECT_EQ(pace.when(3), at(102.25));
}

TEST(Pace, a_much_slower_rate_soon_after_the_start_of_time) {
  Pace pace{.rate = 3, .since = at(0)};
  pace.set_rate(at(0.5), 0.1);  // Half a step is under way; it began five slow seconds ago.
  EXPECT_EQ(pace.steps(at(0.5)), 1);
  EXPECT_EQ(pace.when(2), at(5.5));
  EXPECT_EQ(pace.when(3), at(15.5));
}

TEST(Pace, rate_zero_drops_the_step_under_way) {
  Pace pace{.rate = 2, .since = at(100)};
  pace.set_rate(at(100.75), 0);
  EXPECT_EQ(pace.steps(at(200)), 1);
  pace.set_rate(at(200), 1);
  EXPECT_EQ(pace.when(2), at(201));
}

TEST(Pace, the_same_rate_changes_nothing_to_the_microsecond) {
  Pace pace{.rate = 7, .since = at(0)};
  const Time before = pace.when(100);
  for (int i = 1; i <= 50; ++i) pace.set_rate(at(0.1 * i), 7);
  EXPECT_LE(std::abs((pace.when(100) - before).count()), 50);
}

TEST(Pace, changes_of_rate_lose_no_step_and_invent_none) {
  Rng rng{2};
  for (int round = 0; round < 3000; ++round) {
    Time now = at(log_uniform(rng, 1e-3, 1e6));
    Pace pace{.rate = log_uniform(rng, 1e-3, 1e4), .since = now};
    double exact = 0;  // Steps, fractions included.
    for (int change = 0; change < 10; ++change) {
      const Duration span(static_cast<std::int64_t>(log_uniform(rng, 1, 1e10)));
      exact += pace.rate * to_seconds(span);
      now += span;
      const std::int64_t before = pace.steps(now);
      const double rate = log_uniform(rng, 1e-3, 1e4);
      pace.set_rate(now, rate);
      ASSERT_EQ(pace.steps(now), before);
      // Each change may round by a microsecond of its own rate.
      ASSERT_NEAR(static_cast<double>(before), exact, 1.1 + 0.02 * (change + 1) + 1e-9 * exact);
      expect_inverse(pace, before + 1 + static_cast<std::int64_t>(rng.below(1000)));
    }
  }
}

}  // namespace
}  // namespace muster
