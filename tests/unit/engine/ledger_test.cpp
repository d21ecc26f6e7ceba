#include "engine/ledger.h"

#include <gtest/gtest.h>

#include <set>

#include "base/rng.h"
#include "support/simulation.h"

namespace muster {
namespace {

constexpr PoolId pool0{0U};
constexpr PoolId pool1{1U};

// Node 0: 70 GPUs, 8 CPUs, 1 GiB; node 1: 2 GPUs of another type, without limits.
Cluster two_nodes() {
  Cluster cluster;
  const GpuTypeId v100 = cluster.add_type({.name = "v100"});
  const GpuTypeId k80 = cluster.add_type({.name = "k80"});
  cluster.add_node({.name = "a", .cpus_milli = 8000, .memory_mib = 1024}, {{v100, 70}});
  cluster.add_node({.name = "b"}, {{k80, 2}});
  return cluster;
}

TEST(Ledger, committing_takes_from_what_is_free) {
  const Cluster cluster = two_nodes();
  Ledger ledger(cluster);
  EXPECT_EQ(ledger.free_total(), 72);
  const Placement both = {{pool0, 3}, {pool1, 2}};
  ledger.commit_gpus(both);
  EXPECT_EQ(ledger.free()[0], 67);
  EXPECT_EQ(ledger.free()[1], 0);
  EXPECT_EQ(ledger.free_by_type()[0], 67);
  EXPECT_EQ(ledger.free_by_type()[1], 0);
  EXPECT_EQ(ledger.free_total(), 67);
  EXPECT_EQ(ledger.committed(pool0), 3);
  ledger.release_gpus(both);
  EXPECT_EQ(ledger.free_total(), 72);
}

TEST(Ledger, more_than_there_is_cannot_be_committed) {
  const Cluster cluster = two_nodes();
  Ledger ledger(cluster);
  EXPECT_DEATH(ledger.commit_gpus({{pool1, 3}}), "broken invariant");
  EXPECT_DEATH(ledger.release_gpus({{pool1, 1}}), "broken invariant");
}

TEST(Ledger, a_node_that_is_not_up_has_nothing_free) {
  Cluster cluster = two_nodes();
  Ledger ledger(cluster);
  ledger.commit_gpus({{pool0, 30}});
  cluster.nodes[0].state = NodeState::draining;
  ledger.update_node(NodeId(0U));
  EXPECT_EQ(ledger.free()[0], 0);
  EXPECT_EQ(ledger.free_total(), 2);
  EXPECT_FALSE(ledger.can_hold_gpus({{pool0, 1}}));
  ledger.release_gpus({{pool0, 10}});
  EXPECT_EQ(ledger.free_total(), 2);
  cluster.nodes[0].state = NodeState::up;
  ledger.update_node(NodeId(0U));
  EXPECT_EQ(ledger.free()[0], 50);
  EXPECT_EQ(ledger.free_by_type()[0], 50);
}

TEST(Ledger, holds_the_lowest_indices_all_or_nothing) {
  const Cluster cluster = two_nodes();
  Ledger ledger(cluster);
  const auto first = ledger.hold_gpus({{pool0, 2}});
  const auto second = ledger.hold_gpus({{pool0, 2}, {pool1, 1}});
  EXPECT_EQ(first, (std::vector<std::int32_t>{0, 1}));
  EXPECT_EQ(second, (std::vector<std::int32_t>{2, 3, 0}));
  EXPECT_FALSE(ledger.can_hold_gpus({{pool0, 1}, {pool1, 2}}));
  EXPECT_TRUE(ledger.can_hold_gpus({{pool0, 66}, {pool1, 1}}));
  ledger.drop_gpus({{pool0, 2}}, first);
  EXPECT_FALSE(ledger.is_held(pool0, 0));
  EXPECT_TRUE(ledger.is_held(pool0, 2));
  EXPECT_EQ(ledger.hold_gpus({{pool0, 3}}), (std::vector<std::int32_t>{0, 1, 4}));
}

TEST(Ledger, nodes_may_have_more_gpus_than_a_word_has_bits) {
  const Cluster cluster = two_nodes();
  Ledger ledger(cluster);
  const auto all = ledger.hold_gpus({{pool0, 70}});
  EXPECT_EQ(all.back(), 69);
  EXPECT_TRUE(ledger.is_held(pool0, 69));
  EXPECT_FALSE(ledger.is_held(pool1, 0));
  EXPECT_FALSE(ledger.can_hold_gpus({{pool0, 1}}));
  ledger.drop_gpus({{pool0, 70}}, all);
  EXPECT_TRUE(ledger.can_hold_gpus({{pool0, 70}}));
}

TEST(Ledger, hosts_give_each_run_its_share) {
  const Cluster cluster = two_nodes();
  Ledger ledger(cluster);
  const JobSpec job{.gpu_count = 4, .cpus_milli = 8000, .memory_mib = 100};
  const Placement placement = {{pool0, 3}, {pool1, 1}};
  ledger.commit_host(job, placement);
  EXPECT_EQ(ledger.free_cpus_milli()[0], 2000);
  EXPECT_EQ(ledger.free_memory_mib()[0], 949);
  EXPECT_EQ(ledger.free_cpus_milli()[1], Ledger::unlimited);
  ledger.hold_host(job, placement);
  EXPECT_TRUE(ledger.can_hold_host(job, {{pool0, 1}}));
  EXPECT_FALSE(ledger.can_hold_host(job, {{pool0, 2}}));
  EXPECT_TRUE(ledger.can_hold_host(job, {{pool1, 2}}));
  ledger.drop_host(job, placement);
  EXPECT_TRUE(ledger.can_hold_host(job, {{pool0, 4}}));
  ledger.release_host(job, placement);
  EXPECT_EQ(ledger.free_cpus_milli()[0], 8000);
}

TEST(Ledger, no_gpu_is_ever_held_twice) {
  const Cluster cluster = two_nodes();
  Ledger ledger(cluster);
  Rng rng{1};
  std::vector<std::pair<Placement, std::vector<std::int32_t>>> holders;
  std::set<std::int32_t> held;
  for (int round = 0; round < 3000; ++round) {
    if (!holders.empty() && rng.below(2) == 0) {
      const std::size_t which = rng.below(holders.size());
      for (const std::int32_t gpu : holders[which].second) held.erase(gpu);
      ledger.drop_gpus(holders[which].first, holders[which].second);
      holders.erase(holders.begin() + static_cast<std::ptrdiff_t>(which));
      continue;
    }
    const Placement placement = {{pool0, static_cast<std::int32_t>(1 + rng.below(20))}};
    const bool fits = held.size() + static_cast<std::size_t>(gpu_total(placement)) <= 70;
    ASSERT_EQ(ledger.can_hold_gpus(placement), fits);
    if (!fits) continue;
    holders.emplace_back(placement, ledger.hold_gpus(placement));
    for (const std::int32_t gpu : holders.back().second) ASSERT_TRUE(held.insert(gpu).second);
  }
}

}  // namespace
}  // namespace muster
