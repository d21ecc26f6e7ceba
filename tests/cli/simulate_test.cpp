#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "cli/muster_binary.h"
#include "support/shared_data.h"

namespace muster::testing {
namespace {

class Simulate : public ::testing::Test {
 protected:
  // simulate on tiny-v100 with these arguments besides.
  Finished run(const std::string& trace, std::vector<std::string> more = {}) {
    std::vector<std::string> arguments = {"simulate", "--cluster", "tiny-v100", "--trace", trace};
    if (std::find(more.begin(), more.end(), "--policy") == more.end()) {
      arguments.insert(arguments.end(), {"--policy", "fifo"});
    }
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run_muster(arguments);
  }
  std::string busy() { return folder_.write("busy.csv", busy_trace()); }

  TemporaryFolder folder_;
};

TEST_F(Simulate, prints_keys_and_values_in_a_pipe) {
  const Finished finished = run(busy());
  EXPECT_EQ(finished.status, 0) << finished.messages;
  EXPECT_EQ(finished.messages, "");
  EXPECT_TRUE(finished.output.starts_with("key\tvalue\npolicy\tfifo\n"));
  EXPECT_EQ(value_of(finished, "jobs_finished"), "30");
  EXPECT_EQ(value_of(finished, "seed"), "0");
}

TEST_F(Simulate, json_is_the_summary_file) {
  const std::string trace = busy();
  const Finished finished = run(trace, {"--json", "--out", folder_.file("out"), "--seed", "5"});
  ASSERT_EQ(finished.status, 0) << finished.messages;
  EXPECT_EQ(finished.output, read_text(folder_.path() / "out" / "summary.json"));
  const auto json = nlohmann::json::parse(finished.output);
  EXPECT_EQ(json["seed"], 5);
  EXPECT_EQ(json["trace"], trace);
  EXPECT_TRUE(json["deadline_met_ratio"].is_null());
}

TEST_F(Simulate, out_holds_the_files_of_a_run) {
  const Finished finished = run(busy(), {"--out", folder_.file("out"), "--timeline"});
  ASSERT_EQ(finished.status, 0) << finished.messages;
  const std::string jobs = read_text(folder_.path() / "out" / "jobs.csv");
  EXPECT_TRUE(jobs.starts_with("job_id,user,model,gpus,submit_seconds,"));
  EXPECT_EQ(std::count(jobs.begin(), jobs.end(), '\n'), 31);
  EXPECT_NE(jobs.find("\njob-4,user-1,,1,44,"), std::string::npos) << jobs;
  const std::string schedule = read_text(folder_.path() / "out" / "schedule.csv");
  EXPECT_TRUE(schedule.starts_with("job_id,run_id,node,"));
  const auto timeline = nlohmann::json::parse(read_text(folder_.path() / "out" / "timeline.json"));
  EXPECT_FALSE(timeline["traceEvents"].empty());
}

TEST_F(Simulate, a_job_larger_than_the_cluster_is_rejected) {
  const std::string trace = folder_.write(
      "large.csv", "job_id,submit_seconds,gpus,duration_seconds\na,0,4,100\nb,10,99,50\n");
  const Finished finished = run(trace);
  EXPECT_EQ(finished.status, 0);
  EXPECT_EQ(finished.messages,
            "warning: job b is rejected: it asks for 99 GPUs, the largest GPU type that it may use "
            "has 8\n");
  EXPECT_EQ(value_of(finished, "jobs_rejected"), "1");
  EXPECT_EQ(value_of(finished, "jobs_finished"), "1");
  EXPECT_EQ(run(trace, {"--quiet"}).messages, "");
}

TEST_F(Simulate, warns_of_unsorted_and_of_skipped_rows) {
  const std::string trace = folder_.write(
      "rows.csv", "job_id,submit_seconds,gpus,duration_seconds\nb,10,1,50\nx,5,0,9\na,0,4,100\n");
  const Finished strict = run(trace);
  EXPECT_EQ(strict.status, 1);
  EXPECT_TRUE(strict.messages.starts_with("error: " + trace + ":3: gpus: ")) << strict.messages;
  const Finished lenient = run(trace, {"--skip-bad-rows"});
  EXPECT_EQ(lenient.status, 0);
  EXPECT_EQ(lenient.messages, "warning: " + trace +
                                  ": rows are not in the order of submission; sorted\n" +
                                  "warning: " + trace + ": 1 bad rows skipped\n");
  EXPECT_EQ(value_of(lenient, "rows_skipped_count"), "1");
}

TEST_F(Simulate, from_and_to_leave_jobs_out) {
  const Finished finished = run(busy(), {"--from", "11", "--to", "44"});
  EXPECT_EQ(value_of(finished, "jobs_total"), "3");
  const Finished empty = run(busy(), {"--from", "9999"});
  EXPECT_EQ(empty.status, 1);
  EXPECT_EQ(empty.messages, "error: " + busy() +
                                ": no job is submitted in the window\n"
                                "hint: --from and --to count seconds from the first submit\n");
}

TEST_F(Simulate, window_counts_only_its_jobs) {
  EXPECT_EQ(value_of(run(busy(), {"--window", "10:20"}), "jobs_total"), "10");
  const Finished beyond = run(busy(), {"--window", "10:31"});
  EXPECT_EQ(beyond.status, 1);
  EXPECT_EQ(beyond.messages, "error: --window: there are only 30 jobs, got 10:31\n");
}

TEST_F(Simulate, files_that_cannot_be_read_are_named) {
  EXPECT_EQ(run("missing.csv").status, 1);
  EXPECT_EQ(run("missing.csv").messages,
            "error: missing.csv: cannot be opened: No such file or directory\n");
  const std::string columns = folder_.write("columns.csv", "a,b\n1,2\n");
  const Finished wrong = run(columns, {"--format", "native"});
  EXPECT_EQ(wrong.status, 1);
  EXPECT_TRUE(wrong.messages.starts_with("error: " + columns + ":1: ")) << wrong.messages;
  const Finished cluster =
      run_muster({"simulate", "--cluster", "tiny-v10", "--trace", busy(), "--policy", "fifo"});
  EXPECT_EQ(cluster.status, 1);
  EXPECT_EQ(cluster.messages,
            "error: cluster 'tiny-v10': no such file, and no shipped cluster of that name\n"
            "hint: did you mean 'tiny-v100'?\n");
}

TEST_F(Simulate, an_unknown_gpu_type_is_an_error) {
  const std::string trace = folder_.write(
      "types.csv", "job_id,submit_seconds,gpus,duration_seconds,gpu_type\na,0,1,10,v10\n");
  const Finished job = run(trace);
  EXPECT_EQ(job.status, 1);
  EXPECT_EQ(job.messages, "error: " + trace +
                              ":2: gpu_type: unknown GPU type 'v10'\n"
                              "hint: did you mean 'v100'?\n");
  const std::string cluster =
      folder_.write("odd.yaml", "name: odd\nnodes:\n  - {count: 1, gpus: {v10: 4}}\n");
  const Finished node =
      run_muster({"simulate", "--cluster", cluster, "--trace", busy(), "--policy", "fifo"});
  EXPECT_EQ(node.status, 1);
  EXPECT_TRUE(node.messages.starts_with("error: " + cluster + ":3: ")) << node.messages;
}

TEST_F(Simulate, wrong_words_are_errors_of_usage) {
  const std::string trace = busy();
  const Finished policy = run(trace, {"--policy", "srtg"});
  EXPECT_EQ(policy.status, 2);
  EXPECT_EQ(policy.messages, "error: unknown policy 'srtg'\nhint: did you mean 'srtf'?\n");
  EXPECT_EQ(run(trace, {"--policy", "fifo:placment=count"}).messages,
            "error: policy fifo: unknown option 'placment'\nhint: did you mean 'placement'?\n");
  EXPECT_EQ(run(trace, {"--timeline"}).messages,
            "error: --timeline writes a file\nhint: add --out DIR\n");
  EXPECT_EQ(run(trace, {"--max-jobs", "-3"}).messages,
            "error: --max-jobs: expected a whole number from 1 on, got '-3'\n");
  EXPECT_EQ(run(trace, {"--truth", "tables"}).messages,
            "error: unknown performance model 'tables'\nhint: did you mean 'table'?\n");
  EXPECT_EQ(run(trace, {"--round-seconds", "0"}).status, 2);
  EXPECT_EQ(run(trace, {"more"}).status, 2);
}

TEST_F(Simulate, a_failed_run_leaves_no_files) {
  const Finished finished =
      run(folder_.write("bad.csv", "job_id,submit_seconds,gpus,duration_seconds\na,0,x,1\n"),
          {"--out", folder_.file("out")});
  EXPECT_EQ(finished.status, 1);
  EXPECT_FALSE(std::filesystem::exists(folder_.path() / "out"));
  EXPECT_FALSE(std::filesystem::exists(folder_.path() / "out.partial"));
}

TEST_F(Simulate, export_markdown_writes_the_table) {
  EXPECT_EQ(run(busy(), {"--export-markdown", folder_.file("run.md")}).status, 0);
  const std::string text = read_text(folder_.path() / "run.md");
  EXPECT_TRUE(text.starts_with("| figure")) << text;
  EXPECT_NE(text.find("| makespan"), std::string::npos) << text;
}

TEST_F(Simulate, the_same_seed_gives_the_same_schedule) {
  const std::vector<std::string> more = {
      "--failures", "mtbf=500,mttr=50", "--noise", "0.5", "--policy", "srtf", "--seed", "4"};
  const std::string hash = value_of(run(busy(), more), "schedule_hash");
  EXPECT_EQ(hash.size(), 16U);
  EXPECT_EQ(hash, value_of(run(busy(), more), "schedule_hash"));
}

TEST_F(Simulate, a_policy_reads_its_column_file) {
  const std::string file = folder_.write("times.csv", "duration\n100\n200\n400\n");
  EXPECT_EQ(run(busy(), {"--policy", "tiresias-g:distribution=" + file}).status, 0);
  const Finished missing = run(busy(), {"--policy", "tiresias-g:distribution=none.csv"});
  EXPECT_EQ(missing.status, 2);
  EXPECT_EQ(missing.messages, "error: policy tiresias-g: distribution: none.csv: cannot be read\n");
}

TEST(SimulateTiresias, srsf_gives_the_figures_of_its_simulator) {
  MUSTER_NEED_SHARED(trace, "data/tiresias/60_job.csv");
  const Finished finished = run_muster({"simulate", "--cluster", "tiresias-n4g4", "--trace",
                                        trace.string(), "--policy", "srsf", "--json"});
  ASSERT_EQ(finished.status, 0) << finished.messages;
  const auto json = nlohmann::json::parse(finished.output);
  EXPECT_EQ(json["jct_mean_seconds"], 195.9);
  EXPECT_EQ(json["makespan_seconds"], 3315.0);
  count_oracle_cases(2);
}

}  // namespace
}  // namespace muster::testing
