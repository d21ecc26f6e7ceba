#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "core/performance_model.h"
#include "perf/tables.h"
#include "perf/type_durations.h"

namespace muster {

// What a model of one simulation knows beforehand. Models copy what they need: nothing here has to
// outlive the call.
struct ModelContext {
  const Cluster& cluster;
  std::span<const std::string> models{};     // By ModelId; names as in the throughput table.
  std::span<const TypeDurations> records{};  // By RecordId; type names as in the cluster.
  const PerfTables* tables = nullptr;        // None: no model is known.
  std::string_view reference_gpu{};          // Of recorded durations; empty: default_reference.
};

// The GPU type on which recorded durations count as measured: v100 where the table has it.
std::string_view default_reference(const PerfTables& tables);

enum class ModelKind : std::uint8_t {
  trace,  // As recorded, whatever the GPU; from the table only for jobs without a recorded time.
  table,  // From the throughput table; as recorded for jobs whose model it does not have.
};

struct ModelSpec {
  ModelKind kind = ModelKind::trace;
  bool has_locality = false;  // Measured slowdown of placements spread over nodes.
};

// "trace", "table", "trace+locality", "table+locality"; unknown names get a suggestion.
Result<ModelSpec> parse_model(std::string_view text);
std::unique_ptr<PerformanceModel> make_model(const ModelSpec& spec, const ModelContext& context);
Result<std::unique_ptr<PerformanceModel>> make_model(std::string_view text,
                                                     const ModelContext& context);

// The rules that all these models share:
// - 0 where the job needs more GPU memory than a type is known to have;
// - GPUs of several types: the slowest worker's speed times the number of workers;
// - sharing GPUs: the measured speed of the pair, 0 where it does not fit; without a measurement
//   the GPU's time is divided equally, so that sharing neither gains nor loses.

}  // namespace muster
