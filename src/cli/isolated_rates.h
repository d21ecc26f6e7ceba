#pragma once

#include <cstdint>
#include <map>
#include <utility>

#include "core/cluster.h"
#include "core/job.h"
#include "core/performance_model.h"
#include "core/placement.h"

namespace muster {

// How fast a job would go alone on GPUs of one type, as close together as the nodes allow: what
// fairness is measured against.
class IsolatedRates {
 public:
  // Both must outlive this.
  IsolatedRates(const Cluster& cluster, const PerformanceModel& model)
      : cluster_(cluster), model_(model) {}

  // Steps per second; 0 where the type has too few GPUs or the job does not fit.
  double rate(const JobSpec& job, GpuTypeId type);

 private:
  const Placement& placement(GpuTypeId type, std::int32_t gpu_count);

  const Cluster& cluster_;
  const PerformanceModel& model_;
  std::map<std::pair<GpuTypeId, std::int32_t>, Placement> placements_;  // Empty: too few GPUs.
};

}  // namespace muster
