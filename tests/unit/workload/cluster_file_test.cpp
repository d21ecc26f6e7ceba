#include "workload/cluster_file.h"

#include <gtest/gtest.h>

#include <chrono>
#include <fstream>

#include "base/rng.h"
#include "base/text.h"
#include "support/shared_data.h"

namespace muster {
namespace {

const std::string data_directory = std::string(MUSTER_SOURCE_DIR) + "/data";

const Catalogue& shipped() {
  static const Catalogue catalogue = *read_catalogue(data_directory + "/gpus.yaml");
  return catalogue;
}

Result<Cluster> read(std::string_view text) {
  return read_cluster_text(text, "cluster.yaml", shipped());
}

Cluster read_shipped(const std::string& name) {
  auto cluster = read_cluster(data_directory + "/clusters/" + name + ".yaml", shipped());
  EXPECT_TRUE(cluster) << cluster.error().message;
  return cluster ? *std::move(cluster) : Cluster();
}

std::string names_of(const Cluster& cluster) {
  std::string names;
  for (const Node& node : cluster.nodes) names += node.name + " ";
  return names;
}

void expect_equal(const Cluster& a, const Cluster& b) {
  EXPECT_EQ(a.name, b.name);
  ASSERT_EQ(a.types.size(), b.types.size());
  for (std::size_t i = 0; i < a.types.size(); ++i) {
    EXPECT_EQ(a.types[i].name, b.types[i].name);
    EXPECT_EQ(a.types[i].memory_gib, b.types[i].memory_gib);
    EXPECT_EQ(a.types[i].fp32_tflops, b.types[i].fp32_tflops);
    EXPECT_EQ(a.types[i].price_dollars_per_hour, b.types[i].price_dollars_per_hour);
  }
  ASSERT_EQ(a.nodes.size(), b.nodes.size());
  for (std::size_t i = 0; i < a.nodes.size(); ++i) {
    EXPECT_EQ(a.nodes[i].name, b.nodes[i].name);
    EXPECT_EQ(a.nodes[i].rack, b.nodes[i].rack);
    EXPECT_EQ(a.nodes[i].cpus_milli, b.nodes[i].cpus_milli);
    EXPECT_EQ(a.nodes[i].memory_mib, b.nodes[i].memory_mib);
  }
  ASSERT_EQ(a.pools.size(), b.pools.size());
  for (std::size_t i = 0; i < a.pools.size(); ++i) {
    EXPECT_EQ(a.pools[i].node, b.pools[i].node);
    EXPECT_EQ(a.pools[i].type, b.pools[i].type);
    EXPECT_EQ(a.pools[i].gpu_count, b.pools[i].gpu_count);
  }
}

struct Shipped {
  std::string name;
  std::size_t nodes;
  std::int32_t gpus;
  std::string types;
};

const std::vector<Shipped> shipped_clusters = {{"gavel-36", 36, 36, "v100,p100,k80"},
                                               {"gavel-108", 108, 108, "v100,p100,k80"},
                                               {"hadar-60", 15, 60, "v100,p100,k80"},
                                               {"philly", 552, 2490, "philly-12gb,philly-24gb"},
                                               {"philly-600", 75, 600, "philly-24gb"},
                                               {"helios-like", 133, 1064, "v100"},
                                               {"openb", 1523, 6212, ""},
                                               {"tiresias-n2g4", 2, 8, "p100"},
                                               {"tiresias-n4g4", 4, 16, "p100"},
                                               {"tiresias-n16g4", 16, 64, "p100"},
                                               {"tiresias-n24g4", 24, 96, "p100"},
                                               {"tiresias-n32g4", 32, 128, "p100"},
                                               {"tiny-mixed", 5, 16, "v100,k80,p100"},
                                               {"tiny-v100", 2, 8, "v100"}};

TEST(ClusterFile, shipped_clusters_have_their_published_sizes) {
  for (const Shipped& expected : shipped_clusters) {
    const Cluster cluster = read_shipped(expected.name);
    EXPECT_EQ(cluster.name, expected.name);
    EXPECT_EQ(cluster.nodes.size(), expected.nodes) << expected.name;
    EXPECT_EQ(cluster.gpu_count(), expected.gpus) << expected.name;
    std::vector<std::string> types;
    for (const GpuType& type : cluster.types) types.push_back(type.name);
    if (!expected.types.empty()) {
      EXPECT_EQ(join(types, ","), expected.types);
    }
  }
  testing::count_oracle_cases(static_cast<int>(shipped_clusters.size()));
}

TEST(ClusterFile, openb_is_the_published_list_node_by_node) {
  MUSTER_NEED_SHARED(path, "data/alibaba_openb/openb_node_list_all_node.csv");
  const Cluster cluster = read_shipped("openb");
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  std::size_t index = 0;
  for (; std::getline(file, line); ++index) {
    const auto fields = split(trim(line), ',');
    ASSERT_EQ(fields.size(), 5U);
    const Node& node = cluster.nodes.at(index);
    EXPECT_EQ(node.name, "openb-node-" + std::to_string(index));
    EXPECT_EQ(node.cpus_milli, parse_integer(fields[1]));
    EXPECT_EQ(node.memory_mib, parse_integer(fields[2]));
    EXPECT_EQ(node.gpu_count, parse_integer(fields[3]));
    ASSERT_EQ(node.pool_count, fields[4].empty() ? 0U : 1U);
    if (node.pool_count == 1) {
      const Pool& pool = cluster.pools[node.first_pool.index()];
      EXPECT_EQ(cluster.types[pool.type.index()].name, to_lower(fields[4]));
    }
  }
  EXPECT_EQ(index, cluster.nodes.size());
  testing::count_oracle_cases(static_cast<int>(index));
}

TEST(ClusterFile, reads_every_field) {
  const auto cluster = read(
      "name: one\n"
      "nodes:\n"
      "  - {count: 2, gpus: {v100: 2, k80: 1}, cpus: 10.5, memory_gib: 64, rack: a}\n"
      "  - {gpus: {K80: 4}}\n"
      "  - {gpus: {}, cpus: 4}\n"
      "gpu_types:\n"
      "  k80: {memory_gib: 11}\n");
  ASSERT_TRUE(cluster) << cluster.error().message;
  EXPECT_EQ(cluster->name, "one");
  EXPECT_EQ(names_of(*cluster), "node-0 node-1 k80-0 node-2 ");
  EXPECT_EQ(cluster->nodes[0].cpus_milli, 10500);
  EXPECT_EQ(cluster->nodes[0].memory_mib, 65536);
  EXPECT_EQ(cluster->nodes[0].rack, "a");
  EXPECT_EQ(cluster->nodes[2].cpus_milli, 0);
  EXPECT_EQ(cluster->nodes[3].gpu_count, 0);
  EXPECT_EQ(cluster->gpu_count(), 10);
  EXPECT_EQ(cluster->types[0].name, "v100");
  EXPECT_EQ(cluster->types[0].fp32_tflops, 14.13);
  EXPECT_EQ(cluster->types[1].memory_gib, 11) << "overridden";
  EXPECT_EQ(cluster->types[1].fp32_tflops, 4.113) << "kept";
}

TEST(ClusterFile, the_name_defaults_to_that_of_the_file) {
  const auto cluster = read("nodes: [{gpus: {v100: 1}}]\n");
  ASSERT_TRUE(cluster);
  EXPECT_EQ(cluster->name, "cluster");
}

TEST(ClusterFile, node_names_count_on_and_may_be_given) {
  const auto cluster = read(
      "nodes:\n"
      "  - {count: 2, gpus: {v100: 1}}\n"
      "  - {count: 2, name: big, gpus: {v100: 8}}\n"
      "  - {count: 1, gpus: {v100: 1}}\n"
      "  - {name: login, gpus: {}}\n"
      "  - {count: 1, name: big, gpus: {k80: 8}}\n");
  ASSERT_TRUE(cluster) << cluster.error().message;
  EXPECT_EQ(names_of(*cluster), "v100-0 v100-1 big-0 big-1 v100-2 login big-2 ");
}

TEST(ClusterFile, types_of_ones_own_need_no_catalogue) {
  const auto cluster = read(
      "nodes: [{gpus: {abacus: 2}}]\n"
      "gpu_types: {abacus: {memory_gib: 1}}\n");
  ASSERT_TRUE(cluster) << cluster.error().message;
  EXPECT_EQ(cluster->types[0].memory_gib, 1);
}

TEST(ClusterFile, an_alias_keeps_its_name_and_has_the_figures) {
  const auto cluster = read("nodes: [{gpus: {GTX2080Ti: 2}}]\n");
  ASSERT_TRUE(cluster) << cluster.error().message;
  EXPECT_EQ(cluster->types[0].name, "gtx2080ti");
  EXPECT_EQ(cluster->types[0].memory_gib, 11);
}

TEST(ClusterFile, names_file_line_field_and_value_of_faults) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"", "cluster.yaml: expected a map, got nothing"},
      {"[]", "cluster.yaml:1: expected a map, got a list"},
      {"name: x\n", "cluster.yaml:1: nodes: expected a list, got nothing"},
      {"nodes: []\n", "cluster.yaml:1: nodes: expected a list of nodes, got a list"},
      {"nodes: {v100: 1}\n", "cluster.yaml:1: nodes: expected a list of nodes, got a map"},
      {"nodes:\n  - v100\n", "cluster.yaml:2: nodes: expected a map, got 'v100'"},
      {"nodes:\n  - {count: 0, gpus: {v100: 1}}\n",
       "cluster.yaml:2: count: expected an integer from 1 to 1000000, got '0'"},
      {"nodes:\n  - {count: 1e3, gpus: {v100: 1}}\n",
       "cluster.yaml:2: count: expected an integer from 1 to 1000000, got '1e3'"},
      {"nodes:\n  - {count: 99999999999999999999, gpus: {v100: 1}}\n",
       "cluster.yaml:2: count: expected an integer from 1 to 1000000, got '99999999999999999999'"},
      {"nodes:\n  - {gpus: {v100: -3}}\n",
       "cluster.yaml:2: gpus.v100: expected an integer from 1 to 1000000, got '-3'"},
      {"nodes:\n  - gpus:\n      v100:\n",
       "cluster.yaml:3: gpus.v100: expected an integer from 1 to 1000000, got nothing"},
      {"nodes:\n  - {gpus: 8}\n", "cluster.yaml:2: gpus: expected a map, got '8'"},
      {"nodes:\n  - {count: 8}\n",
       "cluster.yaml:2: gpus: expected a map of GPU types to counts ({} for none), got nothing"},
      {"nodes:\n  - {gpus: {v100: 1}, cpus: many}\n",
       "cluster.yaml:2: cpus: expected a number from 0.001 to 1e+06, got 'many'"},
      {"nodes:\n  - {gpus: {v100: 1, V100: 1}}\n",
       "cluster.yaml:2: gpus: expected each GPU type once, got a map"},
      {"nodes:\n  - {gpus: {v100: 1}, name: \"a b\"}\n",
       "cluster.yaml:2: name: expected a name of letters, digits, '.', '_' and '-', got 'a b'"},
      {"nodes:\n  - {gpus: {v100: 1}, name: a}\n  - {gpus: {k80: 1}, name: a}\n",
       "cluster.yaml:3: name: expected each node name once, got 'a' again"},
      {"nodes:\n  - {gpus: {v100: 1}, gpus: {k80: 1}}\n",
       "cluster.yaml:2: 'gpus': expected each key once, got it again"},
      {"nodes:\n  - {count: 600000, gpus: {v100: 1}}\n  - {count: 600000, gpus: {v100: 1}}\n",
       "cluster.yaml:3: count: expected at most 1000000 nodes in all"},
      {"nodes:\n  - {count: 1000, gpus: {v100: 1000000}}\n",
       "cluster.yaml:2: gpus: expected at most 10000000 GPUs in all"},
      {"name: a\n---\nname: b\n", "cluster.yaml:2: expected one document, got another"},
  };
  for (const auto& [text, message] : cases) {
    const auto cluster = read(text);
    ASSERT_FALSE(cluster) << text;
    EXPECT_EQ(cluster.error().message, message);
  }
}

TEST(ClusterFile, typos_get_a_suggestion) {
  const auto key = read("nodes:\n  - {count: 1, gpu: {v100: 1}}\n");
  ASSERT_FALSE(key);
  EXPECT_EQ(key.error().message,
            "cluster.yaml:2: nodes: expected one of count, name, gpus, cpus, memory_gib, rack, "
            "got 'gpu'");
  EXPECT_EQ(key.error().hint, "did you mean 'gpus'?");
  const auto type = read("nodes:\n  - {gpus: {v10: 1}}\n");
  ASSERT_FALSE(type);
  EXPECT_EQ(type.error().message, "cluster.yaml:2: gpus: unknown GPU type 'v10'");
  EXPECT_EQ(type.error().hint, "did you mean 'v100'?");
}

TEST(ClusterFile, a_missing_file_is_an_error) {
  const auto cluster = read_cluster("no/such/cluster.yaml", shipped());
  ASSERT_FALSE(cluster);
  EXPECT_EQ(cluster.error().message, "no/such/cluster.yaml: cannot read the file");
  EXPECT_FALSE(read_cluster(data_directory, shipped())) << "a directory";
}

TEST(ClusterFile, too_many_types_are_an_error) {
  std::string nodes = "nodes:\n";
  std::string types = "gpu_types:\n";
  for (int i = 0; i < 65; ++i) {
    nodes += "  - {gpus: {type-" + std::to_string(i) + ": 1}}\n";
    types += "  type-" + std::to_string(i) + ": {}\n";
  }
  const auto cluster = read(nodes + types);
  ASSERT_FALSE(cluster);
  EXPECT_EQ(cluster.error().message,
            "cluster.yaml:66: gpus: expected at most 64 GPU types in a cluster");
}

TEST(ClusterFile, hostile_files_fail_at_once) {
  std::string bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
  for (int i = 1; i < 30; ++i) {
    const std::string inner = "*a" + std::to_string(i - 1);
    bomb += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [" + inner;
    for (int j = 0; j < 9; ++j) bomb += ", " + inner;
    bomb += "]\n";
  }
  bomb += "nodes: *a29\n";
  const std::vector<std::string> texts = {bomb,
                                          "nodes: &self [*self]\n",
                                          "nodes: " + std::string(100000, '['),
                                          "nodes: " + std::string(100000, '{'),
                                          std::string(100000, '-'),
                                          std::string(100000, '?'),
                                          "nodes: [{gpus: {v100: 1}, <<: {count: 3}}]\n",
                                          "nodes: [{? [a, b] : c}]\n",
                                          std::string("nodes: [\0]\n", 11),
                                          "nodes: \"" + std::string(1000, '\\') + "\n",
                                          std::string(17U << 20U, ' '),
                                          "nodes: [{count: 1000000, gpus: {v100: 1000000}}]\n"};
  const auto begin = std::chrono::steady_clock::now();
  for (const std::string& text : texts) EXPECT_FALSE(read(text)) << text.substr(0, 60);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(20));
}

// Whatever the damage: an error or a cluster, never a crash.
TEST(ClusterFile, damaged_files_do_not_crash) {
  const std::string good = write_cluster_text(read_shipped("tiny-mixed"));
  constexpr std::string_view bytes = "{}[]:,-&*!|>'\"%@`#?\n\t 0a\x80";
  Rng rng{42};
  int refused = 0;
  for (int i = 0; i < 3000; ++i) {
    std::string text = good;
    for (std::uint64_t change = 0; change <= rng.below(4); ++change) {
      text[rng.below(text.size())] = bytes[rng.below(bytes.size())];
    }
    const auto cluster = read(text.substr(0, text.size() - rng.below(text.size())));
    if (!cluster) {
      ++refused;
      EXPECT_TRUE(cluster.error().message.starts_with("cluster.yaml")) << cluster.error().message;
    }
  }
  EXPECT_GT(refused, 1000);
}

TEST(ClusterFile, written_clusters_read_back_the_same) {
  for (const Shipped& shipped_cluster : shipped_clusters) {
    const Cluster cluster = read_shipped(shipped_cluster.name);
    const std::string text = write_cluster_text(cluster);
    const auto again = read_cluster_text(text, "written.yaml", Catalogue());
    ASSERT_TRUE(again) << again.error().message << "\n" << text;
    expect_equal(cluster, *again);
    EXPECT_EQ(write_cluster_text(*again), text);
  }
}

TEST(ClusterFile, odd_names_and_groups_read_back_the_same) {
  Cluster cluster;
  cluster.name = "a \"quoted\": name, \\ with\ttab";
  const GpuTypeId numeric = cluster.add_type({.name = "123"});
  const GpuTypeId word = cluster.add_type({.name = "null", .memory_gib = 0.1});
  const std::vector<std::string> names = {"123-0", "123-1", "123-3",  "123-2", "m1",
                                          "m2",    "-1",    "node-0", "a-0",   "a-1"};
  for (std::size_t i = 0; i < names.size(); ++i) {
    cluster.add_node({.name = names[i], .rack = i < 5 ? "1" : "~null", .cpus_milli = 1},
                     {{i == 3 ? word : numeric, static_cast<std::int32_t>(i / 2 + 1)}});
  }
  for (Node& node : cluster.nodes) node.rack = node.rack == "~null" ? "null" : node.rack;
  const auto again = read_cluster_text(write_cluster_text(cluster), "w.yaml", Catalogue());
  ASSERT_TRUE(again) << again.error().message << "\n" << write_cluster_text(cluster);
  expect_equal(cluster, *again);
}

TEST(ClusterFile, equal_neighbours_share_an_entry) {
  const std::string text = write_cluster_text(read_shipped("philly"));
  EXPECT_NE(text.find("  - {count: 321, gpus: {philly-12gb: 2}}\n"), std::string::npos) << text;
  EXPECT_NE(text.find("  - {count: 231, gpus: {philly-24gb: 8}}\n"), std::string::npos) << text;
}

TEST(ClusterFile, a_cluster_without_gpus_is_an_error) {
  const auto cluster = read("nodes:\n  - {count: 3, gpus: {}, cpus: 4}\n");
  ASSERT_FALSE(cluster);
  EXPECT_NE(cluster.error().message.find(": nodes: expected at least one GPU"), std::string::npos)
      << cluster.error().message;
}

TEST(ClusterFile, figures_that_are_not_known_are_left_to_the_catalogue) {
  Cluster cluster;
  cluster.name = "small";
  const GpuTypeId t4 = cluster.add_type({.name = "t4", .memory_gib = 15});
  const GpuTypeId g1 = cluster.add_type({.name = "g1"});
  cluster.add_node({.name = "m-0"}, {{t4, 1}, {g1, 2}});
  const std::string text = write_cluster_text(cluster);
  EXPECT_EQ(text.substr(text.find("gpu_types")),
            "gpu_types:\n  t4:\n    memory_gib: 15\n  g1: {}\n");
  const auto again = read(text);
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(again->types[0].memory_gib, 15);
  EXPECT_EQ(again->types[0].fp32_tflops, shipped().find("t4")->type.fp32_tflops);
}

TEST(ClusterFile, types_without_figures_take_those_of_the_catalogue) {
  Cluster cluster;
  cluster.add_type({.name = "gtx2080ti"});
  cluster.add_type({.name = "t4", .memory_gib = 15});
  cluster.add_type({.name = "unheard-of"});
  const Cluster filled = with_catalogue_figures(cluster, shipped());
  EXPECT_EQ(filled.types[0].name, "gtx2080ti");
  EXPECT_EQ(filled.types[0].memory_gib, 11);
  EXPECT_EQ(filled.types[1].memory_gib, 15);
  EXPECT_EQ(filled.types[1].fp32_tflops, 0) << "what is known in part is somebody's choice";
  EXPECT_EQ(filled.types[2].memory_gib, 0);
}

}  // namespace
}  // namespace muster
