// EASY: what may go ahead of the head, to the microsecond and to the node.
#include <gtest/gtest.h>

#include "support/simulation.h"

namespace muster {
namespace {

using testing::plain_arrival;
using testing::plain_cluster;
using testing::simulate;
using testing::Simulated;

Time at(double seconds) { return Time(from_seconds(seconds)); }

TEST(BackfillRules, a_job_that_ends_exactly_at_the_shadow_time_goes_ahead) {
  // In floating point 0.3 - 0.1 is less than 0.2.
  const Simulated simulated = simulate(plain_cluster(1, 2),
                                       {plain_arrival(0, 1, 0.3), plain_arrival(0.1, 2, 5),
                                        plain_arrival(0.1, 1, 9), plain_arrival(0.1, 1, 0.2)},
                                       "easy");
  EXPECT_EQ(simulated.jobs[1].first_start, at(0.3));
  EXPECT_EQ(simulated.jobs[3].first_start, at(0.1));
}

TEST(BackfillRules, a_long_job_goes_to_the_node_that_the_head_does_not_need) {
  const Simulated simulated = simulate(plain_cluster(2, 4),
                                       {plain_arrival(0, 2, 100), plain_arrival(0, 3, 1000),
                                        plain_arrival(1, 4, 50), plain_arrival(2, 1, 500)},
                                       "easy:placement=consolidated");
  EXPECT_EQ(simulated.jobs[2].first_start, at(100));
  EXPECT_EQ(simulated.jobs[3].first_start, at(2));
}

// Half as fast over two nodes.
class SpreadModel final : public PerformanceModel {
 public:
  Rate rate(const JobSpec& job, const Setting& setting) const override {
    const double factor = node_count(setting.placement, setting.cluster) > 1 ? 0.5 : 1;
    return {.steps_per_second = factor * job.reference_steps_per_second *
                                gpu_total(setting.placement) / job.gpu_count};
  }
};

TEST(BackfillRules, the_head_is_not_delayed_by_a_job_that_is_slow_where_it_would_sit) {
  const std::vector<Arrival> arrivals = {plain_arrival(0, 1, 100), plain_arrival(0, 1, 1000),
                                         plain_arrival(0, 1, 100), plain_arrival(0, 1, 100),
                                         plain_arrival(1, 4, 50),  plain_arrival(3, 2, 90)};
  const SpreadModel model;
  const auto policy = parse_policy("easy:placement=spread", nullptr)->make({});
  const Simulated simulated = simulate(plain_cluster(3, 2), arrivals, *policy, model);
  ASSERT_FALSE(simulated.error);
  EXPECT_EQ(simulated.jobs[4].first_start, at(100));
}

}  // namespace
}  // namespace muster
