#include <chrono>

#include "workload/csv.h"
#include "workload/reader.h"

// Tiresias's job list, in whole seconds: a duration is cut to them as in the original, which never
// looks at `iterations` and `interval`.

namespace muster {
namespace {

bool matches(std::string_view head) {
  return header_matches(
      head, {.has = {"job_id", "num_gpu", "submit_time", "iterations", "duration", "interval"},
             .lacks = {"resource_time_0", "expect_time_list"}});
}

Result<void> read(LineSource& source, TraceBuilder& builder) {
  Result<CsvTable> table =
      CsvTable::open_with(source, {"job_id", "num_gpu", "submit_time", "duration"});
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
    job.submit = row.span(submit);
    job.duration = std::chrono::floor<std::chrono::seconds>(row.span(duration));
    job.model = builder.model(row.text(model));
    return std::optional(std::move(job));
  });
}

}  // namespace

TraceFormat tiresias_format() { return {"tiresias", "Tiresias's job list", matches, read}; }

}  // namespace muster
