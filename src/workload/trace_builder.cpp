#include <algorithm>
#include <compare>

#include "base/check.h"
#include "base/text.h"
#include "workload/csv.h"
#include "workload/reader.h"

namespace muster {
namespace {

constexpr std::int64_t cpus_milli_max = 1'000'000'000'000;
constexpr std::int64_t memory_mib_max = std::int64_t{1'000'000'000} * 1024;
constexpr Duration span_max = std::chrono::seconds(100'000'000'000);

bool is_earlier(const TraceJob& a, const TraceJob& b) {
  return a.submit != b.submit ? a.submit < b.submit : a.row < b.row;
}

bool is_in_range(Duration span) { return span >= -span_max && span <= span_max; }

struct Fault {
  std::string_view field;
  std::string problem;
};

std::optional<Fault> find_fault(const TraceJob& job) {
  if (job.gpus < 1 || job.gpus > gpus_max) {
    return Fault{"gpus", "expected a positive integer up to " + std::to_string(gpus_max) +
                             ", got " + quoted(std::to_string(job.gpus))};
  }
  const auto seconds = [](Duration span) { return quoted(format_microseconds(span.count())); };
  if (!is_in_range(job.submit)) {
    return Fault{"submit", "expected a time within 1e11 seconds, got " + seconds(job.submit)};
  }
  if (job.duration && (*job.duration < Duration::zero() || !is_in_range(*job.duration))) {
    return Fault{"duration", "expected 0 to 1e11 seconds, got " + seconds(*job.duration)};
  }
  if (job.deadline && !is_in_range(*job.deadline)) {
    return Fault{"deadline", "expected a time within 1e11 seconds, got " + seconds(*job.deadline)};
  }
  if (job.cpus_milli < 0 || job.cpus_milli > cpus_milli_max) {
    return Fault{"cpus", "expected 0 to 1e9 CPUs in all"};
  }
  if (job.memory_mib < 0 || job.memory_mib > memory_mib_max) {
    return Fault{"memory", "expected 0 to 1e9 GiB in all"};
  }
  return std::nullopt;
}

// Whole jobs are large, so small keys are sorted and each job is moved once.
void sort_by_submit(std::vector<TraceJob>& jobs) {
  struct Key {
    Duration submit;
    std::uint32_t row;
    std::uint32_t index;
    auto operator<=>(const Key&) const = default;
  };
  std::vector<Key> keys;
  keys.reserve(jobs.size());
  for (const TraceJob& job : jobs) {
    keys.push_back({job.submit, job.row, static_cast<std::uint32_t>(keys.size())});
  }
  std::sort(keys.begin(), keys.end());
  std::vector<TraceJob> sorted;
  sorted.reserve(jobs.size());
  for (const Key& key : keys) sorted.push_back(std::move(jobs[key.index]));
  jobs = std::move(sorted);
}

}  // namespace

TraceBuilder::TraceBuilder(std::string path, std::string format, ReadOptions options)
    : options_(std::move(options)) {
  trace_.path = std::move(path);
  trace_.format = std::move(format);
}

template <class IdType>
IdType TraceBuilder::intern(std::map<std::string, std::uint32_t, std::less<>>& index,
                            std::vector<std::string>& names, std::string_view name) {
  if (name.empty()) return IdType();
  auto found = index.find(name);
  if (found == index.end()) {
    found = index.emplace(std::string(name), static_cast<std::uint32_t>(names.size())).first;
    names.emplace_back(name);
  }
  return IdType(found->second);
}

ModelId TraceBuilder::model(std::string_view name) {
  return intern<ModelId>(model_index_, trace_.models, name);
}

UserId TraceBuilder::user(std::string_view name) {
  return intern<UserId>(user_index_, trace_.users, name);
}

TenantId TraceBuilder::tenant(std::string_view name) {
  return intern<TenantId>(tenant_index_, trace_.tenants, name);
}

RecordId TraceBuilder::record(TypeDurations durations) {
  if (!free_records_.empty()) {
    const RecordId id = free_records_.back();
    free_records_.pop_back();
    trace_.records[id.index()] = std::move(durations);
    return id;
  }
  trace_.records.push_back(std::move(durations));
  return RecordId(trace_.records.size() - 1);
}

std::uint32_t TraceBuilder::type_set(std::vector<std::string> alternatives) {
  // '|' stands between alternatives wherever they are written, so no name holds one.
  std::vector<std::string> names;
  for (const std::string& alternative : alternatives) {
    for (const std::string_view name : split(alternative, '|')) {
      if (!trim(name).empty()) names.emplace_back(trim(name));
    }
  }
  alternatives = std::move(names);
  if (alternatives.empty()) return 0;
  const auto next = static_cast<std::uint32_t>(trace_.type_sets.size());
  const auto [found, is_new] = type_set_index_.try_emplace(join(alternatives, "|"), next);
  if (is_new) trace_.type_sets.push_back(std::move(alternatives));
  return found->second;
}

Result<std::optional<std::string_view>> TraceBuilder::next_line(LineSource& source) {
  Result<std::optional<std::string_view>> line = source.next();
  while (!line && skips_line(source)) line = source.next();
  return line;
}

Result<std::optional<std::string_view>> TraceBuilder::peek_line(LineSource& source) {
  Result<std::optional<std::string_view>> line = source.peek();
  while (!line && skips_line(source)) line = source.peek();
  return line;
}

bool TraceBuilder::skips_line(const LineSource& source) {
  if (!options_.skip_bad_rows || !source.can_go_on()) return false;
  begin_row();
  ++trace_.rows_skipped;
  return true;
}

std::uint32_t TraceBuilder::begin_row() { return static_cast<std::uint32_t>(trace_.rows_read++); }

Result<void> TraceBuilder::add(TraceJob job) {
  CHECK(job.duration || job.total_steps);
  if (const std::optional<Fault> fault = find_fault(job)) {
    forget(job);
    return bad_row(job.line, fault->field, fault->problem);
  }
  if (ids_.count(job.id) > 0) {
    forget(job);
    return bad_row(job.line, "job_id", quoted(job.id) + " was used before");
  }
  if (last_submit_ && job.submit < *last_submit_) is_sorted_ = false;
  last_submit_ = job.submit;
  first_submit_ = first_submit_ ? std::min(*first_submit_, job.submit) : job.submit;

  // The kept jobs are a heap with the latest in front.
  std::vector<TraceJob>& jobs = trace_.jobs;
  if (options_.jobs_max && static_cast<std::int64_t>(jobs.size()) >= *options_.jobs_max) {
    if (jobs.empty() || !is_earlier(job, jobs.front())) {
      forget(job);
      return {};
    }
    std::pop_heap(jobs.begin(), jobs.end(), is_earlier);
    ids_.erase(jobs.back().id);
    forget(jobs.back());
    jobs.pop_back();
  }
  // Files give ids to all jobs or to none, so an id made of the row is not taken.
  if (job.id.empty()) {
    job.id = std::to_string(job.row);
  } else {
    ids_.insert(job.id);
  }
  jobs.push_back(std::move(job));
  if (options_.jobs_max) std::push_heap(jobs.begin(), jobs.end(), is_earlier);
  return {};
}

void TraceBuilder::forget(const TraceJob& job) {
  if (job.record.is_valid()) free_records_.push_back(job.record);
}

Result<void> TraceBuilder::bad_row(std::uint32_t line, std::string_view field,
                                   std::string_view problem) {
  if (options_.skip_bad_rows) {
    ++trace_.rows_skipped;
    return {};
  }
  return failure(place(line, field, problem),
                 "--skip-bad-rows leaves out bad rows and counts them");
}

void TraceBuilder::warn(std::string warning) {
  const auto& warnings = trace_.warnings;
  if (std::find(warnings.begin(), warnings.end(), warning) == warnings.end()) {
    trace_.warnings.push_back(std::move(warning));
  }
}

std::string TraceBuilder::place(std::uint32_t line, std::string_view field,
                                std::string_view problem) const {
  std::string text = trace_.path;
  if (line > 0) text += ":" + std::to_string(line);
  text += ": ";
  if (!field.empty()) text.append(field).append(": ");
  return text.append(problem);
}

Result<Trace> TraceBuilder::finish() {
  if (trace_.jobs.empty()) {
    return failure(trace_.path + ": no usable job in " + std::to_string(trace_.rows_read) +
                   " data rows");
  }
  if (!is_sorted_) warn(trace_.path + ": rows are not in the order of submission; sorted");
  if (!is_sorted_ || options_.jobs_max) sort_by_submit(trace_.jobs);
  for (TraceJob& job : trace_.jobs) {
    job.submit -= *first_submit_;
    if (job.deadline) *job.deadline -= *first_submit_;
    // Each row is in range on its own clock; together they may still lie too far apart.
    if (job.submit > span_max || job.deadline.value_or(Duration::zero()) > span_max) {
      return failure(
          place(job.line, "submit", "expected at most 1e+11 seconds between the jobs of a trace"));
    }
  }
  return std::move(trace_);
}

}  // namespace muster
