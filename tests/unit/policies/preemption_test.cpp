#include "policies/preemption.h"

#include <gtest/gtest.h>

#include <algorithm>

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

Time at(double at_seconds) { return Time(from_seconds(at_seconds)); }

// Smaller weights go first, then the order of submission.
class WeightPolicy final : public Policy {
 public:
  explicit WeightPolicy(PlacementRule rule = PlacementRule::count) : waiting_(rule) {}

  Plan decide(const Snapshot& snapshot) override {
    Plan plan;
    running_.update(snapshot, waiting_);
    for (RunningJob& running : running_.jobs()) running.rank = rank(snapshot.job(running.job));
    running_.sort();
    waiting_.update(snapshot, plan, [](const Job& job) { return rank(job); });
    place_in_order(snapshot, waiting_, running_, capacity_, plan);
    return plan;
  }
  void transfer(Archive& archive) override { archive(waiting_, running_); }

 private:
  static Rank rank(const Job& job) { return {.key = job.spec.weight, .stamp = job.id.value()}; }

  WaitingJobs waiting_;
  RunningJobs running_;
  Capacity capacity_;
};

Arrival weighted_arrival(double submit_seconds, int gpus, double duration_seconds, double weight) {
  Arrival arrival = plain_arrival(submit_seconds, gpus, duration_seconds);
  arrival.spec.weight = weight;
  return arrival;
}

TEST(PlaceInOrder, a_better_newcomer_displaces_the_last) {
  WeightPolicy policy;
  const Simulated simulated =
      simulate(plain_cluster(1, 4),
               {weighted_arrival(0, 2, 100, 1), weighted_arrival(0, 2, 100, 2),
                weighted_arrival(30, 2, 10, 0)},
               policy, PlainModel());
  EXPECT_EQ(simulated.jobs[0].run_count, 1);
  EXPECT_EQ(simulated.jobs[0].end, at(100));
  EXPECT_EQ(simulated.jobs[2].end, at(40));
  EXPECT_EQ(simulated.jobs[1].run_count, 2);
  EXPECT_EQ(simulated.jobs[1].end, at(110));
}

TEST(PlaceInOrder, a_worse_newcomer_waits) {
  WeightPolicy policy;
  const Simulated simulated = simulate(
      plain_cluster(1, 2), {weighted_arrival(0, 2, 100, 1), weighted_arrival(30, 1, 10, 2)}, policy,
      PlainModel());
  EXPECT_EQ(simulated.counters.stops, 0);
  EXPECT_EQ(simulated.jobs[1].first_start, at(100));
}

TEST(PlaceInOrder, those_who_do_not_fit_are_passed_over) {
  WeightPolicy policy;
  const Simulated simulated =
      simulate(plain_cluster(1, 4),
               {weighted_arrival(0, 3, 100, 0), weighted_arrival(10, 2, 10, 1),
                weighted_arrival(20, 1, 10, 2)},
               policy, PlainModel());
  EXPECT_EQ(simulated.jobs[2].first_start, at(20));
  EXPECT_EQ(simulated.jobs[1].first_start, at(100));
}

TEST(PlaceInOrder, nobody_is_stopped_for_a_gang_that_would_not_fit_even_then) {
  WeightPolicy policy;
  const Simulated simulated =
      simulate(plain_cluster(1, 4),
               {weighted_arrival(0, 2, 100, 1), weighted_arrival(0, 2, 100, 5),
                weighted_arrival(10, 4, 10, 2)},
               policy, PlainModel());
  EXPECT_EQ(simulated.counters.stops, 0);
  EXPECT_EQ(simulated.jobs[2].first_start, at(100));
}

TEST(PlaceInOrder, a_displaced_job_takes_other_gpus_that_are_free) {
  WeightPolicy policy(PlacementRule::consolidated);
  // Two nodes of 4 GPUs with 2 free each; the newcomer needs a whole node.
  const Simulated simulated =
      simulate(plain_cluster(2, 4),
               {weighted_arrival(0, 3, 50, 1), weighted_arrival(0, 2, 100, 2),
                weighted_arrival(0, 1, 100, 3), weighted_arrival(60, 4, 10, 0)},
               policy, PlainModel());
  EXPECT_EQ(simulated.jobs[3].first_start, at(60));
  EXPECT_EQ(simulated.jobs[1].end, at(100));
  EXPECT_EQ(simulated.jobs[2].end, at(100));
}

TEST(PlaceInOrder, young_runs_stay_whatever_their_rank) {
  const Cluster cluster = plain_cluster(1, 2);
  const PlainModel model;
  const std::vector<Arrival> arrivals = {weighted_arrival(0, 2, 100, 5),
                                         weighted_arrival(30, 2, 10, 0),
                                         weighted_arrival(70, 2, 10, 0)};
  WeightPolicy policy;
  Engine engine(cluster, model, policy, {.minimum_run_time = seconds(60)});
  SimWorld world(cluster, model, arrivals);
  std::vector<std::pair<Time, std::uint32_t>> starts;
  const Result<void> done = run(engine, world, [&](const Batch& batch, const Engine::Step& step) {
    for (const Command& command : step.commands) {
      const auto* start = std::get_if<StartRun>(&command);
      if (start != nullptr) starts.emplace_back(batch.now, start->job.value());
    }
    return true;
  });
  ASSERT_TRUE(done) << done.error().message;
  // Job 0 gives way at 60 s, when it has run long enough, without another event.
  EXPECT_EQ(starts, (std::vector<std::pair<Time, std::uint32_t>>{
                        {at(0), 0}, {at(60), 1}, {at(70), 2}, {at(80), 0}}));
}

TEST(PlaceInOrder, runs_on_a_draining_node_are_left_alone) {
  const Cluster cluster = plain_cluster(2, 2);
  const PlainModel model;
  WeightPolicy policy;
  Engine engine(cluster, model, policy);
  const auto step = [&](double time, Event event) {
    const std::vector<Event> events = {std::move(event)};
    const auto commands = engine.step(at(time), events).commands;
    return std::vector<Command>(commands.begin(), commands.end());
  };
  const auto arrive = [&](std::uint32_t job, double weight) {
    return step(job,
                Submitted{.job = JobId(job), .spec = weighted_arrival(0, 2, 100, weight).spec});
  };
  EXPECT_EQ(arrive(0, 9).size(), 1U);  // On node 0.
  EXPECT_EQ(arrive(1, 5).size(), 1U);  // On node 1.
  EXPECT_TRUE(step(2, NodeDrained{NodeId(0U)}).empty());
  const std::vector<Command> commands = arrive(2, 0);
  ASSERT_EQ(commands.size(), 1U);
  EXPECT_EQ(std::get<StopRun>(commands[0]).run, RunId(1U));  // Not the worse job on node 0.
}

// In order, each takes what is left: on one type, with the count rule, that is all there is to it.
std::vector<JobId> greedy_choice(std::span<const Job> jobs, std::int32_t gpus) {
  std::vector<std::pair<double, JobId>> order;
  for (const Job& job : jobs) {
    if (job.state == JobState::active) order.emplace_back(job.spec.weight, job.id);
  }
  std::sort(order.begin(), order.end());
  std::vector<JobId> chosen;
  for (const auto& [weight, id] : order) {
    const std::int32_t needed = jobs[id.index()].spec.gpu_count;
    if (needed > gpus) continue;
    gpus -= needed;
    chosen.push_back(id);
  }
  std::sort(chosen.begin(), chosen.end());
  return chosen;
}

TEST(PlaceInOrder, is_as_if_the_cluster_were_emptied_and_filled_in_order) {
  Rng rng{1};
  for (int round = 0; round < 200; ++round) {
    const Cluster cluster = plain_cluster(1 + static_cast<int>(rng.below(3)), 4);
    std::vector<Arrival> arrivals;
    double submit = 0;
    for (std::uint64_t jobs = 1 + rng.below(25); jobs > 0; --jobs) {
      submit += static_cast<double>(rng.below(40));
      arrivals.push_back(weighted_arrival(submit, static_cast<int>(1 + rng.below(6)),
                                          static_cast<double>(1 + rng.below(200)),
                                          static_cast<double>(rng.below(5))));
    }
    const PlainModel model;
    WeightPolicy policy;
    Engine engine(cluster, model, policy);
    SimWorld world(cluster, model, arrivals);
    const Result<void> done = run(engine, world, [&](const Batch&, const Engine::Step&) {
      const auto running = engine.snapshot().running;
      EXPECT_EQ(std::vector<JobId>(running.begin(), running.end()),
                greedy_choice(engine.jobs(), cluster.gpu_count()))
          << "round " << round;
      return !::testing::Test::HasFailure();
    });
    ASSERT_TRUE(done) << done.error().message;
    ASSERT_FALSE(::testing::Test::HasFailure());
    for (const Job& job : engine.jobs()) ASSERT_TRUE(job.has_ended());
  }
}

TEST(RunningJobs, keeps_up_with_the_engine) {
  const Cluster cluster = plain_cluster(2, 4);
  const PlainModel model;
  WaitingJobs waiting(PlacementRule::count);
  RunningJobs running;
  testing::RandomPolicy random(7);
  std::vector<Arrival> arrivals;
  for (int job = 0; job < 15; ++job) arrivals.push_back(plain_arrival(job * 20, 1 + job % 4, 100));
  int seen = 0;
  testing::FunctionPolicy policy([&](const Snapshot& snapshot) {
    Plan ignored;
    running.update(snapshot, waiting);
    waiting.update(snapshot, ignored, [](const Job& job) { return Rank{.stamp = job.id.value()}; });
    std::vector<JobId> listed;
    for (const RunningJob& job : running.jobs()) {
      listed.push_back(job.job);
      const auto& run = snapshot.run(job.run);
      EXPECT_EQ(run.job, job.job);
      EXPECT_TRUE(run.is_wanted());
      EXPECT_EQ(job.placement, snapshot.grant_of(run).placement);
      EXPECT_EQ(job.predicted_end, run.pace.when(run.steps));
      EXPECT_EQ(job.gpu_time_at(snapshot.now), snapshot.job(job.job).gpu_time_at(snapshot.now));
      EXPECT_EQ(job.steps_left(snapshot.now), snapshot.steps_left(snapshot.job(job.job)));
      ++seen;
    }
    std::sort(listed.begin(), listed.end());
    EXPECT_EQ(listed, std::vector<JobId>(snapshot.running.begin(), snapshot.running.end()));
    for (const JobId id : snapshot.waiting) EXPECT_TRUE(waiting.queue().contains(id));
    EXPECT_EQ(waiting.queue().size(), snapshot.waiting.size());
    return random.decide(snapshot);
  });
  const Simulated simulated = simulate(cluster, arrivals, policy, model,
                                       {.start_latency = seconds(2), .stop_latency = seconds(3)});
  ASSERT_FALSE(simulated.error) << simulated.error->message;
  EXPECT_GT(seen, 100);
}

}  // namespace
}  // namespace muster
