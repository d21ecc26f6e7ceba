#include "workload/csv.h"
#include "workload/log_fields.h"
#include "workload/reader.h"

// Helios (SenseTime, SC'21): cluster_log.csv. The logs of Acme (Shanghai AI Lab, NSDI'24) have the
// same columns but no virtual clusters, and are read too. submit_time is a calendar time, duration
// is in seconds; a job that was cancelled while it waited has no start_time.

namespace muster {
namespace {

struct Columns {
  CsvTable::Column job_id{}, user{}, vc{}, gpu_num{}, cpu_num{};
  CsvTable::Column submit_time{}, start_time{}, end_time{}, duration{};
};

bool matches(std::string_view head) {
  return header_matches(head, {.has = {"job_id", "gpu_num", "cpu_num", "node_num", "state",
                                       "submit_time", "start_time", "end_time", "duration"}});
}

Columns find_columns(const CsvTable& table) {
  return {.job_id = table.find("job_id"),
          .user = table.find("user"),
          .vc = table.find("vc"),
          .gpu_num = table.find("gpu_num"),
          .cpu_num = table.find("cpu_num"),
          .submit_time = table.find("submit_time"),
          .start_time = table.find("start_time"),
          .end_time = table.find("end_time"),
          .duration = table.find("duration")};
}

std::optional<TraceJob> job_of(CsvRow& row, const Columns& columns, TraceBuilder& builder) {
  TraceJob job;
  job.id = row.id(columns.job_id);
  job.gpus = static_cast<std::int32_t>(row.integer(columns.gpu_num, 0, gpus_max));
  job.cpus_milli = 1000 * row.integer(columns.cpu_num, 0, cpus_max);
  job.submit = row.calendar(columns.submit_time);
  const std::optional<Duration> start = calendar_if_known(row, columns.start_time);
  const std::optional<Duration> end = calendar_if_known(row, columns.end_time);
  job.duration = span_if_known(row, columns.duration);
  if (row.has_fault()) return std::nullopt;

  if (job.gpus == 0) {
    builder.count_cpu_only();
    return std::nullopt;
  }
  if (!start || !end || !job.duration) {
    builder.count_never_ran();
    return std::nullopt;
  }
  job.user = builder.user(row.text(columns.user));
  job.tenant = builder.tenant(row.text(columns.vc));
  return job;
}

Result<void> read(LineSource& source, TraceBuilder& builder) {
  Result<CsvTable> table = CsvTable::open_with(
      source,
      {"job_id", "gpu_num", "cpu_num", "submit_time", "start_time", "end_time", "duration"});
  if (!table) return tl::unexpected<Error>(table.error());
  const Columns columns = find_columns(*table);
  return add_rows(*table, builder, [&](CsvRow& row) { return job_of(row, columns, builder); });
}

}  // namespace

TraceFormat helios_format() {
  return {"helios", "Helios (SenseTime) and Acme cluster logs (CSV)", matches, read};
}

}  // namespace muster
