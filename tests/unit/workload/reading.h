#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "workload/reader.h"

namespace muster::testing {

inline constexpr std::int64_t microseconds_per_second = 1'000'000;

inline Trace read_or_fail(std::string_view text, const ReadOptions& options = {}) {
  Result<Trace> trace = read_trace_text(text, "jobs.csv", options);
  EXPECT_TRUE(trace.has_value()) << trace.error().message;
  return trace ? std::move(*trace) : Trace{};
}

inline Trace read_file_or_fail(const std::string& path) {
  Result<Trace> trace = read_trace(path, {});
  EXPECT_TRUE(trace.has_value()) << trace.error().message;
  return trace ? std::move(*trace) : Trace{};
}

inline Error error_of(std::string_view text, const ReadOptions& options = {}) {
  const Result<Trace> trace = read_trace_text(text, "jobs.csv", options);
  EXPECT_FALSE(trace.has_value());
  return trace ? Error{} : trace.error();
}

inline std::string message_of(std::string_view text, const ReadOptions& options = {}) {
  return error_of(text, options).message;
}

// The formats whose guessers take the text for theirs.
inline std::vector<std::string> guesses(std::string_view head) {
  std::vector<std::string> names;
  for (const TraceFormat& format : all_trace_formats()) {
    if (format.matches(head)) names.push_back(format.name);
  }
  return names;
}

inline std::vector<std::string> ids_of(const Trace& trace) {
  std::vector<std::string> ids;
  for (const TraceJob& job : trace.jobs) ids.push_back(job.id);
  return ids;
}

inline std::int64_t gpu_microseconds(const Trace& trace) {
  std::int64_t sum = 0;
  for (const TraceJob& job : trace.jobs) sum += job.duration.value().count() * job.gpus;
  return sum;
}

inline std::int64_t count_with_gpus(const Trace& trace, std::int32_t gpus) {
  return std::count_if(trace.jobs.begin(), trace.jobs.end(),
                       [gpus](const TraceJob& job) { return job.gpus == gpus; });
}

inline std::int64_t count_with_deadline(const Trace& trace) {
  return std::count_if(trace.jobs.begin(), trace.jobs.end(),
                       [](const TraceJob& job) { return job.deadline.has_value(); });
}

// From submit to deadline, over the jobs that have one.
inline std::int64_t deadline_microseconds(const Trace& trace) {
  std::int64_t sum = 0;
  for (const TraceJob& job : trace.jobs) {
    if (job.deadline) sum += (*job.deadline - job.submit).count();
  }
  return sum;
}

}  // namespace muster::testing
