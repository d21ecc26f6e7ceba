#pragma once

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "engine/engine.h"
#include "support/simulation.h"
#include "support/test_policies.h"

namespace muster::testing {

inline Time at(double seconds) { return Time(from_seconds(seconds)); }

struct StageOptions {
  Cluster cluster = plain_cluster(1, 4);
  EngineOptions engine{};
  Policy::Traits traits{};
  const PerformanceModel* belief = nullptr;  // Null: PlainModel.
};

// An engine that a test plays by hand: it says what happens, and what the policy answers if asked.
// The invariants are checked after every step.
class Stage {
 public:
  explicit Stage(StageOptions options = {})
      : policy_(options.traits),
        engine_(options.cluster, options.belief != nullptr ? *options.belief : model_, policy_,
                options.engine) {}

  // `again` answers if the policy is asked twice.
  const Engine::Step& step(double seconds, const std::vector<Event>& events, Plan plan = {},
                           Plan again = {}) {
    const std::int64_t decisions = engine_.counters().decisions;
    policy_.clear();
    policy_.add(std::move(plan));
    policy_.add(std::move(again));
    last_ = engine_.step(at(seconds), events);
    was_asked_ = engine_.counters().decisions > decisions;
    const Result<void> checked = engine_.check_invariants();
    EXPECT_TRUE(checked) << "at " << seconds << ": " << checked.error().message;
    return last_;
  }

  // A job with `steps` of work, one step per second and gang.
  JobId submit(double seconds, JobSpec spec, Plan plan = {}) {
    if (spec.reference_steps_per_second == 0) spec.reference_steps_per_second = 1;
    const JobId id(engine_.jobs().size());
    step(seconds, {Submitted{.job = id, .spec = spec}}, std::move(plan));
    return id;
  }

  template <class T>
  std::vector<T> commands() const {
    std::vector<T> found;
    for (const Command& command : last_.commands) {
      if (const T* one = std::get_if<T>(&command)) found.push_back(*one);
    }
    return found;
  }
  std::vector<RunId> started() const {
    std::vector<RunId> runs;
    for (const StartRun& command : commands<StartRun>()) runs.push_back(command.run);
    return runs;
  }
  std::vector<RunId> stopped() const {
    std::vector<RunId> runs;
    for (const StopRun& command : commands<StopRun>()) runs.push_back(command.run);
    return runs;
  }
  std::vector<JobId> ended() const { return {last_.ended.begin(), last_.ended.end()}; }
  std::string refusal() const { return last_.refused ? last_.refused->message : ""; }
  bool was_asked() const { return was_asked_; }

  Engine& engine() { return engine_; }
  const Job& job(JobId id) const { return engine_.jobs()[id.index()]; }
  const Run& run(RunId id) const { return engine_.runs().at(id); }
  bool is_live(RunId id) const { return engine_.runs().count(id) == 1; }
  std::int32_t free_total() const { return engine_.snapshot().free_total; }
  std::int64_t late_reports() const { return engine_.counters().late_reports; }

 private:
  PlainModel model_;
  ScriptPolicy policy_;
  Engine engine_;
  Engine::Step last_{};
  bool was_asked_ = false;
};

inline Plan start_plan(JobId job, Placement placement, std::optional<std::int64_t> quota = {}) {
  Plan plan;
  plan.start(job, std::move(placement), quota);
  return plan;
}
inline Plan stop_plan(RunId run) { return {.stops = {run}}; }
// So many GPUs of pool 0.
inline Placement first_pool(std::int32_t gpus) { return {{.pool = PoolId(0U), .gpu_count = gpus}}; }

}  // namespace muster::testing
