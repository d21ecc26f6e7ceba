#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "workload/trace.h"

namespace muster {

enum class Arrivals {
  poisson,      // Independent gaps at one rate.
  diurnal,      // The same mean rate, higher in the afternoon and lower at night and on weekends.
  all_at_once,  // "static": every job is there at time 0.
};

Result<Arrivals> parse_arrivals(std::string_view name);  // poisson, diurnal, static.

struct GenerateOptions {
  std::string like{};     // One of trace_like_names().
  std::int64_t jobs = 0;  // At least 1.
  std::uint64_t seed = 0;
  std::optional<Arrivals> arrivals{};            // Absent: as the like has it.
  std::optional<double> interarrival_seconds{};  // Mean gap; absent: at the like's own rate.
  std::optional<std::int32_t> max_gpus{};        // Larger gangs get this many; the rest stays.
  // Together, instead of a gap: arrivals so fast that GPU-seconds / (GPUs x span) is `load`.
  std::optional<std::int32_t> cluster_gpus{};
  std::optional<double> load{};
};

// The traces that can be imitated, in the order in which help lists them.
std::vector<std::string> trace_like_names();

// Makes a log whose gangs, durations and rate follow published statistics (docs/traces-generated.md
// names the sources). Each kind of draw has a stream of its own: an option changes nothing that it
// does not speak of, and the first N jobs are the same whatever `jobs` is, unless a load is asked
// for. Same options, same trace.
Result<Trace> generate_trace(const GenerateOptions& options);

}  // namespace muster
