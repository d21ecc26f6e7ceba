#pragma once

#include <vector>

#include "core/performance_model.h"
#include "perf/models.h"

namespace muster {

// Speeds from the throughput table, by the dense ids of one simulation.
class ProfiledRates {
 public:
  explicit ProfiledRates(const ModelContext& context);

  // Does the table say anything of the job? A job whose steps are milliseconds must also have been
  // measured on the reference GPU.
  bool knows(const JobSpec& job) const;
  // In the job's own steps. 0 for a job that the table does not know, and on types that it lacks.
  double rate(const JobSpec& job, const PerformanceModel::Setting& setting) const;

 private:
  ProfileId profile_of(const JobSpec& job) const;
  double reference_rate(ProfileId profile, const JobSpec& job) const;
  double rate_on(ProfiledGpuId gpu, ProfileId profile, std::int32_t gpus,
                 const PerformanceModel::Setting& setting) const;

  ThroughputTable table_;
  std::vector<ProfileId> profiles_;  // By ModelId; may name nothing.
  std::vector<ProfiledGpuId> gpus_;  // By GpuTypeId; may name nothing.
  ProfiledGpuId reference_;          // May name nothing.
};

}  // namespace muster
