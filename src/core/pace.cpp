#include "core/pace.h"

#include <algorithm>
#include <cmath>

namespace muster {

std::int64_t Pace::steps(Time now) const { return steps_before + steps_in(rate, now - since); }

Time Pace::when(std::int64_t target) const {
  if (target <= steps_before) return since;
  const Duration span = time_for(target - steps_before, rate);
  // `since` may lie a little before the start of time.
  return span > time_never - std::max(since, Time{}) ? time_never : since + span;
}

void Pace::set_rate(Time now, double new_rate) {
  const std::int64_t whole = steps_in(rate, now - since);
  double begun = now > since ? rate * to_seconds(now - since) - static_cast<double>(whole) : 0;
  begun = std::clamp(begun, 0.0, 1.0);
  steps_before += whole;
  rate = new_rate;
  since = now;
  if (!(new_rate > 0) || !(begun > 0)) return;
  Duration back(static_cast<std::int64_t>(std::min(begun / new_rate * 1e6, 1e18)));
  while (back > Duration::zero() && steps_in(new_rate, back) > 0) --back;
  since = now - back;
}

}  // namespace muster
