#include <algorithm>

#include "base/text.h"
#include "workload/log_fields.h"
#include "workload/reader.h"

// The Standard Workload Format 2.2 of the Parallel Workloads Archive: `;` comments, then 18 fields
// a line, -1 for what is not known. A processor is taken for a GPU. Some tools write fractions of
// seconds, so times are decimals.

namespace muster {
namespace {

enum FieldIndex : std::size_t {
  job_number = 0,
  submit_time = 1,
  run_time = 3,
  allocated_processors = 4,
  requested_processors = 7,
  status = 10,
  user_id = 11,
  queue_number = 14,
  partition_number = 15,
  field_count = 18,
};

constexpr double seconds_max = 1e11;
constexpr double status_cancelled = 5;

std::vector<std::string_view> words(std::string_view line) {
  std::vector<std::string_view> found;
  constexpr std::string_view blanks = " \t\r";
  std::size_t begin = line.find_first_not_of(blanks);
  while (begin != std::string_view::npos) {
    const std::size_t end = std::min(line.find_first_of(blanks, begin), line.size());
    found.push_back(line.substr(begin, end - begin));
    begin = line.find_first_not_of(blanks, end);
  }
  return found;
}

bool matches(std::string_view head) {
  const std::string_view line = first_line(head);
  if (!line.empty() && line.front() == ';') return true;
  const std::vector<std::string_view> fields = words(line);
  return fields.size() == field_count && std::all_of(fields.begin(), fields.end(), parse_number);
}

// A number that names something; the archive's -1 names nothing.
std::string_view name_of(std::string_view number) { return number.front() == '-' ? "" : number; }

Result<void> read_job(const std::vector<std::string_view>& fields, std::uint32_t line,
                      TraceBuilder& builder) {
  TraceJob job;
  job.row = builder.begin_row();
  job.line = line;
  if (fields.size() != field_count) {
    return builder.bad_row(line, "", "expected 18 fields, got " + std::to_string(fields.size()));
  }
  RowFault fault;
  const auto number = [&](std::string_view name, std::size_t index, double minimum) {
    return fault.value_of(name, number_field(fields[index], minimum, seconds_max));
  };
  const auto processors = [&](std::string_view name, std::size_t index) {
    return fault.value_of(name, integer_field(fields[index], -1, gpus_max));
  };
  job.submit = from_seconds(number("submit time", submit_time, 0));
  const double run = number("run time", run_time, -1);
  const std::int64_t allocated = processors("allocated processors", allocated_processors);
  const std::int64_t requested = processors("requested processors", requested_processors);
  const bool is_cancelled = number("status", status, -1) == status_cancelled;
  const bool ran = run > 0 || (run == 0 && !is_cancelled);
  const std::int64_t gpus = allocated > 0 ? allocated : requested;
  if (ran && gpus <= 0) {
    fault.set("requested processors",
              "expected a positive integer, got " + quoted(fields[requested_processors]));
  }
  if (fault.is_set()) return fault.report(builder, line);

  if (!ran) {
    builder.count_never_ran();
    return {};
  }
  job.id = fields[job_number];
  job.duration = from_seconds(run);
  job.gpus = static_cast<std::int32_t>(gpus);
  job.user = builder.user(name_of(fields[user_id]));
  const std::string_view partition = name_of(fields[partition_number]);
  const std::string_view queue = name_of(fields[queue_number]);
  job.tenant = builder.tenant(partition.empty() ? queue : partition);
  return builder.add(std::move(job));
}

Result<void> read(LineSource& source, TraceBuilder& builder) {
  for (;;) {
    const Result<std::optional<std::string_view>> line = builder.next_line(source);
    if (!line) return tl::unexpected<Error>(line.error());
    if (!*line) return {};
    const std::string_view text = trim(**line);
    if (text.empty() || text.front() == ';') continue;
    Result<void> done = read_job(words(text), source.line(), builder);
    if (!done) return done;
  }
}

}  // namespace

TraceFormat swf_format() { return {"swf", "Standard Workload Format 2.2", matches, read}; }

}  // namespace muster
