#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "core/arrival.h"
#include "core/cluster.h"
#include "perf/models.h"
#include "workload/catalogue.h"
#include "workload/trace.h"

namespace muster {

struct BindOptions {
  ModelSpec truth{};
  const PerfTables* tables = nullptr;  // None: no model is known.
  std::string reference_gpu{};         // Of recorded durations; empty: default_reference.
  // Seed that gives each job with a recorded duration, and no model of the table, one at random.
  std::optional<std::uint64_t> assign_models{};
  std::optional<Duration> from{};  // Since the trace's first submit; jobs before are left out.
  std::optional<Duration> to{};    // Jobs at or after are left out.
  bool skip_bad_rows = false;      // Count jobs that cannot be bound instead of stopping there.
};

// A trace made ready for one cluster: jobs in the engine's terms, with what models need of them.
struct Workload {
  std::vector<Arrival> arrivals{};          // By JobId, in order of submission.
  std::vector<std::uint32_t> trace_jobs{};  // By JobId: the index into Trace::jobs.
  std::vector<std::string> models{};        // By ModelId: the trace's, then assigned ones.
  std::vector<TypeDurations> records{};     // By RecordId; types named as in the cluster.
  std::string reference_gpu{};
  std::int64_t rows_skipped_count = 0;  // Under BindOptions::skip_bad_rows.
  std::vector<std::string> warnings{};  // One line each, for stderr.

  // The context of all models of this workload.
  ModelContext context(const Cluster& cluster, const PerfTables* tables) const {
    return {.cluster = cluster,
            .models = models,
            .records = records,
            .tables = tables,
            .reference_gpu = reference_gpu};
  }
};

// Turns durations into steps so that a job alone on its reference takes exactly its recorded time
// (up to the step: a millisecond, or under `table` one of the model's), names into masks, and
// leaves out what lies outside the window. Errors name the line of the trace.
Result<Workload> bind_trace(const Trace& trace, const Cluster& cluster, const Catalogue& catalogue,
                            const BindOptions& options);

}  // namespace muster
