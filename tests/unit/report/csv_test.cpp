#include "report/csv.h"

#include <gtest/gtest.h>

#include "unit/report/stage.h"

namespace muster {
namespace {

using testing::Stage;

TEST(Csv, jobs_to_the_byte) {
  Stage stage;
  testing::play_two_jobs(stage);
  stage.submit(100.25, {.deadline = testing::at(200)});
  const std::vector<std::string> ids = {"job-a", "b,\"2\""};
  const std::vector<std::string> users = {"ann", "bob"};
  const std::string text = jobs_csv(stage.outcomes(), {.ids = ids, .users = users});
  EXPECT_EQ(text,
            "job_id,user,model,gpus,submit_seconds,start_seconds,finish_seconds,wait_seconds,"
            "pending_seconds,run_seconds,jct_seconds,gpu_seconds,preemptions,ftf_ratio,"
            "deadline_seconds,status\n"
            "job-a,ann,,2,0,0,100,0,0,100,100,200,0,,,finished\n"
            "\"b,\"\"2\"\"\",bob,,1,10,20,70,10,10,50,60,50,0,,,finished\n"
            "2,,,1,100.25,,,,,0,,0,0,,200,unfinished\n");
}

TEST(Csv, fairness_is_the_shortest_exact_number) {
  Stage stage;
  stage.finish(3, stage.start(0, stage.submit(0, {.total_steps = 10}), {{Stage::a_v100, 1}}, {0}));
  const auto outcomes = stage.outcomes([](const JobSpec&, GpuTypeId) { return 1.0; });
  EXPECT_NE(jobs_csv(outcomes, {}).find("\n0,,,1,0,0,3,0,0,3,3,3,0,0.3,,finished\n"),
            std::string::npos);
}

TEST(Csv, schedule_to_the_byte) {
  Stage stage;
  const JobId job = stage.submit(0, {.gpu_count = 3});
  const RunId run = stage.start(0.5, job, {{Stage::a_v100, 2}, {Stage::b_k80, 1}}, {0, 1, 0});
  stage.end(10, run, Cause::stopped, JobState::active, 42);
  stage.start(10, job, {{Stage::a_v100, 2}, {Stage::b_v100, 1}}, {0, 1, 0});
  const std::vector<std::string> ids = {"x"};
  EXPECT_EQ(schedule_csv(stage.recorder(), {.ids = ids}),
            "job_id,run_id,node,gpu_type,gpus,start_seconds,end_seconds,steps\n"
            "x,0,a,v100,2,0.5,10,42\n"
            "x,0,b,k80,1,0.5,10,\n"
            "x,1,a,v100,2,10,,\n"
            "x,1,b,v100,1,10,,\n");
}

TEST(Csv, fields_are_quoted_only_when_needed) {
  EXPECT_EQ(csv_field("plain text"), "plain text");
  EXPECT_EQ(csv_field("a,b"), "\"a,b\"");
  EXPECT_EQ(csv_field("a\nb"), "\"a\nb\"");
  EXPECT_EQ(csv_field("\""), "\"\"\"\"");
}

}  // namespace
}  // namespace muster
