#include "report/histogram.h"

#include <algorithm>
#include <cmath>

#include "base/check.h"

namespace muster {
namespace {

constexpr double shortest_seconds = 1e-9;
constexpr double longest_seconds = 1e6;
constexpr double growth = 1.01;

std::size_t bucket_of(double seconds) {
  const double within = std::clamp(seconds, shortest_seconds, longest_seconds);
  return static_cast<std::size_t>(std::log(within / shortest_seconds) / std::log(growth));
}

double upper_edge_seconds(std::size_t bucket) {
  return shortest_seconds * std::pow(growth, static_cast<double>(bucket + 1));
}

}  // namespace

DurationHistogram::DurationHistogram() : buckets_(bucket_of(longest_seconds) + 1, 0) {}

void DurationHistogram::add(double seconds) {
  CHECK(seconds >= 0);
  ++buckets_[bucket_of(seconds)];
  ++count_;
  sum_seconds_ += seconds;
  max_seconds_ = std::max(max_seconds_, seconds);
}

std::optional<double> DurationHistogram::mean_seconds() const {
  if (count_ == 0) return std::nullopt;
  return sum_seconds_ / static_cast<double>(count_);
}

std::optional<double> DurationHistogram::max_seconds() const {
  if (count_ == 0) return std::nullopt;
  return max_seconds_;
}

std::optional<double> DurationHistogram::percentile_seconds(double percent) const {
  CHECK(percent > 0 && percent <= 100);
  if (count_ == 0) return std::nullopt;
  const double rank = std::ceil(percent * static_cast<double>(count_) / 100);
  std::int64_t seen = 0;
  for (std::size_t bucket = 0; bucket + 1 < buckets_.size(); ++bucket) {
    seen += buckets_[bucket];
    if (static_cast<double>(seen) >= rank) {
      return std::min(upper_edge_seconds(bucket), max_seconds_);
    }
  }
  return max_seconds_;  // The last bucket holds whatever is longer.
}

}  // namespace muster
