#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/id.h"
#include "base/time.h"
#include "perf/type_durations.h"

namespace muster {

// One job as a log tells it, in the log's own terms; names are ids into the Trace's name lists.
struct TraceJob {
  std::string id;     // The file's id, else the zero-based data row.
  Duration submit{};  // Since the trace's first submit.
  std::int32_t gpus = 1;
  std::optional<Duration> duration{};         // Recorded run time, on the reference GPU.
  std::optional<std::int64_t> total_steps{};  // Or: work, which needs a known model.
  ModelId model{};
  UserId user{};
  TenantId tenant{};           // Virtual cluster, account, queue.
  RecordId record{};           // Into Trace::records: durations per GPU type.
  std::uint32_t type_set = 0;  // Into Trace::type_sets; 0: any GPU type.
  std::uint32_t row = 0;       // Zero-based data row in the file.
  std::uint32_t line = 0;      // One-based line in the file, for messages; 0: no lines.
  std::int32_t min_gpus = 0;   // 0: gpus.
  std::int32_t max_gpus = 0;   // 0: gpus.
  double weight = 1;
  std::optional<Duration> deadline{};  // Since the trace's first submit, like submit.
  std::int64_t cpus_milli = 0;         // Of the whole gang.
  std::int64_t memory_mib = 0;         // Of the whole gang.
  double gpu_memory_gib = 0;           // Per GPU.
};

// A whole log: jobs by submit time, ties in file order; time 0 is the first submit.
struct Trace {
  std::string path;
  std::string format;
  std::vector<TraceJob> jobs;
  std::vector<std::string> models;                         // By ModelId.
  std::vector<std::string> users;                          // By UserId.
  std::vector<std::string> tenants;                        // By TenantId.
  std::vector<std::vector<std::string>> type_sets = {{}};  // Alternatives; [0] is "any".
  std::vector<TypeDurations> records;

  std::int64_t rows_read = 0;         // Data rows, kept or not.
  std::int64_t rows_skipped = 0;      // Bad rows, under ReadOptions::skip_bad_rows.
  std::int64_t cpu_only = 0;          // Rows that ask for no GPU, in mixed logs.
  std::int64_t never_ran = 0;         // Rows without a usable run time (not started, still going).
  std::int64_t fractional = 0;        // Asked for part of a GPU and takes a whole one.
  std::vector<std::string> warnings;  // One line each, for stderr.
};

}  // namespace muster
