#include "report/recorder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "base/rng.h"
#include "unit/report/stage.h"

namespace muster {
namespace {

using std::chrono::seconds;
using testing::at;
using testing::Stage;

constexpr double microseconds = 1e6;

std::vector<std::pair<double, std::int32_t>> points(std::span<const CountChange> changes) {
  std::vector<std::pair<double, std::int32_t>> points;
  for (const CountChange& change : changes) {
    points.push_back({to_seconds(change.at), change.count});
  }
  return points;
}

using Points = std::vector<std::pair<double, std::int32_t>>;

TEST(Recorder, two_jobs_on_two_nodes) {
  Stage stage;
  testing::play_two_jobs(stage);
  const auto jobs = stage.outcomes();
  ASSERT_EQ(jobs.size(), 2U);
  EXPECT_EQ(jobs[0].run_time, seconds(100));
  EXPECT_EQ(jobs[0].gpu_time, seconds(200));
  EXPECT_EQ(jobs[0].wait(), seconds(0));
  EXPECT_EQ(jobs[0].jct(), seconds(100));
  EXPECT_EQ(jobs[1].run_time, seconds(50));
  EXPECT_EQ(jobs[1].gpu_time, seconds(50));
  EXPECT_EQ(jobs[1].wait(), seconds(10));
  EXPECT_EQ(jobs[1].jct(), seconds(60));
  EXPECT_EQ(jobs[1].pending(), seconds(10));
  const auto busy = stage.recorder().busy_time();
  ASSERT_TRUE(busy);
  EXPECT_EQ(busy->gpus_by_type, (std::vector<double>{250 * microseconds, 0}));
  EXPECT_EQ(busy->nodes, 150 * microseconds);
  EXPECT_EQ(stage.recorder().event_count(), 4);
}

TEST(Recorder, contention_is_the_average_number_of_unfinished_jobs) {
  Stage stage;
  testing::play_two_jobs(stage);
  // One job for 10 s, two for 60 s, one for 30 s.
  EXPECT_DOUBLE_EQ(stage.recorder().jobs()[0].contention, 1.6);
  EXPECT_DOUBLE_EQ(stage.recorder().jobs()[1].contention, 2);
}

TEST(Recorder, a_stop_counts_as_a_preemption_only_while_the_job_goes_on) {
  Stage stage;
  const JobId moved = stage.submit(0);
  const JobId held = stage.submit(0);
  const JobId cancelled = stage.submit(0);
  const RunId first = stage.start(0, moved, {{Stage::a_v100, 1}}, {0});
  const RunId second = stage.start(0, held, {{Stage::a_v100, 1}}, {1});
  const RunId third = stage.start(0, cancelled, {{Stage::b_v100, 1}}, {0});
  stage.end(10, third, Cause::stopped, JobState::cancelled);
  stage.end(10, second, Cause::stopped, JobState::held);
  stage.end(10, first, Cause::stopped);
  const RunId elsewhere = stage.start(10, moved, {{Stage::b_v100, 1}}, {0});
  stage.end(20, elsewhere, Cause::stopped);
  const RunId last = stage.start(25, moved, {{Stage::b_v100, 1}}, {0});
  stage.finish(30, last);
  const auto jobs = stage.outcomes();
  EXPECT_EQ(jobs[moved.index()].preemption_count, 2);
  EXPECT_EQ(jobs[moved.index()].run_time, seconds(25));
  EXPECT_EQ(jobs[moved.index()].pending(), seconds(5));
  EXPECT_EQ(jobs[held.index()].preemption_count, 0);
  EXPECT_EQ(jobs[held.index()].status, JobStatus::unfinished);
  EXPECT_EQ(jobs[cancelled.index()].preemption_count, 0);
  EXPECT_EQ(jobs[cancelled.index()].run_time, seconds(10));
  EXPECT_EQ(jobs[cancelled.index()].jct(), std::nullopt);
}

TEST(Recorder, copies_run_once_and_use_gpus_each) {
  Stage stage;
  const JobId job = stage.submit(0, {.gpu_count = 2, .copies_max = 2});
  const RunId first = stage.start(0, job, {{Stage::a_v100, 2}}, {0, 1});
  const RunId second = stage.start(5, job, {{Stage::b_v100, 1}, {Stage::b_k80, 1}}, {0, 0});
  stage.end(10, first, Cause::done);
  stage.finish(20, second);
  const auto jobs = stage.outcomes();
  EXPECT_EQ(jobs[0].run_time, seconds(20));
  EXPECT_EQ(jobs[0].gpu_time, seconds(2 * 10 + 2 * 15));
  const auto busy = stage.recorder().busy_time();
  EXPECT_EQ(busy->gpus_by_type, (std::vector<double>{35 * microseconds, 15 * microseconds}));
  EXPECT_EQ(busy->nodes, 25 * microseconds);
}

TEST(Recorder, shared_gpus_are_busy_once_until_the_last_run_has_ended) {
  Stage stage;
  const JobId one = stage.submit(0);
  const JobId other = stage.submit(0);
  const RunId one_run = stage.start(0, one, {{Stage::a_v100, 1}}, {0});
  const RunId other_run = stage.start(10, other, {{Stage::a_v100, 1}}, {0}, one_run);
  stage.finish(20, one_run);
  stage.finish(50, other_run);
  const auto jobs = stage.outcomes();
  EXPECT_EQ(jobs[0].gpu_time, seconds(20));
  EXPECT_EQ(jobs[1].gpu_time, seconds(40));
  const auto busy = stage.recorder().busy_time();
  EXPECT_EQ(busy->gpus_by_type[0], 50 * microseconds);
  EXPECT_EQ(busy->nodes, 50 * microseconds);
  EXPECT_EQ(points(stage.recorder().free_changes(GpuTypeId(0U))), (Points{{0, 2}, {50, 3}}));
}

TEST(Recorder, a_lost_node_takes_its_free_gpus_and_its_run_keeps_the_rest_until_it_ends) {
  Stage stage;
  const JobId job = stage.submit(0, {.gpu_count = 1});
  const RunId first = stage.start(0, job, {{Stage::a_v100, 1}}, {0});
  stage.tell(10, NodeLost{NodeId(0U)});
  stage.end(12, first, Cause::lost, JobState::active, 7);
  stage.tell(30, NodeJoined{NodeId(0U)});
  const RunId second = stage.start(40, job, {{Stage::a_v100, 1}}, {1});
  stage.finish(50, second);
  const auto jobs = stage.outcomes();
  EXPECT_EQ(jobs[0].loss_count, 1);
  EXPECT_EQ(jobs[0].preemption_count, 0);
  EXPECT_EQ(jobs[0].run_time, seconds(22));
  EXPECT_EQ(points(stage.recorder().free_changes(GpuTypeId(0U))),
            (Points{{0, 2}, {10, 1}, {30, 3}, {40, 2}, {50, 3}}));
  EXPECT_EQ(points(stage.recorder().free_changes(GpuTypeId(1U))), (Points{{0, 1}}));
  EXPECT_EQ(points(stage.recorder().pending_changes()), (Points{{0, 0}, {12, 1}, {40, 0}}));
  EXPECT_EQ(stage.recorder().schedule()[0].steps, 7);
}

TEST(Recorder, late_and_repeated_reports_change_nothing) {
  Stage stage;
  const JobId job = stage.submit(0);
  const RunId run = stage.start(0, job, {{Stage::a_v100, 1}}, {0});
  stage.end(10, run, Cause::stopped, JobState::active, 5);
  stage.end(20, run, Cause::lost, JobState::active, 9);
  stage.tell(20, RunEnded{.run = RunId(77U), .steps = 1, .cause = Cause::done});
  stage.tell(20, Submitted{.job = job, .spec = {}});
  stage.tell(20, Submitted{.job = JobId(9U), .spec = {}});
  stage.tell(20, NodeLost{NodeId(9U)});
  const auto jobs = stage.outcomes();
  ASSERT_EQ(jobs.size(), 1U);
  EXPECT_EQ(jobs[0].run_time, seconds(10));
  EXPECT_EQ(jobs[0].loss_count, 0);
  EXPECT_EQ(jobs[0].preemption_count, 1);
  EXPECT_EQ(stage.recorder().schedule()[0].steps, 5);
  EXPECT_EQ(stage.recorder().schedule()[0].end, at(10));
}

TEST(Recorder, steps_of_a_run_stay_within_those_it_was_given) {
  Stage stage;
  const JobId job = stage.submit(0);
  stage.end(10, stage.start(0, job, {{Stage::a_v100, 1}}, {0}), Cause::done, JobState::active,
            9999);
  EXPECT_EQ(stage.recorder().schedule()[0].steps, 1000);
}

TEST(Recorder, unfinished_runs_count_up_to_the_last_step) {
  Stage stage;
  const JobId job = stage.submit(0, {.gpu_count = 2});
  stage.start(5, job, {{Stage::a_v100, 2}}, {0, 1});
  stage.submit(25);
  const auto jobs = stage.outcomes();
  EXPECT_EQ(jobs[0].run_time, seconds(20));
  EXPECT_EQ(jobs[0].gpu_time, seconds(40));
  EXPECT_EQ(jobs[0].status, JobStatus::unfinished);
  EXPECT_EQ(jobs[1].started_at, std::nullopt);
  EXPECT_FALSE(stage.recorder().busy_time());
}

TEST(Recorder, keeps_no_rows_unless_asked) {
  Stage stage({.keep_schedule = false});
  testing::play_two_jobs(stage);
  EXPECT_TRUE(stage.recorder().schedule().empty());
  EXPECT_TRUE(stage.recorder().pending_changes().empty());
  EXPECT_TRUE(stage.recorder().free_changes(GpuTypeId(0U)).empty());
  EXPECT_EQ(stage.recorder().busy_time()->nodes, 150 * microseconds);
}

// One run of a random schedule, for adding up second by second.
struct Interval {
  std::size_t job = 0;
  RunId run{};
  std::int32_t gpu = 0;  // 0, 1: node a; 2: the V100 of node b; 3: its K80.
  int start = 0;
  int end = 0;
};

std::vector<Interval> play_random_schedule(Stage& stage, Rng& rng) {
  constexpr std::size_t job_count = 5;
  const std::vector<std::pair<PoolId, std::int32_t>> gpus = {
      {Stage::a_v100, 0}, {Stage::a_v100, 1}, {Stage::b_v100, 0}, {Stage::b_k80, 0}};
  for (std::size_t job = 0; job < job_count; ++job) stage.submit(0);
  std::vector<Interval> intervals;
  std::set<std::size_t> live;  // Into intervals.
  const int last = 200;
  for (int now = 0; now < last; ++now) {
    for (const std::size_t index : std::set<std::size_t>(live)) {
      if (rng.below(6) != 0) continue;
      stage.end(now, intervals[index].run, Cause::stopped);
      intervals[index].end = now;
      live.erase(index);
    }
    const auto gpu = static_cast<std::size_t>(rng.below(gpus.size()));
    const std::size_t job = rng.below(job_count);
    std::optional<RunId> company;
    for (const std::size_t index : live) {
      if (static_cast<std::size_t>(intervals[index].gpu) == gpu) company = intervals[index].run;
    }
    const RunId run =
        stage.start(now, JobId(job), {{gpus[gpu].first, 1}}, {gpus[gpu].second}, company);
    live.insert(intervals.size());
    intervals.push_back(
        {.job = job, .run = run, .gpu = static_cast<std::int32_t>(gpu), .start = now});
  }
  for (const std::size_t index : live) {
    stage.end(last, intervals[index].run, Cause::stopped);
    intervals[index].end = last;
  }
  for (std::size_t job = 0; job < job_count; ++job) {
    stage.end_job(last, JobId(job), JobState::finished);
  }
  return intervals;
}

TEST(Recorder, random_schedules_add_up_as_they_do_second_by_second) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Stage stage;
    Rng rng{seed};
    const std::vector<Interval> intervals = play_random_schedule(stage, rng);
    std::map<std::size_t, int> run_seconds;
    std::map<std::size_t, int> gpu_seconds;
    std::map<std::size_t, int> stops;
    int v100_seconds = 0;
    int k80_seconds = 0;
    int node_seconds = 0;
    for (const Interval& interval : intervals) ++stops[interval.job];
    for (int now = 0; now < 200; ++now) {
      std::set<std::size_t> jobs;
      std::set<std::int32_t> gpus;
      for (const Interval& interval : intervals) {
        if (now < interval.start || now >= interval.end) continue;
        jobs.insert(interval.job);
        gpus.insert(interval.gpu);
        ++gpu_seconds[interval.job];
      }
      for (const std::size_t job : jobs) ++run_seconds[job];
      const int k80s = gpus.contains(3) ? 1 : 0;
      k80_seconds += k80s;
      v100_seconds += static_cast<int>(gpus.size()) - k80s;
      node_seconds += (gpus.contains(0) || gpus.contains(1)) ? 1 : 0;
      node_seconds += (gpus.contains(2) || gpus.contains(3)) ? 1 : 0;
    }
    for (const JobOutcome& job : stage.outcomes()) {
      EXPECT_EQ(job.run_time, seconds(run_seconds[job.id.index()]));
      EXPECT_EQ(job.gpu_time, seconds(gpu_seconds[job.id.index()]));
      EXPECT_EQ(job.preemption_count, stops[job.id.index()]);
    }
    const auto busy = stage.recorder().busy_time();
    ASSERT_TRUE(busy);
    EXPECT_EQ(busy->gpus_by_type[0], v100_seconds * microseconds);
    EXPECT_EQ(busy->gpus_by_type[1], k80_seconds * microseconds);
    EXPECT_EQ(busy->nodes, node_seconds * microseconds);
  }
}

}  // namespace
}  // namespace muster
