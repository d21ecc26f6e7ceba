#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "core/cluster.h"
#include "core/job.h"
#include "report/recorder.h"

namespace muster {

// A job that failed for good counts as unfinished.
enum class JobStatus : std::uint8_t { finished, rejected, cancelled, unfinished };
std::string_view to_text(JobStatus status);

// What became of one job: a row of jobs.csv.
struct JobOutcome {
  JobId id{};
  JobStatus status = JobStatus::unfinished;
  std::int32_t gpu_count = 0;  // As asked for.
  Time submitted_at{};
  std::optional<Time> started_at{};   // For the first time.
  std::optional<Time> finished_at{};  // Of finished jobs only.
  Duration run_time{};                // With at least one run on GPUs.
  Duration gpu_time{};                // Summed over runs, GPUs shared with others counted whole.
  std::int32_t preemption_count = 0;
  std::int32_t loss_count = 0;
  std::optional<double> ftf_ratio{};
  std::optional<Time> deadline{};

  std::optional<Duration> wait() const;     // Until the first start.
  std::optional<Duration> jct() const;      // Finish - submit.
  std::optional<Duration> pending() const;  // The part of the JCT without GPUs.
};

// The rate of a job alone on GPUs of one type, in steps per second; 0: does not fit there.
using IsolatedRate = std::function<double(const JobSpec&, GpuTypeId)>;

// How long the job would take on a 1/n share of the cluster (Themis, as Gavel computes it): of each
// allowed type r it gets the fraction X_r = count_r / (n gang) of its time, scaled down so that
// sum X_r <= 1; share time = total_steps / sum X_r T_r. Nothing where it would make no progress.
std::optional<double> share_seconds(const JobSpec& job, const Cluster& cluster, double contention,
                                    const IsolatedRate& rate);

// By JobId, as things stand after the recorder's last step; `jobs` is the table after that step.
// FTF ratio = JCT / share_seconds with the average number of unfinished jobs over the job's life;
// of finished jobs only, of none without `rate`.
std::vector<JobOutcome> job_outcomes(const Recorder& recorder, std::span<const Job> jobs,
                                     const IsolatedRate& rate);

}  // namespace muster
