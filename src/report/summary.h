#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "report/histogram.h"
#include "report/outcome.h"
#include "report/recorder.h"

namespace muster {

// What the caller knows of a run and its schedule does not tell.
struct RunDescription {
  std::string policy{};
  std::string policy_options{};
  std::string cluster{};
  std::string trace{};
  std::uint64_t seed = 0;
  std::int64_t rows_skipped_count = 0;
  std::int64_t solver_fallbacks_count = 0;
  double wall_seconds = 0;
  std::uint64_t schedule_hash = 0;
};

// The figures of one run, named as in summary.json. Job figures are of the counted jobs (the
// window, else all): JCT, pending and FTF of the finished ones, waits of those that have started.
// Figures that would be of nothing are absent. Sums go by JobId.
// Makespan = last finish - first submission. Utilisation, energy and cost are of that period and of
// all GPUs that were busy in it, whichever job used them.
struct Summary {
  RunDescription run{};
  std::int64_t jobs_total = 0;
  std::int64_t jobs_finished = 0;
  std::int64_t jobs_rejected = 0;
  std::int64_t jobs_cancelled = 0;
  std::int64_t jobs_unfinished = 0;
  std::optional<double> makespan_seconds{};
  std::optional<double> jct_mean_seconds{};
  std::optional<double> jct_median_seconds{};
  std::optional<double> jct_p95_seconds{};
  std::optional<double> jct_p99_seconds{};
  std::optional<double> wait_mean_seconds{};
  std::optional<double> pending_mean_seconds{};
  std::optional<double> gpu_utilization_ratio{};   // Busy GPU time / (GPUs x makespan).
  std::optional<double> node_utilization_ratio{};  // The same for nodes that have GPUs.
  std::optional<double> ftf_mean_ratio{};
  std::optional<double> ftf_max_ratio{};
  std::optional<double> deadline_met_ratio{};  // Of jobs with a deadline that were not cancelled.
  std::int64_t preemptions_count = 0;
  std::optional<double> energy_joules{};  // Absent when a used type's power is not known.
  std::optional<double> cost_dollars{};   // Absent when a used type's price is not known.
  std::int64_t decisions_count = 0;
  std::optional<double> decision_mean_seconds{};
  std::optional<double> decision_p99_seconds{};
  std::optional<double> decision_max_seconds{};
  std::int64_t events_count = 0;
};

// `outcomes` are those of the recorder, `decisions` the times that the policy took.
Summary summarize(const Recorder& recorder, std::span<const JobOutcome> outcomes,
                  const DurationHistogram& decisions, RunDescription description);

// One object with every key, null where a figure is absent; ends with a newline.
std::string summary_json(const Summary& summary);

// Nearest rank: the smallest value that at least `percent` of the values do not exceed, so always
// one of them. The median is the 50th. REQUIRES: ascending values, 0 < percent <= 100.
std::optional<double> percentile(std::span<const double> ascending, double percent);

}  // namespace muster
