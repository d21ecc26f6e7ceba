#pragma once

#include <optional>

#include "core/job.h"

namespace muster {

// One submission that a simulated world will make.
struct Arrival {
  Time at{};
  JobSpec spec{};
  std::optional<Time> cancelled_at{};
};

}  // namespace muster
