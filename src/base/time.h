#pragma once

#include <chrono>
#include <cstdint>

namespace muster {

// The clock of a run: integer microseconds since the run began. Only worlds advance it.
struct RunClock {
  using rep = std::int64_t;
  using period = std::micro;
  using duration = std::chrono::microseconds;
  using time_point = std::chrono::time_point<RunClock>;
  static constexpr bool is_steady = true;
};

using Duration = RunClock::duration;
using Time = RunClock::time_point;

// Later than everything that happens; adding to it would overflow.
inline constexpr Time time_never = Time::max();

constexpr double to_seconds(Duration span) { return static_cast<double>(span.count()) / 1e6; }
constexpr double to_seconds(Time point) { return to_seconds(point.time_since_epoch()); }

// The nearest microsecond. REQUIRES: |seconds| < 9e12.
Duration from_seconds(double seconds);

// Whole steps done in `span`: floor(rate * seconds).
std::int64_t steps_in(double steps_per_second, Duration span);

// The shortest span with steps_in(rate, span) >= steps, so time_for(steps_in(r, d), r) <= d always.
// Duration::max() where the rate is not positive or the span would exceed a hundred thousand years.
Duration time_for(std::int64_t steps, double steps_per_second);

}  // namespace muster
