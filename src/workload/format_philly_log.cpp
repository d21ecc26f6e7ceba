#include <simdjson.h>

#include <algorithm>

#include "base/text.h"
#include "workload/json_objects.h"
#include "workload/log_fields.h"
#include "workload/reader.h"

// Microsoft's Philly, 2017 (ATC'19): cluster_job_log, one JSON array of jobs. A job's GPUs are
// those of its last attempt that has any; its duration is the sum of its attempts' run times. A
// last attempt without an end was still running when the log was taken. Times are local (Pacific)
// and read as they stand: an attempt that ends before it starts, over the change from summer time,
// counts nothing.

namespace muster {
namespace {

using simdjson::dom::array;
using simdjson::dom::element;

struct Attempts {
  std::int64_t count = 0;
  std::int64_t gpus = 0;
  std::optional<Duration> run_time{};  // Nothing where no attempt has both times.
  bool has_ended = false;              // The last one.
};

bool matches(std::string_view head) {
  head = trim(head);
  return !head.empty() && head.front() == '[' &&
         (head.find("\"jobid\"") != std::string_view::npos ||
          head.find("\"attempts\"") != std::string_view::npos);
}

// The text of a member; empty where it is null or missing, a fault where it is anything else.
std::string_view text_of(const element& object, std::string_view key, RowFault& fault) {
  element member;
  if (object[key].get(member) != simdjson::SUCCESS || member.is_null()) return {};
  std::string_view text;
  if (member.get(text) != simdjson::SUCCESS) fault.set(key, "expected a string or null");
  return text;
}

// The elements of a member array; none where it is null or missing.
std::optional<array> array_of(const element& object, std::string_view key, RowFault& fault) {
  element member;
  if (object[key].get(member) != simdjson::SUCCESS || member.is_null()) return std::nullopt;
  array elements;
  if (member.get(elements) == simdjson::SUCCESS) return elements;
  fault.set(key, "expected an array");
  return std::nullopt;
}

std::optional<Duration> time_of(const element& object, std::string_view key, RowFault& fault) {
  const std::string_view text = text_of(object, key, fault);
  if (is_unknown(text)) return std::nullopt;
  return fault.value_of(key, calendar_field(text));
}

std::int64_t gpus_of(const element& attempt, RowFault& fault) {
  std::int64_t gpus = 0;
  const std::optional<array> details = array_of(attempt, "detail", fault);
  if (!details) return 0;
  for (const element detail : *details) {
    const std::optional<array> names = array_of(detail, "gpus", fault);
    if (names) gpus += static_cast<std::int64_t>(names->size());
  }
  return gpus;
}

Attempts attempts_of(const element& job, RowFault& fault) {
  Attempts attempts;
  const std::optional<array> elements = array_of(job, "attempts", fault);
  if (!elements) return attempts;
  for (const element attempt : *elements) {
    ++attempts.count;
    const std::optional<Duration> start = time_of(attempt, "start_time", fault);
    const std::optional<Duration> end = time_of(attempt, "end_time", fault);
    attempts.has_ended = end.has_value();
    if (start && end) {
      attempts.run_time =
          attempts.run_time.value_or(Duration::zero()) + std::max(*end - *start, Duration::zero());
    }
    const std::int64_t gpus = gpus_of(attempt, fault);
    if (gpus > 0) attempts.gpus = gpus;
  }
  return attempts;
}

Result<void> read_job(const element& object, std::uint32_t line, TraceJob job,
                      TraceBuilder& builder) {
  RowFault fault;
  const std::string_view id = text_of(object, "jobid", fault);
  if (id.empty()) fault.set("jobid", "is missing");
  const std::string_view submitted = text_of(object, "submitted_time", fault);
  job.submit = fault.value_of("submitted_time", calendar_field(submitted));
  const std::string_view tenant = text_of(object, "vc", fault);
  const std::string_view user = text_of(object, "user", fault);
  const Attempts attempts = attempts_of(object, fault);
  if (attempts.gpus > gpus_max) {
    fault.set("gpus", "more than " + std::to_string(gpus_max));
  }
  if (fault.is_set()) return fault.report(builder, line);

  if (!attempts.has_ended || !attempts.run_time) {
    builder.count_never_ran();
    return {};
  }
  if (attempts.gpus == 0) {
    builder.count_cpu_only();
    return {};
  }
  job.id = id;
  job.gpus = static_cast<std::int32_t>(attempts.gpus);
  job.duration = attempts.run_time;
  job.tenant = builder.tenant(tenant);
  job.user = builder.user(user);
  return builder.add(std::move(job));
}

Result<void> read(LineSource& source, TraceBuilder& builder) {
  JsonObjects objects(source.stream(), source.path());
  simdjson::dom::parser parser;
  for (;;) {
    const Result<std::optional<std::string_view>> text = objects.next();
    if (!text) return tl::unexpected<Error>(text.error());
    if (!*text) return {};
    TraceJob job;
    job.row = builder.begin_row();
    job.line = objects.line();
    element object;
    const bool is_json =
        parser.parse((*text)->data(), (*text)->size()).get(object) == simdjson::SUCCESS;
    Result<void> done = is_json ? read_job(object, objects.line(), std::move(job), builder)
                                : builder.bad_row(objects.line(), "job", "not valid JSON");
    if (!done) return done;
  }
}

}  // namespace

TraceFormat philly_log_format() {
  return {"philly-log", "Microsoft Philly cluster_job_log (JSON)", matches, read};
}

}  // namespace muster
