#include "policies/gittins.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

namespace muster {
namespace {

constexpr double scale = 1e6;

double rounded(double value, double places) { return std::round(value * places) / places; }

}  // namespace

void GittinsIndex::set_samples(std::vector<double> gpu_seconds) {
  samples_ = std::move(gpu_seconds);
  std::sort(samples_.begin(), samples_.end());
  learned_.clear();
  build();
}

bool GittinsIndex::learn(double gpu_seconds) {
  learned_.push_back(gpu_seconds);
  if (learned_.size() * 16 < samples_.size()) return false;
  std::sort(learned_.begin(), learned_.end());
  std::vector<double> merged;
  merged.reserve(samples_.size() + learned_.size());
  std::merge(samples_.begin(), samples_.end(), learned_.begin(), learned_.end(),
             std::back_inserter(merged));
  samples_ = std::move(merged);
  learned_.clear();
  build();
  return true;
}

void GittinsIndex::build() {
  const std::size_t n = samples_.size();
  std::vector<double> sums(n + 1, 0);
  for (std::size_t i = 0; i < n; ++i) sums[i + 1] = sums[i] + samples_[i];
  indices_.assign(n, 0);
  for (std::size_t sample = 0; sample < n; ++sample) {
    const double attained = samples_[sample] - 1;
    const auto above = [&](double bound) {
      return static_cast<std::size_t>(std::upper_bound(samples_.begin(), samples_.end(), bound) -
                                      samples_.begin());
    };
    const std::size_t i = above(attained);
    const std::size_t k =
        attained + quantum_ > samples_.back() - 1 ? n - 1 : above(attained + quantum_);
    if (k <= i) continue;
    const auto left = static_cast<double>(n - i);
    const double probability = rounded(static_cast<double>(k - i) / left, 1e5);
    const double expectation =
        std::floor((sums[k] - sums[i] + quantum_ * static_cast<double>(n - k)) / left);
    if (expectation > 0) indices_[sample] = rounded(scale * probability / expectation, 1e4);
  }
}

GittinsIndex::Lookup GittinsIndex::lookup(double attained_gpu_seconds, std::size_t from) const {
  const std::size_t n = samples_.size();
  std::size_t low = std::min(from, n);
  std::size_t step = 1;
  while (low + step <= n && samples_[low + step - 1] <= attained_gpu_seconds) {
    low += step;
    step *= 2;
  }
  const auto begin = samples_.begin();
  const auto at = std::upper_bound(begin + static_cast<std::ptrdiff_t>(low),
                                   begin + static_cast<std::ptrdiff_t>(std::min(low + step, n)),
                                   attained_gpu_seconds);
  const auto sample = static_cast<std::size_t>(at - begin);
  if (sample == n) {
    return {.index = 0, .valid_below = std::numeric_limits<double>::infinity(), .sample = sample};
  }
  return {.index = indices_[sample], .valid_below = samples_[sample], .sample = sample};
}

}  // namespace muster
