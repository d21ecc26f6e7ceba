#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "cli/muster_binary.h"

namespace muster::testing {
namespace {

class Compare : public ::testing::Test {
 protected:
  Finished run(const std::vector<std::string>& more) {
    std::vector<std::string> arguments = {"compare", "--cluster", "tiny-v100", "--trace",
                                          folder_.write("busy.csv", busy_trace())};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run_muster(arguments);
  }

  TemporaryFolder folder_;
};

TEST_F(Compare, best_policy_first_with_a_relative_column) {
  const Finished finished = run({"--policies", "fifo,srtf:placement=consolidated,srtf"});
  ASSERT_EQ(finished.status, 0) << finished.messages;
  const std::string& text = finished.output;
  EXPECT_TRUE(text.starts_with("policy\tseed\tseeds_count\tjct_mean_seconds\t")) << text;
  EXPECT_TRUE(text.find("\nsrtf") < text.find("\nfifo\t")) << text;
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 4);
  const std::size_t second = text.find('\n') + 1;
  EXPECT_TRUE(text.substr(second, text.find('\n', second) - second).ends_with("\t1")) << text;
}

TEST_F(Compare, parallel_runs_write_the_same_bytes) {
  const auto files_of = [&](const std::string& parallel) {
    const std::string out = folder_.file("out-" + parallel);
    const Finished finished =
        run({"--policies", "fifo,srtf,tiresias-l:thresholds=100/400,promote=8", "--seeds", "2",
             "--failures", "mtbf=1000,mttr=60", "--parallel", parallel, "--out", out});
    EXPECT_EQ(finished.status, 0) << finished.messages;
    std::vector<std::string> files;
    for (const char* policy : {"1-fifo", "2-srtf", "3-tiresias-l_thresholds-100-400-promote-8"}) {
      for (const char* seed : {"-seed0/", "-seed1/"}) {
        const std::string run_folder = out + "/" + policy + seed;
        const std::string summary = read_text(run_folder + "summary.json");
        files.push_back(read_text(run_folder + "jobs.csv"));
        files.push_back(read_text(run_folder + "schedule.csv"));
        files.push_back(nlohmann::json::parse(summary)["schedule_hash"].get<std::string>());
      }
    }
    EXPECT_TRUE(std::filesystem::exists(out + "/compare.csv"));
    return files;
  };
  const std::vector<std::string> one = files_of("1");
  EXPECT_EQ(std::count(one.begin(), one.end(), ""), 0);
  EXPECT_EQ(one, files_of("2"));
  EXPECT_EQ(one, files_of("4"));
}

TEST_F(Compare, json_and_markdown) {
  const Finished finished = run({"--policies", "fifo,srtf", "--seeds", "2", "--seed", "3", "--json",
                                 "--export-markdown", folder_.file("table.md")});
  ASSERT_EQ(finished.status, 0) << finished.messages;
  const auto json = nlohmann::json::parse(finished.output);
  EXPECT_EQ(json["seed"], 3);
  EXPECT_EQ(json["seeds_count"], 2);
  EXPECT_EQ(json["policies"][0]["policy"], "srtf");
  EXPECT_EQ(json["policies"][0]["runs"][1]["seed"], 4);
  EXPECT_TRUE(read_text(folder_.path() / "table.md").starts_with("| policy"));
}

TEST_F(Compare, wrong_words_are_errors_of_usage) {
  EXPECT_EQ(run({}).messages,
            "error: --policies is missing\nhint: for example --policies fifo,srtf,tiresias-l\n");
  EXPECT_EQ(run({"--policies", "fifo,"}).status, 2);
  EXPECT_EQ(run({"--policies", "fifo", "--seeds", "0"}).messages,
            "error: --seeds: expected a whole number from 1 to 10000, got '0'\n");
  EXPECT_EQ(run({"--policies", "fifo", "--parallel", "x"}).status, 2);
}

TEST_F(Compare, a_reused_folder_keeps_no_run_of_before) {
  const std::string out = folder_.file("reused");
  EXPECT_EQ(run({"--policies", "fifo,srtf", "--timeline", "--out", out}).status, 0);
  folder_.write("reused/notes.txt", "mine");
  std::filesystem::create_directory(out + "/3-other");
  EXPECT_EQ(run({"--policies", "srtf", "--out", out}).status, 0);
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(out)) {
    names.push_back(entry.path().filename());
  }
  std::sort(names.begin(), names.end());
  EXPECT_EQ(names, (std::vector<std::string>{"1-srtf", "3-other", "compare.csv", "notes.txt"}));
}

TEST_F(Compare, a_warning_of_all_runs_is_said_once) {
  const std::string trace = folder_.write(
      "large.csv", "job_id,submit_seconds,gpus,duration_seconds\na,0,4,100\nb,10,99,50\n");
  const Finished finished = run_muster(
      {"compare", "--cluster", "tiny-v100", "--trace", trace, "--policies", "fifo,srtf,srsf"});
  EXPECT_EQ(finished.status, 0);
  EXPECT_EQ(finished.messages,
            "warning: job b is rejected: it asks for 99 GPUs, the largest GPU type that it may use "
            "has 8\n");
}

}  // namespace
}  // namespace muster::testing
