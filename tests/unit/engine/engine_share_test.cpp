// Several jobs on the same GPUs.
#include <gtest/gtest.h>

#include "unit/engine/stage.h"

namespace muster {
namespace {

using testing::at;
using testing::first_pool;
using testing::Stage;
using testing::start_plan;
using testing::stop_plan;

constexpr RunId run0{0U};
constexpr RunId run1{1U};
constexpr RunId run2{2U};
constexpr JobId job0{0U};
constexpr JobId job1{1U};
constexpr GrantId grant0{0U};

Plan join_plan(JobId job, GrantId grant) {
  return {.starts = {{.parts = {{.job = job}}, .join = grant}}};
}

Plan pair_plan() {
  return {.starts = {{.parts = {{.job = job0}, {.job = job1}}, .placement = first_pool(2)}}};
}

// Two jobs of 100 steps that share two GPUs from the start.
struct Pair {
  Pair() {
    stage.submit(0, {.gpu_count = 2, .total_steps = 100});
    stage.submit(0, {.gpu_count = 2, .total_steps = 100}, pair_plan());
    stage.step(0, {RunStarted{run0}, RunStarted{run1}});
  }
  Stage stage;
};

TEST(EngineShare, two_parts_start_on_one_grant) {
  Pair pair;
  EXPECT_EQ(pair.stage.run(run0).grant, pair.stage.run(run1).grant);
  EXPECT_EQ(pair.stage.free_total(), 2);
  EXPECT_EQ(pair.stage.job(job0).gpus_held, 2);
  EXPECT_EQ(pair.stage.job(job1).gpus_held, 2);
  EXPECT_EQ(pair.stage.run(run0).pace.rate, 0.5);
  EXPECT_EQ(pair.stage.run(run1).pace.rate, 0.5);
}

TEST(EngineShare, both_commands_name_the_same_gpus) {
  Stage stage;
  stage.submit(0, {.gpu_count = 2, .total_steps = 100});
  stage.submit(0, {.gpu_count = 2, .total_steps = 100}, pair_plan());
  const auto starts = stage.commands<StartRun>();
  ASSERT_EQ(starts.size(), 2U);
  EXPECT_EQ(starts[0].grant, starts[1].grant);
  EXPECT_EQ(starts[0].gpu_indices, starts[1].gpu_indices);
}

TEST(EngineShare, when_a_partner_ends_the_other_goes_on_faster) {
  Pair pair;
  pair.stage.step(40, {RunEnded{.run = run0, .steps = 20, .cause = Cause::lost}});
  EXPECT_EQ(pair.stage.run(run1).pace.rate, 1);
  EXPECT_EQ(pair.stage.run(run1).pace.when(100), at(120));  // 20 steps by 40 s, then one a second.
  EXPECT_EQ(pair.stage.free_total(), 2);
}

TEST(EngineShare, the_gpus_are_free_when_the_last_has_left) {
  Pair pair;
  pair.stage.step(40, {RunEnded{.run = run0, .steps = 20, .cause = Cause::lost}}, stop_plan(run1));
  EXPECT_EQ(pair.stage.free_total(), 4);
  pair.stage.step(41, {RunEnded{.run = run1, .steps = 20, .cause = Cause::stopped}});
  EXPECT_TRUE(pair.stage.engine().grants().empty());
}

TEST(EngineShare, gpus_of_a_shared_grant_are_held_until_the_last_stopping_run_has_ended) {
  Pair pair;
  Plan plan{.stops = {run0, run1}};
  plan.start(job0, first_pool(2));
  plan.start(job1, {{PoolId(0U), 2}});
  pair.stage.submit(40, {.gpu_count = 4, .total_steps = 5}, plan);
  // Two GPUs are idle, but both jobs are still stopping.
  EXPECT_TRUE(pair.stage.started().empty());
  pair.stage.step(41, {RunEnded{.run = run0, .steps = 20, .cause = Cause::stopped}});
  EXPECT_EQ(pair.stage.started(), std::vector<RunId>{run2});
  EXPECT_EQ(pair.stage.commands<StartRun>().front().gpu_indices, (std::vector<std::int32_t>{2, 3}));
  pair.stage.step(42, {RunEnded{.run = run1, .steps = 20, .cause = Cause::stopped}});
  EXPECT_EQ(pair.stage.commands<StartRun>().front().gpu_indices, (std::vector<std::int32_t>{0, 1}));
}

TEST(EngineShare, a_job_joins_a_run_that_goes_on_undisturbed) {
  Stage stage;
  stage.submit(0, {.gpu_count = 2, .total_steps = 100}, start_plan(job0, first_pool(2)));
  stage.step(0, {RunStarted{run0}});
  stage.submit(30, {.gpu_count = 2, .total_steps = 100}, join_plan(job1, grant0));
  EXPECT_TRUE(stage.stopped().empty());
  ASSERT_EQ(stage.started(), std::vector<RunId>{run1});
  EXPECT_EQ(stage.commands<StartRun>().front().gpu_indices, (std::vector<std::int32_t>{0, 1}));
  EXPECT_EQ(stage.run(run0).pace.rate, 0.5);
  EXPECT_EQ(stage.run(run0).pace.when(100), at(170));  // 30 steps alone, then half as fast.
  EXPECT_EQ(stage.free_total(), 2);
}

TEST(EngineShare, a_late_report_of_the_first_stay_does_not_end_the_second) {
  Stage stage;
  stage.submit(0, {.gpu_count = 2, .total_steps = 100}, start_plan(job0, first_pool(2)));
  stage.submit(0, {.gpu_count = 2, .total_steps = 100}, join_plan(job1, grant0));
  stage.step(0, {RunStarted{run0}, RunStarted{run1}});
  stage.submit(10, {.total_steps = 1}, stop_plan(run1));
  stage.step(11, {RunEnded{.run = run1, .steps = 5, .cause = Cause::stopped}},
             join_plan(job1, grant0));
  ASSERT_EQ(stage.started(), std::vector<RunId>{run2});
  EXPECT_EQ(stage.run(run2).grant, grant0);
  stage.step(12, {RunEnded{.run = run1, .steps = 5, .cause = Cause::stopped}});
  EXPECT_EQ(stage.late_reports(), 1);
  EXPECT_TRUE(stage.is_live(run2));
  EXPECT_EQ(stage.job(job1).steps_done, 5);
}

TEST(EngineShare, one_who_joins_may_outlive_the_first) {
  Stage stage;
  stage.submit(0, {.gpu_count = 2, .total_steps = 100}, start_plan(job0, first_pool(2)));
  stage.submit(0, {.gpu_count = 2, .total_steps = 100}, join_plan(job1, grant0));
  stage.step(0, {RunStarted{run0}, RunStarted{run1}});
  stage.step(10, {RunEnded{.run = run0, .steps = 100}});
  EXPECT_TRUE(stage.is_live(run1));
  EXPECT_EQ(stage.free_total(), 2);
  EXPECT_EQ(stage.run(run1).pace.rate, 1);
}

TEST(EngineShare, one_who_waits_to_join_takes_over_the_gpus_if_the_first_ends) {
  Stage stage;
  stage.submit(0, {.gpu_count = 2, .total_steps = 100}, start_plan(job0, first_pool(2)));
  stage.submit(0, {.gpu_count = 2, .total_steps = 100}, start_plan(job1, {{PoolId(0U), 2}}));
  // Job 1 moves to the GPUs of job 0, which ends before job 1 has stopped.
  Plan move = join_plan(job1, grant0);
  move.stops = {run1};
  stage.submit(5, {.total_steps = 1}, move);
  EXPECT_EQ(stage.run(run2).state, RunState::waiting);
  stage.step(6, {RunEnded{.run = run0, .steps = 100}});
  EXPECT_TRUE(stage.started().empty());
  EXPECT_EQ(stage.free_total(), 2);
  stage.step(7, {RunEnded{.run = run1, .steps = 0, .cause = Cause::stopped}});
  EXPECT_EQ(stage.started(), std::vector<RunId>{run2});
}

TEST(EngineShare, cpus_are_taken_by_each_run) {
  Cluster cluster;
  const GpuTypeId type = cluster.add_type({.name = "v100"});
  cluster.add_node({.name = "a", .cpus_milli = 4000}, {{type, 2}});
  Stage stage({.cluster = cluster});
  stage.submit(0, {.gpu_count = 2, .total_steps = 100, .cpus_milli = 3000},
               start_plan(job0, first_pool(2)));
  EXPECT_EQ(stage.engine().snapshot().free_cpus_milli[0], 1000);
  stage.submit(0, {.gpu_count = 2, .total_steps = 100, .cpus_milli = 1000},
               join_plan(job1, grant0));
  EXPECT_EQ(stage.started().size(), 1U);
  EXPECT_EQ(stage.engine().snapshot().free_cpus_milli[0], 0);
  stage.step(5, {RunEnded{.run = run0, .steps = 100}});
  EXPECT_EQ(stage.engine().snapshot().free_cpus_milli[0], 3000);
}

TEST(EngineShare, mixed_types_go_at_the_pace_of_the_slowest) {
  Cluster cluster;
  const GpuTypeId fast = cluster.add_type({.name = "v100"});
  const GpuTypeId slow = cluster.add_type({.name = "k80"});
  cluster.add_node({.name = "a"}, {{fast, 1}, {slow, 1}});
  const testing::TypedModel model({10, 2});
  const Placement mixed = {{PoolId(0U), 1}, {PoolId(1U), 1}};
  const JobSpec spec{.gpu_count = 2, .total_steps = 100, .reference_steps_per_second = 2};
  Stage mixing({.cluster = cluster, .traits = {.mixes_types = true}, .belief = &model});
  mixing.submit(0, spec, start_plan(job0, mixed));
  EXPECT_EQ(mixing.refusal(), "");
  EXPECT_EQ(mixing.run(run0).pace.rate, 4);
  // For others the job is too large: no type has two GPUs.
  Stage plain({.cluster = cluster, .belief = &model});
  plain.submit(0, spec);
  EXPECT_EQ(plain.job(job0).state, JobState::rejected);
}

}  // namespace
}  // namespace muster
