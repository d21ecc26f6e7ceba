#include "report/csv.h"

#include <optional>

#include "base/text.h"

namespace muster {
namespace {

constexpr std::string_view jobs_header =
    "job_id,user,model,gpus,submit_seconds,start_seconds,finish_seconds,wait_seconds,"
    "pending_seconds,run_seconds,jct_seconds,gpu_seconds,preemptions,ftf_ratio,deadline_seconds,"
    "status\n";
constexpr std::string_view schedule_header =
    "job_id,run_id,node,gpu_type,gpus,start_seconds,end_seconds,steps\n";

std::string seconds_text(Duration span) { return format_microseconds(span.count()); }
std::string seconds_text(Time point) { return seconds_text(point.time_since_epoch()); }

template <class T>
std::string seconds_text(const std::optional<T>& maybe) {
  return maybe ? seconds_text(*maybe) : std::string();
}

void append_job(std::string& text, const JobOutcome& job, const JobLabels& labels) {
  const std::string fields[] = {csv_field(labels.id(job.id)),
                                csv_field(labels.user(job.id)),
                                csv_field(labels.model(job.id)),
                                std::to_string(job.gpu_count),
                                seconds_text(job.submitted_at),
                                seconds_text(job.started_at),
                                seconds_text(job.finished_at),
                                seconds_text(job.wait()),
                                seconds_text(job.pending()),
                                seconds_text(job.run_time),
                                seconds_text(job.jct()),
                                seconds_text(job.gpu_time),
                                std::to_string(job.preemption_count),
                                job.ftf_ratio ? format_number(*job.ftf_ratio) : std::string(),
                                seconds_text(job.deadline),
                                std::string(to_text(job.status))};
  text += join(fields, ",");
  text += '\n';
}

void append_row(std::string& text, const ScheduleRow& row, const Cluster& cluster,
                const JobLabels& labels) {
  const Pool& pool = cluster.pools[row.pool.index()];
  const std::string fields[] = {csv_field(labels.id(row.job)),
                                std::to_string(row.run.value()),
                                csv_field(cluster.nodes[pool.node.index()].name),
                                csv_field(cluster.types[pool.type.index()].name),
                                std::to_string(row.gpu_count),
                                seconds_text(row.start),
                                row.end == time_never ? std::string() : seconds_text(row.end),
                                row.steps < 0 ? std::string() : std::to_string(row.steps)};
  text += join(fields, ",");
  text += '\n';
}

}  // namespace

std::string jobs_csv(std::span<const JobOutcome> outcomes, const JobLabels& labels) {
  std::string text(jobs_header);
  for (const JobOutcome& job : outcomes) append_job(text, job, labels);
  return text;
}

std::string schedule_csv(const Recorder& recorder, const JobLabels& labels) {
  std::string text(schedule_header);
  for (const ScheduleRow& row : recorder.schedule()) {
    append_row(text, row, recorder.cluster(), labels);
  }
  return text;
}

std::string csv_field(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
  std::string field = "\"";
  for (const char c : text) {
    if (c == '"') field += '"';
    field += c;
  }
  return field + '"';
}

}  // namespace muster
