#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/text.h"
#include "cli/muster_binary.h"
#include "support/shared_data.h"

namespace muster::testing {
namespace {

TEST(TopLevel, version_help_and_nothing) {
  EXPECT_EQ(run_muster({"--version"}).output, "muster 0.1.0\n");
  const Finished help = run_muster({});
  EXPECT_EQ(help.status, 0);
  EXPECT_NE(help.output.find("Examples:"), std::string::npos);
  EXPECT_EQ(run_muster({"--help"}).output, help.output);
  EXPECT_EQ(run_muster({"simulat"}).status, 2);
  EXPECT_EQ(run_muster({"--vresion"}).status, 2);
}

TEST(PolicyCommands, list_and_show) {
  const Finished list = run_muster({"policy", "list"});
  EXPECT_EQ(list.status, 0);
  EXPECT_NE(list.output.find("\ntiresias-l\tyes\t"), std::string::npos) << list.output;
  const Finished show = run_muster({"policy", "show", "tiresias-l"});
  EXPECT_EQ(show.status, 0);
  EXPECT_TRUE(show.output.starts_with("option\tkind\tunit\tdefault\trange\thelp\nthresholds\t"))
      << show.output;
  const auto json = nlohmann::json::parse(run_muster({"policy", "show", "fifo", "--json"}).output);
  EXPECT_EQ(json["name"], "fifo");
  EXPECT_EQ(run_muster({"policy", "show"}).status, 2);
  const Finished unknown = run_muster({"policy", "show", "fifi"});
  EXPECT_EQ(unknown.status, 2);
  EXPECT_EQ(unknown.messages, "error: unknown policy 'fifi'\nhint: did you mean 'fifo'?\n");
}

TEST(TraceCommands, generated_traces_are_read_back) {
  const TemporaryFolder folder;
  const std::string trace = folder.file("jobs.csv");
  const Finished made =
      run_muster({"trace", "generate", "--like", "philly", "--jobs", "300", "--seed", "2",
                  "--cluster", "philly-600", "--load", "0.5", "--out", trace});
  ASSERT_EQ(made.status, 0) << made.messages;
  EXPECT_EQ(made.messages,
            "seed 2\n" + trace + ": 300 jobs; next: `muster trace info " + trace + "`\n");
  const Finished info = run_muster({"trace", "info", trace, "--cluster", "philly-600"});
  EXPECT_EQ(value_of(info, "jobs_count"), "300");
  EXPECT_EQ(value_of(info, "cluster_gpus"), "600");
  EXPECT_NEAR(parse_number(value_of(info, "offered_load_ratio")).value_or(0), 0.5, 1e-6);
  const auto json = nlohmann::json::parse(run_muster({"trace", "info", trace, "--json"}).output);
  EXPECT_EQ(json["jobs_count"], 300);
  EXPECT_FALSE(json["gangs"].empty());
  EXPECT_TRUE(run_muster({"trace", "generate", "--like", "philly", "--jobs", "3"})
                  .output.starts_with("job_id,submit_seconds,gpus,"));
}

TEST(TraceCommands, generate_says_what_is_missing_or_wrong) {
  EXPECT_EQ(run_muster({"trace", "generate"}).messages, "error: --like is missing\n");
  EXPECT_EQ(run_muster({"trace", "generate", "--like", "phily", "--jobs", "3"}).messages,
            "error: --like: unknown trace 'phily'\nhint: did you mean 'philly'?\n");
  const Finished half =
      run_muster({"trace", "generate", "--like", "philly", "--jobs", "3", "--load", "0.5"});
  EXPECT_EQ(half.status, 2);
  EXPECT_EQ(half.messages, "error: --load and --cluster go together\nhint: add --cluster C\n");
}

TEST(TraceCommands, convert_keeps_the_jobs) {
  const TemporaryFolder folder;
  const std::string input = folder.write(
      "sixty.csv",
      "job_id,num_gpu,submit_time,iterations,model_name,duration,interval\n0,1,5,606,vgg19,164,30\n"
      "1,8,35,133,vgg11,147,23\n");
  const Finished converted = run_muster({"trace", "convert", "--format", "tiresias", input});
  EXPECT_EQ(converted.status, 0) << converted.messages;
  EXPECT_EQ(
      converted.output,
      "job_id,submit_seconds,gpus,duration_seconds,model\n0,0,1,164,vgg19\n1,30,8,147,vgg11\n");
  const std::string output = folder.file("native.csv");
  EXPECT_EQ(run_muster({"trace", "convert", input, "--out", output}).status, 0);
  EXPECT_EQ(read_text(output), converted.output);
  const Finished unknown = run_muster({"trace", "convert", input, "--format", "tiresia"});
  EXPECT_EQ(unknown.status, 2);
  EXPECT_EQ(unknown.messages,
            "error: unknown trace format 'tiresia'\nhint: did you mean 'tiresias'?\n");
}

TEST(ClusterCommands, show_prints_types_and_totals) {
  const Finished show = run_muster({"cluster", "show", "gavel-36"});
  EXPECT_EQ(show.status, 0) << show.messages;
  EXPECT_TRUE(show.output.starts_with("gpu_type\tgpus\tnodes\t")) << show.output;
  EXPECT_NE(show.output.find("\nk80\t12\t12\t"), std::string::npos) << show.output;
  EXPECT_NE(show.output.find("\ntotal\t36\t36\t"), std::string::npos) << show.output;
  const auto json =
      nlohmann::json::parse(run_muster({"cluster", "show", "gavel-36", "--json"}).output);
  EXPECT_EQ(json["gpus_count"], 36);
  const TemporaryFolder folder;
  const std::string yaml =
      folder.write("copy.yaml", run_muster({"cluster", "show", "gavel-36", "--yaml"}).output);
  EXPECT_EQ(run_muster({"cluster", "show", yaml}).output, show.output);
  EXPECT_EQ(run_muster({"cluster", "show"}).status, 2);
  EXPECT_EQ(run_muster({"cluster", "show", "gavel-63"}).status, 1);
}

TEST(ClusterCommands, import_of_a_machine_list_can_be_shown) {
  MUSTER_NEED_SHARED(list, "data/philly_machines/cluster_machine_list");
  const TemporaryFolder folder;
  const std::string yaml = folder.file("philly.yaml");
  const Finished imported =
      run_muster({"cluster", "import", "--source", "philly", list.string(), "--out", yaml});
  ASSERT_EQ(imported.status, 0) << imported.messages;
  const Finished show = run_muster({"cluster", "show", yaml});
  EXPECT_NE(show.output.find("\ntotal\t2490\t552\t"), std::string::npos) << show.output;
  count_oracle_cases(2);
  EXPECT_EQ(run_muster({"cluster", "import", "--source", "phily", list.string()}).messages,
            "error: --source: unknown machine list 'phily'\nhint: did you mean 'philly'?\n");
}

TEST(DataDirectory, a_wrong_one_is_named) {
  const TemporaryFolder folder;
  const Finished finished =
      run_muster({"cluster", "show", "gavel-36", "--data", folder.path().string()});
  EXPECT_EQ(finished.status, 1);
  EXPECT_EQ(finished.messages, "error: " + folder.path().string() +
                                   ": no data folder of muster: gpus.yaml is not there\n"
                                   "hint: given by --data\n");
}

}  // namespace
}  // namespace muster::testing
