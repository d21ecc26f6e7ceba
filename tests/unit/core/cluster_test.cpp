#include "core/cluster.h"

#include <gtest/gtest.h>

#include "core/placement.h"

namespace muster {
namespace {

constexpr GpuTypeId v100{0U};
constexpr GpuTypeId k80{1U};

// Nodes: a with 4 V100, b with 2 V100 and 8 K80, c without GPUs, d with 1 K80.
Cluster mixed_cluster() {
  Cluster cluster;
  cluster.add_type({.name = "v100"});
  cluster.add_type({.name = "k80"});
  cluster.add_node({.name = "a"}, {{v100, 4}});
  cluster.add_node({.name = "b"}, {{v100, 2}, {k80, 8}});
  cluster.add_node({.name = "c"}, {});
  cluster.add_node({.name = "d"}, {{k80, 1}});
  return cluster;
}

TEST(Cluster, pools_are_numbered_node_by_node) {
  const Cluster cluster = mixed_cluster();
  ASSERT_EQ(cluster.pools.size(), 4U);
  EXPECT_EQ(cluster.pools[2].node, NodeId(1U));
  EXPECT_EQ(cluster.pools[2].type, k80);
  EXPECT_EQ(cluster.pools[2].gpu_count, 8);
  EXPECT_EQ(cluster.nodes[1].first_pool, PoolId(1U));
  EXPECT_EQ(cluster.nodes[1].pool_count, 2U);
  EXPECT_EQ(cluster.nodes[2].pool_count, 0U);
  EXPECT_EQ(cluster.nodes[3].first_pool, PoolId(3U));
}

TEST(Cluster, counts_its_gpus) {
  const Cluster cluster = mixed_cluster();
  EXPECT_EQ(cluster.gpu_count(), 15);
  EXPECT_EQ(cluster.gpu_count_by_type, (std::vector<std::int32_t>{6, 9}));
  EXPECT_EQ(cluster.nodes[1].gpu_count, 10);
  EXPECT_EQ(cluster.nodes[2].gpu_count, 0);
  EXPECT_EQ(cluster.pools_by_type[0], (std::vector<PoolId>{PoolId(0U), PoolId(1U)}));
  EXPECT_EQ(cluster.pools_by_type[1], (std::vector<PoolId>{PoolId(2U), PoolId(3U)}));
}

TEST(Cluster, finds_by_name) {
  const Cluster cluster = mixed_cluster();
  EXPECT_EQ(cluster.find_type("k80"), k80);
  EXPECT_EQ(cluster.find_type("K80"), std::nullopt);
  EXPECT_EQ(cluster.find_node("d"), NodeId(3U));
  EXPECT_EQ(cluster.find_node("e"), std::nullopt);
}

TEST(Cluster, only_nodes_that_are_up_are_usable) {
  Cluster cluster = mixed_cluster();
  EXPECT_TRUE(cluster.is_usable(PoolId(2U)));
  cluster.nodes[1].state = NodeState::draining;
  EXPECT_FALSE(cluster.is_usable(PoolId(1U)));
  EXPECT_FALSE(cluster.is_usable(PoolId(2U)));
  EXPECT_TRUE(cluster.is_usable(PoolId(3U)));
  cluster.nodes[1].state = NodeState::down;
  EXPECT_FALSE(cluster.is_usable(PoolId(2U)));
}

TEST(Cluster, nonsense_is_a_bug) {
  Cluster cluster = mixed_cluster();
  EXPECT_DEATH(cluster.add_type({.name = "k80"}), "broken invariant");
  EXPECT_DEATH(cluster.add_node({.name = "x"}, {{v100, 0}}), "broken invariant");
  EXPECT_DEATH(cluster.add_node({.name = "x"}, {{k80, 1}, {v100, 1}}), "broken invariant");
  EXPECT_DEATH(cluster.add_node({.name = "x"}, {{GpuTypeId(7U), 1}}), "broken invariant");
}

TEST(Cluster, has_at_most_as_many_types_as_the_mask_has_bits) {
  Cluster cluster;
  for (std::size_t i = 0; i < gpu_types_max; ++i) cluster.add_type({.name = std::to_string(i)});
  EXPECT_DEATH(cluster.add_type({.name = "one more"}), "broken invariant");
}

TEST(Placement, counts_gpus_and_nodes) {
  const Cluster cluster = mixed_cluster();
  const Placement mixed = {{PoolId(0U), 1}, {PoolId(1U), 2}, {PoolId(2U), 3}};
  EXPECT_EQ(gpu_total(mixed), 6);
  EXPECT_EQ(node_count(mixed, cluster), 2);
  EXPECT_FALSE(is_one_type(mixed, cluster));
  const Placement plain = {{PoolId(2U), 3}, {PoolId(3U), 1}};
  EXPECT_EQ(node_count(plain, cluster), 2);
  EXPECT_TRUE(is_one_type(plain, cluster));
  EXPECT_EQ(gpu_total({}), 0);
  EXPECT_EQ(node_count({}, cluster), 0);
  EXPECT_TRUE(is_one_type({}, cluster));
}

}  // namespace
}  // namespace muster
