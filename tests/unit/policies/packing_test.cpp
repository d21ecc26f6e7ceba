#include "policies/packing.h"

#include <gtest/gtest.h>

#include "engine/engine.h"
#include "support/simulation.h"
#include "support/test_policies.h"

namespace muster {
namespace {

constexpr std::uint64_t any_type = ~std::uint64_t{0};

// One type; one node per entry, with so many GPUs.
Cluster nodes_of(const std::vector<std::int32_t>& gpus) {
  Cluster cluster;
  const GpuTypeId type = cluster.add_type({.name = "v100"});
  for (const std::int32_t count : gpus) cluster.add_node({.name = "node"}, {{type, count}});
  return cluster;
}

Capacity idle(const Cluster& cluster) {
  Capacity capacity;
  capacity.reset_idle(cluster);
  return capacity;
}

// GPUs by pool, so that placements are easy to read; {} where there is none.
std::vector<std::int32_t> counts(const std::optional<Placement>& placement, std::size_t pools) {
  if (!placement) return {};
  std::vector<std::int32_t> counts(pools, 0);
  PoolId previous;
  for (const Slot& slot : *placement) {
    EXPECT_TRUE(!previous.is_valid() || previous < slot.pool);
    previous = slot.pool;
    counts[slot.pool.index()] = slot.gpu_count;
  }
  return counts;
}

using Counts = std::vector<std::int32_t>;

struct Case {
  std::vector<std::int32_t> nodes{};
  std::vector<std::int32_t> taken{};  // By node.
  std::int32_t gang = 1;
  Counts expected{};  // {}: does not fit.
};

void expect_cases(PlacementRule rule, const std::vector<Case>& cases) {
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const Case& c = cases[i];
    const Cluster cluster = nodes_of(c.nodes);
    Capacity capacity = idle(cluster);
    for (std::size_t node = 0; node < c.taken.size(); ++node) {
      if (c.taken[node] == 0) continue;
      capacity.take({.types = any_type}, {{.pool = PoolId(node), .gpu_count = c.taken[node]}});
    }
    const Shape shape{.gpu_count = c.gang, .types = any_type, .rule = rule};
    EXPECT_EQ(counts(capacity.find(shape), c.nodes.size()), c.expected) << "case " << i;
  }
}

TEST(Capacity, count_fills_the_first_free_gpus) {
  expect_cases(PlacementRule::count,
               {{.nodes = {4, 4}, .gang = 3, .expected = {3, 0}},
                {.nodes = {4, 4}, .gang = 6, .expected = {4, 2}},
                {.nodes = {4, 4}, .taken = {3, 2}, .gang = 3, .expected = {1, 2}},
                {.nodes = {4, 4}, .taken = {4, 2}, .gang = 2, .expected = {0, 2}},
                {.nodes = {4, 4}, .taken = {3, 3}, .gang = 3, .expected = {}},
                {.nodes = {4, 4}, .gang = 9, .expected = {}}});
}

TEST(Capacity, consolidated_takes_one_node_where_the_gang_fits_in_one) {
  expect_cases(PlacementRule::consolidated,
               {{.nodes = {4, 4}, .gang = 3, .expected = {3, 0}},
                {.nodes = {4, 4}, .taken = {2, 0}, .gang = 3, .expected = {0, 3}},
                {.nodes = {4, 4}, .taken = {2, 2}, .gang = 3, .expected = {}},
                {.nodes = {2, 8}, .gang = 3, .expected = {0, 3}},
                {.nodes = {2, 8}, .gang = 2, .expected = {2, 0}}});
}

TEST(Capacity, consolidated_takes_whole_idle_nodes_and_one_with_the_remainder) {
  expect_cases(PlacementRule::consolidated,
               {{.nodes = {4, 4, 4}, .gang = 8, .expected = {4, 4, 0}},
                {.nodes = {4, 4, 4}, .gang = 9, .expected = {4, 4, 1}},
                {.nodes = {4, 4, 4}, .taken = {1, 0, 0}, .gang = 10, .expected = {2, 4, 4}},
                {.nodes = {4, 4, 4}, .taken = {3, 0, 0}, .gang = 10, .expected = {}},
                {.nodes = {4, 4, 4}, .taken = {1, 1, 0}, .gang = 8, .expected = {}},
                {.nodes = {2, 4, 2, 4}, .gang = 6, .expected = {2, 4, 0, 0}},  // P is 4, not 2.
                {.nodes = {2, 4, 2, 4}, .gang = 11, .expected = {}}});  // 4 + 4, and 3 nowhere.
}

TEST(Capacity, spread_takes_one_gpu_from_each_node_and_then_another) {
  expect_cases(PlacementRule::spread,
               {{.nodes = {4, 4, 4}, .gang = 2, .expected = {1, 1, 0}},
                {.nodes = {4, 4, 4}, .gang = 5, .expected = {2, 2, 1}},
                {.nodes = {4, 4, 4}, .taken = {4, 3, 0}, .gang = 4, .expected = {0, 1, 3}},
                {.nodes = {4, 4, 4}, .taken = {4, 3, 0}, .gang = 6, .expected = {}}});
}

TEST(Capacity, a_gang_stays_on_one_type_the_first_in_cluster_order) {
  Cluster cluster;
  const GpuTypeId v100 = cluster.add_type({.name = "v100"});
  const GpuTypeId k80 = cluster.add_type({.name = "k80"});
  cluster.add_node({.name = "a"}, {{v100, 2}, {k80, 2}});
  cluster.add_node({.name = "b"}, {{k80, 4}});
  const Capacity capacity = idle(cluster);
  EXPECT_EQ(counts(capacity.find({.gpu_count = 2, .types = any_type}), 3), (Counts{2, 0, 0}));
  EXPECT_EQ(counts(capacity.find({.gpu_count = 3, .types = any_type}), 3), (Counts{0, 2, 1}));
  EXPECT_EQ(counts(capacity.find({.gpu_count = 1, .types = 0b10}), 3), (Counts{0, 1, 0}));
  EXPECT_EQ(capacity.find({.gpu_count = 7, .types = any_type}), std::nullopt);
  EXPECT_EQ(capacity.find({.gpu_count = 1, .types = 0b100}), std::nullopt);
  EXPECT_EQ(counts(capacity.find_on({.gpu_count = 1, .types = any_type}, k80), 3),
            (Counts{0, 1, 0}));
  EXPECT_EQ(capacity.find_on({.gpu_count = 1, .types = 0b01}, k80), std::nullopt);
}

// Nodes of 8 GPUs with 16 CPUs and 64 GiB.
Cluster limited_cluster(int nodes) {
  Cluster cluster;
  const GpuTypeId type = cluster.add_type({.name = "v100"});
  for (int node = 0; node < nodes; ++node) {
    cluster.add_node({.name = "node", .cpus_milli = 16000, .memory_mib = 65536}, {{type, 8}});
  }
  return cluster;
}

TEST(Capacity, cpus_and_memory_limit_how_many_gpus_of_a_node_count) {
  const Cluster cluster = limited_cluster(3);
  const Capacity capacity = idle(cluster);
  Shape shape{.gpu_count = 6, .types = any_type, .cpus_milli = 24000};  // 4 CPUs per GPU.
  EXPECT_EQ(counts(capacity.find(shape), 3), (Counts{4, 2, 0}));
  shape.rule = PlacementRule::consolidated;
  EXPECT_EQ(counts(capacity.find(shape), 3), Counts{});
  shape.rule = PlacementRule::spread;
  EXPECT_EQ(counts(capacity.find(shape), 3), (Counts{2, 2, 2}));
  const Shape fat{.gpu_count = 4, .types = any_type, .memory_mib = 4 * 40000};
  EXPECT_EQ(counts(capacity.find(fat), 3), Counts{});
  const Shape fat_three{.gpu_count = 3, .types = any_type, .memory_mib = 3 * 40000};
  EXPECT_EQ(counts(capacity.find(fat_three), 3), (Counts{1, 1, 1}));
}

TEST(Capacity, what_is_taken_can_be_given_back) {
  const Cluster cluster = limited_cluster(1);
  Capacity capacity = idle(cluster);
  const Shape shape{.gpu_count = 2, .types = any_type, .cpus_milli = 10000};
  const Placement placement = {{.pool = PoolId(0U), .gpu_count = 2}};
  EXPECT_TRUE(capacity.holds(shape, placement));
  capacity.take(shape, placement);
  EXPECT_EQ(capacity.free_total(), 6);
  EXPECT_EQ(capacity.free(GpuTypeId(0U)), 6);
  EXPECT_EQ(capacity.free(PoolId(0U)), 6);
  EXPECT_FALSE(capacity.holds(shape, placement));  // The GPUs are there, the CPUs are not.
  EXPECT_EQ(capacity.find(shape), std::nullopt);
  capacity.give(shape, placement);
  EXPECT_TRUE(capacity.holds(shape, placement));
  EXPECT_EQ(capacity.free_total(), 8);
}

TEST(Capacity, what_stops_on_a_node_that_is_down_frees_nothing) {
  Cluster cluster = nodes_of({4, 4});
  Capacity capacity = idle(cluster);
  const Shape shape{.gpu_count = 4, .types = any_type};
  const Placement first = {{.pool = PoolId(0U), .gpu_count = 4}};
  capacity.take(shape, first);
  cluster.nodes[0].state = NodeState::down;
  capacity.give(shape, first);
  EXPECT_EQ(capacity.free_total(), 4);
}

TEST(Capacity, rules_never_promise_what_is_not_free) {
  Rng rng{1};
  const std::vector<PlacementRule> rules = {PlacementRule::count, PlacementRule::consolidated,
                                            PlacementRule::spread};
  for (int round = 0; round < 3000; ++round) {
    std::vector<std::int32_t> nodes;
    for (std::uint64_t n = 1 + rng.below(5); n > 0; --n) {
      nodes.push_back(static_cast<std::int32_t>(1 + rng.below(8)));
    }
    const Cluster cluster = nodes_of(nodes);
    Capacity capacity = idle(cluster);
    for (int job = 0; job < 10; ++job) {
      const Shape shape{.gpu_count = static_cast<std::int32_t>(1 + rng.below(12)),
                        .types = any_type,
                        .rule = rules[rng.below(rules.size())]};
      const auto placement = capacity.find(shape);
      if (shape.rule != PlacementRule::consolidated) {
        ASSERT_EQ(placement.has_value(), shape.gpu_count <= capacity.free_total());
      }
      if (!placement) continue;
      ASSERT_EQ(gpu_total(*placement), shape.gpu_count);
      ASSERT_TRUE(capacity.holds(shape, *placement));
      capacity.take(shape, *placement);
    }
  }
}

// What a policy sees of an idle cluster.
struct Scene {
  explicit Scene(Cluster with) : engine(std::move(with), model, policy) {}
  testing::TypedModel model{{1, 0.5, 0}};
  testing::ScriptPolicy policy;
  Engine engine;
};

// Nodes: a with 4 V100, b with 2 K80, c with 8 P4, which run nothing.
Cluster three_types() {
  Cluster cluster;
  const GpuTypeId v100 = cluster.add_type({.name = "v100"});
  const GpuTypeId k80 = cluster.add_type({.name = "k80"});
  const GpuTypeId p4 = cluster.add_type({.name = "p4"});
  cluster.add_node({.name = "a"}, {{v100, 4}});
  cluster.add_node({.name = "b"}, {{k80, 2}});
  cluster.add_node({.name = "c"}, {{p4, 8}});
  return cluster;
}

TEST(IsolatedRates, are_those_of_the_gang_alone_on_each_type) {
  const Scene scene(three_types());
  const Snapshot snapshot = scene.engine.snapshot();
  EXPECT_EQ(isolated_rates(snapshot, {.gpu_count = 2, .reference_steps_per_second = 10}),
            (std::vector<double>{10, 5, 0}));
  EXPECT_EQ(isolated_rates(snapshot, {.gpu_count = 3, .reference_steps_per_second = 10}),
            (std::vector<double>{10, 0, 0}));  // Only two K80.
  EXPECT_EQ(
      isolated_rates(snapshot,
                     {.gpu_count = 2, .reference_steps_per_second = 10, .types_allowed = 0b110}),
      (std::vector<double>{0, 5, 0}));
}

TEST(ShapeTable, jobs_of_one_shape_share_a_number) {
  const Scene scene(three_types());
  const Snapshot snapshot = scene.engine.snapshot();
  ShapeTable shapes(PlacementRule::consolidated);
  const JobSpec two{.gpu_count = 2, .total_steps = 5, .reference_steps_per_second = 1};
  const JobSpec two_longer{.gpu_count = 2, .total_steps = 99, .reference_steps_per_second = 7};
  const JobSpec two_picky{.gpu_count = 2, .reference_steps_per_second = 1, .types_allowed = 0b10};
  const ShapeId first = shapes.shape_of(snapshot, two);
  EXPECT_EQ(shapes.shape_of(snapshot, two_longer), first);
  EXPECT_NE(shapes.shape_of(snapshot, two_picky), first);
  EXPECT_EQ(shapes[first].types, 0b011U);
  EXPECT_EQ(shapes[first].rule, PlacementRule::consolidated);
  EXPECT_EQ(shapes.size(), 2U);
}

TEST(ShapeTable, knows_what_can_never_fit) {
  const Scene scene(three_types());
  const Snapshot snapshot = scene.engine.snapshot();
  ShapeTable shapes(PlacementRule::consolidated);
  const auto fits = [&](JobSpec spec) {
    spec.reference_steps_per_second = 1;
    return shapes.ever_fits(shapes.shape_of(snapshot, spec));
  };
  EXPECT_TRUE(fits({.gpu_count = 4}));
  EXPECT_FALSE(fits({.gpu_count = 5}));
  EXPECT_FALSE(fits({.gpu_count = 3, .types_allowed = 0b10}));
  EXPECT_FALSE(fits({.gpu_count = 1, .types_allowed = 0b100}));
}

TEST(ShapeTable, skew_consolidates_where_one_tensor_dominates) {
  const Scene scene(three_types());
  const Snapshot snapshot = scene.engine.snapshot();
  ShapeTable shapes(PlacementRule::skew);
  const auto rule = [&](double ratio) {
    return shapes[shapes.shape_of(snapshot, {.gpu_count = 2,
                                             .reference_steps_per_second = 1,
                                             .tensor_skew_ratio = ratio})]
        .rule;
  };
  EXPECT_EQ(rule(0.9), PlacementRule::consolidated);
  EXPECT_EQ(rule(0.5), PlacementRule::count);
  EXPECT_EQ(rule(0), PlacementRule::count);
}

TEST(ShapeTable, goes_through_an_archive) {
  const Scene scene(three_types());
  const Snapshot snapshot = scene.engine.snapshot();
  ShapeTable shapes(PlacementRule::count);
  const JobSpec spec{.gpu_count = 9, .reference_steps_per_second = 1};
  shapes.shape_of(snapshot, {.gpu_count = 1, .reference_steps_per_second = 1});
  const ShapeId id = shapes.shape_of(snapshot, spec);
  Archive saver = Archive::saver();
  saver(shapes);
  Archive loader = Archive::loader(saver.bytes());
  ShapeTable loaded(PlacementRule::count);
  loader(loaded);
  ASSERT_TRUE(loader.is_complete());
  EXPECT_EQ(loaded.shape_of(snapshot, spec), id);
  EXPECT_FALSE(loaded.ever_fits(id));
}

}  // namespace
}  // namespace muster
