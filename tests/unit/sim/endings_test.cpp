// How simulations end that do not go well.
#include <gtest/gtest.h>

#include "support/simulation.h"
#include "support/test_policies.h"

namespace muster {
namespace {

using std::chrono::seconds;
using testing::plain_arrival;
using testing::plain_cluster;
using testing::PlainModel;
using testing::simulate;
using testing::Simulated;

TEST(Endings, a_rejected_job_leaves_nobody_stuck) {
  const Simulated simulated =
      simulate(plain_cluster(1, 2), {plain_arrival(0, 1, 10), plain_arrival(0, 3, 10)}, "fifo",
               {.failure_mean = std::chrono::hours(1)});
  EXPECT_EQ(simulated.jobs[1].state, JobState::rejected);
  EXPECT_EQ(simulated.jobs[0].state, JobState::finished);
  EXPECT_FALSE(simulated.is_stuck);
  EXPECT_LT(simulated.counters.decisions, 100);
}

TEST(Endings, nodes_that_fail_faster_than_anything_is_saved_do_not_go_on_for_ever) {
  const PlainModel model;
  testing::GreedyPolicy policy;
  const Cluster cluster = plain_cluster(2, 2);
  const std::vector<Arrival> arrivals = {plain_arrival(0, 1, 3600)};
  Engine engine(cluster, model, policy);
  SimWorld world(cluster, model, arrivals, {.failure_mean = seconds(1), .repair_mean = seconds(1)});
  ASSERT_TRUE(run(engine, world));
  EXPECT_TRUE(world.is_hopeless());
}

TEST(Endings, a_job_that_would_outlast_time_fails) {
  std::vector<Arrival> arrivals = {plain_arrival(0, 1, 1)};
  arrivals[0].spec.total_steps = 1'000'000'000'000'000'000;
  arrivals[0].spec.reference_steps_per_second = 1e-3;
  const Simulated simulated = simulate(plain_cluster(1, 1), arrivals, "fifo");
  ASSERT_FALSE(simulated.error);
  EXPECT_EQ(simulated.jobs[0].state, JobState::failed);
}

TEST(Endings, a_chain_of_long_jobs_does_not_overflow_time) {
  std::vector<Arrival> arrivals;
  for (int i = 0; i < 120; ++i) arrivals.push_back(plain_arrival(0, 1, 1e11));
  const Simulated simulated = simulate(plain_cluster(1, 1), arrivals, "fifo");
  ASSERT_FALSE(simulated.error);
  Time previous{};
  for (const testing::SimulatedJob& job : simulated.jobs) {
    ASSERT_TRUE(job.end);
    if (job.state != JobState::finished) continue;
    EXPECT_NEAR(to_seconds(*job.end - previous), 1e11, 1e-3);  // Doubles hold no more.
    previous = *job.end;
  }
  EXPECT_EQ(simulated.jobs.back().state, JobState::failed);
}

TEST(Endings, planned_changes_do_not_multiply_random_failures) {
  const auto losses = [](std::vector<NodeChange> changes) {
    const PlainModel model;
    const std::vector<Arrival> arrivals = {plain_arrival(0, 1, 3e6)};
    const Cluster cluster = plain_cluster(2, 1);
    testing::GreedyPolicy policy;
    Engine engine(cluster, model, policy);
    SimWorld world(cluster, model, arrivals,
                   {.checkpoint_interval = seconds(1),
                    .failure_mean = seconds(10000),
                    .repair_mean = seconds(100),
                    .node_changes = std::move(changes)});
    int count = 0;
    EXPECT_TRUE(run(engine, world, [&](const Batch& batch, const Engine::Step&) {
      for (const Event& event : batch.events) count += std::holds_alternative<NodeLost>(event);
      return true;
    }));
    return count;
  };
  std::vector<NodeChange> changes;
  for (int i = 1; i <= 20; ++i) {
    changes.push_back({.at = Time(seconds(i * 10000)), .node = NodeId(1U), .joins = i % 2 == 0});
  }
  const int without = losses({});
  EXPECT_GT(without, 200);
  EXPECT_NEAR(losses(changes), without, 60);
}

}  // namespace
}  // namespace muster
