#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "support/simulation.h"

namespace muster {
namespace {

using testing::plain_arrival;
using testing::plain_cluster;
using testing::simulate;
using testing::Simulated;

Time at(double at_seconds) { return Time(from_seconds(at_seconds)); }

TEST(Easy, a_short_job_goes_ahead) {
  const Simulated simulated = simulate(
      plain_cluster(1, 4),
      {plain_arrival(0, 2, 100), plain_arrival(1, 4, 50), plain_arrival(2, 2, 98)}, "easy");
  EXPECT_EQ(simulated.jobs[2].first_start, at(2));  // It ends as the head's GPUs come free.
  EXPECT_EQ(simulated.jobs[1].first_start, at(100));
}

TEST(Easy, a_job_that_would_delay_the_head_waits) {
  const Simulated simulated = simulate(
      plain_cluster(1, 4),
      {plain_arrival(0, 2, 100), plain_arrival(1, 4, 50), plain_arrival(2, 2, 98.001)}, "easy");
  EXPECT_EQ(simulated.jobs[1].first_start, at(100));
  EXPECT_EQ(simulated.jobs[2].first_start, at(150));
}

TEST(Easy, a_long_job_may_use_what_the_head_leaves) {
  const Simulated simulated = simulate(plain_cluster(1, 4),
                                       {plain_arrival(0, 2, 100), plain_arrival(1, 3, 50),
                                        plain_arrival(2, 1, 1000), plain_arrival(3, 1, 1000)},
                                       "easy");
  EXPECT_EQ(simulated.jobs[2].first_start, at(2));  // The one GPU that the head does not need.
  EXPECT_EQ(simulated.jobs[1].first_start, at(100));
  EXPECT_EQ(simulated.jobs[3].first_start, at(150));
}

TEST(Easy, only_the_head_has_a_reservation) {
  // The second in the queue is delayed by the third.
  const Simulated simulated = simulate(plain_cluster(1, 4),
                                       {plain_arrival(0, 3, 100), plain_arrival(1, 2, 100),
                                        plain_arrival(2, 4, 10), plain_arrival(3, 1, 1000)},
                                       "easy");
  EXPECT_EQ(simulated.jobs[1].first_start, at(100));
  EXPECT_EQ(simulated.jobs[3].first_start, at(3));
  EXPECT_EQ(simulated.jobs[2].first_start, at(1003));
}

// The moment at which the first waiting job has its GPUs if those that run are the last to come.
Time shadow_of(const Engine& engine, JobId head, std::int32_t gpus) {
  std::vector<std::pair<Time, std::int32_t>> ends;
  for (const auto& [id, run] : engine.runs()) {
    const std::int32_t held = gpu_total(engine.grants().at(run.grant).placement);
    gpus -= held;
    ends.emplace_back(run.pace.when(run.steps), held);
  }
  std::sort(ends.begin(), ends.end());
  for (const auto& [end, held] : ends) {
    gpus += held;
    if (gpus >= engine.jobs()[head.index()].spec.gpu_count) return end;
  }
  return time_never;
}

TEST(Easy, the_head_never_starts_later_than_promised) {
  Rng rng{1};
  const testing::PlainModel model;
  int promises = 0;
  for (int round = 0; round < 300; ++round) {
    const Cluster cluster = plain_cluster(2, 4);
    std::vector<Arrival> arrivals;
    double submit = 0;
    for (std::uint64_t jobs = 2 + rng.below(30); jobs > 0; --jobs) {
      submit += static_cast<double>(rng.below(30));
      arrivals.push_back(plain_arrival(submit, static_cast<int>(1 + rng.below(8)),
                                       static_cast<double>(1 + rng.below(200))));
    }
    auto choice = parse_policy("easy", nullptr);
    ASSERT_TRUE(choice);
    const auto policy = choice->make({});
    Engine engine(cluster, model, *policy);
    SimWorld world(cluster, model, arrivals);
    std::map<JobId, Time> promised;
    const Result<void> done = run(engine, world, [&](const Batch& batch, const Engine::Step& step) {
      for (const Command& command : step.commands) {
        const auto* start = std::get_if<StartRun>(&command);
        if (start == nullptr || promised.count(start->job) == 0) continue;
        EXPECT_LE(batch.now, promised.at(start->job)) << "round " << round;
        ++promises;
      }
      // Between a start and its report, ends are not yet known.
      const bool all_run =
          std::all_of(engine.runs().begin(), engine.runs().end(),
                      [](const auto& entry) { return entry.second.state == RunState::running; });
      const auto waiting = engine.snapshot().waiting;
      if (all_run && !waiting.empty()) {
        const Time shadow = shadow_of(engine, waiting.front(), cluster.gpu_count());
        const auto [known, is_new] = promised.try_emplace(waiting.front(), shadow);
        known->second = std::min(known->second, shadow);
      }
      return true;
    });
    ASSERT_TRUE(done) << done.error().message;
    ASSERT_FALSE(::testing::Test::HasFailure());
    for (const Job& job : engine.jobs()) ASSERT_EQ(job.state, JobState::finished);
  }
  EXPECT_GT(promises, 500);
}

TEST(Easy, slower_types_are_used_only_if_the_head_does_not_wait_longer) {
  Cluster cluster;
  const GpuTypeId fast = cluster.add_type({.name = "fast"});
  const GpuTypeId slow = cluster.add_type({.name = "slow"});
  cluster.add_node({.name = "a"}, {{fast, 2}});
  cluster.add_node({.name = "b"}, {{slow, 2}});
  std::vector<Arrival> arrivals = {plain_arrival(0, 1, 100), plain_arrival(1, 2, 50),
                                   plain_arrival(2, 1, 200)};
  arrivals[0].spec.types_allowed = 0b01;
  arrivals[1].spec.types_allowed = 0b01;
  const Simulated simulated = simulate(cluster, arrivals, "easy");
  EXPECT_EQ(simulated.jobs[1].first_start, at(100));
  EXPECT_EQ(simulated.jobs[2].first_start, at(2));  // On a slow GPU, not beside job 0.
}

TEST(Easy, what_never_fits_is_rejected_and_holds_nobody_up) {
  const Simulated simulated =
      simulate(plain_cluster(3, 4), {plain_arrival(0, 10, 10), plain_arrival(0, 5, 10)},
               "easy:placement=consolidated");
  EXPECT_EQ(simulated.jobs[0].end, at(10));
  EXPECT_EQ(simulated.jobs[1].end, at(20));
  const Simulated too_large =
      simulate(plain_cluster(1, 4), {plain_arrival(0, 5, 10), plain_arrival(0, 4, 10)}, "easy");
  EXPECT_EQ(too_large.jobs[0].state, JobState::rejected);
  EXPECT_EQ(too_large.jobs[1].end, at(10));
}

}  // namespace
}  // namespace muster
