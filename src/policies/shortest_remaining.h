#pragma once

#include <vector>

#include "core/policy.h"
#include "policies/preemption.h"

namespace muster {

// Shared by SRTF and SRSF: a preemptive pass in the order of remaining work. Equal keys keep the
// order of the previous pass; newcomers come last in trace order.
class ShortestRemaining final : public Policy {
 public:
  enum class Measure : std::uint8_t { time, service };  // Seconds; seconds x GPUs.

  ShortestRemaining(Measure measure, PlacementRule rule) : measure_(measure), waiting_(rule) {}

  Plan decide(const Snapshot& snapshot) override;
  void transfer(Archive& archive) override {
    archive(waiting_, running_, best_rates_, next_stamp_);
  }

 private:
  double key(const Job& job, std::int64_t steps_left) const;
  double best_rate(const Snapshot& snapshot, const Job& job);

  Measure measure_;
  WaitingJobs waiting_;
  RunningJobs running_;
  std::vector<double> best_rates_;  // By JobId: steps per second on the fastest type; 0: not asked.
  std::uint64_t next_stamp_ = 0;
  Capacity capacity_;
};

}  // namespace muster
