#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "workload/reader.h"
#include "workload/write_native.h"

namespace muster::testing {

// Stops the fuzzer: a promise was broken.
inline void require(bool condition) {
  if (!condition) std::abort();
}

inline void check_error(const Error& error) {
  require(!error.message.empty());
  require(error.message.find('\n') == std::string::npos);
}

// The native format holds a trace so that it reads back, and is written the same again. Not where
// an id has a line break, which it cannot hold, nor a deadline before the first submission.
inline void check_native(const Trace& trace) {
  const bool is_too_odd =
      std::any_of(trace.jobs.begin(), trace.jobs.end(), [](const TraceJob& job) {
        return job.id.find('\r') != std::string::npos ||
               (job.deadline && *job.deadline < Duration::zero());
      });
  if (is_too_odd) return;
  const Result<Trace> again = read_trace_text(native_csv(trace), "again.csv", {.format = "native"});
  require(again && again->jobs.size() == trace.jobs.size());
  const std::string text = native_csv(*again);
  const Result<Trace> third = read_trace_text(text, "third.csv", {.format = "native"});
  require(third && native_csv(*third) == text);
}

// What readers promise of the jobs.
inline void check_trace(const Trace& trace) {
  require(!trace.jobs.empty());
  for (std::size_t i = 0; i < trace.jobs.size(); ++i) {
    const TraceJob& job = trace.jobs[i];
    require(job.gpus >= 1 && job.submit >= Duration::zero());
    require(i == 0 || trace.jobs[i - 1].submit <= job.submit);
    require(!job.duration || *job.duration >= Duration::zero());
    require(job.type_set < trace.type_sets.size());
    require(!job.model.is_valid() || job.model.index() < trace.models.size());
    require(!job.user.is_valid() || job.user.index() < trace.users.size());
    require(!job.tenant.is_valid() || job.tenant.index() < trace.tenants.size());
  }
  check_native(trace);
}

// Reads the text as `format` (empty: guessed), first strictly, then passing over bad rows.
inline int fuzz_trace(const std::uint8_t* data, std::size_t size, const std::string& format) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  for (const bool skip_bad_rows : {false, true}) {
    const ReadOptions options{.format = format, .skip_bad_rows = skip_bad_rows};
    const Result<Trace> trace = read_trace_text(text, "fuzz.input", options);
    if (trace) {
      check_trace(*trace);
    } else {
      check_error(trace.error());
    }
  }
  return 0;
}

}  // namespace muster::testing
