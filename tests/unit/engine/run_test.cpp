#include "engine/run.h"

#include <gtest/gtest.h>

#include "support/simulation.h"
#include "support/test_policies.h"

namespace muster {
namespace {

using std::chrono::seconds;

// Gives batches that the test has put in; remembers what it was asked for.
class ScriptWorld final : public World {
 public:
  explicit ScriptWorld(std::vector<std::pair<Time, std::vector<Event>>> batches)
      : batches_(std::move(batches)) {}
  std::optional<Batch> next(std::optional<Time> wake_at) override {
    wake_times.push_back(wake_at);
    if (next_ == batches_.size()) return std::nullopt;
    const auto& [now, events] = batches_[next_++];
    return Batch{.now = now, .events = events};
  }
  void execute(std::span<const Command> commands) override {
    executed.insert(executed.end(), commands.begin(), commands.end());
  }

  std::vector<std::optional<Time>> wake_times{};
  std::vector<Command> executed{};

 private:
  std::vector<std::pair<Time, std::vector<Event>>> batches_;
  std::size_t next_ = 0;
};

const Time later = Time(seconds(5));

std::vector<std::pair<Time, std::vector<Event>>> two_submissions() {
  const JobSpec spec{.gpu_count = 1, .total_steps = 10, .reference_steps_per_second = 1};
  return {{Time(), {Submitted{.job = JobId(0U), .spec = spec}}},
          {later, {Submitted{.job = JobId(1U), .spec = spec}}}};
}

struct Loop {
  explicit Loop(std::vector<Plan> plans) : engine(testing::plain_cluster(1, 2), model, policy) {
    for (Plan& plan : plans) policy.add(std::move(plan));
  }
  testing::PlainModel model;
  testing::ScriptPolicy policy;
  Engine engine;
  ScriptWorld world{two_submissions()};
};

Plan start_plan(JobId job) {
  Plan plan;
  plan.start(job, {{.pool = PoolId(0U), .gpu_count = 1}});
  return plan;
}

TEST(Run, carries_commands_and_wake_times) {
  Plan first = start_plan(JobId(0U));
  first.wake_at = Time(seconds(3));
  Loop loop({first, start_plan(JobId(1U))});
  EXPECT_TRUE(run(loop.engine, loop.world));
  EXPECT_EQ(loop.world.executed.size(), 2U);
  EXPECT_EQ(loop.world.wake_times,
            (std::vector<std::optional<Time>>{std::nullopt, Time(seconds(3)), std::nullopt}));
}

TEST(Run, a_refused_plan_ends_it_with_time_and_reason) {
  Loop loop({{}, start_plan(JobId(7U))});
  const Result<void> done = run(loop.engine, loop.world);
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().message, "wrong plan at 5 s: start of an unknown job");
  EXPECT_TRUE(loop.world.executed.empty());
}

TEST(Run, the_observer_sees_every_step_before_it_is_carried_out) {
  Loop loop({start_plan(JobId(0U))});
  std::vector<std::size_t> executed_before;
  EXPECT_TRUE(run(loop.engine, loop.world, [&](const Batch& batch, const Engine::Step& step) {
    executed_before.push_back(loop.world.executed.size());
    EXPECT_EQ(batch.events.size(), 1U);
    EXPECT_EQ(step.commands.size(), batch.now == Time() ? 1U : 0U);
    return true;
  }));
  EXPECT_EQ(executed_before, (std::vector<std::size_t>{0, 1}));
}

TEST(Run, the_observer_can_end_it) {
  Loop loop({start_plan(JobId(0U))});
  EXPECT_TRUE(
      run(loop.engine, loop.world, [](const Batch&, const Engine::Step&) { return false; }));
  EXPECT_TRUE(loop.world.executed.empty());
  EXPECT_EQ(loop.engine.jobs().size(), 1U);
}

}  // namespace
}  // namespace muster
