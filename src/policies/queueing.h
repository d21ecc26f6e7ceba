#pragma once

#include <functional>

#include "core/plan.h"
#include "policies/order.h"

namespace muster {

// What every policy with one ordered queue remembers: shapes and waiting jobs.
class WaitingJobs {
 public:
  explicit WaitingJobs(PlacementRule rule) : shapes_(rule) {}

  // Brings the queue up to date with snapshot.changed: jobs that wait are in it under the rank
  // that `rank_of` gives (asked once per stay), others are not. Jobs that the placement rule can
  // never place are rejected in `plan`.
  void update(const Snapshot& snapshot, Plan& plan,
              const std::function<Rank(const Job&)>& rank_of);
  // Says why the jobs of snapshot.changed that still wait do so. Call after planning.
  void explain(const Snapshot& snapshot, const Capacity& capacity, Plan& plan) const;

  const ShapedQueue& queue() const { return queue_; }
  ShapedQueue& queue() { return queue_; }
  const Shape& shape(ShapeId id) const { return shapes_[id]; }
  ShapeId shape_of(const Snapshot& snapshot, const JobSpec& spec) {
    return shapes_.shape_of(snapshot, spec);
  }
  void transfer(Archive& archive) { archive(shapes_, queue_); }

 private:
  ShapeTable shapes_;
  ShapedQueue queue_;
};

// Starts waiting jobs in order while there are free GPUs, passing over those that do not fit
// (`strict`: stops at the first instead). Cost: O((starts + shapes) log waiting + starts x pools).
void start_in_order(const WaitingJobs& waiting, Capacity& capacity, Plan& plan, bool strict);

}  // namespace muster
