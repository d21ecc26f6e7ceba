#include "workload/csv.h"
#include "workload/reader.h"

// Muri's Philly traces: Tiresias's columns in milliseconds, and more of them about the stages of
// an iteration.

namespace muster {
namespace {

constexpr double millisecond_seconds = 0.001;

bool matches(std::string_view head) {
  return header_matches(
      head, {.has = {"job_id", "num_gpu", "submit_time", "duration", "resource_time_0"}});
}

Result<void> read(LineSource& source, TraceBuilder& builder) {
  Result<CsvTable> table = CsvTable::open_with(
      source, {"job_id", "num_gpu", "submit_time", "duration", "resource_time_0"});
  if (!table) return tl::unexpected<Error>(table.error());
  const CsvTable::Column id = table->find("job_id");
  const CsvTable::Column gpus = table->find("num_gpu");
  const CsvTable::Column submit = table->find("submit_time");
  const CsvTable::Column model = table->find("model_name");
  const CsvTable::Column duration = table->find("duration");
  return add_rows(*table, builder, [&](CsvRow& row) {
    TraceJob job;
    job.id = row.id(id);
    job.gpus = row.gpus(gpus);
    job.submit = row.span(submit, millisecond_seconds);
    job.duration = row.span(duration, millisecond_seconds);
    job.model = builder.model(row.text(model));
    return std::optional(std::move(job));
  });
}

}  // namespace

TraceFormat muri_format() { return {"muri", "Muri's Philly jobs, in milliseconds", matches, read}; }

}  // namespace muster
