#include "policies/backfill_queue.h"

#include <algorithm>
#include <limits>

namespace muster {
namespace {

constexpr double absent = std::numeric_limits<double>::infinity();

}  // namespace

std::size_t BackfillQueue::place(JobId job) const {
  return static_cast<std::size_t>(std::lower_bound(jobs_.begin(), jobs_.end(), job) -
                                  jobs_.begin());
}

void BackfillQueue::set(std::size_t place, double estimate_seconds) {
  std::size_t at = leaf_count_ + place;
  minima_[at] = estimate_seconds;
  while (at > 1) {
    at /= 2;
    minima_[at] = std::min(minima_[2 * at], minima_[2 * at + 1]);
  }
}

void BackfillQueue::insert(JobId job, double estimate_seconds) {
  const std::size_t at = place(job);
  if (at == jobs_.size() || jobs_[at] != job) {
    // Late comers are rare (a job whose shape changed); everybody behind moves up.
    jobs_.insert(jobs_.begin() + static_cast<std::ptrdiff_t>(at), job);
    const bool is_last = at + 1 == jobs_.size();
    if (jobs_.size() > leaf_count_ || !is_last) {
      std::vector<double> estimates;
      for (std::size_t i = 0; i + 1 < jobs_.size(); ++i) {
        estimates.push_back(minima_[leaf_count_ + i]);
      }
      estimates.insert(estimates.begin() + static_cast<std::ptrdiff_t>(at), absent);
      while (leaf_count_ < jobs_.size()) leaf_count_ = std::max<std::size_t>(1, leaf_count_ * 2);
      minima_.assign(2 * leaf_count_, absent);
      for (std::size_t i = 0; i < estimates.size(); ++i) set(i, estimates[i]);
    }
  }
  set(at, estimate_seconds);
}

void BackfillQueue::erase(JobId job) {
  const std::size_t at = place(job);
  if (at < jobs_.size() && jobs_[at] == job) set(at, absent);
}

std::optional<BackfillQueue::Item> BackfillQueue::first(std::optional<JobId> after,
                                                        double estimate_max) const {
  std::size_t from = 0;
  if (after) {
    from = place(*after);
    if (from < jobs_.size() && jobs_[from] == *after) ++from;
  }
  if (from >= jobs_.size()) return std::nullopt;
  const auto is_enough = [&](std::size_t at) {
    return minima_[at] <= estimate_max && minima_[at] < absent;
  };
  // Up from the first leaf until a subtree to the right holds one, then down to its first.
  std::size_t at = leaf_count_ + from;
  while (!is_enough(at)) {
    while (at % 2 == 1) {
      at /= 2;
      if (at <= 1) return std::nullopt;
    }
    if (at == 0) return std::nullopt;
    ++at;
  }
  while (at < leaf_count_) at = is_enough(2 * at) ? 2 * at : 2 * at + 1;
  return Item{.job = jobs_[at - leaf_count_], .estimate_seconds = minima_[at]};
}

}  // namespace muster
