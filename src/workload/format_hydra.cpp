#include "base/text.h"
#include "workload/csv.h"
#include "workload/reader.h"

// Hydra's cases: single-GPU jobs with one column of seconds per GPU type; `ddl` is a deadline on
// the clock of the submit times, or inf. The first column, without a name, counts the rows.

namespace muster {
namespace {

bool matches(std::string_view head) {
  return header_matches(head, {.has = {"job_name", "norm_job_submit_time", "ddl"}});
}

// The remaining columns, named by the GPU type in lower case.
std::vector<CsvTable::Column> find_type_columns(const CsvTable& table) {
  std::vector<CsvTable::Column> columns;
  for (const std::string& name : table.names()) {
    const bool is_type =
        !name.empty() && name != "job_name" && name != "norm_job_submit_time" && name != "ddl";
    if (is_type) columns.push_back(table.find(name));
  }
  return columns;
}

bool has_deadline(std::string_view text) { return !text.empty() && to_lower(text) != "inf"; }

Result<void> read(LineSource& source, TraceBuilder& builder) {
  Result<CsvTable> table = CsvTable::open_with(source, {"job_name", "norm_job_submit_time", "ddl"});
  if (!table) return tl::unexpected<Error>(table.error());
  const CsvTable::Column id = table->find("job_name");
  const CsvTable::Column submit = table->find("norm_job_submit_time");
  const CsvTable::Column deadline = table->find("ddl");
  const std::vector<CsvTable::Column> types = find_type_columns(*table);
  if (types.empty()) {
    return failure(builder.place(table->line(), "", "expected a column per GPU type, found none"),
                   "--format NAME overrides the guess");
  }
  return add_rows(*table, builder, [&](CsvRow& row) {
    TraceJob job;
    job.id = row.id(id);
    job.submit = row.span(submit);
    if (has_deadline(row.text(deadline))) job.deadline = row.span(deadline);
    TypeDurations durations;
    for (const CsvTable::Column& type : types) {
      const Duration duration = row.span(type);
      if (!job.duration) job.duration = duration;
      durations.seconds.emplace_back(to_lower(type.name), to_seconds(duration));
    }
    if (!row.has_fault()) job.record = builder.record(std::move(durations));
    return std::optional(std::move(job));
  });
}

}  // namespace

TraceFormat hydra_format() {
  return {"hydra", "Hydra's cases, with a duration per GPU type", matches, read};
}

}  // namespace muster
