#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/time.h"
#include "workload/trace.h"

namespace muster {

// What a log holds, in figures. What needs durations is absent where no job has one.
struct TraceInfo {
  struct Gang {
    std::int32_t gpus = 0;
    std::int64_t jobs_count = 0;
    double jobs_ratio = 0;                   // Of all jobs.
    std::optional<double> gpu_time_ratio{};  // Of all GPU-hours.
  };
  // Between two order statistics, quantiles are interpolated linearly.
  struct Durations {
    double min_seconds = 0;
    double median_seconds = 0;
    double mean_seconds = 0;
    double p95_seconds = 0;
    double p99_seconds = 0;
    double max_seconds = 0;
  };

  std::int64_t jobs_count = 0;
  std::int64_t jobs_without_duration_count = 0;  // They tell steps; not in times and GPU-hours.
  Duration span{};                               // From the first submit to the last.
  std::optional<double> interarrival_mean_seconds{};
  std::optional<double> gpu_hours{};
  std::vector<Gang> gangs;  // Ascending by size.
  std::optional<Durations> durations{};
  std::size_t users_count = 0;
  std::size_t tenants_count = 0;
  std::size_t models_count = 0;

  // Against a cluster.
  std::optional<std::int32_t> cluster_gpus{};
  std::optional<double> offered_load{};   // GPU-seconds of all jobs / (GPUs x span).
  std::int64_t jobs_too_large_count = 0;  // With more GPUs than the cluster.
};

// The recorded run time; where the log has one per GPU type, that of the first type.
std::optional<Duration> recorded_duration(const Trace& trace, const TraceJob& job);

// REQUIRES: cluster_gpus, if given, is positive.
TraceInfo trace_info(const Trace& trace, std::optional<std::int32_t> cluster_gpus = {});

}  // namespace muster
