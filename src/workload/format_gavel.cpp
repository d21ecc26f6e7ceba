#include <limits>

#include "base/text.h"
#include "workload/csv.h"
#include "workload/reader.h"

// Gavel's .trace files: separated by tabs, without a header, work in steps of a model. Ten columns
// today, seven in older files such as those made from Philly. An SLO is a factor of a duration that
// the file does not hold, so it cannot become a deadline.

namespace muster {
namespace {

constexpr double positive = std::numeric_limits<double>::min();
constexpr double factor_max = 1e9;

std::vector<std::string> names_of(std::size_t columns_count) {
  if (columns_count == 7) {
    return {"job_type",    "command",      "steps_argument", "needs_data",
            "total_steps", "arrival_time", "scale_factor"};
  }
  return {"job_type",   "command",     "working_directory", "steps_argument",
          "needs_data", "total_steps", "scale_factor",      "priority_weight",
          "slo",        "arrival_time"};
}

bool matches(std::string_view head) {
  const std::vector<std::string_view> fields = split(first_line(head), '\t');
  if (fields.size() != 7 && fields.size() != 10) return false;
  return integer_field(trim(fields[fields.size() == 7 ? 4 : 5]), 0, steps_max).has_value();
}

Result<void> read(LineSource& source, TraceBuilder& builder) {
  const Result<std::optional<std::string_view>> first = builder.peek_line(source);
  if (!first) return tl::unexpected<Error>(first.error());
  if (!*first) return {};
  const std::size_t columns_count = split(**first, '\t').size();
  if (columns_count != 7 && columns_count != 10) {
    return failure(builder.place(source.line() + 1, "",
                                 "expected 7 or 10 fields separated by tabs, got " +
                                     std::to_string(columns_count)),
                   "--format NAME overrides the guess");
  }
  CsvTable table = CsvTable::without_header(source, names_of(columns_count), '\t');
  const CsvTable::Column model = table.find("job_type");
  const CsvTable::Column steps = table.find("total_steps");
  const CsvTable::Column gpus = table.find("scale_factor");
  const CsvTable::Column weight = table.find("priority_weight");
  const CsvTable::Column slo = table.find("slo");
  const CsvTable::Column arrival = table.find("arrival_time");
  return add_rows(table, builder, [&](CsvRow& row) {
    TraceJob job;
    if (!row.has(model)) row.set_fault(model.name, "expected a model, got ''");
    job.model = builder.model(row.text(model));
    job.total_steps = row.integer(steps, 1, steps_max);
    job.gpus = row.gpus(gpus);
    job.submit = row.span(arrival);
    if (weight.is_present()) job.weight = row.number(weight, positive, factor_max);
    if (slo.is_present() && row.number(slo, -factor_max, factor_max) > 0) {
      builder.warn(builder.place(0, slo.name, "factors of an unknown duration, not used"));
    }
    return std::optional(std::move(job));
  });
}

}  // namespace

TraceFormat gavel_format() {
  return {"gavel", "Gavel's .trace, with 7 or 10 columns", matches, read};
}

}  // namespace muster
