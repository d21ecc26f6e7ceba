#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <utility>

#include "base/rng.h"
#include "core/policy.h"
#include "policies/registry.h"

namespace muster::testing {

// First fit, whose plans are then spoilt. Each function below is a maker of policies that break one
// rule; a test of a rule that lets its policy pass is worth nothing.
class SpoiltPolicy final : public Policy {
 public:
  using Spoil = std::function<void(const Snapshot&, Plan&)>;

  explicit SpoiltPolicy(Spoil spoil)
      : good_(parse_policy("first-fit", nullptr)->make({})), spoil_(std::move(spoil)) {}

  Plan decide(const Snapshot& snapshot) override {
    Plan plan = good_->decide(snapshot);
    spoil_(snapshot, plan);
    return plan;
  }
  void transfer(Archive& archive) override { good_->transfer(archive); }

 private:
  std::unique_ptr<Policy> good_;
  Spoil spoil_;
};

inline std::unique_ptr<Policy> spoilt(SpoiltPolicy::Spoil spoil) {
  return std::make_unique<SpoiltPolicy>(std::move(spoil));
}

inline bool starts_job(const Plan& plan, JobId job) {
  return std::any_of(plan.starts.begin(), plan.starts.end(),
                     [&](const Assignment& start) { return start.parts.front().job == job; });
}

// Gives a waiting job GPUs that others have.
inline std::unique_ptr<Policy> make_oversubscriber() {
  return spoilt([](const Snapshot& snapshot, Plan& plan) {
    for (const JobId id : snapshot.waiting) {
      if (starts_job(plan, id)) continue;
      const std::int32_t gpus = snapshot.job(id).spec.gpu_count;
      for (std::size_t i = 0; i < snapshot.cluster.pools.size(); ++i) {
        if (snapshot.cluster.pools[i].gpu_count < gpus || snapshot.free[i] >= gpus) continue;
        plan.start(id, {{.pool = PoolId(i), .gpu_count = gpus}});
        return;
      }
    }
  });
}

// Starts a gang with a worker too few.
inline std::unique_ptr<Policy> make_gang_splitter() {
  return spoilt([](const Snapshot&, Plan& plan) {
    for (Assignment& start : plan.starts) {
      if (start.placement.front().gpu_count > 1) --start.placement.front().gpu_count;
    }
  });
}

// Never starts some of the jobs.
inline std::unique_ptr<Policy> make_forgetter() {
  return spoilt([](const Snapshot&, Plan& plan) {
    std::erase_if(plan.starts,
                  [](const Assignment& start) { return start.parts.front().job.value() % 4 == 1; });
  });
}

// Depends on something outside: a number that goes on from one simulation to the next.
inline std::unique_ptr<Policy> make_dice_thrower(std::uint64_t& outside) {
  return spoilt([&outside](const Snapshot&, Plan& plan) {
    if (Rng{outside++}.uniform() < 0.3 && !plan.starts.empty()) plan.starts.pop_back();
  });
}

// Skips a start now and then, and does not save how often it was asked.
inline std::unique_ptr<Policy> make_amnesiac() {
  return spoilt([asked = 0](const Snapshot&, Plan& plan) mutable {
    if (++asked % 3 == 0 && !plan.starts.empty()) plan.starts.pop_back();
  });
}

// Lets users of odd numbers wait while others do.
inline std::unique_ptr<Policy> make_favourer() {
  return spoilt([](const Snapshot& snapshot, Plan& plan) {
    if (snapshot.waiting.size() < 2) return;
    std::erase_if(plan.starts, [&](const Assignment& start) {
      return snapshot.job(start.parts.front().job).spec.user.value() % 2 == 1;
    });
  });
}

// Stops a job whenever there is nothing else to do.
inline std::unique_ptr<Policy> make_flip_flopper() {
  return spoilt([](const Snapshot& snapshot, Plan& plan) {
    if (!plan.is_empty() || snapshot.running.empty()) return;
    const Job& job = snapshot.job(snapshot.running.front());
    if (snapshot.may_stop(snapshot.run(job.runs.back()))) plan.stops.push_back(job.runs.back());
  });
}

// Runs one job at a time.
inline std::unique_ptr<Policy> make_idler() {
  return spoilt([](const Snapshot& snapshot, Plan& plan) {
    if (!snapshot.running.empty()) plan.starts.clear();
    if (plan.starts.size() > 1) plan.starts.resize(1);
  });
}

// Starts a job on a node that is down.
inline std::unique_ptr<Policy> make_ghost_rider() {
  return spoilt([](const Snapshot& snapshot, Plan& plan) {
    for (const JobId id : snapshot.waiting) {
      if (starts_job(plan, id)) continue;
      for (std::size_t i = 0; i < snapshot.cluster.pools.size(); ++i) {
        if (snapshot.cluster.is_usable(PoolId(i))) continue;
        plan.start(id, {{.pool = PoolId(i), .gpu_count = snapshot.job(id).spec.gpu_count}});
        return;
      }
    }
  });
}

// Puts a gang on two GPU types without saying so in its traits.
inline std::unique_ptr<Policy> make_mixer() {
  return spoilt([](const Snapshot& snapshot, Plan& plan) {
    for (const JobId id : snapshot.waiting) {
      if (starts_job(plan, id)) continue;
      const std::int32_t gpus = snapshot.job(id).spec.gpu_count;
      for (std::size_t i = 1; i < snapshot.cluster.pools.size(); ++i) {
        const Pool& pool = snapshot.cluster.pools[i];
        const Pool& before = snapshot.cluster.pools[i - 1];
        if (pool.type == before.type || gpus < 2) continue;
        plan.start(id, {{.pool = PoolId(i - 1), .gpu_count = 1},
                        {.pool = PoolId(i), .gpu_count = gpus - 1}});
        return;
      }
    }
  });
}

// Plans more steps than the job has left.
inline std::unique_ptr<Policy> make_overrunner() {
  return spoilt([](const Snapshot& snapshot, Plan& plan) {
    for (Assignment& start : plan.starts) {
      Assignment::Part& part = start.parts.front();
      part.quota = snapshot.job(part.job).spec.total_steps + 1;
    }
  });
}

}  // namespace muster::testing
