#include "core/snapshot.h"

#include <gtest/gtest.h>

#include "support/simulation.h"

namespace muster {
namespace {

using std::chrono::seconds;

Time at(std::int64_t at_seconds) { return Time(seconds(at_seconds)); }

// One job of 1,000 steps, 100 of them saved, with a run of 500 steps that makes two a second.
struct Scene {
  Scene() {
    jobs.push_back({.id = JobId(0U),
                    .spec = {.total_steps = 1000},
                    .steps_done = 100,
                    .runs = {RunId(5U)},
                    .wanted_count = 1});
    runs[RunId(5U)] = {.id = RunId(5U),
                       .job = JobId(0U),
                       .grant = GrantId(2U),
                       .state = RunState::running,
                       .steps = 500,
                       .pace = {.rate = 2, .since = at(50)},
                       .begun_at = at(40)};
    grants[GrantId(2U)] = {.id = GrantId(2U), .placement = {{PoolId(0U), 1}}};
  }

  Snapshot snapshot(Time now, Duration minimum_run_time = {}) const {
    return {.now = now,
            .cluster = cluster,
            .belief = model,
            .jobs = jobs,
            .waiting = {},
            .running = {},
            .changed = {},
            .runs = runs,
            .grants = grants,
            .free = {},
            .free_by_type = {},
            .free_cpus_milli = {},
            .free_memory_mib = {},
            .minimum_run_time = minimum_run_time};
  }

  Run& only_run() { return runs.at(RunId(5U)); }

  Cluster cluster = testing::plain_cluster(1, 4);
  testing::PlainModel model;
  std::vector<Job> jobs;
  RunTable runs;
  GrantTable grants;
};

TEST(Snapshot, steps_left_counts_what_runs_are_believed_to_have_done) {
  Scene scene;
  EXPECT_EQ(scene.snapshot(at(50)).steps_left(scene.jobs[0]), 900);
  EXPECT_EQ(scene.snapshot(at(100)).steps_left(scene.jobs[0]), 800);
}

TEST(Snapshot, a_run_is_never_believed_to_do_more_than_its_steps) {
  Scene scene;
  EXPECT_EQ(scene.snapshot(at(10000)).steps_left(scene.jobs[0]), 400);
}

TEST(Snapshot, a_run_that_has_not_started_makes_no_steps) {
  Scene scene;
  scene.only_run().state = RunState::starting;
  EXPECT_EQ(scene.snapshot(at(100)).steps_left(scene.jobs[0]), 900);
}

TEST(Snapshot, steps_left_is_never_negative) {
  Scene scene;
  scene.jobs[0].steps_done = 900;
  EXPECT_EQ(scene.snapshot(at(10000)).steps_left(scene.jobs[0]), 0);
}

TEST(Snapshot, a_young_run_may_not_be_stopped) {
  Scene scene;
  EXPECT_FALSE(scene.snapshot(at(99), seconds(60)).may_stop(scene.only_run()));
  EXPECT_TRUE(scene.snapshot(at(100), seconds(60)).may_stop(scene.only_run()));
  scene.only_run().state = RunState::waiting;
  EXPECT_TRUE(scene.snapshot(at(41), seconds(60)).may_stop(scene.only_run()));
  scene.only_run().state = RunState::stopping;
  EXPECT_FALSE(scene.snapshot(at(100)).may_stop(scene.only_run()));
}

TEST(Snapshot, finds_runsand_their_grants) {
  Scene scene;
  const Snapshot view = scene.snapshot(at(50));
  EXPECT_EQ(&view.run(RunId(5U)), &scene.runs.at(RunId(5U)));
  EXPECT_EQ(view.grant_of(scene.only_run()).id, GrantId(2U));
  EXPECT_EQ(&view.job(JobId(0U)), &scene.jobs[0]);
}

}  // namespace
}  // namespace muster
