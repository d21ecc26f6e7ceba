#pragma once

#include <span>
#include <vector>

#include "core/performance_model.h"
#include "perf/type_durations.h"

namespace muster {

// Speeds that follow from a job's recorded run time: one for all GPU types, or one per type.
class RecordedRates {
 public:
  RecordedRates(const Cluster& cluster, std::span<const TypeDurations> records);

  static bool has_recorded_time(const JobSpec& job) {
    return job.record.is_valid() || job.reference_steps_per_second > 0;
  }
  // 0 for a job without a recorded time, and on types that its record does not name.
  double rate(const JobSpec& job, const PerformanceModel::Setting& setting) const;

 private:
  std::size_t type_count_ = 0;
  std::vector<double> seconds_;  // Record by record, by GpuTypeId; 0: not recorded.
};

}  // namespace muster
