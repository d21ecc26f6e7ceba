#include <algorithm>
#include <cmath>
#include <limits>

#include "base/text.h"
#include "workload/csv.h"
#include "workload/reader.h"

// Our own format: one row per job, columns in any order. The work of a job is either a duration on
// the reference GPU or a number of steps of a known model.

namespace muster {
namespace {

constexpr double positive = std::numeric_limits<double>::min();

struct Columns {
  explicit Columns(const CsvTable& table)
      : id(table.find("job_id")),
        submit(table.find("submit_seconds")),
        gpus(table.find("gpus")),
        duration(table.find("duration_seconds")),
        steps(table.find("total_steps")),
        user(table.find("user")),
        tenant(table.find("tenant")),
        model(table.find("model")),
        gpu_type(table.find("gpu_type")),
        min_gpus(table.find("min_gpus")),
        max_gpus(table.find("max_gpus")),
        weight(table.find("weight")),
        deadline(table.find("deadline_seconds")),
        cpus(table.find("cpus")),
        memory(table.find("memory_gib")),
        gpu_memory(table.find("gpu_memory_gib")) {}

  CsvTable::Column id, submit, gpus, duration, steps, user, tenant, model, gpu_type, min_gpus,
      max_gpus, weight, deadline, cpus, memory, gpu_memory;
};

constexpr std::string_view known_columns[] = {
    "job_id", "submit_seconds", "gpus",           "duration_seconds", "total_steps", "user",
    "tenant", "model",          "gpu_type",       "min_gpus",         "max_gpus",    "weight",
    "cpus",   "memory_gib",     "gpu_memory_gib", "deadline_seconds"};

bool matches(std::string_view head) {
  return header_matches(head, {.has = {"job_id", "submit_seconds", "gpus"}});
}

void read_work(CsvRow& row, const Columns& columns, TraceJob& job) {
  const bool has_duration = row.has(columns.duration);
  const bool has_steps = row.has(columns.steps);
  if (has_duration && has_steps) {
    row.set_fault("total_steps", "expected either duration_seconds or total_steps, got both");
  } else if (has_duration) {
    job.duration = row.span(columns.duration);
  } else if (!has_steps) {
    row.set_fault("duration_seconds", "expected either this or total_steps, got neither");
  } else if (!row.has(columns.model)) {
    row.set_fault("model", "expected the model that total_steps counts, got ''");
  } else {
    job.total_steps = row.integer(columns.steps, 1, steps_max);
  }
}

void read_elasticity(CsvRow& row, const Columns& columns, TraceJob& job) {
  if (row.has(columns.min_gpus)) {
    job.min_gpus = static_cast<std::int32_t>(row.integer(columns.min_gpus, 1, job.gpus));
  }
  if (row.has(columns.max_gpus)) {
    job.max_gpus = static_cast<std::int32_t>(row.integer(columns.max_gpus, job.gpus, gpus_max));
  }
}

void read_resources(CsvRow& row, const Columns& columns, TraceJob& job) {
  constexpr double cpus_max = 1e9;
  constexpr double memory_max_gib = 1e9;
  if (row.has(columns.cpus)) {
    job.cpus_milli = std::llround(row.number(columns.cpus, 0, cpus_max) * 1000);
  }
  if (row.has(columns.memory)) {
    job.memory_mib = std::llround(row.number(columns.memory, 0, memory_max_gib) * 1024);
  }
  if (row.has(columns.gpu_memory)) {
    job.gpu_memory_gib = row.number(columns.gpu_memory, 0, memory_max_gib);
  }
}

std::uint32_t read_type_set(CsvRow& row, const CsvTable::Column& column, TraceBuilder& builder) {
  if (!row.has(column)) return 0;
  std::vector<std::string> alternatives;
  for (const std::string_view alternative : split(row.text(column), '|')) {
    alternatives.emplace_back(trim(alternative));
    if (alternatives.back().empty()) {
      row.set_fault(column.name,
                    "expected GPU types like v100|a100, got " + quoted(row.text(column)));
      return 0;
    }
  }
  return builder.type_set(std::move(alternatives));
}

TraceJob read_job(CsvRow& row, const Columns& columns, TraceBuilder& builder) {
  constexpr double weight_max = 1e9;
  TraceJob job;
  job.id = row.id(columns.id);
  job.submit = row.span(columns.submit);
  job.gpus = row.gpus(columns.gpus);
  read_work(row, columns, job);
  read_elasticity(row, columns, job);
  read_resources(row, columns, job);
  if (row.has(columns.weight)) job.weight = row.number(columns.weight, positive, weight_max);
  if (row.has(columns.deadline)) job.deadline = row.span(columns.deadline);
  job.type_set = read_type_set(row, columns.gpu_type, builder);
  job.model = builder.model(row.text(columns.model));
  job.user = builder.user(row.text(columns.user));
  job.tenant = builder.tenant(row.text(columns.tenant));
  return job;
}

// A misspelt optional column would otherwise be lost in silence.
void warn_of_unknown_columns(const CsvTable& table, TraceBuilder& builder) {
  for (const std::string& name : table.names()) {
    if (std::find(std::begin(known_columns), std::end(known_columns), name) ==
        std::end(known_columns)) {
      builder.warn(builder.place(table.line(), name, "unknown column, not used"));
    }
  }
}

Result<void> read(LineSource& source, TraceBuilder& builder) {
  Result<CsvTable> table = CsvTable::open_with(source, {"job_id", "submit_seconds", "gpus"});
  if (!table) return tl::unexpected<Error>(table.error());
  const Columns columns(*table);
  if (!columns.steps.is_present()) {
    const Result<CsvTable::Column> duration = table->require("duration_seconds");
    if (!duration) return tl::unexpected<Error>(duration.error());
  }
  warn_of_unknown_columns(*table, builder);
  return add_rows(*table, builder,
                  [&](CsvRow& row) { return std::optional(read_job(row, columns, builder)); });
}

}  // namespace

TraceFormat native_format() { return {"native", "muster's own CSV", matches, read}; }

}  // namespace muster
