#include "workload/trace_info.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "base/check.h"

namespace muster {
namespace {

struct GangSums {
  std::int64_t jobs_count = 0;
  double gpu_seconds = 0;
};

double quantile(const std::vector<double>& sorted, double ratio) {
  const double place = ratio * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (sorted[above] - sorted[below]) * (place - std::floor(place));
}

std::optional<TraceInfo::Durations> summarize(std::vector<double> seconds) {
  if (seconds.empty()) return std::nullopt;
  std::sort(seconds.begin(), seconds.end());
  double sum = 0;
  for (const double value : seconds) sum += value;
  return TraceInfo::Durations{
      .min_seconds = seconds.front(),
      .median_seconds = quantile(seconds, 0.5),
      .mean_seconds = sum / static_cast<double>(seconds.size()),
      .p95_seconds = quantile(seconds, 0.95),
      .p99_seconds = quantile(seconds, 0.99),
      .max_seconds = seconds.back(),
  };
}

// How many different things the jobs name.
template <class IdType>
std::size_t count_named(const Trace& trace, IdType TraceJob::* member) {
  std::vector<IdType> ids;
  for (const TraceJob& job : trace.jobs) {
    if ((job.*member).is_valid()) ids.push_back(job.*member);
  }
  std::sort(ids.begin(), ids.end());
  return static_cast<std::size_t>(std::unique(ids.begin(), ids.end()) - ids.begin());
}

std::vector<TraceInfo::Gang> gang_shares(const std::map<std::int32_t, GangSums>& sums,
                                         std::int64_t jobs_count, double gpu_seconds) {
  std::vector<TraceInfo::Gang> gangs;
  for (const auto& [gpus, sum] : sums) {
    TraceInfo::Gang gang{.gpus = gpus, .jobs_count = sum.jobs_count};
    gang.jobs_ratio = static_cast<double>(sum.jobs_count) / static_cast<double>(jobs_count);
    if (gpu_seconds > 0) gang.gpu_time_ratio = sum.gpu_seconds / gpu_seconds;
    gangs.push_back(gang);
  }
  return gangs;
}

}  // namespace

std::optional<Duration> recorded_duration(const Trace& trace, const TraceJob& job) {
  if (job.duration || !job.record.is_valid()) return job.duration;
  const auto& seconds = trace.records[job.record.index()].seconds;
  if (seconds.empty()) return std::nullopt;
  return from_seconds(seconds.front().second);
}

TraceInfo trace_info(const Trace& trace, std::optional<std::int32_t> cluster_gpus) {
  CHECK(!cluster_gpus || *cluster_gpus > 0);
  TraceInfo info;
  info.jobs_count = static_cast<std::int64_t>(trace.jobs.size());
  info.cluster_gpus = cluster_gpus;
  std::vector<double> seconds;
  std::map<std::int32_t, GangSums> sums;
  double gpu_seconds = 0;
  for (const TraceJob& job : trace.jobs) {
    GangSums& gang = sums[job.gpus];
    ++gang.jobs_count;
    if (cluster_gpus && job.gpus > *cluster_gpus) ++info.jobs_too_large_count;
    const std::optional<Duration> duration = recorded_duration(trace, job);
    if (!duration) {
      ++info.jobs_without_duration_count;
      continue;
    }
    seconds.push_back(to_seconds(*duration));
    gang.gpu_seconds += job.gpus * seconds.back();
    gpu_seconds += job.gpus * seconds.back();
  }

  if (!seconds.empty()) info.gpu_hours = gpu_seconds / 3600;
  info.gangs = gang_shares(sums, info.jobs_count, gpu_seconds);
  info.durations = summarize(std::move(seconds));
  info.users_count = count_named(trace, &TraceJob::user);
  info.tenants_count = count_named(trace, &TraceJob::tenant);
  info.models_count = count_named(trace, &TraceJob::model);
  if (!trace.jobs.empty()) info.span = trace.jobs.back().submit - trace.jobs.front().submit;
  const double span_seconds = to_seconds(info.span);
  if (info.jobs_count > 1) {
    info.interarrival_mean_seconds = span_seconds / static_cast<double>(info.jobs_count - 1);
  }
  if (cluster_gpus && info.durations && span_seconds > 0) {
    info.offered_load = gpu_seconds / (*cluster_gpus * span_seconds);
  }
  return info;
}

}  // namespace muster
