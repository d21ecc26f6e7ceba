#include "cli/isolated_rates.h"

#include <gtest/gtest.h>

namespace muster {
namespace {

// Tells the placement by the number of its nodes and GPUs.
class LayoutModel final : public PerformanceModel {
 public:
  Rate rate(const JobSpec&, const Setting& setting) const override {
    return {.steps_per_second = 100.0 * node_count(setting.placement, setting.cluster) +
                                gpu_total(setting.placement)};
  }
};

Cluster uneven_cluster() {
  Cluster cluster;
  const GpuTypeId v100 = cluster.add_type({.name = "v100"});
  const GpuTypeId k80 = cluster.add_type({.name = "k80"});
  cluster.add_node({.name = "small"}, {{v100, 2}});
  cluster.add_node({.name = "large"}, {{v100, 8}, {k80, 1}});
  cluster.add_node({.name = "middle"}, {{v100, 4}});
  return cluster;
}

TEST(IsolatedRates, a_gang_sits_as_close_together_as_the_nodes_allow) {
  const Cluster cluster = uneven_cluster();
  const LayoutModel model;
  IsolatedRates rates(cluster, model);
  JobSpec job;
  const auto rate_of = [&](std::int32_t gpus) {
    job.gpu_count = gpus;
    return rates.rate(job, GpuTypeId(0U));
  };
  EXPECT_EQ(rate_of(2), 102);
  EXPECT_EQ(rate_of(8), 108);
  EXPECT_EQ(rate_of(12), 212);
  EXPECT_EQ(rate_of(14), 314);
}

TEST(IsolatedRates, too_few_gpus_give_no_rate) {
  const Cluster cluster = uneven_cluster();
  const LayoutModel model;
  IsolatedRates rates(cluster, model);
  JobSpec job{.gpu_count = 15};
  EXPECT_EQ(rates.rate(job, GpuTypeId(0U)), 0);
  job.gpu_count = 2;
  EXPECT_EQ(rates.rate(job, GpuTypeId(1U)), 0);
}

}  // namespace
}  // namespace muster
