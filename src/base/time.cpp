#include "base/time.h"

#include <cmath>

#include "base/check.h"

namespace muster {
namespace {

constexpr double span_max_seconds = 3.2e12;

}  // namespace

Duration from_seconds(double seconds) {
  CHECK(std::abs(seconds) < 9e12);
  return Duration(std::llround(seconds * 1e6));
}

std::int64_t steps_in(double steps_per_second, Duration span) {
  if (span <= Duration::zero() || !(steps_per_second > 0)) return 0;
  const double steps = std::floor(steps_per_second * to_seconds(span));
  return steps < 9e18 ? static_cast<std::int64_t>(steps) : INT64_MAX;
}

Duration time_for(std::int64_t steps, double steps_per_second) {
  if (steps <= 0) return Duration::zero();
  if (!(steps_per_second > 0)) return Duration::max();
  const double seconds = static_cast<double>(steps) / steps_per_second;
  if (!(seconds < span_max_seconds)) return Duration::max();
  Duration span(static_cast<std::int64_t>(std::ceil(seconds * 1e6)));
  while (steps_in(steps_per_second, span) < steps) ++span;
  while (span > Duration::zero() && steps_in(steps_per_second, span - Duration(1)) >= steps) --span;
  return span;
}

}  // namespace muster
