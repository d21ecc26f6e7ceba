// Forked jobs: copies with quotas, and their consolidation.
#include <gtest/gtest.h>

#include "support/shared_data.h"
#include "unit/engine/stage.h"

namespace muster {
namespace {

using std::chrono::seconds;
using testing::at;
using testing::first_pool;
using testing::Stage;
using testing::start_plan;
using testing::stop_plan;

constexpr RunId run0{0U};
constexpr RunId run1{1U};
constexpr RunId run2{2U};
constexpr JobId job0{0U};

Plan copies_plan(std::vector<std::int64_t> quotas) {
  Plan plan;
  for (const std::int64_t quota : quotas) plan.start(job0, first_pool(1), quota);
  return plan;
}

// A job of 100 steps with copies of 60 and 30.
struct Forked {
  Forked() {
    stage.submit(0, {.gpu_count = 1, .copies_max = 3, .total_steps = 100}, copies_plan({60, 30}));
    stage.step(0, {RunStarted{run0}, RunStarted{run1}});
  }
  Stage stage;
};

TEST(EngineCopies, run_side_by_side_with_their_quotas) {
  Forked forked;
  EXPECT_EQ(forked.stage.run(run0).steps, 60);
  EXPECT_EQ(forked.stage.run(run1).steps, 30);
  EXPECT_EQ(forked.stage.job(job0).gpus_held, 2);
  EXPECT_EQ(forked.stage.engine().snapshot().steps_left(forked.stage.job(job0)), 100);
  forked.stage.step(10, {});
  EXPECT_EQ(forked.stage.engine().snapshot().steps_left(forked.stage.job(job0)), 80);
}

TEST(EngineCopies, are_averaged_when_the_last_has_ended) {
  Forked forked;
  forked.stage.step(30, {RunEnded{.run = run1, .steps = 30}});
  EXPECT_TRUE(forked.stage.commands<Consolidate>().empty());
  forked.stage.step(60, {RunEnded{.run = run0, .steps = 60}});
  const auto consolidations = forked.stage.commands<Consolidate>();
  ASSERT_EQ(consolidations.size(), 1U);
  EXPECT_EQ(consolidations[0].job, job0);
  EXPECT_EQ(consolidations[0].copies,
            (std::vector<std::pair<RunId, std::int64_t>>{{run1, 30}, {run0, 60}}));
  EXPECT_TRUE(forked.stage.job(job0).consolidating);
  EXPECT_EQ(forked.stage.job(job0).steps_done, 90);
}

TEST(EngineCopies, the_next_ones_wait_until_the_average_is_made) {
  Forked forked;
  forked.stage.step(60, {RunEnded{.run = run1, .steps = 30}, RunEnded{.run = run0, .steps = 60}},
                    copies_plan({6, 4}));
  EXPECT_TRUE(forked.stage.started().empty());
  forked.stage.step(70, {Consolidated{job0}});
  EXPECT_EQ(forked.stage.started().size(), 2U);
  forked.stage.step(75, {Consolidated{job0}});
  EXPECT_EQ(forked.stage.late_reports(), 1);
}

TEST(EngineCopies, the_job_is_finished_after_the_last_average) {
  Forked forked;
  forked.stage.step(60, {RunEnded{.run = run1, .steps = 30}, RunEnded{.run = run0, .steps = 60}},
                    copies_plan({6, 4}));
  forked.stage.step(70, {Consolidated{job0}});
  forked.stage.step(76,
                    {RunEnded{.run = run2, .steps = 6}, RunEnded{.run = RunId(3U), .steps = 4}});
  EXPECT_EQ(forked.stage.job(job0).state, JobState::active);
  EXPECT_EQ(forked.stage.job(job0).steps_done, 100);
  forked.stage.step(80, {Consolidated{job0}});
  EXPECT_EQ(forked.stage.job(job0).state, JobState::finished);
  EXPECT_EQ(forked.stage.job(job0).ended_at, at(80));
}

TEST(EngineCopies, a_single_one_with_steps_needs_no_average) {
  Forked forked;
  forked.stage.step(60, {RunEnded{.run = run0, .steps = 60},
                         RunEnded{.run = run1, .steps = 0, .cause = Cause::lost}});
  EXPECT_TRUE(forked.stage.commands<Consolidate>().empty());
  EXPECT_FALSE(forked.stage.job(job0).consolidating);
  EXPECT_EQ(forked.stage.job(job0).steps_done, 60);
}

TEST(EngineCopies, one_planned_while_another_stops_does_only_what_is_left) {
  Forked forked;
  // The plan counts saved steps only; by its end the stopped copy has saved 50 more.
  Plan plan = stop_plan(run0);
  plan.start(job0, first_pool(1), 70);
  forked.stage.submit(55, {.total_steps = 1}, plan);
  EXPECT_EQ(forked.stage.refusal(), "");
  EXPECT_TRUE(forked.stage.started().empty());
  forked.stage.step(56, {RunEnded{.run = run0, .steps = 50, .cause = Cause::stopped}});
  ASSERT_EQ(forked.stage.started(), std::vector<RunId>{run2});
  EXPECT_EQ(forked.stage.commands<StartRun>().front().steps, 20);  // 100 - 50 - 30.
}

TEST(EngineCopies, one_that_finds_nothing_left_is_dropped_and_the_policy_asked_again) {
  Forked forked;
  Plan plan = stop_plan(run0);
  plan.start(job0, first_pool(1), 40);
  forked.stage.submit(59, {.gpu_count = 4, .total_steps = 10}, plan);
  const std::int64_t decisions = forked.stage.engine().counters().decisions;
  // The other copy does all the rest; then nothing is left for the third.
  forked.stage.step(60, {RunEnded{.run = run1, .steps = 30}});
  forked.stage.step(61, {RunEnded{.run = run0, .steps = 60, .cause = Cause::stopped}});
  EXPECT_EQ(forked.stage.commands<Consolidate>().size(), 1U);
  forked.stage.step(62, {Consolidated{job0}});
  ASSERT_EQ(forked.stage.started(), std::vector<RunId>{run2});
  EXPECT_EQ(forked.stage.run(run2).steps, 10);
  EXPECT_EQ(forked.stage.engine().counters().decisions, decisions + 3);
}

TEST(EngineCopies, a_dropped_copy_frees_its_gpus_at_once) {
  Stage stage;
  stage.submit(0, {.gpu_count = 1, .copies_max = 3, .total_steps = 100}, copies_plan({90, 10}));
  stage.step(0, {RunStarted{run0}, RunStarted{run1}});
  Plan plan = stop_plan(run1);
  plan.start(job0, first_pool(1), 10);
  stage.submit(9, {.total_steps = 10}, plan);
  const std::int64_t decisions = stage.engine().counters().decisions;
  stage.step(10, {RunEnded{.run = run1, .steps = 10, .cause = Cause::stopped}});
  EXPECT_FALSE(stage.is_live(run2));
  EXPECT_EQ(stage.free_total(), 3);
  EXPECT_EQ(stage.engine().counters().decisions, decisions + 2);
}

// The start of run 3 waits for the GPU of the copy whose successor finds nothing left.
TEST(EngineCopies, what_begins_may_be_stopped_when_the_policy_is_asked_again) {
  Stage stage({.cluster = testing::plain_cluster(2, 2)});
  stage.submit(0, {.gpu_count = 1, .copies_max = 3, .total_steps = 100}, copies_plan({90, 10}));
  stage.step(0, {RunStarted{run0}, RunStarted{run1}});
  Plan plan = stop_plan(run1);
  plan.start(job0, {{PoolId(1U), 1}}, 10);
  plan.start(JobId(1U), first_pool(1));
  stage.submit(9, {.gpu_count = 1, .total_steps = 10}, plan);
  const RunId run3(3U);
  EXPECT_EQ(stage.started(), std::vector<RunId>{});
  const Engine::Step step = stage.step(
      10, {RunEnded{.run = run1, .steps = 10, .cause = Cause::stopped}}, {}, stop_plan(run3));
  ASSERT_EQ(stage.refusal(), "");
  ASSERT_EQ(step.commands.size(), 2U);
  ASSERT_TRUE(std::holds_alternative<StartRun>(step.commands[0]));
  ASSERT_TRUE(std::holds_alternative<StopRun>(step.commands[1]));
  EXPECT_EQ(std::get<StartRun>(step.commands[0]).run, run3);
  EXPECT_EQ(std::get<StopRun>(step.commands[1]).run, run3);
}

TEST(EngineCopies, a_completed_copy_completes_the_job) {
  Forked forked;
  forked.stage.step(40, {RunEnded{.run = run0, .steps = 40, .cause = Cause::completed}});
  EXPECT_EQ(forked.stage.stopped(), std::vector<RunId>{run1});
  EXPECT_EQ(forked.stage.job(job0).state, JobState::active);
  forked.stage.step(41, {RunEnded{.run = run1, .steps = 30, .cause = Cause::stopped}});
  if (forked.stage.job(job0).consolidating) forked.stage.step(42, {Consolidated{job0}});
  EXPECT_EQ(forked.stage.job(job0).state, JobState::finished);
  EXPECT_EQ(forked.stage.job(job0).steps_done, 100);
}

TEST(EngineCopies, cancelling_ends_the_averaging) {
  Forked forked;
  forked.stage.step(60, {RunEnded{.run = run1, .steps = 30}, RunEnded{.run = run0, .steps = 60}});
  forked.stage.step(61, {Cancelled{job0}});
  EXPECT_EQ(forked.stage.job(job0).state, JobState::cancelled);
  EXPECT_EQ(forked.stage.ended(), std::vector<JobId>{job0});
  forked.stage.step(62, {Consolidated{job0}});
  EXPECT_EQ(forked.stage.late_reports(), 1);
}

struct Round {
  Duration length{};
  Duration consolidation{};
};

// A job of 10,000 steps on five nodes that make 10, 4, 4, 1 and 1 steps a second.
struct Race {
  testing::Simulated simulated{};
  std::vector<std::int64_t> quotas{};
};

Race five_node_race(const Round& round) {
  Cluster cluster;
  const GpuTypeId fast = cluster.add_type({.name = "fast"});
  const GpuTypeId middle = cluster.add_type({.name = "middle"});
  const GpuTypeId slow = cluster.add_type({.name = "slow"});
  for (const GpuTypeId type : {fast, middle, middle, slow, slow}) {
    cluster.add_node({.name = "node"}, {{type, 1}});
  }
  const testing::TypedModel model({10, 4, 1});
  std::vector<Arrival> arrivals(1);
  arrivals[0].spec = {.copies_max = 5, .total_steps = 10000, .reference_steps_per_second = 1};
  testing::ForkingPolicy policy(round.length);
  Race race;
  race.simulated = testing::simulate(cluster, arrivals, policy, model,
                                     {.consolidation_cost = round.consolidation},
                                     [&](const Batch&, const Engine::Step& step) {
                                       for (const Command& command : step.commands) {
                                         if (const auto* start = std::get_if<StartRun>(&command)) {
                                           race.quotas.push_back(start->steps);
                                         }
                                       }
                                       return true;
                                     });
  return race;
}

// Oracle O9 of HadarE, without and with ten seconds of overhead in each round of 360 s.
TEST(EngineCopies, a_forked_job_on_five_nodes_takes_500_seconds) {
  const Race race = five_node_race({.length = seconds(360)});
  ASSERT_FALSE(race.simulated.error) << race.simulated.error->message;
  EXPECT_EQ(race.quotas, (std::vector<std::int64_t>{3600, 1440, 1440, 360, 360,  //
                                                    1400, 560, 560, 140, 140}));
  EXPECT_EQ(race.simulated.jobs[0].end, at(500));
  testing::count_oracle_cases(2);
}

TEST(EngineCopies, with_ten_seconds_of_averaging_it_takes_520_seconds) {
  const Race race = five_node_race({.length = seconds(350), .consolidation = seconds(10)});
  ASSERT_FALSE(race.simulated.error) << race.simulated.error->message;
  EXPECT_EQ(race.quotas, (std::vector<std::int64_t>{3500, 1400, 1400, 350, 350,  //
                                                    1500, 600, 600, 150, 150}));
  EXPECT_EQ(race.simulated.jobs[0].end, at(520));
  testing::count_oracle_cases(2);
}

}  // namespace
}  // namespace muster
