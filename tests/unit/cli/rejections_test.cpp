#include "cli/rejections.h"

#include <gtest/gtest.h>

namespace muster {
namespace {

// Two nodes of 4 V100 with 16 CPUs and 64 GiB, one of 2 K80.
Cluster make_cluster() {
  Cluster cluster;
  const GpuTypeId v100 = cluster.add_type({.name = "v100", .memory_gib = 16});
  const GpuTypeId k80 = cluster.add_type({.name = "k80", .memory_gib = 12});
  const Node large{.name = "", .cpus_milli = 16'000, .memory_mib = 64 * 1024};
  cluster.add_node(large, {{v100, 4}});
  cluster.add_node(large, {{v100, 4}});
  cluster.add_node(large, {{k80, 2}});
  return cluster;
}

TEST(Rejections, names_what_the_cluster_lacks) {
  const Cluster cluster = make_cluster();
  const std::uint64_t only_k80 = 2;
  EXPECT_EQ(rejection_reason({.gpu_count = 9}, cluster),
            "it asks for 9 GPUs, the largest GPU type that it may use has 8");
  EXPECT_EQ(rejection_reason({.gpu_count = 3, .types_allowed = only_k80}, cluster),
            "it asks for 3 GPUs, the largest GPU type that it may use has 2");
  EXPECT_EQ(rejection_reason({.types_allowed = 0}, cluster),
            "no GPU type that it allows is in this cluster");
  EXPECT_EQ(rejection_reason({.gpu_memory_gib = 500}, cluster),
            "it needs 500 GiB per GPU, the most here is 16");
  EXPECT_EQ(rejection_reason({.cpus_milli = 500'000}, cluster),
            "it needs 500 CPUs for its 1 GPU, the largest node has 16");
  EXPECT_EQ(rejection_reason({.gpu_count = 2, .memory_mib = 500 * 1024}, cluster),
            "it needs 500 GiB of memory for its 2 GPUs, the largest node has 64");
}

TEST(Rejections, else_the_placement_rule_is_to_blame) {
  EXPECT_EQ(rejection_reason({.gpu_count = 8}, make_cluster()),
            "it fits nowhere under this policy's placement rule");
}

TEST(Rejections, the_first_few_jobs_are_named) {
  const Cluster cluster = make_cluster();
  std::vector<Job> jobs(8);
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    jobs[i].id = JobId(i);
    jobs[i].spec.gpu_count = 9;
    if (i > 0) jobs[i].state = JobState::rejected;
  }
  const std::vector<std::string> ids = {"a", "b", "c", "d", "e", "f", "g", "h"};
  const auto warnings = rejection_warnings(jobs, {.ids = ids}, cluster);
  ASSERT_EQ(warnings.size(), 6U);
  EXPECT_EQ(warnings.front(),
            "job b is rejected: it asks for 9 GPUs, the largest GPU type that it may use has 8");
  EXPECT_EQ(warnings.back(), "and 2 more jobs are rejected");
}

}  // namespace
}  // namespace muster
