#include "workload/csv.h"
#include "workload/reader.h"

// Microsoft ITP, as published with ElasticFlow: seconds on one clock. The variant with deadlines
// adds synthetic models and deadlines (on the same clock); its iterations say nothing that the
// duration does not.

namespace muster {
namespace {

bool matches(std::string_view head) {
  return header_matches(head, {.has = {"job_id", "submission_time", "duration", "num_gpu"}});
}

Result<void> read(LineSource& source, TraceBuilder& builder) {
  Result<CsvTable> table =
      CsvTable::open_with(source, {"job_id", "submission_time", "duration", "num_gpu"});
  if (!table) return tl::unexpected<Error>(table.error());
  const CsvTable::Column id = table->find("job_id");
  const CsvTable::Column submit = table->find("submission_time");
  const CsvTable::Column duration = table->find("duration");
  const CsvTable::Column gpus = table->find("num_gpu");
  const CsvTable::Column model = table->find("model_name");
  const CsvTable::Column deadline = table->find("deadline");
  return add_rows(*table, builder, [&](CsvRow& row) {
    TraceJob job;
    job.id = row.id(id);
    job.submit = row.span(submit);
    job.duration = row.span(duration);
    job.gpus = row.gpus(gpus);
    job.model = builder.model(row.text(model));
    if (row.has(deadline)) job.deadline = row.span(deadline);
    return std::optional(std::move(job));
  });
}

}  // namespace

TraceFormat itp_format() {
  return {"itp", "Microsoft ITP, with or without ElasticFlow's deadlines", matches, read};
}

}  // namespace muster
