#pragma once

#include <functional>

#include "core/plan.h"
#include "core/policy.h"
#include "policies/order.h"

namespace muster {

// What every policy with one ordered queue remembers: shapes and waiting jobs.
class WaitingJobs {
 public:
  explicit WaitingJobs(PlacementRule rule) : shapes_(rule) {}

  // Brings the queue up to date with snapshot.changed: jobs that wait are in it under the rank
  // that `rank_of` gives (asked once per stay), others are not. Jobs that the placement rule can
  // never place are rejected in `plan`.
  void update(const Snapshot& snapshot, Plan& plan, const std::function<Rank(const Job&)>& rank_of);
  // Says why the jobs of snapshot.changed that still wait do so; `passed_over` of those that would
  // fit. Jobs that were stopped keep that reason. Call after planning.
  void explain(const Snapshot& snapshot, const Capacity& capacity, Plan& plan,
               Reason passed_over = Reason::behind_others) const;

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

// A policy that has one ordered queue and never stops anything. Cost of a decision:
// O((starts + shapes) log waiting + starts x pools).
class QueuePolicy final : public Policy {
 public:
  // The rank of a job that begins to wait. Ties must not remain.
  using RankOf = Rank (*)(const Snapshot& snapshot, const Job& job);
  enum class Misfit : std::uint8_t {
    blocks,
    is_passed_over
  };  // What a job that does not fit does.

  QueuePolicy(RankOf rank_of, Misfit misfit, PlacementRule rule)
      : rank_of_(rank_of), misfit_(misfit), waiting_(rule) {}

  Plan decide(const Snapshot& snapshot) override;
  void transfer(Archive& archive) override { archive(waiting_); }

 private:
  void start_in_order(Plan& plan);

  RankOf rank_of_;
  Misfit misfit_;
  WaitingJobs waiting_;
  Capacity capacity_;
};

// In the order of submission.
Rank submission_rank(const Snapshot& snapshot, const Job& job);

}  // namespace muster
