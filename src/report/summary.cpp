#include "report/summary.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/check.h"

namespace muster {
namespace {

std::optional<double> ratio(double part, double whole) {
  if (whole <= 0) return std::nullopt;
  return part / whole;
}

std::optional<double> mean(std::span<const double> values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return ratio(sum, static_cast<double>(values.size()));
}

void count_job(const JobOutcome& job, Summary& summary) {
  ++summary.jobs_total;
  summary.preemptions_count += job.preemption_count;
  switch (job.status) {
    case JobStatus::finished: ++summary.jobs_finished; break;
    case JobStatus::rejected: ++summary.jobs_rejected; break;
    case JobStatus::cancelled: ++summary.jobs_cancelled; break;
    case JobStatus::unfinished: ++summary.jobs_unfinished; break;
  }
}

void add_job_times(std::span<const JobOutcome> jobs, Summary& summary) {
  std::vector<double> jcts;
  std::vector<double> waits;
  std::vector<double> pendings;
  for (const JobOutcome& job : jobs) {
    if (const auto wait = job.wait()) waits.push_back(to_seconds(*wait));
    if (const auto jct = job.jct()) jcts.push_back(to_seconds(*jct));
    if (const auto pending = job.pending()) pendings.push_back(to_seconds(*pending));
  }
  summary.wait_mean_seconds = mean(waits);
  summary.pending_mean_seconds = mean(pendings);
  summary.jct_mean_seconds = mean(jcts);
  std::sort(jcts.begin(), jcts.end());
  summary.jct_median_seconds = percentile(jcts, 50);
  summary.jct_p95_seconds = percentile(jcts, 95);
  summary.jct_p99_seconds = percentile(jcts, 99);
}

void add_fairness(std::span<const JobOutcome> jobs, Summary& summary) {
  std::vector<double> ratios;
  std::int64_t deadline_count = 0;
  std::int64_t met_count = 0;
  for (const JobOutcome& job : jobs) {
    if (job.ftf_ratio) ratios.push_back(*job.ftf_ratio);
    if (!job.deadline || job.status == JobStatus::cancelled) continue;
    ++deadline_count;
    if (job.finished_at && *job.finished_at <= *job.deadline) ++met_count;
  }
  summary.ftf_mean_ratio = mean(ratios);
  if (!ratios.empty()) summary.ftf_max_ratio = *std::max_element(ratios.begin(), ratios.end());
  summary.deadline_met_ratio =
      ratio(static_cast<double>(met_count), static_cast<double>(deadline_count));
}

// The sum of busy seconds x figure; nothing when the figure of a used type is not known (0).
std::optional<double> weigh_busy_seconds(const BusyTime& busy, const Cluster& cluster,
                                         double GpuType::* figure) {
  double sum = 0;
  for (std::size_t type = 0; type < cluster.types.size(); ++type) {
    if (busy.gpus_by_type[type] <= 0) continue;
    const double value = cluster.types[type].*figure;
    if (value <= 0) return std::nullopt;
    sum += busy.gpus_by_type[type] / 1e6 * value;
  }
  return sum;
}

void add_usage(const Recorder& recorder, std::span<const JobOutcome> jobs, Summary& summary) {
  const std::optional<BusyTime> busy = recorder.busy_time();
  if (!busy) return;
  Time last_finish = jobs.front().submitted_at;
  for (const JobOutcome& job : jobs) {
    if (job.finished_at) last_finish = std::max(last_finish, *job.finished_at);
  }
  const Duration makespan = last_finish - jobs.front().submitted_at;
  summary.makespan_seconds = to_seconds(makespan);

  const Cluster& cluster = recorder.cluster();
  const auto gpu_nodes = std::count_if(cluster.nodes.begin(), cluster.nodes.end(),
                                       [](const Node& node) { return node.gpu_count > 0; });
  double busy_gpus = 0;
  for (const double microseconds : busy->gpus_by_type) busy_gpus += microseconds;
  const auto span = static_cast<double>(makespan.count());
  summary.gpu_utilization_ratio = ratio(busy_gpus, cluster.gpu_count() * span);
  summary.node_utilization_ratio = ratio(busy->nodes, static_cast<double>(gpu_nodes) * span);
  summary.energy_joules = weigh_busy_seconds(*busy, cluster, &GpuType::power_watts);
  summary.cost_dollars = weigh_busy_seconds(*busy, cluster, &GpuType::price_dollars_per_hour);
  if (summary.cost_dollars) *summary.cost_dollars /= 3600;
}

nlohmann::ordered_json or_null(std::optional<double> value) {
  if (!value) return nullptr;
  return *value;
}

// As text: JSON numbers of that size lose digits in most readers.
std::string to_hex(std::uint64_t value) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string text;
  for (int shift = 60; shift >= 0; shift -= 4) text += digits[(value >> shift) & 0xFU];
  return text;
}

}  // namespace

Summary summarize(const Recorder& recorder, std::span<const JobOutcome> outcomes,
                  const DurationHistogram& decisions, RunDescription description) {
  Summary summary{.run = std::move(description)};
  std::vector<JobOutcome> counted;
  for (const JobOutcome& job : outcomes) {
    if (recorder.is_counted(job.id)) counted.push_back(job);
  }
  for (const JobOutcome& job : counted) count_job(job, summary);
  add_job_times(counted, summary);
  add_fairness(counted, summary);
  add_usage(recorder, counted, summary);
  summary.decisions_count = decisions.count();
  summary.decision_mean_seconds = decisions.mean_seconds();
  summary.decision_p99_seconds = decisions.percentile_seconds(99);
  summary.decision_max_seconds = decisions.max_seconds();
  summary.events_count = recorder.event_count();
  return summary;
}

std::string summary_json(const Summary& summary) {
  nlohmann::ordered_json json;
  json["policy"] = summary.run.policy;
  json["policy_options"] = summary.run.policy_options;
  json["cluster"] = summary.run.cluster;
  json["trace"] = summary.run.trace;
  json["seed"] = summary.run.seed;
  json["jobs_total"] = summary.jobs_total;
  json["jobs_finished"] = summary.jobs_finished;
  json["jobs_rejected"] = summary.jobs_rejected;
  json["jobs_cancelled"] = summary.jobs_cancelled;
  json["jobs_unfinished"] = summary.jobs_unfinished;
  json["rows_skipped_count"] = summary.run.rows_skipped_count;
  json["makespan_seconds"] = or_null(summary.makespan_seconds);
  json["jct_mean_seconds"] = or_null(summary.jct_mean_seconds);
  json["jct_median_seconds"] = or_null(summary.jct_median_seconds);
  json["jct_p95_seconds"] = or_null(summary.jct_p95_seconds);
  json["jct_p99_seconds"] = or_null(summary.jct_p99_seconds);
  json["wait_mean_seconds"] = or_null(summary.wait_mean_seconds);
  json["pending_mean_seconds"] = or_null(summary.pending_mean_seconds);
  json["gpu_utilization_ratio"] = or_null(summary.gpu_utilization_ratio);
  json["node_utilization_ratio"] = or_null(summary.node_utilization_ratio);
  json["ftf_mean_ratio"] = or_null(summary.ftf_mean_ratio);
  json["ftf_max_ratio"] = or_null(summary.ftf_max_ratio);
  json["deadline_met_ratio"] = or_null(summary.deadline_met_ratio);
  json["preemptions_count"] = summary.preemptions_count;
  json["energy_joules"] = or_null(summary.energy_joules);
  json["cost_dollars"] = or_null(summary.cost_dollars);
  json["solver_fallbacks_count"] = summary.run.solver_fallbacks_count;
  json["decisions_count"] = summary.decisions_count;
  json["decision_mean_seconds"] = or_null(summary.decision_mean_seconds);
  json["decision_p99_seconds"] = or_null(summary.decision_p99_seconds);
  json["decision_max_seconds"] = or_null(summary.decision_max_seconds);
  json["events_count"] = summary.events_count;
  json["wall_seconds"] = summary.run.wall_seconds;
  json["schedule_hash"] = to_hex(summary.run.schedule_hash);
  // Names from files may hold anything: what is not UTF-8 is replaced.
  return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

std::optional<double> percentile(std::span<const double> ascending, double percent) {
  CHECK(percent > 0 && percent <= 100);
  if (ascending.empty()) return std::nullopt;
  const double rank = std::ceil(percent * static_cast<double>(ascending.size()) / 100);
  return ascending[static_cast<std::size_t>(std::max(rank, 1.0)) - 1];
}

}  // namespace muster
