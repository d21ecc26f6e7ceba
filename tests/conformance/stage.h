#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "core/policy.h"
#include "engine/engine.h"
#include "sim/sim_world.h"
#include "support/random_world.h"

namespace muster::testing {

using PolicyMaker = std::function<std::unique_ptr<Policy>()>;

// One simulation that a test drives step by step, and may fork.
class Stage {
 public:
  // `world` must outlive the stage and its forks.
  Stage(const RandomWorld& world, PolicyMaker make)
      : world_(&world),
        make_(std::move(make)),
        policy_(make_()),
        engine_(world.cluster, world.belief, *policy_, world.engine_options),
        sim_(world.cluster, world.truth, world.arrivals, world.options) {}

  // Fetches the next batch; false when the simulation is over.
  bool next() {
    if (has_ended()) return false;
    batch_ = sim_.next(wake_at_);
    return batch_.has_value();
  }
  // Whether time has passed since the step before: nothing more happened at its instant.
  bool was_settled() const { return batch_->now > now_; }
  // Whether the policy was asked at that instant.
  bool was_asked() const { return asked_at_ == now_; }
  // Makes the step of the batch; false when its plan was refused. The step is valid until the next.
  bool step() {
    const std::int64_t decisions = engine_.counters().decisions;
    step_ = engine_.step(batch_->now, batch_->events);
    now_ = batch_->now;
    if (engine_.counters().decisions > decisions) asked_at_ = now_;
    ++step_count_;
    if (step_->refused) return false;
    sim_.execute(step_->commands);
    wake_at_ = step_->wake_at;
    return true;
  }

  // A second simulation at the same point: engine and policy saved and loaded, the world copied.
  // Null, with `error` set, when loading fails.
  std::unique_ptr<Stage> fork(std::string& error) {
    auto copy = std::make_unique<Stage>(*world_, make_);
    if (auto loaded = copy->engine_.load(engine_.save()); !loaded) {
      error = loaded.error().message;
      return nullptr;
    }
    copy->sim_ = sim_;
    copy->now_ = now_;
    copy->wake_at_ = wake_at_;
    return copy;
  }

  const RandomWorld& world() const { return *world_; }
  const Engine& engine() const { return engine_; }
  Engine& engine() { return engine_; }
  Policy& policy() { return *policy_; }
  const Batch& batch() const { return *batch_; }
  const Engine::Step& last_step() const { return *step_; }
  Time now() const { return now_; }  // Of the last step.
  int step_count() const { return step_count_; }

  // Every job has come and ended, its runs too.
  bool has_ended() const {
    return engine_.jobs().size() == world_->arrivals.size() &&
           std::all_of(engine_.jobs().begin(), engine_.jobs().end(),
                       [](const Job& job) { return job.has_ended() && job.runs.empty(); });
  }

 private:
  const RandomWorld* world_;
  PolicyMaker make_;
  std::unique_ptr<Policy> policy_;
  Engine engine_;
  SimWorld sim_;
  std::optional<Batch> batch_;
  std::optional<Engine::Step> step_;
  Time now_ = Time::min();
  std::optional<Time> asked_at_;
  std::optional<Time> wake_at_;
  int step_count_ = 0;
};

}  // namespace muster::testing
