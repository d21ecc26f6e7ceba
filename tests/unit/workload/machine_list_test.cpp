#include <gtest/gtest.h>

#include <map>
#include <string>

#include "support/shared_data.h"
#include "workload/machine_list.h"

namespace muster {
namespace {

std::string error_of(std::string_view text, MachineList kind) {
  const Result<Cluster> cluster = read_machines_text(text, "machines.csv", kind);
  return cluster ? "no error" : cluster.error().message;
}

std::vector<std::string> type_names(const Cluster& cluster) {
  std::vector<std::string> names;
  for (const GpuType& type : cluster.types) names.push_back(type.name);
  return names;
}

// How many nodes have how many GPUs.
std::map<std::int32_t, int> nodes_by_size(const Cluster& cluster) {
  std::map<std::int32_t, int> sizes;
  for (const Node& node : cluster.nodes) ++sizes[node.gpu_count];
  return sizes;
}

TEST(MachineList, philly_types_are_called_by_their_memory) {
  const Result<Cluster> cluster = read_machines_text(
      "machineId, number of GPUs, single GPU mem\nm0,2, 12GB\nm1,8, 24GB\nm2,2, 12GB\n",
      "machines.csv", MachineList::philly);
  ASSERT_TRUE(cluster) << cluster.error().message;
  EXPECT_EQ(cluster->name, "philly");
  EXPECT_EQ(type_names(*cluster), (std::vector<std::string>{"philly-12gb", "philly-24gb"}));
  EXPECT_EQ(cluster->gpu_count_by_type, (std::vector<std::int32_t>{4, 8}));
  EXPECT_EQ(cluster->nodes[1].name, "m1");
  EXPECT_EQ(cluster->nodes[1].gpu_count, 8);
}

TEST(MachineList, pai_machines_may_have_a_header_line) {
  const std::string rows = "a,CPU,96,512,0\nb,T4,96,512,2\n";
  for (const std::string& header : {std::string(), std::string("machine,gpu_type,cap_cpu,cap_mem,"
                                                               "cap_gpu\n")}) {
    const Result<Cluster> cluster =
        read_machines_text(header + rows, "machines.csv", MachineList::pai);
    ASSERT_TRUE(cluster) << cluster.error().message;
    ASSERT_EQ(cluster->nodes.size(), 2U);
    EXPECT_EQ(type_names(*cluster), std::vector<std::string>{"t4"});
    EXPECT_EQ(cluster->nodes[0].gpu_count, 0);
    EXPECT_EQ(cluster->nodes[1].cpus_milli, 96000);
    EXPECT_EQ(cluster->nodes[1].memory_mib, 524288);
  }
}

TEST(MachineList, faults_name_line_and_field) {
  EXPECT_EQ(error_of("sn,cpu_milli,memory_mib,gpu,model\na,1,1,2,\n", MachineList::openb),
            "machines.csv:2: model: expected the type of the machine's GPUs, got ''");
  EXPECT_EQ(error_of("sn,cpu_milli,memory_mib,gpu,model\na,1,1,0,\na,1,1,0,\n", MachineList::openb),
            "machines.csv:3: sn: 'a' was used before");
  EXPECT_EQ(
      error_of("machineId, number of GPUs, single GPU mem\nm0,many, 12GB\n", MachineList::philly),
      "machines.csv:2: number of GPUs: expected a non-negative integer, got 'many'");
  EXPECT_EQ(error_of("machineId, number of GPUs, single GPU mem\nm0,2\n", MachineList::philly),
            "machines.csv:2: expected 3 fields, got 2");
  EXPECT_EQ(error_of("sn,gpu\na,1\n", MachineList::openb),
            "machines.csv:1: column 'cpu_milli' is missing; found 'sn,gpu'");
  EXPECT_EQ(error_of("", MachineList::pai), "machines.csv: no machine in the list");
}

TEST(MachineList, more_types_than_a_job_can_name_are_an_error) {
  std::string text = "sn,cpu_milli,memory_mib,gpu,model\n";
  for (int i = 0; i < 65; ++i) {
    text += "n" + std::to_string(i) + ",1,1,1,t" + std::to_string(i) + "\n";
  }
  EXPECT_EQ(error_of(text, MachineList::openb), "machines.csv:66: model: more than 64 GPU types");
}

TEST(MachineList, philly_has_552_machines_and_2490_gpus) {
  MUSTER_NEED_SHARED(path, "data/philly_machines/cluster_machine_list");
  const Result<Cluster> cluster = read_machines(path.string(), MachineList::philly);
  ASSERT_TRUE(cluster) << cluster.error().message;
  EXPECT_EQ(cluster->nodes.size(), 552U);
  EXPECT_EQ(cluster->gpu_count(), 2490);
  EXPECT_EQ(nodes_by_size(*cluster), (std::map<std::int32_t, int>{{2, 321}, {8, 231}}));
  EXPECT_EQ(type_names(*cluster), (std::vector<std::string>{"philly-12gb", "philly-24gb"}));
  EXPECT_EQ(cluster->gpu_count_by_type, (std::vector<std::int32_t>{642, 1848}));
  testing::count_oracle_cases(4);
}

TEST(MachineList, revised_philly_list_has_other_sizes) {
  MUSTER_NEED_SHARED(path, "data/philly_machines/revised_machine_list.csv");
  const Result<Cluster> cluster = read_machines(path.string(), MachineList::philly);
  ASSERT_TRUE(cluster) << cluster.error().message;
  EXPECT_EQ(cluster->nodes.size(), 552U);
  EXPECT_EQ(nodes_by_size(*cluster),
            (std::map<std::int32_t, int>{{0, 13}, {2, 3}, {3, 1}, {4, 271}, {8, 264}}));
  EXPECT_EQ(type_names(*cluster), std::vector<std::string>{"philly"});
  testing::count_oracle_cases(2);
}

TEST(MachineList, openb_has_1523_nodes_and_6212_gpus) {
  MUSTER_NEED_SHARED(path, "data/alibaba_openb/openb_node_list_all_node.csv");
  const Result<Cluster> cluster = read_machines(path.string(), MachineList::openb);
  ASSERT_TRUE(cluster) << cluster.error().message;
  EXPECT_EQ(cluster->nodes.size(), 1523U);
  EXPECT_EQ(cluster->gpu_count(), 6212);
  const std::map<std::string, std::int32_t> expected = {
      {"g2", 4392},     {"t4", 842},      {"g3", 312}, {"p100", 265},
      {"v100m32", 204}, {"v100m16", 195}, {"a10", 2}};
  std::map<std::string, std::int32_t> counts;
  std::int64_t cpus_milli = 0;
  std::int64_t memory_mib = 0;
  for (std::size_t i = 0; i < cluster->types.size(); ++i) {
    counts[cluster->types[i].name] = cluster->gpu_count_by_type[i];
  }
  for (const Node& node : cluster->nodes) {
    cpus_milli += node.cpus_milli;
    memory_mib += node.memory_mib;
  }
  EXPECT_EQ(counts, expected);
  EXPECT_EQ(cpus_milli, 125514000);
  EXPECT_EQ(memory_mib, 612028416);
  testing::count_oracle_cases(11);
}

TEST(MachineList, openb_gpu_nodes_are_1213_with_the_same_gpus) {
  MUSTER_NEED_SHARED(path, "data/alibaba_openb/openb_node_list_gpu_node.csv");
  const Result<Cluster> cluster = read_machines(path.string(), MachineList::openb);
  ASSERT_TRUE(cluster) << cluster.error().message;
  EXPECT_EQ(cluster->nodes.size(), 1213U);
  EXPECT_EQ(cluster->gpu_count(), 6212);
  testing::count_oracle_cases(2);
}

TEST(MachineList, pai_has_1897_machines) {
  MUSTER_NEED_SHARED(path, "data/alibaba_pai_2020/pai_machine_spec.csv");
  const Result<Cluster> cluster = read_machines(path.string(), MachineList::pai);
  ASSERT_TRUE(cluster) << cluster.error().message;
  EXPECT_EQ(cluster->nodes.size(), 1897U);
  EXPECT_EQ(cluster->gpu_count(), 6742);
  EXPECT_EQ(nodes_by_size(*cluster), (std::map<std::int32_t, int>{{0, 83}, {2, 1295}, {8, 519}}));
  EXPECT_EQ(cluster->gpu_count_by_type[cluster->find_type("v100m32")->index()], 1080);
  EXPECT_EQ(cluster->gpu_count_by_type[cluster->find_type("misc")->index()], 2240);
  testing::count_oracle_cases(5);
}

}  // namespace
}  // namespace muster
