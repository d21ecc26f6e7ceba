// Users and nodes: cancel, hold, release, drain, lose, join; what is rejected at submission.
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
constexpr NodeId node0{0U};

// How far job 0 has come when something is done to it.
enum class Stop { waiting_job, waiting_run, starting_run, running_run, stopping_run };

void bring_to(Stage& stage, Stop stop) {
  if (stop == Stop::waiting_run) {
    stage.submit(0, {.gpu_count = 4, .total_steps = 100});
    stage.submit(0, {.gpu_count = 4, .total_steps = 100}, start_plan(job1, first_pool(4)));
    Plan swap = stop_plan(run0);
    swap.start(job0, first_pool(4));
    stage.submit(1, {.total_steps = 1}, swap);
    ASSERT_EQ(stage.run(run1).state, RunState::waiting);
    return;
  }
  Plan start;
  if (stop != Stop::waiting_job) start.start(job0, first_pool(4));
  stage.submit(0, {.gpu_count = 4, .total_steps = 100}, start);
  if (stop == Stop::running_run || stop == Stop::stopping_run) stage.step(0, {RunStarted{run0}});
  if (stop == Stop::stopping_run) stage.submit(1, {.total_steps = 1}, stop_plan(run0));
}

bool has_begun(Stop stop) { return stop != Stop::waiting_job && stop != Stop::waiting_run; }

class EngineControl : public ::testing::TestWithParam<Stop> {};

TEST_P(EngineControl, cancel) {
  Stage stage;
  bring_to(stage, GetParam());
  stage.step(10, {Cancelled{job0}});
  EXPECT_TRUE(stage.was_asked());
  EXPECT_EQ(stage.job(job0).state, JobState::cancelled);
  EXPECT_EQ(stage.ended().empty(), has_begun(GetParam()));
  if (has_begun(GetParam())) {
    EXPECT_EQ(stage.stopped().size(), GetParam() == Stop::stopping_run ? 0U : 1U);
    stage.step(11, {RunEnded{.run = run0, .steps = 4, .cause = Cause::stopped}});
    EXPECT_EQ(stage.ended(), std::vector<JobId>{job0});
    EXPECT_EQ(stage.job(job0).steps_done, 4);
  }
  EXPECT_TRUE(stage.job(job0).runs.empty());
  EXPECT_TRUE(stage.job(job0).has_ended());
  stage.step(12, {Cancelled{job0}, Held{job0}, Released{job0}});
  EXPECT_EQ(stage.late_reports(), 3);
}

TEST_P(EngineControl, hold_and_release) {
  Stage stage;
  bring_to(stage, GetParam());
  stage.step(10, {Held{job0}});
  EXPECT_TRUE(stage.was_asked());
  EXPECT_EQ(stage.job(job0).state, JobState::held);
  const auto waiting = stage.engine().snapshot().waiting;
  EXPECT_EQ(std::count(waiting.begin(), waiting.end(), job0), 0);
  if (has_begun(GetParam())) {
    stage.step(11, {RunEnded{.run = run0, .steps = 4, .cause = Cause::stopped}});
  }
  EXPECT_TRUE(stage.job(job0).runs.empty());
  EXPECT_TRUE(stage.ended().empty());
  stage.step(12, {Held{job0}});
  EXPECT_EQ(stage.late_reports(), 1);
  stage.step(20, {Released{job0}});
  EXPECT_TRUE(stage.was_asked());
  EXPECT_EQ(stage.job(job0).state, JobState::active);
  EXPECT_EQ(stage.engine().snapshot().waiting.front(), job0);
}

TEST_P(EngineControl, release_before_the_run_has_stopped) {
  Stage stage;
  bring_to(stage, GetParam());
  stage.step(10, {Held{job0}, Released{job0}},
             GetParam() == Stop::waiting_run ? Plan() : start_plan(job0, first_pool(4)));
  EXPECT_EQ(stage.refusal(), "");
  EXPECT_EQ(stage.job(job0).state, JobState::active);
  if (!has_begun(GetParam())) return;
  EXPECT_TRUE(stage.started().empty());
  stage.step(11, {RunEnded{.run = run0, .steps = 4, .cause = Cause::stopped}});
  ASSERT_EQ(stage.started().size(), 1U);
  EXPECT_EQ(stage.commands<StartRun>().front().steps, 96);
}

TEST_P(EngineControl, cancel_while_held) {
  Stage stage;
  bring_to(stage, GetParam());
  stage.step(10, {Held{job0}});
  stage.step(10, {Cancelled{job0}});
  if (has_begun(GetParam())) {
    EXPECT_TRUE(stage.stopped().empty());
    stage.step(11, {RunEnded{.run = run0, .cause = Cause::stopped}});
  }
  EXPECT_EQ(stage.ended(), std::vector<JobId>{job0});
  EXPECT_EQ(stage.job(job0).state, JobState::cancelled);
}

INSTANTIATE_TEST_SUITE_P(States, EngineControl,
                         ::testing::Values(Stop::waiting_job, Stop::waiting_run, Stop::starting_run,
                                           Stop::running_run, Stop::stopping_run));

TEST(EngineNodes, drained_nodes_take_no_new_runs_but_keep_the_old) {
  Stage stage({.cluster = testing::plain_cluster(2, 4)});
  stage.submit(0, {.gpu_count = 2, .total_steps = 100}, start_plan(job0, first_pool(2)));
  stage.step(10, {NodeDrained{node0}});
  EXPECT_TRUE(stage.was_asked());
  EXPECT_TRUE(stage.is_live(run0));
  EXPECT_EQ(stage.free_total(), 4);
  EXPECT_EQ(stage.engine().snapshot().free[0], 0);
  stage.step(20, {RunEnded{.run = run0, .steps = 100}});
  EXPECT_EQ(stage.free_total(), 4);
  stage.step(30, {NodeJoined{node0}});
  EXPECT_TRUE(stage.was_asked());
  EXPECT_EQ(stage.free_total(), 8);
}

TEST(EngineNodes, runs_that_have_not_begun_on_a_drained_node_wait_again) {
  Stage stage;
  stage.submit(0, {.gpu_count = 4, .total_steps = 100}, start_plan(job0, first_pool(4)));
  Plan swap = stop_plan(run0);
  swap.start(job1, first_pool(4));
  stage.submit(1, {.gpu_count = 4, .total_steps = 100}, swap);
  stage.step(2, {NodeDrained{node0}});
  EXPECT_FALSE(stage.is_live(run1));
  EXPECT_EQ(stage.engine().snapshot().waiting.size(), 2U);
}

TEST(EngineNodes, what_ran_on_a_lost_node_restarts_from_its_checkpoint) {
  Stage stage({.cluster = testing::plain_cluster(2, 4)});
  stage.submit(0, {.gpu_count = 2, .total_steps = 100}, start_plan(job0, first_pool(2)));
  stage.step(0, {RunStarted{run0}});
  stage.step(50, {NodeLost{node0}, RunEnded{.run = run0, .steps = 30, .cause = Cause::lost}},
             start_plan(job0, {{PoolId(1U), 2}}));
  EXPECT_EQ(stage.job(job0).steps_done, 30);
  EXPECT_EQ(stage.job(job0).fail_count, 0);
  ASSERT_EQ(stage.started(), std::vector<RunId>{run1});
  EXPECT_EQ(stage.commands<StartRun>().front().steps, 70);
  EXPECT_EQ(stage.free_total(), 2);
  stage.step(60, {NodeLost{node0}});
  EXPECT_EQ(stage.late_reports(), 1);
  stage.step(70, {NodeJoined{node0}});
  EXPECT_EQ(stage.free_total(), 6);
}

TEST(EngineNodes, a_node_may_come_back_before_its_last_run_is_reported) {
  Stage stage;
  stage.submit(0, {.gpu_count = 3, .total_steps = 100}, start_plan(job0, first_pool(3)));
  stage.step(5, {NodeLost{node0}});
  EXPECT_EQ(stage.free_total(), 0);
  stage.step(6, {NodeJoined{node0}});
  EXPECT_EQ(stage.free_total(), 1);
  stage.step(7, {RunEnded{.run = run0, .cause = Cause::lost}});
  EXPECT_EQ(stage.free_total(), 4);
}

TEST(EngineSubmit, what_can_never_run_is_rejected_with_the_reason) {
  Cluster cluster;
  const GpuTypeId v100 = cluster.add_type({.name = "v100"});
  const GpuTypeId k80 = cluster.add_type({.name = "k80"});
  const GpuTypeId p4 = cluster.add_type({.name = "p4"});
  cluster.add_node({.name = "a", .cpus_milli = 8000, .memory_mib = 1024}, {{v100, 4}});
  cluster.add_node({.name = "b"}, {{k80, 2}});
  cluster.add_node({.name = "c"}, {{k80, 1}, {p4, 8}});
  const testing::TypedModel model({1, 0.5, 0});
  Stage stage({.cluster = cluster, .belief = &model});
  struct Case {
    JobSpec spec;
    bool fits = false;
  };
  const std::uint64_t only_v100 = 0b1;
  const std::uint64_t only_k80 = 0b10;
  const std::vector<Case> cases = {
      {{.gpu_count = 4}, true},
      {{.gpu_count = 5}, false},  // No type has so many that run it.
      {{.gpu_count = 3, .types_allowed = only_k80}, true},
      {{.gpu_count = 4, .types_allowed = only_k80}, false},
      {{.gpu_count = 1, .types_allowed = 0b100}, false},  // Believed not to run there.
      {{.gpu_count = 1, .types_allowed = 0}, false},
      {{.gpu_count = 4, .types_allowed = only_v100, .cpus_milli = 8000}, true},
      {{.gpu_count = 4, .types_allowed = only_v100, .cpus_milli = 8004}, false},
      {{.gpu_count = 2, .types_allowed = only_v100, .memory_mib = 1025}, false},
      {{.gpu_count = 2, .memory_mib = 1025}, true},  // On node b.
      {{.gpu_count = 8, .gpu_count_min = 4}, true},
      {{.gpu_count = 8, .gpu_count_min = 5}, false},
      {{.gpu_count = 8, .copies_max = 2}, true},
  };
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const JobId id = stage.submit(static_cast<double>(i), cases[i].spec);
    EXPECT_EQ(stage.job(id).state, cases[i].fits ? JobState::active : JobState::rejected) << i;
    EXPECT_EQ(stage.was_asked(), cases[i].fits) << i;
    if (cases[i].fits) continue;
    EXPECT_EQ(stage.job(id).reason, Reason::fits_nowhere) << i;
    EXPECT_EQ(stage.ended(), std::vector<JobId>{id}) << i;
  }
}

TEST(EngineSubmit, a_cluster_that_is_down_may_come_back) {
  Stage stage;
  stage.step(0, {NodeLost{node0}});
  stage.submit(1, {.gpu_count = 4});
  EXPECT_EQ(stage.job(job0).state, JobState::active);
}

}  // namespace
}  // namespace muster
