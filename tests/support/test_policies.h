#pragma once

#include <algorithm>
#include <cmath>
#include <deque>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "base/rng.h"
#include "core/policy.h"
#include "engine/check_plan.h"

namespace muster::testing {

// So many times the reference rate on each GPU type; a gang goes at the pace of its slowest GPU,
// and several runs on the same GPUs divide their time. 0: the type runs nothing.
class TypedModel final : public PerformanceModel {
 public:
  explicit TypedModel(std::vector<double> factors) : factors_(std::move(factors)) {}
  Rate rate(const JobSpec& job, const Setting& setting) const override {
    double slowest = 1e300;
    for (const Slot& slot : setting.placement) {
      const GpuTypeId type = setting.cluster.pools[slot.pool.index()].type;
      slowest = std::min(slowest, factors_[type.index()]);
    }
    const double gpus = gpu_total(setting.placement);
    return {.steps_per_second = job.reference_steps_per_second * slowest * gpus / job.gpu_count /
                                static_cast<double>(1 + setting.co_runners.size())};
  }

 private:
  std::vector<double> factors_;  // By GpuTypeId.
};

// Answers each decision with a function of the snapshot.
class FunctionPolicy final : public Policy {
 public:
  explicit FunctionPolicy(std::function<Plan(const Snapshot&)> decide, Traits traits = {})
      : decide_(std::move(decide)), traits_(traits) {}
  Plan decide(const Snapshot& snapshot) override { return decide_(snapshot); }
  Traits traits() const override { return traits_; }

 private:
  std::function<Plan(const Snapshot&)> decide_;
  Traits traits_;
};

// Answers each decision with the next plan that the test has put in, then with empty ones.
class ScriptPolicy final : public Policy {
 public:
  explicit ScriptPolicy(Traits traits = {}) : traits_(traits) {}
  void add(Plan plan) { plans_.push_back(std::move(plan)); }
  Plan decide(const Snapshot&) override {
    if (plans_.empty()) return {};
    Plan plan = std::move(plans_.front());
    plans_.pop_front();
    return plan;
  }
  Traits traits() const override { return traits_; }
  bool is_used_up() const { return plans_.empty(); }
  void clear() { plans_.clear(); }

 private:
  std::deque<Plan> plans_;
  Traits traits_;
};

// Starts waiting jobs in order of submission on the first free GPUs of one type that runs them.
class GreedyPolicy final : public Policy {
 public:
  Plan decide(const Snapshot& snapshot) override {
    Plan plan;
    std::vector<std::int32_t> free(snapshot.free.begin(), snapshot.free.end());
    for (const JobId id : snapshot.waiting) {
      const JobSpec& spec = snapshot.job(id).spec;
      for (std::size_t type = 0; type < snapshot.cluster.types.size(); ++type) {
        if (!spec.allows(GpuTypeId(type))) continue;
        Placement placement =
            first_free(snapshot.cluster.pools_by_type[type], free, spec.gpu_count);
        if (placement.empty()) continue;
        const auto rate =
            snapshot.belief.rate(spec, {.cluster = snapshot.cluster, .placement = placement});
        if (!(rate.steps_per_second > 0)) continue;
        for (const Slot& slot : placement) free[slot.pool.index()] -= slot.gpu_count;
        plan.start(id, std::move(placement));
        break;
      }
    }
    return plan;
  }

 private:
  static Placement first_free(const std::vector<PoolId>& pools,
                              const std::vector<std::int32_t>& free, std::int32_t gpus) {
    Placement placement;
    for (const PoolId pool : pools) {
      const std::int32_t taken = std::min(gpus, free[pool.index()]);
      if (taken == 0) continue;
      placement.push_back({.pool = pool, .gpu_count = taken});
      gpus -= taken;
    }
    return gpus == 0 ? placement : Placement();
  }
};

// HadarE's rounds for jobs that may be forked: one copy on each free pool, with as many steps as it
// does in a round; in a job's last round the steps left are divided in proportion to the rates.
class ForkingPolicy final : public Policy {
 public:
  explicit ForkingPolicy(Duration round) : round_(round) {}

  Plan decide(const Snapshot& snapshot) override {
    Plan plan;
    if (!snapshot.runs.empty()) return plan;
    for (const JobId id : snapshot.waiting) start_copies(snapshot, snapshot.job(id), plan);
    return plan;
  }

 private:
  void start_copies(const Snapshot& snapshot, const Job& job, Plan& plan) const {
    std::vector<double> rates;
    std::int64_t in_round = 0;
    for (std::size_t pool = 0; pool < snapshot.cluster.pools.size(); ++pool) {
      const Placement placement = {{.pool = PoolId(pool), .gpu_count = 1}};
      rates.push_back(
          snapshot.belief.rate(job.spec, {.cluster = snapshot.cluster, .placement = placement})
              .steps_per_second);
      in_round += steps_in(rates.back(), round_);
    }
    const std::int64_t left = snapshot.steps_left(job);
    std::vector<std::int64_t> quotas = shares(left, rates);
    for (std::size_t pool = 0; pool < rates.size(); ++pool) {
      if (left > in_round) quotas[pool] = steps_in(rates[pool], round_);
      if (quotas[pool] == 0) continue;
      plan.start(job.id, {{.pool = PoolId(pool), .gpu_count = 1}}, quotas[pool]);
    }
  }

  // The method of the largest remainder; ties go to the lower index.
  static std::vector<std::int64_t> shares(std::int64_t whole, const std::vector<double>& rates) {
    double sum = 0;
    for (const double rate : rates) sum += rate;
    std::vector<std::int64_t> parts;
    std::vector<std::pair<double, std::size_t>> remainders;
    std::int64_t missing = whole;
    for (std::size_t i = 0; i < rates.size(); ++i) {
      const double exact = static_cast<double>(whole) * rates[i] / sum;
      parts.push_back(static_cast<std::int64_t>(std::floor(exact)));
      remainders.emplace_back(std::floor(exact) - exact, i);
      missing -= parts.back();
    }
    std::sort(remainders.begin(), remainders.end());
    for (std::size_t i = 0; missing > 0; ++i, --missing) ++parts[remainders[i].second];
    return parts;
  }

  Duration round_;
};

// Tries whatever a plan can say at random, and keeps what check_plan lets through: stops, starts
// with and without quotas, shared GPUs, joins, forked copies, mixed types, rejections, wake times.
class RandomPolicy final : public Policy {
 public:
  explicit RandomPolicy(std::uint64_t seed, Traits traits = {}) : rng_{seed}, traits_(traits) {}

  Plan decide(const Snapshot& snapshot) override {
    Plan plan;
    for (const auto& entry : snapshot.runs) {
      if (rng_.below(12) != 0) continue;
      keep_if_valid(snapshot, plan, [&] { plan.stops.push_back(entry.first); });
    }
    for (const Job& job : snapshot.jobs) {
      if (job.has_ended()) continue;
      if (rng_.below(200) == 0) {
        keep_if_valid(snapshot, plan, [&] {
          plan.rejects.push_back({.job = job.id, .reason = Reason::share_used});
        });
      }
      for (std::uint64_t tries = rng_.below(3); tries > 0; --tries) {
        Assignment start = random_start(snapshot, job);
        keep_if_valid(snapshot, plan, [&] { plan.starts.push_back(std::move(start)); });
      }
      if (rng_.below(8) == 0) plan.reasons.push_back({.job = job.id, .reason = Reason::gpus_busy});
    }
    // It always comes back, so that a job passed over by chance is not forgotten.
    plan.wake_at = snapshot.now + Duration(static_cast<std::int64_t>(1 + rng_.below(40'000'000)));
    return plan;
  }

  Traits traits() const override { return traits_; }
  void transfer(Archive& archive) override { archive(rng_); }

 private:
  template <class Change>
  void keep_if_valid(const Snapshot& snapshot, Plan& plan, Change change) const {
    Plan before = plan;
    change();
    if (!check_plan(snapshot, plan, traits_)) plan = std::move(before);
  }

  Assignment random_start(const Snapshot& snapshot, const Job& job) {
    Assignment start;
    start.parts.push_back({.job = job.id, .quota = random_quota(job)});
    if (!snapshot.grants.empty() && rng_.below(4) == 0) {
      auto grant = snapshot.grants.begin();
      std::advance(grant, rng_.below(snapshot.grants.size()));
      start.join = grant->first;
      return start;
    }
    if (rng_.below(4) == 0) {
      const Job& other = snapshot.jobs[rng_.below(snapshot.jobs.size())];
      start.parts.push_back({.job = other.id, .quota = random_quota(other)});
    }
    start.placement = random_placement(snapshot, job.spec);
    return start;
  }

  std::optional<std::int64_t> random_quota(const Job& job) {
    const auto left = static_cast<std::uint64_t>(job.spec.total_steps - job.steps_done);
    if (left == 0 || rng_.below(job.spec.copies_max > 1 ? 8 : 3) == 0) return std::nullopt;
    return static_cast<std::int64_t>(1 + rng_.below(left));
  }

  Placement random_placement(const Snapshot& snapshot, const JobSpec& spec) {
    const auto range = static_cast<std::uint64_t>(spec.gpu_max() - spec.gpu_min() + 1);
    std::int32_t missing = spec.gpu_min() + static_cast<std::int32_t>(rng_.below(range));
    const GpuTypeId type(rng_.below(snapshot.cluster.types.size()));
    Placement placement;
    for (std::size_t pool = 0; pool < snapshot.cluster.pools.size() && missing > 0; ++pool) {
      if (!traits_.mixes_types && snapshot.cluster.pools[pool].type != type) continue;
      const std::int32_t there = snapshot.cluster.pools[pool].gpu_count;
      const auto most = static_cast<std::uint64_t>(std::min(missing, there));
      const auto gpus = static_cast<std::int32_t>(rng_.below(most + 1));
      if (gpus == 0) continue;
      placement.push_back({.pool = PoolId(pool), .gpu_count = gpus});
      missing -= gpus;
    }
    return placement;
  }

  Rng rng_;
  Traits traits_;
};

}  // namespace muster::testing
