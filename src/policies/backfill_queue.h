#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/archive.h"
#include "base/id.h"

namespace muster {

// Waiting jobs of one shape in order of submission, with their estimated run times; finds the first
// one that is short enough in O(log n). A tree of minima over the jobs in order.
class BackfillQueue {
 public:
  struct Item {
    JobId job{};
    double estimate_seconds = 0;
  };

  // A job that was in before comes back to its old place. New ones come in ascending order.
  void insert(JobId job, double estimate_seconds);
  void erase(JobId job);  // Absent: nothing.
  // The first job after `after` (or at all) that takes at most `estimate_max` seconds.
  std::optional<Item> first(std::optional<JobId> after, double estimate_max) const;
  void transfer(Archive& archive) { archive(jobs_, minima_, leaf_count_); }

 private:
  std::size_t place(JobId job) const;
  void set(std::size_t place, double estimate_seconds);

  std::vector<JobId> jobs_;     // Ascending; absent ones keep their place.
  std::vector<double> minima_;  // A heap-shaped tree: 1 is the root, leaves begin at leaf_count_.
  std::size_t leaf_count_ = 0;  // A power of two.
};

}  // namespace muster
