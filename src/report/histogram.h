#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace muster {

// Durations in logarithmic buckets, each 1 % wider than the one before: what they cost and how much
// memory they take does not depend on how many there are. It reads no clock.
class DurationHistogram {
 public:
  DurationHistogram();

  // O(1). Below a nanosecond counts as one, above 11 days as 11 days, in percentiles only.
  void add(double seconds);

  std::int64_t count() const { return count_; }
  // Exact; nothing where there are no durations.
  std::optional<double> mean_seconds() const;
  std::optional<double> max_seconds() const;
  // Nearest rank: at least `percent` of the durations are no longer, up to 1 % too long.
  // REQUIRES: 0 < percent <= 100.
  std::optional<double> percentile_seconds(double percent) const;

 private:
  std::vector<std::int64_t> buckets_;
  std::int64_t count_ = 0;
  double sum_seconds_ = 0;
  double max_seconds_ = 0;
};

}  // namespace muster
