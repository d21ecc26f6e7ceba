#include <algorithm>
#include <array>
#include <unordered_map>

#include "base/text.h"
#include "workload/csv.h"
#include "workload/log_fields.h"
#include "workload/reader.h"
#include "workload/tres.h"

// Slurm's accounting: the output of `sacct --parsable2 --duplicates --format=JobID,User,Account,
// Partition,Submit,Start,End,Elapsed,State,AllocTRES,ReqTRES`, columns in any order. Steps (ids
// with a dot) belong to their job's row and are passed over. A job that was requeued has several
// rows with one id: they are separate runs, the second becomes `id#2`.
//
// A job's GPUs are those it was given (AllocTRES), else those it asked for (ReqTRES). It may use
// the GPU types it asked for; without ReqTRES, those it was given. A job that lists several types
// may run on any one of them.

namespace muster {
namespace {

struct Columns {
  CsvTable::Column id{}, user{}, account{}, partition{}, submit{}, start{}, end{}, elapsed{};
  CsvTable::Column elapsed_raw{}, state{}, alloc_tres{}, req_tres{};
};
using RunCounts = std::unordered_map<std::string, int>;  // By job id; only looked up.

bool matches(std::string_view head) {
  const auto has = [head](std::string_view name) {
    return header_matches(head, {.has = {name}, .separator = '|'});
  };
  return (has("JobID") || has("JobIDRaw")) && (has("Submit") || has("AllocTRES") || has("ReqTRES"));
}

Columns find_columns(const CsvTable& table) {
  const CsvTable::Column id = table.find("JobID");
  return {.id = id.is_present() ? id : table.find("JobIDRaw"),
          .user = table.find("User"),
          .account = table.find("Account"),
          .partition = table.find("Partition"),
          .submit = table.find("Submit"),
          .start = table.find("Start"),
          .end = table.find("End"),
          .elapsed = table.find("Elapsed"),
          .elapsed_raw = table.find("ElapsedRaw"),
          .state = table.find("State"),
          .alloc_tres = table.find("AllocTRES"),
          .req_tres = table.find("ReqTRES")};
}

// Which column is missing; empty where all are there.
std::string_view missing_column(const Columns& columns) {
  if (!columns.id.is_present()) return "JobID or JobIDRaw";
  if (!columns.submit.is_present()) return "Submit";
  const bool has_run_time = columns.elapsed.is_present() || columns.elapsed_raw.is_present() ||
                            (columns.start.is_present() && columns.end.is_present());
  if (!has_run_time) return "Elapsed, ElapsedRaw, or Start and End";
  const bool has_resources = columns.alloc_tres.is_present() || columns.req_tres.is_present();
  return has_resources ? "" : "AllocTRES or ReqTRES";
}

// "CANCELLED by 1000" is CANCELLED.
std::string_view state_word(std::string_view state) { return state.substr(0, state.find(' ')); }

bool is_unended(std::string_view state) {
  constexpr std::array<std::string_view, 6> unended = {"PENDING",   "CONFIGURING", "RUNNING",
                                                       "SUSPENDED", "RESIZING",    "COMPLETING"};
  return std::find(unended.begin(), unended.end(), state) != unended.end();
}

// How long the job ran; nothing where it never started or has not ended.
std::optional<Duration> run_time(CsvRow& row, const Columns& columns) {
  const std::string_view state = state_word(row.text(columns.state));
  if (is_unended(state)) return std::nullopt;
  const std::optional<Duration> start = calendar_if_known(row, columns.start);
  const std::optional<Duration> end = calendar_if_known(row, columns.end);
  if (columns.start.is_present() && !start) return std::nullopt;
  if (columns.end.is_present() && !end) return std::nullopt;

  std::optional<Duration> span;
  if (columns.elapsed_raw.is_present()) {
    span = span_if_known(row, columns.elapsed_raw);
  } else if (columns.elapsed.is_present()) {
    const Result<Duration> elapsed = parse_slurm_span(row.text(columns.elapsed));
    if (elapsed)
      span = *elapsed;
    else
      row.set_fault(columns.elapsed.name, elapsed.error().message);
  } else {
    span = *end - *start;
    if (*end < *start) row.set_fault(columns.end.name, "is before Start");
  }
  // Without a Start column, or with Slurms that put the time of the cancellation there, only this
  // tells that a job was cancelled while it waited.
  const bool is_unstarted = state == "CANCELLED" && span == Duration::zero();
  return is_unstarted ? std::nullopt : span;
}

Tres tres_of(CsvRow& row, const CsvTable::Column& column) {
  Result<Tres> tres = parse_tres(row.text(column));
  if (tres) return std::move(*tres);
  row.set_fault(column.name, tres.error().message);
  return {};
}

// What the job was given, and the types that it asked for.
Tres resources(CsvRow& row, const Columns& columns) {
  Tres given = tres_of(row, columns.alloc_tres);
  if (!columns.req_tres.is_present()) return given;
  Tres asked = tres_of(row, columns.req_tres);
  if (!row.has(columns.alloc_tres)) return asked;
  given.gpu_types = std::move(asked.gpu_types);
  return given;
}

std::optional<TraceJob> job_of(CsvRow& row, const Columns& columns, RunCounts& run_counts,
                               TraceBuilder& builder) {
  TraceJob job;
  job.id = row.id(columns.id);
  if (job.id.find('.') != std::string::npos) return std::nullopt;
  job.submit = row.calendar(columns.submit);
  job.duration = run_time(row, columns);
  Tres tres = resources(row, columns);
  if (row.has_fault()) return std::nullopt;

  // A job that never ran may have no resources in the log: that does not make it a CPU job.
  const bool has_resources = row.has(columns.alloc_tres) || row.has(columns.req_tres);
  if (tres.gpus == 0 && (has_resources || job.duration)) {
    builder.count_cpu_only();
    return std::nullopt;
  }
  if (!job.duration) {
    builder.count_never_ran();
    return std::nullopt;
  }
  if (const int run = ++run_counts[job.id]; run > 1) job.id += "#" + std::to_string(run);
  job.gpus = static_cast<std::int32_t>(tres.gpus);
  job.cpus_milli = tres.cpus_milli;
  job.memory_mib = tres.memory_mib;
  job.type_set = builder.type_set(std::move(tres.gpu_types));
  job.user = builder.user(row.text(columns.user));
  job.tenant =
      builder.tenant(row.text(row.has(columns.account) ? columns.account : columns.partition));
  return job;
}

Result<void> read(LineSource& source, TraceBuilder& builder) {
  Result<CsvTable> table = CsvTable::open(source, '|');
  if (!table) return tl::unexpected<Error>(table.error());
  const Columns columns = find_columns(*table);
  if (const std::string_view missing = missing_column(columns); !missing.empty()) {
    return failure(builder.place(table->line(), missing, "the column is missing"),
                   "run sacct --parsable2 --duplicates --format=JobID,User,Account,Partition,"
                   "Submit,Start,End,Elapsed,State,AllocTRES,ReqTRES");
  }
  RunCounts run_counts;
  return add_rows(*table, builder,
                  [&](CsvRow& row) { return job_of(row, columns, run_counts, builder); });
}

}  // namespace

TraceFormat sacct_format() {
  return {"sacct", "Slurm accounting, sacct --parsable2", matches, read};
}

}  // namespace muster
