#pragma once

#include <cstdint>

#include "base/time.h"

namespace muster {

// Progress at a piecewise constant rate. The truth of a simulation and the belief of the engine
// share this arithmetic, so where they agree they agree to the microsecond.
struct Pace {
  double rate = 0;  // Steps per second.
  Time since{};
  std::int64_t steps_before = 0;  // Done at `since`.

  std::int64_t steps(Time now) const;
  // The first moment at which `target` steps are done: steps(when(n)) >= n, one microsecond earlier
  // it is not. time_never where that moment does not come.
  Time when(std::int64_t target) const;
  // From `now` on at another rate. The step under way is kept (`since` moves back); rate 0 drops
  // it.
  void set_rate(Time now, double new_rate);
};

}  // namespace muster
