// One job after the other: starts, stops, waits and reports.
#include <gtest/gtest.h>

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
constexpr JobId job1{1U};

TEST(EngineRun, a_job_runs_from_submission_to_end) {
  Stage stage;
  stage.submit(10, {.gpu_count = 2, .total_steps = 100}, start_plan(job0, first_pool(2)));
  ASSERT_EQ(stage.started(), std::vector<RunId>{run0});
  const StartRun start = stage.commands<StartRun>().front();
  EXPECT_EQ(start.job, job0);
  EXPECT_EQ(start.steps, 100);
  EXPECT_EQ(start.placement, first_pool(2));
  EXPECT_EQ(start.gpu_indices, (std::vector<std::int32_t>{0, 1}));
  EXPECT_EQ(stage.run(run0).state, RunState::starting);
  EXPECT_EQ(stage.job(job0).run_count, 1);
  EXPECT_EQ(stage.free_total(), 2);
  stage.step(15, {RunStarted{run0}});
  EXPECT_FALSE(stage.was_asked());
  EXPECT_EQ(stage.run(run0).state, RunState::running);
  EXPECT_EQ(stage.run(run0).pace.when(100), at(115));
  stage.step(115, {RunEnded{.run = run0, .steps = 100, .cause = Cause::done}});
  EXPECT_TRUE(stage.was_asked());
  EXPECT_EQ(stage.ended(), std::vector<JobId>{job0});
  EXPECT_EQ(stage.job(job0).state, JobState::finished);
  EXPECT_EQ(stage.job(job0).ended_at, at(115));
  EXPECT_EQ(stage.job(job0).gpu_time, seconds(210));
  EXPECT_EQ(stage.free_total(), 4);
  EXPECT_TRUE(stage.engine().runs().empty());
  EXPECT_TRUE(stage.engine().grants().empty());
}

TEST(EngineRun, a_quota_ends_the_run_but_not_the_job) {
  Stage stage;
  stage.submit(0, {.total_steps = 100}, start_plan(job0, first_pool(1), 30));
  EXPECT_EQ(stage.commands<StartRun>().front().steps, 30);
  stage.step(30, {RunEnded{.run = run0, .steps = 30}}, start_plan(job0, first_pool(1)));
  EXPECT_EQ(stage.job(job0).steps_done, 30);
  EXPECT_EQ(stage.commands<StartRun>().front().steps, 70);
  EXPECT_EQ(stage.job(job0).run_count, 2);
}

TEST(EngineRun, a_start_waits_for_the_gpus_of_a_stopping_run_and_needs_no_repetition) {
  Stage stage;
  stage.submit(0, {.gpu_count = 4, .total_steps = 100}, start_plan(job0, first_pool(4)));
  stage.step(0, {RunStarted{run0}});
  Plan swap = stop_plan(run0);
  swap.start(job1, first_pool(3));
  stage.submit(10, {.gpu_count = 3, .total_steps = 100}, swap);
  EXPECT_EQ(stage.stopped(), std::vector<RunId>{run0});
  EXPECT_TRUE(stage.started().empty());
  EXPECT_EQ(stage.run(run1).state, RunState::waiting);
  EXPECT_FALSE(stage.run(run1).has_begun());
  EXPECT_EQ(stage.run(run0).state, RunState::stopping);
  EXPECT_EQ(stage.free_total(), 1);
  // Both are seen as the policy wants them: one waits, one runs.
  EXPECT_EQ(stage.engine().snapshot().waiting.size(), 1U);
  EXPECT_EQ(stage.engine().snapshot().running.front(), job1);
  stage.step(12, {RunEnded{.run = run0, .steps = 9, .cause = Cause::stopped}});
  EXPECT_EQ(stage.started(), std::vector<RunId>{run1});
  EXPECT_EQ(stage.commands<StartRun>().front().gpu_indices, (std::vector<std::int32_t>{0, 1, 2}));
  EXPECT_EQ(stage.job(job0).steps_done, 9);
  EXPECT_EQ(stage.job(job0).gpu_time, seconds(48));
}

TEST(EngineRun, a_start_waits_until_its_job_has_stopped_elsewhere) {
  Stage stage;
  stage.submit(0, {.gpu_count = 2, .total_steps = 100}, start_plan(job0, first_pool(2)));
  stage.step(0, {RunStarted{run0}});
  Plan again = stop_plan(run0);
  again.start(job0, first_pool(2));
  stage.submit(10, {.total_steps = 1}, again);
  EXPECT_TRUE(stage.started().empty());
  stage.step(11, {RunEnded{.run = run0, .steps = 10, .cause = Cause::stopped}});
  ASSERT_EQ(stage.started(), std::vector<RunId>{run1});
  EXPECT_EQ(stage.commands<StartRun>().front().steps, 90);
}

TEST(EngineRun, a_run_that_has_not_begun_is_dropped_at_once) {
  Stage stage;
  stage.submit(0, {.gpu_count = 4, .total_steps = 100}, start_plan(job0, first_pool(4)));
  Plan swap = stop_plan(run0);
  swap.start(job1, first_pool(4));
  stage.submit(10, {.gpu_count = 4, .total_steps = 100}, swap);
  Plan back = stop_plan(run1);
  back.start(job0, first_pool(4));
  stage.submit(11, {.total_steps = 1}, back);
  EXPECT_FALSE(stage.is_live(run1));
  EXPECT_TRUE(stage.stopped().empty());
  EXPECT_EQ(stage.engine().counters().stops, 1);
  EXPECT_EQ(stage.job(job1).run_count, 0);
  stage.step(12, {RunEnded{.run = run0, .cause = Cause::stopped}});
  EXPECT_EQ(stage.started(), std::vector<RunId>{run2});
}

TEST(EngineRun, stops_go_out_before_starts) {
  Stage stage({.cluster = testing::plain_cluster(2, 4)});
  stage.submit(0, {.gpu_count = 4, .total_steps = 100}, start_plan(job0, first_pool(4)));
  Plan plan = stop_plan(run0);
  plan.start(job1, {{PoolId(1U), 4}});
  const Engine::Step step = stage.step(
      5, {Submitted{.job = job1, .spec = {.gpu_count = 4, .reference_steps_per_second = 1}}}, plan);
  ASSERT_EQ(step.commands.size(), 2U);
  EXPECT_TRUE(std::holds_alternative<StopRun>(step.commands[0]));
  EXPECT_TRUE(std::holds_alternative<StartRun>(step.commands[1]));
}

TEST(EngineRun, a_run_stopped_before_it_has_started_has_made_no_steps) {
  Stage stage;
  stage.submit(0, {.total_steps = 100}, start_plan(job0, first_pool(1)));
  stage.submit(50, {.total_steps = 1}, stop_plan(run0));
  EXPECT_EQ(stage.engine().snapshot().steps_left(stage.job(job0)), 100);
  stage.step(51, {RunStarted{run0}});  // The world's answer crossed the stop.
  EXPECT_EQ(stage.late_reports(), 1);
  stage.step(52, {RunEnded{.run = run0, .cause = Cause::stopped}});
  EXPECT_EQ(stage.job(job0).steps_done, 0);
}

TEST(EngineRun, reports_of_other_runs_only_count) {
  Stage stage;
  stage.submit(0, {.total_steps = 100}, start_plan(job0, first_pool(1), 50));
  stage.step(0, {RunStarted{run0}});
  stage.step(50, {RunEnded{.run = run0, .steps = 50}}, start_plan(job0, first_pool(1)));
  const std::uint64_t hash = stage.engine().schedule_hash();
  const std::vector<Event> reports = {
      RunStarted{run0},                    // Ended.
      RunEnded{.run = run0, .steps = 50},  // Repeated.
      Progress{.run = run0, .steps = 20},  // Ended.
      RunStarted{RunId(77U)},              // Unknown.
      RunEnded{.run = RunId(77U)},         // Unknown.
      Progress{.run = run1, .steps = 1},   // Not started yet.
      Consolidated{job0},                  // Nothing to average.
      Released{job0},                      // Not held.
      Submitted{.job = job0, .spec = {}},  // Known.
      Cancelled{JobId(9U)},
      Held{JobId(9U)},
      Released{JobId(9U)},
      Consolidated{JobId(9U)},
      NodeJoined{NodeId(0U)},  // Up already.
      NodeLost{NodeId(9U)},
  };
  stage.step(51, reports);
  EXPECT_FALSE(stage.was_asked());
  EXPECT_EQ(stage.late_reports(), static_cast<std::int64_t>(reports.size()));
  EXPECT_EQ(stage.engine().schedule_hash(), hash);
  EXPECT_EQ(stage.job(job0).steps_done, 50);
  EXPECT_EQ(stage.run(run1).state, RunState::starting);
  stage.step(52, {RunStarted{run1}});
  stage.step(53, {RunStarted{run1}});
  EXPECT_EQ(stage.late_reports(), static_cast<std::int64_t>(reports.size()) + 1);
  EXPECT_EQ(stage.run(run1).pace.since, at(52));
}

TEST(EngineRun, reported_steps_are_taken_as_far_as_they_are_possible) {
  Stage stage;
  stage.submit(0, {.total_steps = 100}, start_plan(job0, first_pool(1), 50));
  stage.step(1, {RunEnded{.run = run0, .steps = 5000, .cause = Cause::stopped}},
             start_plan(job0, first_pool(1)));
  EXPECT_EQ(stage.job(job0).steps_done, 50);
  stage.step(2, {RunEnded{.run = run1, .steps = -7, .cause = Cause::stopped}});
  EXPECT_EQ(stage.job(job0).steps_done, 50);
}

TEST(EngineRun, progress_reports_set_the_belief_right) {
  Stage stage;
  stage.submit(0, {.total_steps = 100}, start_plan(job0, first_pool(1)));
  stage.step(10, {RunStarted{run0}});
  stage.step(50, {Progress{.run = run0, .steps = 10}});
  EXPECT_FALSE(stage.was_asked());
  EXPECT_EQ(stage.run(run0).steps_by(at(60)), 20);
  EXPECT_EQ(stage.run(run0).pace.when(100), at(140));
  stage.step(60, {Progress{.run = run0, .steps = 1000}});
  EXPECT_EQ(stage.run(run0).steps_by(at(60)), 100);
}

TEST(EngineRun, a_run_that_ends_early_leaves_the_job_waiting) {
  Stage stage;
  stage.submit(0, {.total_steps = 100}, start_plan(job0, first_pool(1)));
  stage.step(20, {RunEnded{.run = run0, .steps = 20, .cause = Cause::lost}});
  EXPECT_EQ(stage.job(job0).state, JobState::active);
  EXPECT_EQ(stage.engine().snapshot().waiting.front(), job0);
}

TEST(EngineRun, a_completed_job_is_finished_whatever_was_left) {
  Stage stage;
  stage.submit(0, {.total_steps = 100}, start_plan(job0, first_pool(1)));
  stage.step(20, {RunEnded{.run = run0, .steps = 20, .cause = Cause::completed}});
  EXPECT_EQ(stage.job(job0).state, JobState::finished);
  EXPECT_EQ(stage.job(job0).steps_done, 100);
}

TEST(EngineRun, a_job_that_fails_too_often_has_failed) {
  Stage stage({.engine = {.failures_max = 2}});
  stage.submit(0, {.total_steps = 100}, start_plan(job0, first_pool(1)));
  for (std::uint32_t failure = 0; failure < 2; ++failure) {
    stage.step(10 + failure, {RunEnded{.run = RunId(failure), .cause = Cause::failed}},
               start_plan(job0, first_pool(1)));
    EXPECT_EQ(stage.job(job0).state, JobState::active);
  }
  stage.step(20, {RunEnded{.run = run2, .cause = Cause::failed}});
  EXPECT_EQ(stage.job(job0).state, JobState::failed);
  EXPECT_EQ(stage.job(job0).fail_count, 3);
  EXPECT_EQ(stage.ended(), std::vector<JobId>{job0});
}

TEST(EngineRun, lost_runs_are_no_failures_of_the_job) {
  Stage stage({.engine = {.failures_max = 0}});
  stage.submit(0, {.total_steps = 100}, start_plan(job0, first_pool(1)));
  stage.step(10, {RunEnded{.run = run0, .cause = Cause::lost}});
  EXPECT_EQ(stage.job(job0).state, JobState::active);
}

TEST(EngineRun, the_policy_is_asked_again_at_its_wake_time) {
  Stage stage;
  stage.submit(0, {.total_steps = 100}, {.wake_at = at(30)});
  stage.step(29, {});
  EXPECT_FALSE(stage.was_asked());
  EXPECT_EQ(stage.step(29.5, {}).wake_at, at(30));
  stage.step(30, {}, {.wake_at = at(90)});
  EXPECT_TRUE(stage.was_asked());
  // Each decision replaces the wake time, also with none.
  EXPECT_EQ(stage.step(31, {Held{job0}}).wake_at, std::nullopt);
  stage.step(90, {});
  EXPECT_FALSE(stage.was_asked());
}

TEST(EngineRun, a_late_wake_is_a_wake) {
  Stage stage;
  stage.submit(0, {.total_steps = 100}, {.wake_at = at(30)});
  stage.step(47, {});
  EXPECT_TRUE(stage.was_asked());
}

TEST(EngineRun, a_refused_plan_changes_nothing_and_the_engine_goes_on) {
  Stage stage;
  Plan plan = start_plan(job0, first_pool(2));
  plan.start(job0, first_pool(2));
  plan.wake_at = at(9);
  plan.reasons = {{.job = job0, .reason = Reason::share_used}};
  stage.submit(0, {.gpu_count = 2, .total_steps = 100}, plan);
  EXPECT_EQ(stage.refusal(), "more runs of job 0 than it may have copies");
  EXPECT_TRUE(stage.started().empty());
  EXPECT_EQ(stage.free_total(), 4);
  EXPECT_EQ(stage.job(job0).reason, Reason::queued);
  EXPECT_EQ(stage.step(1, {}).wake_at, std::nullopt);
  // What had changed is still told to the policy at the next decision.
  EXPECT_EQ(stage.engine().snapshot().changed.size(), 1U);
  stage.submit(2, {.total_steps = 1}, start_plan(job0, first_pool(2)));
  EXPECT_EQ(stage.refusal(), "");
  EXPECT_EQ(stage.started(), std::vector<RunId>{run0});
}

TEST(EngineRun, reasons_stay_until_the_job_starts) {
  Stage stage;
  stage.submit(0, {.total_steps = 100},
               {.reasons = {{.job = job0, .reason = Reason::share_used, .detail = 4}}});
  EXPECT_EQ(stage.job(job0).reason, Reason::share_used);
  EXPECT_EQ(stage.job(job0).reason_detail, 4);
  stage.submit(1, {.total_steps = 100}, start_plan(job0, first_pool(1)));
  EXPECT_EQ(stage.job(job0).reason, Reason::queued);
  EXPECT_EQ(stage.job(job0).reason_detail, 0);
}

TEST(EngineRun, a_rejected_job_has_ended_with_its_reason) {
  Stage stage;
  stage.submit(0, {.total_steps = 100},
               {.rejects = {{.job = job0, .reason = Reason::share_used, .detail = 2}}});
  EXPECT_EQ(stage.job(job0).state, JobState::rejected);
  EXPECT_EQ(stage.job(job0).reason, Reason::share_used);
  EXPECT_EQ(stage.job(job0).reason_detail, 2);
  EXPECT_EQ(stage.ended(), std::vector<JobId>{job0});
  EXPECT_TRUE(stage.engine().snapshot().waiting.empty());
}

TEST(EngineRun, a_run_is_not_stopped_before_its_minimum_run_time) {
  Stage stage({.engine = {.minimum_run_time = seconds(60)}});
  stage.submit(0, {.total_steps = 100}, start_plan(job0, first_pool(1)));
  stage.submit(59, {.total_steps = 1}, stop_plan(run0));
  EXPECT_EQ(stage.refusal(), "stop of run 0 before its minimum run time");
  stage.submit(60, {.total_steps = 1}, stop_plan(run0));
  EXPECT_EQ(stage.stopped(), std::vector<RunId>{run0});
}

TEST(EngineRun, changed_names_each_job_once_in_order) {
  Stage stage;
  stage.submit(0, {.total_steps = 100});
  stage.submit(0, {.total_steps = 100}, start_plan(job1, first_pool(1)));
  stage.step(1, {RunStarted{run0}, Progress{.run = run0, .steps = 1}});
  const Snapshot snapshot = stage.engine().snapshot();
  EXPECT_EQ(snapshot.changed.front(), job1);
  Plan plan;
  stage.step(2, {Held{job1}, Held{job0}, Released{job1}, Released{job0}});
  EXPECT_TRUE(stage.was_asked());
  EXPECT_TRUE(stage.engine().snapshot().changed.empty());
}

TEST(EngineRun, time_does_not_go_back) {
  Stage stage;
  stage.step(10, {});
  EXPECT_DEATH(stage.step(9, {}), "broken invariant");
}

}  // namespace
}  // namespace muster
