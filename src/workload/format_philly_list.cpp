#include "workload/csv.h"
#include "workload/reader.h"

// The list of Philly jobs that Sia and ElasticFlow replay: calendar times, durations in seconds,
// the virtual cluster as a hash; `gpu_time` is duration x num_gpus in every row. Not sorted.

namespace muster {
namespace {

bool matches(std::string_view head) {
  return header_matches(head, {.has = {"timestamp", "duration", "num_gpus", "cluster"}});
}

Result<void> read(LineSource& source, TraceBuilder& builder) {
  Result<CsvTable> table =
      CsvTable::open_with(source, {"timestamp", "duration", "num_gpus", "cluster"});
  if (!table) return tl::unexpected<Error>(table.error());
  const CsvTable::Column submit = table->find("timestamp");
  const CsvTable::Column duration = table->find("duration");
  const CsvTable::Column gpus = table->find("num_gpus");
  const CsvTable::Column tenant = table->find("cluster");
  return add_rows(*table, builder, [&](CsvRow& row) {
    TraceJob job;
    job.submit = row.calendar(submit);
    job.duration = row.span(duration);
    job.gpus = row.gpus(gpus);
    job.tenant = builder.tenant(row.text(tenant));
    return std::optional(std::move(job));
  });
}

}  // namespace

TraceFormat philly_list_format() {
  return {"philly-list", "Philly jobs as Sia and ElasticFlow list them", matches, read};
}

}  // namespace muster
