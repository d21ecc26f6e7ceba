#include "engine/check_plan.h"

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
constexpr JobId job0{0U};
constexpr JobId job1{1U};
constexpr JobId job2{2U};
constexpr PoolId a_v100{0U};
constexpr PoolId a_k80{1U};
constexpr PoolId b_v100{2U};
constexpr PoolId c_p4{3U};
constexpr PoolId d_v100{4U};

// Nodes: a with 4 V100 and 2 K80, b with 4 V100, c with 2 P4 (which run nothing), d (down) with 4
// V100. Nodes a and b have 8 CPUs and 64 GiB each.
Cluster mixed_cluster() {
  Cluster cluster;
  const GpuTypeId v100 = cluster.add_type({.name = "v100"});
  const GpuTypeId k80 = cluster.add_type({.name = "k80"});
  const GpuTypeId p4 = cluster.add_type({.name = "p4"});
  cluster.add_node({.name = "a", .cpus_milli = 8000, .memory_mib = 65536}, {{v100, 4}, {k80, 2}});
  cluster.add_node({.name = "b", .cpus_milli = 8000, .memory_mib = 65536}, {{v100, 4}});
  cluster.add_node({.name = "c"}, {{p4, 2}});
  cluster.add_node({.name = "d", .state = NodeState::down}, {{v100, 4}});
  return cluster;
}

// Job 0 (2 GPUs) runs on node a and has done 100 of its 1,000 steps earlier; job 1 (2 GPUs) and
// job 2 (1 to 3 copies) wait.
struct Scene {
  explicit Scene(EngineOptions options = {})
      : model({1, 0.5, 0}),
        stage({.cluster = mixed_cluster(), .engine = options, .belief = &model}) {
    stage.submit(0, {.gpu_count = 2, .total_steps = 1000, .cpus_milli = 4000},
                 start_plan(job0, {{a_v100, 2}}, 100));
    stage.step(0, {RunStarted{run0}});
    stage.step(100, {RunEnded{.run = run0, .steps = 100}}, start_plan(job0, {{a_v100, 2}}));
    stage.step(100, {RunStarted{run1}});
    stage.submit(100, {.gpu_count = 2,
                       .total_steps = 1000,
                       .types_allowed = 0b101,
                       .cpus_milli = 2000,
                       .memory_mib = 32768});
    stage.submit(100, {.gpu_count = 1, .copies_max = 3, .total_steps = 1000});
  }

  // "" where the plan is good.
  std::string fault(const Plan& plan, Policy::Traits traits = {}) {
    const Result<void> checked = check_plan(stage.engine().snapshot(), plan, traits);
    return checked ? "" : checked.error().message;
  }

  testing::TypedModel model;
  Stage stage;
};

Plan plan_of(std::vector<Assignment> starts) { return {.starts = std::move(starts)}; }

TEST(CheckPlan, lets_good_plans_through) {
  Scene scene;
  EXPECT_EQ(scene.fault({}), "");
  EXPECT_EQ(scene.fault(stop_plan(run1)), "");
  EXPECT_EQ(scene.fault(start_plan(job1, {{b_v100, 2}}, 900)), "");
  EXPECT_EQ(scene.fault(start_plan(job1, {{a_v100, 1}, {b_v100, 1}})), "");
  EXPECT_EQ(scene.fault({.rejects = {{.job = job1}}, .wake_at = at(100.000001)}), "");
  Plan swap = stop_plan(run1);
  swap.start(job1, {{a_v100, 2}});
  swap.start(job0, {{b_v100, 2}});
  EXPECT_EQ(scene.fault(swap), "");
}

TEST(CheckPlan, stops) {
  Scene scene;
  EXPECT_EQ(scene.fault(stop_plan(run0)), "stop of run 0, which is not live");
  EXPECT_EQ(scene.fault(stop_plan(RunId(9U))), "stop of run 9, which is not live");
  EXPECT_EQ(scene.fault({.stops = {run1, run1}}), "two stops of run 1");
  scene.stage.step(200, {Held{job1}}, stop_plan(run1));
  EXPECT_EQ(scene.fault(stop_plan(run1)), "stop of run 1, which is stopping already");
}

TEST(CheckPlan, a_run_is_not_stopped_before_its_minimum_run_time) {
  Scene scene({.minimum_run_time = std::chrono::seconds(60)});
  EXPECT_EQ(scene.fault(stop_plan(run1)), "stop of run 1 before its minimum run time");
  scene.stage.step(160, {});
  EXPECT_EQ(scene.fault(stop_plan(run1)), "");
}

TEST(CheckPlan, rejects) {
  Scene scene;
  EXPECT_EQ(scene.fault({.rejects = {{.job = JobId(3U)}}}), "rejection of an unknown job");
  EXPECT_EQ(scene.fault({.rejects = {{.job = job0}}}),
            "rejection of job 0, which is not a job that has never run");
  EXPECT_EQ(scene.fault({.rejects = {{.job = job1}, {.job = job1}}}), "two rejections of job 1");
  Plan both = start_plan(job1, {{b_v100, 2}});
  both.rejects = {{.job = job1}};
  EXPECT_EQ(scene.fault(both), "start of job 1, which is rejected");
}

TEST(CheckPlan, slots) {
  Scene scene;
  EXPECT_EQ(scene.fault(plan_of({{.placement = {{b_v100, 2}}}})), "an assignment without jobs");
  EXPECT_EQ(scene.fault(start_plan(job1, {})), "a start without GPUs");
  EXPECT_EQ(scene.fault(start_plan(job1, {{PoolId(5U), 2}})), "a start on an unknown pool");
  EXPECT_EQ(scene.fault(start_plan(job1, {{PoolId(), 2}})), "a start on an unknown pool");
  EXPECT_EQ(scene.fault(start_plan(job1, {{a_v100, 2}, {b_v100, 0}})),
            "a start on no GPU of pool 2");
  EXPECT_EQ(scene.fault(start_plan(job1, {{a_v100, 3}, {b_v100, -1}})),
            "a start on no GPU of pool 2");
  EXPECT_EQ(scene.fault(start_plan(job1, {{b_v100, 1}, {a_v100, 1}})),
            "a placement whose pools do not ascend, at pool 0");
  EXPECT_EQ(scene.fault(start_plan(job1, {{b_v100, 1}, {b_v100, 1}})),
            "a placement whose pools do not ascend, at pool 2");
  EXPECT_EQ(scene.fault(start_plan(job1, {{d_v100, 2}})),
            "a start on pool 4, whose node is not up");
}

TEST(CheckPlan, types_mix_only_where_the_policy_says_so) {
  Scene scene;
  const JobId any = scene.stage.submit(100, {.gpu_count = 2, .total_steps = 10});
  const Plan mixed = start_plan(any, {{a_v100, 1}, {a_k80, 1}});
  EXPECT_EQ(scene.fault(mixed),
            "a placement that mixes GPU types, which this policy does not declare");
  EXPECT_EQ(scene.fault(mixed, {.mixes_types = true}), "");
}

TEST(CheckPlan, jobs) {
  Scene scene;
  EXPECT_EQ(scene.fault(start_plan(JobId(3U), {{b_v100, 2}})), "start of an unknown job");
  EXPECT_EQ(scene.fault(start_plan(job1, {{b_v100, 3}})), "job 1 on 3 GPUs, but its gang is 2");
  EXPECT_EQ(scene.fault(start_plan(job1, {{b_v100, 1}})), "job 1 on 1 GPUs, but its gang is 2");
  EXPECT_EQ(scene.fault(start_plan(job1, {{a_k80, 2}})),
            "job 1 on a GPU type that it does not allow");
  EXPECT_EQ(scene.fault(start_plan(job1, {{c_p4, 2}})), "job 1 where it is believed not to fit");
  EXPECT_EQ(scene.fault(start_plan(job1, {{b_v100, 2}}, 0)), "a quota of no steps for job 1");
  EXPECT_EQ(scene.fault(start_plan(job1, {{b_v100, 2}}, 1001)),
            "a quota beyond the steps left of job 1");
  EXPECT_EQ(scene.fault(start_plan(job0, {{b_v100, 2}})),
            "more runs of job 0 than it may have copies");
  scene.stage.step(200, {Held{job1}});
  EXPECT_EQ(scene.fault(start_plan(job1, {{b_v100, 2}})), "start of job 1, which is not active");
}

TEST(CheckPlan, quotas_count_saved_steps_only) {
  Scene scene;
  Plan again = stop_plan(run1);
  again.start(job0, {{b_v100, 2}}, 901);
  EXPECT_EQ(scene.fault(again), "a quota beyond the steps left of job 0");
  again.starts.front().parts.front().quota = 900;
  EXPECT_EQ(scene.fault(again), "");
}

TEST(CheckPlan, copies) {
  Scene scene;
  Plan plan = start_plan(job2, {{b_v100, 1}}, 400);
  plan.start(job2, {{a_k80, 1}}, 400);
  EXPECT_EQ(scene.fault(plan), "");
  plan.start(job2, {{a_v100, 1}}, 201);
  EXPECT_EQ(scene.fault(plan), "quotas of job 2 that add up to more than its steps left");
  plan.starts.back().parts.front().quota = 200;
  EXPECT_EQ(scene.fault(plan), "");
  plan.start(job2, {{b_v100, 1}}, 1);
  EXPECT_EQ(scene.fault(plan), "more runs of job 2 than it may have copies");
  plan.starts.pop_back();
  plan.starts.back().parts.front().quota.reset();
  EXPECT_EQ(scene.fault(plan), "a copy of job 2 without a quota");
}

TEST(CheckPlan, copies_that_go_on_count_too) {
  Scene scene;
  scene.stage.step(100, {Held{job1}}, start_plan(job2, {{b_v100, 1}}, 600));
  const RunId copy(2U);
  ASSERT_TRUE(scene.stage.is_live(copy));
  EXPECT_EQ(scene.fault(start_plan(job2, {{b_v100, 1}}, 400)), "");
  EXPECT_EQ(scene.fault(start_plan(job2, {{b_v100, 1}}, 401)),
            "quotas of job 2 that add up to more than its steps left");
  EXPECT_EQ(scene.fault(start_plan(job2, {{b_v100, 1}})), "a copy of job 2 without a quota");
  Plan replace = stop_plan(copy);
  replace.start(job2, {{b_v100, 1}}, 1000);
  EXPECT_EQ(scene.fault(replace), "");
}

TEST(CheckPlan, a_copy_without_a_quota_has_no_siblings) {
  Scene scene;
  scene.stage.step(100, {Held{job1}}, start_plan(job2, {{b_v100, 1}}));
  EXPECT_EQ(scene.fault(start_plan(job2, {{b_v100, 1}}, 1)), "a copy of job 2 without a quota");
}

TEST(CheckPlan, joins) {
  Scene scene;
  const GrantId grant = scene.stage.run(run1).grant;
  const Plan join = plan_of({{.parts = {{.job = job1}}, .join = grant}});
  EXPECT_EQ(scene.fault(join), "");
  EXPECT_EQ(scene.fault(plan_of({{.parts = {{.job = job1}}, .join = GrantId(7U)}})),
            "join of grant 7, which is not live");
  EXPECT_EQ(
      scene.fault(plan_of({{.parts = {{.job = job1}}, .placement = {{b_v100, 2}}, .join = grant}})),
      "a join with a placement of its own");
  EXPECT_EQ(scene.fault(plan_of({{.parts = {{.job = job2}}, .join = grant}})),
            "job 2 on 2 GPUs, but its gang is 1");
  Plan ends = join;
  ends.stops = {run1};
  EXPECT_EQ(scene.fault(ends), "join of grant 1, which ends");
}

TEST(CheckPlan, nobody_joins_on_a_node_that_is_not_up) {
  Scene scene;
  scene.stage.step(150, {NodeDrained{NodeId(0U)}});
  EXPECT_EQ(scene.fault(plan_of({{.parts = {{.job = job1}}, .join = scene.stage.run(run1).grant}})),
            "a start on pool 0, whose node is not up");
}

TEST(CheckPlan, gpus) {
  Scene scene;
  const JobId big = scene.stage.submit(100, {.gpu_count = 4, .total_steps = 10});
  EXPECT_EQ(scene.fault(start_plan(big, {{a_v100, 3}, {b_v100, 1}})),
            "3 GPUs of pool 0, which has 2 free");
  EXPECT_EQ(scene.fault(start_plan(big, {{a_v100, 4}})), "4 GPUs of pool 0, which has 2 free");
  Plan instead = stop_plan(run1);
  instead.start(big, {{a_v100, 4}});
  EXPECT_EQ(scene.fault(instead), "");
  Plan twice = start_plan(big, {{b_v100, 4}});
  twice.start(job1, {{b_v100, 2}});
  EXPECT_EQ(scene.fault(twice), "6 GPUs of pool 2, which has 4 free");
}

TEST(CheckPlan, a_shared_grant_gives_its_gpus_only_when_all_leave) {
  Scene scene;
  scene.stage.step(100, {Held{job2}},
                   plan_of({{.parts = {{.job = job1}}, .join = scene.stage.run(run1).grant}}));
  const JobId big = scene.stage.submit(100, {.gpu_count = 4, .total_steps = 10});
  Plan one = stop_plan(run1);
  one.start(big, {{a_v100, 4}});
  EXPECT_EQ(scene.fault(one), "4 GPUs of pool 0, which has 2 free");
  one.stops.push_back(RunId(2U));
  EXPECT_EQ(scene.fault(one), "");
}

TEST(CheckPlan, cpus_and_memory) {
  Scene scene;
  // Job 0 has 4 of the 8 CPUs of node a.
  const JobId hungry = scene.stage.submit(
      100, {.gpu_count = 2, .total_steps = 10, .cpus_milli = 4001, .memory_mib = 1000});
  EXPECT_EQ(scene.fault(start_plan(hungry, {{a_v100, 2}})), "more CPUs than are free on node 0");
  EXPECT_EQ(scene.fault(start_plan(hungry, {{b_v100, 2}})), "");
  EXPECT_EQ(scene.fault(start_plan(hungry, {{a_v100, 1}, {b_v100, 1}})), "");
  Plan instead = stop_plan(run1);
  instead.start(hungry, {{a_v100, 2}});
  EXPECT_EQ(scene.fault(instead), "");
  const JobId fat =
      scene.stage.submit(100, {.gpu_count = 2, .total_steps = 10, .memory_mib = 32769});
  Plan both = start_plan(fat, {{b_v100, 2}});
  both.start(job1, {{b_v100, 2}});
  EXPECT_EQ(scene.fault(both), "more memory than is free on node 1");
}

TEST(CheckPlan, a_join_brings_its_own_cpus) {
  Scene scene;
  const JobId hungry =
      scene.stage.submit(100, {.gpu_count = 2, .total_steps = 10, .cpus_milli = 4001});
  EXPECT_EQ(
      scene.fault(plan_of({{.parts = {{.job = hungry}}, .join = scene.stage.run(run1).grant}})),
      "more CPUs than are free on node 0");
}

TEST(CheckPlan, wake_time_and_reasons) {
  Scene scene;
  EXPECT_EQ(scene.fault({.wake_at = at(100)}), "a wake time that is not later than now");
  EXPECT_EQ(scene.fault({.wake_at = at(5)}), "a wake time that is not later than now");
  EXPECT_EQ(scene.fault({.reasons = {{.job = JobId(3U)}}}), "a reason for an unknown job");
}

}  // namespace
}  // namespace muster
