#include "workload/csv.h"
#include "workload/reader.h"

// Chronus's Philly traces, in minutes. A job with deadlines lists them relative to its submit,
// "159-189-229-289", each worth less than the one before: the first is the deadline here. Of a
// best-effort job the list means nothing. The users are virtual clusters (vc_...), so they are the
// tenants too. Rows without GPUs are passed over, as the original does.

namespace muster {
namespace {

constexpr double minute_seconds = 60;

bool matches(std::string_view head) {
  return header_matches(head, {.has = {"job_id", "num_gpu", "submit_time", "duration",
                                       "expect_time_list", "best_effort"}});
}

std::optional<Duration> read_deadline(CsvRow& row, const CsvTable::Column& list, Duration submit) {
  if (!row.has(list)) return std::nullopt;
  const std::string_view text = row.text(list);
  const Result<Duration> first = span_field(text.substr(0, text.find('-')), minute_seconds);
  if (!first) row.set_fault(list.name, first.error().message);
  return first ? std::optional(submit + *first) : std::nullopt;
}

Result<void> read(LineSource& source, TraceBuilder& builder) {
  Result<CsvTable> table = CsvTable::open_with(
      source, {"job_id", "num_gpu", "submit_time", "duration", "expect_time_list", "best_effort"});
  if (!table) return tl::unexpected<Error>(table.error());
  const CsvTable::Column id = table->find("job_id");
  const CsvTable::Column user = table->find("user");
  const CsvTable::Column gpus = table->find("num_gpu");
  const CsvTable::Column submit = table->find("submit_time");
  const CsvTable::Column model = table->find("model_name");
  const CsvTable::Column duration = table->find("duration");
  const CsvTable::Column deadlines = table->find("expect_time_list");
  const CsvTable::Column best_effort = table->find("best_effort");
  return add_rows(*table, builder, [&](CsvRow& row) -> std::optional<TraceJob> {
    TraceJob job;
    job.id = row.id(id);
    job.gpus = static_cast<std::int32_t>(row.integer(gpus, 0, gpus_max));
    if (job.gpus == 0 && !row.has_fault()) {
      builder.count_cpu_only();
      return std::nullopt;
    }
    job.submit = row.span(submit, minute_seconds);
    job.duration = row.span(duration, minute_seconds);
    if (row.integer(best_effort, 0, 1) == 0) {
      job.deadline = read_deadline(row, deadlines, job.submit);
    }
    job.model = builder.model(row.text(model));
    job.user = builder.user(row.text(user));
    job.tenant = builder.tenant(row.text(user));
    return job;
  });
}

}  // namespace

TraceFormat chronus_format() {
  return {"chronus", "Chronus's Philly jobs with deadlines, in minutes", matches, read};
}

}  // namespace muster
