#include "workload/generate_arrivals.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace muster {
namespace {

constexpr double hour_seconds = 3600;
constexpr std::size_t week_hours = 168;
constexpr double week_seconds = hour_seconds * week_hours;

// A working day: quiet nights, a dip at noon, the peak at three in the afternoon.
constexpr std::array hour_weights = {0.65, 0.55, 0.5, 0.45, 0.45, 0.45, 0.5,  0.6,
                                     0.8,  1.15, 1.4, 1.45, 1.2,  1.35, 1.55, 1.65,
                                     1.6,  1.5,  1.3, 1.15, 1.1,  1.05, 0.9,  0.75};
// As quiet as the weekends of the Philly list, against its working days.
constexpr double weekend_weight = 0.52;

// Turns a process of constant rate into one whose rate follows the week, by running its clock
// faster when much arrives (inversion of the cumulative rate). One draw per job, unlike thinning.
class WeekClock {
 public:
  WeekClock() {
    for (std::size_t hour = 0; hour < week_hours; ++hour) {
      const double day_weight = hour / 24 < 5 ? 1 : weekend_weight;
      load_[hour + 1] = load_[hour] + hour_weights[hour % 24] * day_weight;
    }
    // The mean rate over a week is 1.
    for (double& load : load_) load *= week_seconds / load_.back();
  }

  // The constant-rate time that corresponds to `seconds` on the wall.
  double even_time(double seconds) const {
    const double weeks = std::floor(seconds / week_seconds);
    const double hours = (seconds - weeks * week_seconds) / hour_seconds;
    const std::size_t hour = std::min(static_cast<std::size_t>(hours), week_hours - 1);
    const double within = (hours - static_cast<double>(hour)) * (load_[hour + 1] - load_[hour]);
    return weeks * week_seconds + load_[hour] + within;
  }

  double wall_time(double even_seconds) const {
    const double weeks = std::floor(even_seconds / week_seconds);
    const double rest = even_seconds - weeks * week_seconds;
    const auto after = std::upper_bound(load_.begin() + 1, load_.end() - 1, rest);
    const auto hour = static_cast<std::size_t>(after - load_.begin()) - 1;
    const double within = (rest - load_[hour]) / (load_[hour + 1] - load_[hour]);
    return weeks * week_seconds + (static_cast<double>(hour) + within) * hour_seconds;
  }

 private:
  std::array<double, week_hours + 1> load_{};
};

}  // namespace

std::vector<double> arrival_seconds(const ArrivalOptions& options, std::int64_t count, Rng rng) {
  std::vector<double> times(static_cast<std::size_t>(count), 0.0);
  if (options.process == Arrivals::all_at_once || count < 2) return times;
  for (std::size_t i = 1; i < times.size(); ++i) times[i] = times[i - 1] + rng.exponential(1);

  const WeekClock week;
  const bool is_diurnal = options.process == Arrivals::diurnal;
  double gap_seconds = options.interarrival_seconds;
  if (options.span_seconds && times.back() > 0) {
    // A Poisson process given its last arrival: all the others scale with it.
    const double span = *options.span_seconds;
    gap_seconds = (is_diurnal ? week.even_time(span) : span) / times.back();
  }
  for (double& time : times) {
    time *= gap_seconds;
    if (is_diurnal) time = week.wall_time(time);
  }
  return times;
}

}  // namespace muster
