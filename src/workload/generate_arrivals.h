#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/rng.h"
#include "workload/generate.h"

namespace muster {

struct ArrivalOptions {
  Arrivals process = Arrivals::poisson;
  double interarrival_seconds = 1;
  std::optional<double> span_seconds{};  // Instead of the gap: when exactly the last one comes.
};

// When `count` jobs come, in seconds, ascending from 0. Diurnal time 0 is a Monday's midnight.
std::vector<double> arrival_seconds(const ArrivalOptions& options, std::int64_t count, Rng rng);

}  // namespace muster
