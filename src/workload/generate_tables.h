#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "workload/generate.h"

namespace muster {

// A distribution of durations: seconds[i] is the quantile at ratios[i], from 0 to 1, and between
// two of them the logarithm goes up linearly.
struct DurationQuantiles {
  std::span<const double> ratios;
  std::span<const double> seconds;
};

// The jobs of one gang size.
struct GangClass {
  std::int32_t gpus = 1;
  double share = 0;  // Of the jobs; relative to the sum over the classes.
  DurationQuantiles durations;
  double duration_scale = 1;
};

struct ModelChoice {
  std::string_view name;
  bool is_distributed = false;  // Runs on more than one GPU.
};

// What a generated trace imitates.
struct TraceLike {
  std::string_view name;
  double interarrival_seconds = 0;
  Arrivals arrivals = Arrivals::poisson;
  std::span<const GangClass> gangs;       // Ascending by size.
  std::span<const ModelChoice> models{};  // Equally likely; empty: jobs name no model.
};

TraceLike philly_like();
TraceLike helios_like();
TraceLike gavel_like();
TraceLike uniform_like();

}  // namespace muster
