#include "report/outcome.h"

#include <algorithm>

#include "base/check.h"

namespace muster {
namespace {

JobStatus status_of(JobState state) {
  switch (state) {
    case JobState::finished: return JobStatus::finished;
    case JobState::rejected: return JobStatus::rejected;
    case JobState::cancelled: return JobStatus::cancelled;
    case JobState::active:
    case JobState::held:
    case JobState::failed: return JobStatus::unfinished;
  }
  CHECK(false);
}

JobOutcome outcome_of(const Job& job, const JobRecord& record, Time now) {
  JobOutcome outcome{.id = job.id,
                     .status = status_of(job.state),
                     .gpu_count = job.spec.gpu_count,
                     .submitted_at = job.submitted_at,
                     .run_time = record.run_time_at(now),
                     .gpu_time = record.gpu_time_at(now),
                     .preemption_count = record.preemption_count,
                     .loss_count = record.loss_count,
                     .deadline = job.spec.deadline};
  if (record.first_start != time_never) outcome.started_at = record.first_start;
  if (outcome.status == JobStatus::finished) outcome.finished_at = job.ended_at;
  return outcome;
}

}  // namespace

std::string_view to_text(JobStatus status) {
  switch (status) {
    case JobStatus::finished: return "finished";
    case JobStatus::rejected: return "rejected";
    case JobStatus::cancelled: return "cancelled";
    case JobStatus::unfinished: return "unfinished";
  }
  CHECK(false);
}

std::optional<Duration> JobOutcome::wait() const {
  if (!started_at) return std::nullopt;
  return *started_at - submitted_at;
}

std::optional<Duration> JobOutcome::jct() const {
  if (!finished_at) return std::nullopt;
  return *finished_at - submitted_at;
}

std::optional<Duration> JobOutcome::pending() const {
  const std::optional<Duration> total = jct();
  if (!total) return std::nullopt;
  return *total - run_time;
}

std::optional<double> share_seconds(const JobSpec& job, const Cluster& cluster, double contention,
                                    const IsolatedRate& rate) {
  if (contention <= 0) return std::nullopt;
  double fraction_sum = 0;
  double rate_sum = 0;
  for (std::size_t type = 0; type < cluster.types.size(); ++type) {
    if (!job.allows(GpuTypeId(type))) continue;
    const double fraction = cluster.gpu_count_by_type[type] / (contention * job.gpu_count);
    fraction_sum += fraction;
    if (fraction > 0) rate_sum += fraction * rate(job, GpuTypeId(type));
  }
  if (rate_sum <= 0) return std::nullopt;
  return static_cast<double>(job.total_steps) * std::max(fraction_sum, 1.0) / rate_sum;
}

std::vector<JobOutcome> job_outcomes(const Recorder& recorder, std::span<const Job> jobs,
                                     const IsolatedRate& rate) {
  CHECK(jobs.size() == recorder.jobs().size());
  std::vector<JobOutcome> outcomes;
  outcomes.reserve(jobs.size());
  for (const Job& job : jobs) {
    const JobRecord& record = recorder.jobs()[job.id.index()];
    JobOutcome outcome = outcome_of(job, record, recorder.now());
    const std::optional<Duration> jct = outcome.jct();
    if (jct && rate) {
      const auto share = share_seconds(job.spec, recorder.cluster(), record.contention, rate);
      if (share) outcome.ftf_ratio = to_seconds(*jct) / *share;
    }
    outcomes.push_back(outcome);
  }
  return outcomes;
}

}  // namespace muster
