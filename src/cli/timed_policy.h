#pragma once

#include <chrono>

#include "core/policy.h"
#include "report/histogram.h"

namespace muster {

// Passes everything on to a policy and measures how long its decisions take.
class TimedPolicy final : public Policy {
 public:
  // `policy` must outlive this one.
  explicit TimedPolicy(Policy& policy) : policy_(policy) {}

  Plan decide(const Snapshot& snapshot) override {
    const auto begin = std::chrono::steady_clock::now();
    Plan plan = policy_.decide(snapshot);
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;
    times_.add(taken.count());
    return plan;
  }
  Traits traits() const override { return policy_.traits(); }
  void transfer(Archive& archive) override { policy_.transfer(archive); }

  const DurationHistogram& times() const { return times_; }

 private:
  Policy& policy_;
  DurationHistogram times_;
};

}  // namespace muster
