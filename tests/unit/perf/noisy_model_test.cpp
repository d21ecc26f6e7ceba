#include "perf/noisy_model.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "unit/perf/perf_data.h"

namespace muster {
namespace {

class FixedModel : public PerformanceModel {
 public:
  explicit FixedModel(double speed) : speed_(speed) {}
  Rate rate(const JobSpec&, const Setting&) const override { return {.steps_per_second = speed_}; }

 private:
  double speed_;
};

NoisyModel noisy(double speed, Noise noise) {
  return NoisyModel(std::make_unique<FixedModel>(speed), noise);
}

double believed(const NoisyModel& model, std::uint32_t row, std::uint32_t pool) {
  static const Cluster cluster = testing::cluster_of({{"v100", 4}, {"k80", 4}});
  const Placement placement = {{PoolId(pool), 1}};
  const JobSpec job{.row = row};
  return model.rate(job, {.cluster = cluster, .placement = placement}).steps_per_second;
}

TEST(NoisyModel, stays_within_its_ratio_and_uses_it) {
  const NoisyModel model = noisy(100, {.ratio = 0.2, .seed = 7});
  double lowest = 200;
  double highest = 0;
  double sum = 0;
  constexpr std::uint32_t rows = 10000;
  for (std::uint32_t row = 0; row < rows; ++row) {
    const double speed = believed(model, row, row % 2);
    lowest = std::min(lowest, speed);
    highest = std::max(highest, speed);
    sum += speed;
  }
  EXPECT_GE(lowest, 80);
  EXPECT_LT(highest, 120);
  EXPECT_LT(lowest, 80.1);
  EXPECT_GT(highest, 119.9);
  EXPECT_NEAR(sum / rows, 100, 0.5);
}

TEST(NoisyModel, same_seed_same_error) {
  const NoisyModel first = noisy(100, {.ratio = 0.5, .seed = 1});
  const NoisyModel same = noisy(100, {.ratio = 0.5, .seed = 1});
  const NoisyModel other = noisy(100, {.ratio = 0.5, .seed = 2});
  int differing = 0;
  for (std::uint32_t row = 0; row < 100; ++row) {
    EXPECT_EQ(believed(first, row, 0), believed(same, row, 0));
    if (believed(first, row, 0) != believed(other, row, 0)) ++differing;
  }
  EXPECT_EQ(differing, 100);
}

TEST(NoisyModel, errs_differently_on_each_type) {
  const NoisyModel model = noisy(100, {.ratio = 0.5, .seed = 1});
  EXPECT_NE(believed(model, 3, 0), believed(model, 3, 1));
}

TEST(NoisyModel, without_noise_is_the_base) {
  EXPECT_EQ(believed(noisy(123.4, {.ratio = 0, .seed = 1}), 5, 0), 123.4);
}

TEST(NoisyModel, never_makes_an_unfit_placement_fit) {
  EXPECT_EQ(believed(noisy(0, {.ratio = 0.5, .seed = 1}), 5, 0), 0);
}

}  // namespace
}  // namespace muster
