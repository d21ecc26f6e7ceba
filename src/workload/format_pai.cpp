#include <cmath>
#include <filesystem>
#include <fstream>
#include <unordered_map>

#include "base/text.h"
#include "workload/csv.h"
#include "workload/log_fields.h"
#include "workload/reader.h"

// Alibaba PAI, July-August 2020 (NSDI'22): pai_task_table.csv, with or without a header line. One
// job per task: its instances are the workers of a gang. plan_cpu and plan_gpu are percent of a
// core and of a GPU per instance; part of a GPU takes a whole one here.
//
// The task table does not say who submitted a job, nor when. Where a pai_job_table.csv lies beside
// it, the submit time and the user come from there; else a job is submitted when its task started.

namespace muster {
namespace {

constexpr double percent_max = 1e6;
constexpr double memory_gib_max = 1e6;
constexpr double mib_per_gib = 1024;

struct Submission {
  std::optional<Duration> time;
  std::string user;
};
using Submissions = std::unordered_map<std::string, Submission>;  // By job name; only looked up.

struct Columns {
  CsvTable::Column job_name{}, task_name{}, inst_num{}, start_time{}, end_time{};
  CsvTable::Column plan_cpu{}, plan_mem{}, plan_gpu{}, gpu_type{};
};

bool matches(std::string_view head) {
  if (header_matches(head, {.has = {"job_name", "task_name", "inst_num", "plan_gpu"}})) return true;
  const std::vector<std::string_view> fields = split(first_line(head), ',');
  if (fields.size() != 10) return false;
  const std::string_view status = fields[3];
  return status == "Terminated" || status == "Failed" || status == "Running" || status == "Waiting";
}

// Calls take(row) for every row that is not the header line; the first error ends it.
template <class Take>
Result<void> for_each_row(CsvTable& table, TraceBuilder& builder, Take take) {
  const CsvTable::Column first = table.find("job_name");
  for (;;) {
    const Result<bool> more = table.next(builder);
    if (!more) return tl::unexpected<Error>(more.error());
    if (!*more) return {};
    CsvRow row(table);
    if (table.line() == 1 && row.text(first) == first.name) continue;
    Result<void> taken = take(row);
    if (!taken) return taken;
  }
}

Result<Submissions> read_job_table(std::istream& input, const std::string& path) {
  LineSource source(input, path);
  TraceBuilder reporter(path, "pai", {});  // Only to report bad rows with the right path.
  CsvTable table = CsvTable::without_header(
      source, {"job_name", "inst_id", "user", "status", "start_time", "end_time"});
  const CsvTable::Column job_name = table.find("job_name");
  const CsvTable::Column user = table.find("user");
  const CsvTable::Column start_time = table.find("start_time");
  Submissions submissions;
  const Result<void> done = for_each_row(table, reporter, [&](CsvRow& row) -> Result<void> {
    const std::optional<Duration> time = span_if_known(row, start_time);
    if (row.has_fault()) return reporter.bad_row(table.line(), row.fault_field(), row.problem());
    submissions.try_emplace(std::string(row.text(job_name)),
                            Submission{time, std::string(row.text(user))});
    return {};
  });
  if (!done) return tl::unexpected<Error>(done.error());
  return submissions;
}

// What is read from memory has no neighbours.
Result<Submissions> find_submissions(const std::string& task_table_path) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(task_table_path, error)) return Submissions{};
  const std::filesystem::path path =
      std::filesystem::path(task_table_path).parent_path() / "pai_job_table.csv";
  if (!std::filesystem::is_regular_file(path, error)) return Submissions{};
  std::ifstream input(path, std::ios::binary);
  if (!input) return failure(path.string() + ": cannot be opened");
  return read_job_table(input, path.string());
}

std::vector<std::string> type_names(std::string_view gpu_type) {
  if (is_unknown(gpu_type) || gpu_type == "CPU") return {};
  return {to_lower(gpu_type)};
}

double number_or_zero(CsvRow& row, const CsvTable::Column& column, double maximum) {
  return is_unknown(row.text(column)) ? 0 : row.number(column, 0, maximum);
}

std::optional<TraceJob> job_of(CsvRow& row, const Columns& columns, const Submissions& submissions,
                               TraceBuilder& builder) {
  const std::string job_name = row.id(columns.job_name);
  const std::int64_t instances = row.integer(columns.inst_num, 1, gpus_max);
  const double plan_gpu = number_or_zero(row, columns.plan_gpu, percent_max);
  const double plan_cpu = number_or_zero(row, columns.plan_cpu, percent_max);
  const double plan_mem = number_or_zero(row, columns.plan_mem, memory_gib_max);
  const std::optional<Duration> start = span_if_known(row, columns.start_time);
  const std::optional<Duration> end = span_if_known(row, columns.end_time);
  const auto workers = static_cast<double>(instances);
  const double gpus = std::ceil(plan_gpu / 100) * workers;
  if (gpus > static_cast<double>(gpus_max)) {
    row.set_fault(columns.inst_num.name, "asks for " + format_number(gpus) + " GPUs in all");
  }
  if (row.has_fault()) return std::nullopt;

  if (gpus == 0) {
    builder.count_cpu_only();
    return std::nullopt;
  }
  if (!start || !end || *end < *start) {
    builder.count_never_ran();
    return std::nullopt;
  }
  if (std::fmod(plan_gpu, 100) != 0) builder.count_fractional();
  TraceJob job;
  job.id = job_name + "/" + std::string(row.text(columns.task_name));
  job.submit = *start;
  if (const auto found = submissions.find(job_name); found != submissions.end()) {
    job.submit = found->second.time.value_or(*start);
    job.user = builder.user(found->second.user);
  }
  job.gpus = static_cast<std::int32_t>(gpus);
  job.duration = *end - *start;
  job.type_set = builder.type_set(type_names(row.text(columns.gpu_type)));
  job.cpus_milli = std::llround(plan_cpu * 10 * workers);
  job.memory_mib = std::llround(std::ceil(plan_mem * mib_per_gib * workers));
  return job;
}

Result<void> read(LineSource& source, TraceBuilder& builder) {
  const Result<Submissions> submissions = find_submissions(source.path());
  if (!submissions) return tl::unexpected<Error>(submissions.error());
  CsvTable table = CsvTable::without_header(
      source, {"job_name", "task_name", "inst_num", "status", "start_time", "end_time", "plan_cpu",
               "plan_mem", "plan_gpu", "gpu_type"});
  const Columns columns = {.job_name = table.find("job_name"),
                           .task_name = table.find("task_name"),
                           .inst_num = table.find("inst_num"),
                           .start_time = table.find("start_time"),
                           .end_time = table.find("end_time"),
                           .plan_cpu = table.find("plan_cpu"),
                           .plan_mem = table.find("plan_mem"),
                           .plan_gpu = table.find("plan_gpu"),
                           .gpu_type = table.find("gpu_type")};
  return for_each_row(table, builder, [&](CsvRow& row) -> Result<void> {
    const std::uint32_t number = builder.begin_row();
    std::optional<TraceJob> job = job_of(row, columns, *submissions, builder);
    if (row.has_fault()) return builder.bad_row(table.line(), row.fault_field(), row.problem());
    if (!job) return {};
    job->row = number;
    job->line = table.line();
    return builder.add(std::move(*job));
  });
}

}  // namespace

TraceFormat pai_format() { return {"pai", "Alibaba PAI task table of 2020 (CSV)", matches, read}; }

}  // namespace muster
