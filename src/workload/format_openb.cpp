#include "base/text.h"
#include "workload/csv.h"
#include "workload/log_fields.h"
#include "workload/reader.h"

// Alibaba's pods of 2023 ("openb", of the FGD paper, ATC'23). A pod that asks for part of a GPU
// takes a whole one here. Times are seconds; a pod that was never scheduled has no scheduled_time.

namespace muster {
namespace {

struct Columns {
  CsvTable::Column name{}, cpu_milli{}, memory_mib{}, num_gpu{}, gpu_milli{}, gpu_spec{};
  CsvTable::Column creation_time{}, deletion_time{}, scheduled_time{};
};

bool matches(std::string_view head) {
  return header_matches(head, {.has = {"name", "cpu_milli", "memory_mib", "num_gpu", "gpu_milli"}});
}

Columns find_columns(const CsvTable& table) {
  return {.name = table.find("name"),
          .cpu_milli = table.find("cpu_milli"),
          .memory_mib = table.find("memory_mib"),
          .num_gpu = table.find("num_gpu"),
          .gpu_milli = table.find("gpu_milli"),
          .gpu_spec = table.find("gpu_spec"),
          .creation_time = table.find("creation_time"),
          .deletion_time = table.find("deletion_time"),
          .scheduled_time = table.find("scheduled_time")};
}

// "G2|P100" lists the types that will do.
std::vector<std::string> type_names(std::string_view gpu_spec) {
  std::vector<std::string> names;
  for (const std::string_view name : split(gpu_spec, '|')) {
    if (!trim(name).empty()) names.push_back(to_lower(trim(name)));
  }
  return names;
}

std::optional<TraceJob> pod_of(CsvRow& row, const Columns& columns, TraceBuilder& builder) {
  TraceJob job;
  job.id = row.id(columns.name);
  job.gpus = static_cast<std::int32_t>(row.integer(columns.num_gpu, 0, gpus_max));
  const std::int64_t gpu_milli = row.integer(columns.gpu_milli, 0, 1000);
  job.cpus_milli = row.integer(columns.cpu_milli, 0, 1000 * cpus_max);
  job.memory_mib = row.integer(columns.memory_mib, 0, memory_mib_max);
  job.submit = row.span(columns.creation_time);
  const std::optional<Duration> start = span_if_known(row, columns.scheduled_time);
  const std::optional<Duration> end = span_if_known(row, columns.deletion_time);
  if (start && end && *end < *start) {
    row.set_fault(columns.deletion_time.name, "is before scheduled_time");
  }
  if (row.has_fault()) return std::nullopt;

  if (job.gpus == 0) {
    builder.count_cpu_only();
    return std::nullopt;
  }
  if (!start || !end) {
    builder.count_never_ran();
    return std::nullopt;
  }
  if (job.gpus == 1 && gpu_milli > 0 && gpu_milli < 1000) builder.count_fractional();
  job.duration = *end - *start;
  job.type_set = builder.type_set(type_names(row.text(columns.gpu_spec)));
  return job;
}

Result<void> read(LineSource& source, TraceBuilder& builder) {
  Result<CsvTable> table =
      CsvTable::open_with(source, {"name", "cpu_milli", "memory_mib", "num_gpu", "gpu_milli"});
  if (!table) return tl::unexpected<Error>(table.error());
  const Columns columns = find_columns(*table);
  for (const CsvTable::Column& column :
       {columns.creation_time, columns.deletion_time, columns.scheduled_time}) {
    if (column.is_present()) continue;
    return failure(builder.place(table->line(), column.name,
                                 "the column is missing: pods without times cannot be replayed"),
                   "use a pod list that has them, such as openb_pod_list_default.csv");
  }
  return add_rows(*table, builder, [&](CsvRow& row) { return pod_of(row, columns, builder); });
}

}  // namespace

TraceFormat openb_format() { return {"openb", "Alibaba pods of 2023 (CSV)", matches, read}; }

}  // namespace muster
