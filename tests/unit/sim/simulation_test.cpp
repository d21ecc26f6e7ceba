// The engine in the simulated world.
#include <gtest/gtest.h>

#include "support/simulation.h"
#include "support/test_policies.h"

namespace muster {
namespace {

using std::chrono::hours;
using std::chrono::minutes;
using std::chrono::seconds;
using testing::plain_arrival;
using testing::plain_cluster;
using testing::PlainModel;
using testing::simulate;
using testing::Simulated;

Time at(double at_seconds) { return Time(from_seconds(at_seconds)); }

TEST(Simulation, jobs_wait_for_gpus_and_finish_on_time) {
  testing::GreedyPolicy policy;
  const Simulated simulated =
      simulate(plain_cluster(1, 4),
               {plain_arrival(0, 4, 100), plain_arrival(10, 3, 20), plain_arrival(20, 1, 50)},
               policy, PlainModel());
  EXPECT_EQ(simulated.jobs[0].end, at(100));
  EXPECT_EQ(simulated.jobs[1].first_start, at(100));
  EXPECT_EQ(simulated.jobs[1].end, at(120));
  EXPECT_EQ(simulated.jobs[2].end, at(150));
  EXPECT_FALSE(simulated.is_stuck);
}

// The newcomer's policy would preempt, but the GPUs are free at that instant.
TEST(Simulation, a_run_that_finishes_when_a_newcomer_arrives_is_not_stopped) {
  testing::FunctionPolicy policy([](const Snapshot& snapshot) {
    Plan plan;
    if (snapshot.waiting.empty()) return plan;
    for (const auto& [id, run] : snapshot.runs) plan.stops.push_back(id);
    plan.start(snapshot.waiting.back(), {{.pool = PoolId(0U), .gpu_count = 1}});
    return plan;
  });
  const Simulated simulated =
      simulate(plain_cluster(1, 1), {plain_arrival(0, 1, 50), plain_arrival(50, 1, 50)}, policy,
               PlainModel());
  EXPECT_EQ(simulated.counters.stops, 0);
  EXPECT_EQ(simulated.jobs[0].run_count, 1);
  EXPECT_EQ(simulated.jobs[1].end, at(100));
}

TEST(Simulation, a_preemption_without_latencies_takes_no_time) {
  testing::FunctionPolicy policy([](const Snapshot& snapshot) {
    Plan plan;  // The last to come goes first.
    if (snapshot.waiting.empty()) return plan;
    const JobId last = snapshot.waiting.back();
    const bool is_newest = snapshot.running.empty() || snapshot.running.back() < last;
    if (!is_newest) return plan;
    for (const auto& [id, run] : snapshot.runs) {
      if (run.is_wanted()) plan.stops.push_back(id);
    }
    plan.start(last, {{.pool = PoolId(0U), .gpu_count = 1}});
    return plan;
  });
  const Simulated simulated =
      simulate(plain_cluster(1, 1), {plain_arrival(0, 1, 100), plain_arrival(30, 1, 50)}, policy,
               PlainModel());
  EXPECT_EQ(simulated.counters.stops, 1);
  EXPECT_EQ(simulated.jobs[1].first_start, at(30));
  EXPECT_EQ(simulated.jobs[1].end, at(80));
  EXPECT_EQ(simulated.jobs[0].end, at(150));
}

TEST(Simulation, a_policy_that_never_starts_anything_ends) {
  testing::ScriptPolicy policy;
  const Simulated simulated =
      simulate(plain_cluster(1, 1), {plain_arrival(0, 1, 100)}, policy, PlainModel());
  EXPECT_TRUE(simulated.is_stuck);
  EXPECT_EQ(simulated.jobs[0].state, JobState::active);
}

TEST(Simulation, a_policy_that_only_wakes_for_ever_ends) {
  testing::FunctionPolicy policy(
      [](const Snapshot& snapshot) { return Plan{.wake_at = snapshot.now + minutes(6)}; });
  const Simulated simulated =
      simulate(plain_cluster(1, 1), {plain_arrival(0, 1, 100)}, policy, PlainModel());
  EXPECT_TRUE(simulated.is_stuck);
  EXPECT_GE(simulated.counters.decisions, SimWorld::idle_batches_max);
  EXPECT_LE(simulated.counters.decisions, SimWorld::idle_batches_max + 2);
}

TEST(Simulation, idle_rounds_before_an_arrival_do_not_count) {
  int wakes = 0;
  testing::FunctionPolicy policy([&](const Snapshot& snapshot) {
    Plan plan{.wake_at = snapshot.now + seconds(1)};
    ++wakes;
    if (!snapshot.waiting.empty() && snapshot.free_total > 0) {
      plan.start(snapshot.waiting.front(), {{.pool = PoolId(0U), .gpu_count = 1}});
    }
    return plan;
  });
  const Simulated simulated =
      simulate(plain_cluster(1, 1), {plain_arrival(0, 1, 1), plain_arrival(15000, 1, 1)}, policy,
               PlainModel());
  EXPECT_FALSE(simulated.is_stuck);
  EXPECT_EQ(simulated.jobs[1].end, at(15001));
  EXPECT_GT(wakes, SimWorld::idle_batches_max);
}

TEST(Simulation, failures_come_with_the_seed_and_do_not_depend_on_the_policy) {
  const SimOptions options{.failure_mean = hours(2), .repair_mean = minutes(5), .seed = 4};
  const auto losses = [](Policy& policy, const SimOptions& sim) {
    std::vector<std::pair<Time, std::uint32_t>> found;
    simulate(plain_cluster(3, 2), {plain_arrival(0, 2, 20000), plain_arrival(0, 2, 30000)}, policy,
             PlainModel(), sim, [&](const Batch& batch, const Engine::Step&) {
               for (const Event& event : batch.events) {
                 const auto* lost = std::get_if<NodeLost>(&event);
                 if (lost != nullptr) found.emplace_back(batch.now, lost->node.value());
               }
               return batch.now < at(20000);
             });
    return found;
  };
  testing::GreedyPolicy greedy;
  testing::RandomPolicy random(3);
  const auto with_greedy = losses(greedy, options);
  const auto with_random = losses(random, options);
  ASSERT_GE(with_greedy.size(), 3U);
  const std::size_t both = std::min(with_greedy.size(), with_random.size());
  for (std::size_t i = 0; i + 1 < both; ++i) EXPECT_EQ(with_greedy[i], with_random[i]);
  testing::GreedyPolicy again;
  EXPECT_EQ(losses(again, options), with_greedy);
  testing::GreedyPolicy other_seed;
  SimOptions seeded = options;
  seeded.seed = 5;
  EXPECT_NE(losses(other_seed, seeded), with_greedy);
}

TEST(Simulation, every_job_finishes_in_spite_of_failures) {
  std::vector<Arrival> arrivals;
  for (int job = 0; job < 20; ++job)
    arrivals.push_back(plain_arrival(job * 100, 1 + job % 3, 3000));
  testing::GreedyPolicy policy;
  const Simulated simulated = simulate(plain_cluster(3, 2), arrivals, policy, PlainModel(),
                                       {.checkpoint_interval = minutes(10),
                                        .failure_mean = hours(3),
                                        .repair_mean = minutes(20),
                                        .seed = 2});
  EXPECT_FALSE(simulated.is_stuck);
  int restarts = 0;
  for (const auto& job : simulated.jobs) {
    EXPECT_EQ(job.state, JobState::finished);
    restarts += job.run_count - 1;
  }
  EXPECT_GT(restarts, 0);
}

TEST(Simulation, a_copy_of_the_world_goes_on_identically) {
  const Cluster cluster = plain_cluster(3, 2);
  std::vector<Arrival> arrivals;
  for (int job = 0; job < 10; ++job) arrivals.push_back(plain_arrival(job * 50, 1 + job % 3, 400));
  const PlainModel model;
  testing::RandomPolicy policy(5);
  Engine engine(cluster, model, policy);
  SimWorld world(cluster, model, arrivals,
                 {.start_latency = seconds(2),
                  .stop_latency = seconds(3),
                  .failure_mean = minutes(20),
                  .repair_mean = minutes(1),
                  .seed = 6});
  int steps = 0;
  ASSERT_TRUE(run(engine, world, [&](const Batch&, const Engine::Step& step) {
    if (++steps < 40) return true;
    world.execute(step.commands);  // The loop ends before it does that.
    return false;
  }));
  SimWorld copy = world;
  testing::RandomPolicy same(0);
  Engine twin(cluster, model, same);
  ASSERT_TRUE(twin.load(engine.save()));
  std::vector<std::pair<Time, std::size_t>> batches;
  const auto note = [&](const Batch& batch, const Engine::Step&) {
    batches.emplace_back(batch.now, batch.events.size());
    return true;
  };
  ASSERT_TRUE(run(engine, world, note));
  const auto first = batches;
  batches.clear();
  ASSERT_TRUE(run(twin, copy, note));
  EXPECT_EQ(batches, first);
  EXPECT_GT(first.size(), 10U);
  EXPECT_EQ(twin.schedule_hash(), engine.schedule_hash());
}

// Belief and truth differ by these factors.
Simulated simulate_truth(double believed, double true_factor, std::vector<Arrival> arrivals) {
  const Cluster cluster = plain_cluster(1, 1);
  const testing::TypedModel belief({believed});
  const testing::TypedModel truth({true_factor});
  testing::GreedyPolicy policy;
  Engine engine(cluster, belief, policy);
  SimWorld world(cluster, truth, arrivals);
  Simulated simulated;
  simulated.jobs.resize(arrivals.size());
  int steps = 0;
  EXPECT_TRUE(run(engine, world, [&](const Batch& batch, const Engine::Step& step) {
    for (const JobId id : step.ended) simulated.jobs[id.index()].end = batch.now;
    return ++steps < 1000;
  }));
  EXPECT_LT(steps, 1000);
  for (const Job& job : engine.jobs()) {
    simulated.jobs[job.id.index()].state = job.state;
    simulated.jobs[job.id.index()].run_count = job.run_count;
  }
  return simulated;
}

TEST(Simulation, the_truth_decides_when_a_run_ends) {
  EXPECT_EQ(simulate_truth(1, 0.5, {plain_arrival(0, 1, 100)}).jobs[0].end, at(200));
  EXPECT_EQ(simulate_truth(1, 4, {plain_arrival(0, 1, 100)}).jobs[0].end, at(25));
}

TEST(Simulation, what_does_not_run_in_truth_fails_and_is_given_up) {
  const Simulated simulated =
      simulate_truth(1, 0, {plain_arrival(0, 1, 100), plain_arrival(5, 1, 100)});
  for (const auto& job : simulated.jobs) {
    EXPECT_EQ(job.state, JobState::failed);
    EXPECT_EQ(job.run_count, EngineOptions().failures_max + 1);
  }
}

TEST(Simulation, cancelled_arrivals_end_as_cancelled) {
  std::vector<Arrival> arrivals = {plain_arrival(0, 1, 100), plain_arrival(0, 1, 100),
                                   plain_arrival(0, 1, 100), plain_arrival(20, 1, 10)};
  arrivals[0].cancelled_at = at(30);
  arrivals[1].cancelled_at = at(10);
  arrivals[3].cancelled_at = at(20);
  testing::GreedyPolicy policy;
  const Simulated simulated =
      simulate(plain_cluster(1, 1), arrivals, policy, PlainModel(), {.stop_latency = seconds(1)});
  EXPECT_EQ(simulated.jobs[0].state, JobState::cancelled);
  EXPECT_EQ(simulated.jobs[0].end, at(31));
  EXPECT_EQ(simulated.jobs[1].state, JobState::cancelled);
  EXPECT_EQ(simulated.jobs[1].end, at(10));
  EXPECT_EQ(simulated.jobs[1].run_count, 0);
  EXPECT_EQ(simulated.jobs[2].state, JobState::finished);
  EXPECT_EQ(simulated.jobs[2].end, at(131));
  EXPECT_EQ(simulated.jobs[3].state, JobState::cancelled);
  EXPECT_EQ(simulated.jobs[3].end, at(20));
}

}  // namespace
}  // namespace muster
