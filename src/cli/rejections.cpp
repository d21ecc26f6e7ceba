#include "cli/rejections.h"

#include <algorithm>
#include <functional>

#include "base/text.h"

namespace muster {
namespace {

constexpr std::size_t named_max = 5;

std::vector<GpuTypeId> types_with_gpus(const JobSpec& job, const Cluster& cluster) {
  std::vector<GpuTypeId> types;
  for (std::size_t i = 0; i < cluster.types.size(); ++i) {
    const GpuTypeId type(static_cast<std::uint32_t>(i));
    if (job.allows(type) && cluster.gpu_count_by_type[i] > 0) types.push_back(type);
  }
  return types;
}

// Leaves the types whose GPUs have memory enough, or of which it is not known. Returns the most
// that a GPU of the types before has.
double keep_large_enough(const JobSpec& job, const Cluster& cluster,
                         std::vector<GpuTypeId>& types) {
  double most = 0;
  for (const GpuTypeId type : types) most = std::max(most, cluster.types[type.index()].memory_gib);
  std::erase_if(types, [&](GpuTypeId type) {
    const double memory_gib = cluster.types[type.index()].memory_gib;
    return memory_gib > 0 && memory_gib < job.gpu_memory_gib;
  });
  return most;
}

// The most GPUs of one of the types, counting in each pool only as many as `fits` lets run there.
std::int32_t most_gpus(const Cluster& cluster, const std::vector<GpuTypeId>& types,
                       const std::function<bool(const Node&, std::int32_t)>& fits) {
  std::int32_t most = 0;
  for (const GpuTypeId type : types) {
    std::int32_t count = 0;
    for (const PoolId id : cluster.pools_by_type[type.index()]) {
      const Pool& pool = cluster.pools[id.index()];
      std::int32_t gpus = pool.gpu_count;
      while (gpus > 0 && !fits(cluster.nodes[pool.node.index()], gpus)) --gpus;
      count += gpus;
    }
    most = std::max(most, count);
  }
  return most;
}

std::int64_t largest(const Cluster& cluster, std::int64_t Node::* amount) {
  std::int64_t most = 0;
  for (const Node& node : cluster.nodes) {
    if (node.gpu_count > 0) most = std::max(most, node.*amount);
  }
  return most;
}

// "500 CPUs for its 8 GPUs"
std::string need(const JobSpec& job, double amount, const std::string& unit) {
  return format_number(amount) + " " + unit + " for its " + std::to_string(job.gpu_count) +
         (job.gpu_count == 1 ? " GPU" : " GPUs");
}

}  // namespace

std::string rejection_reason(const JobSpec& job, const Cluster& cluster) {
  std::vector<GpuTypeId> types = types_with_gpus(job, cluster);
  if (types.empty()) return "no GPU type that it allows is in this cluster";
  const double gpu_memory_gib = keep_large_enough(job, cluster, types);
  if (types.empty()) {
    return "it needs " + format_number(job.gpu_memory_gib) + " GiB per GPU, the most here is " +
           format_number(gpu_memory_gib);
  }
  const auto most = [&](const auto& fits) { return most_gpus(cluster, types, fits); };
  const std::int32_t gpus = most([](const Node&, std::int32_t) { return true; });
  if (gpus < job.gpu_min()) {
    return "it asks for " + std::to_string(job.gpu_min()) +
           " GPUs, the largest GPU type that it may use has " + std::to_string(gpus);
  }
  const auto has_cpus = [&](const Node& node, std::int32_t count) {
    return node.cpus_milli == 0 || job.cpus_milli_for(count) <= node.cpus_milli;
  };
  if (most(has_cpus) < job.gpu_min()) {
    return "it needs " + need(job, static_cast<double>(job.cpus_milli) / 1000, "CPUs") +
           ", the largest node has " +
           format_number(static_cast<double>(largest(cluster, &Node::cpus_milli)) / 1000);
  }
  const auto has_memory = [&](const Node& node, std::int32_t count) {
    return node.memory_mib == 0 || job.memory_mib_for(count) <= node.memory_mib;
  };
  if (most(has_memory) < job.gpu_min()) {
    return "it needs " + need(job, static_cast<double>(job.memory_mib) / 1024, "GiB of memory") +
           ", the largest node has " +
           format_number(static_cast<double>(largest(cluster, &Node::memory_mib)) / 1024);
  }
  return "it fits nowhere under this policy's placement rule";
}

std::vector<std::string> rejection_warnings(std::span<const Job> jobs, const JobLabels& labels,
                                            const Cluster& cluster) {
  std::vector<std::string> warnings;
  std::size_t rejected_count = 0;
  for (const Job& job : jobs) {
    if (job.state != JobState::rejected || ++rejected_count > named_max) continue;
    warnings.push_back("job " + labels.id(job.id) +
                       " is rejected: " + rejection_reason(job.spec, cluster));
  }
  if (rejected_count > named_max) {
    const std::size_t others = rejected_count - named_max;
    warnings.push_back("and " + std::to_string(others) +
                       (others == 1 ? " more job is rejected" : " more jobs are rejected"));
  }
  return warnings;
}

}  // namespace muster
