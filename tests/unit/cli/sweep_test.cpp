#include "cli/sweep.h"

#include <gtest/gtest.h>

#include <mutex>
#include <set>

#include "report/csv.h"
#include "unit/cli/temporary_folder.h"

namespace muster {
namespace {

using testing::TemporaryFolder;

std::string trace_text() {
  std::string text = "job_id,submit_seconds,gpus,duration_seconds\n";
  for (int job = 0; job < 40; ++job) {
    text += "job-" + std::to_string(job) + "," + std::to_string(13 * job) + "," +
            std::to_string(1 + job % 5) + "," + std::to_string(50 + (job * 37) % 300) + "\n";
  }
  return text;
}

RunSettings settings_for(const TemporaryFolder& folder) {
  const RunFlags flags{.cluster = "tiny-v100",
                       .trace = folder.write("jobs.csv", trace_text()),
                       .noise = "0.3",
                       .failures = "mtbf=2000,mttr=100",
                       .seed = "7",
                       .out = folder.file("out")};
  auto settings = parse_run_flags(flags);
  EXPECT_TRUE(settings) << settings.error().message;
  return *settings;
}

Inputs inputs_for(const RunSettings& settings) {
  auto inputs = load_inputs(settings, std::string(MUSTER_SOURCE_DIR) + "/data");
  EXPECT_TRUE(inputs) << inputs.error().message;
  return std::move(*inputs);
}

std::vector<PolicyChoice> choices(const std::string& text) {
  auto policies = parse_policies(text, nullptr);
  EXPECT_TRUE(policies) << policies.error().message;
  return *policies;
}

// What the files of all runs hold, and the summaries' hashes.
struct Kept {
  std::vector<std::string> files{};
  std::vector<std::uint64_t> hashes{};
  std::size_t done_count = 0;
};

Kept sweep_with(std::size_t thread_count) {
  const TemporaryFolder folder;
  const RunSettings settings = settings_for(folder);
  const Inputs inputs = inputs_for(settings);
  const auto policies = choices("fifo,srtf,tiresias-l");
  Kept kept;
  kept.files.resize(policies.size() * 2);
  const auto results = sweep(
      inputs, settings, policies, {.seed_count = 2, .thread_count = thread_count},
      [&](const SweepRun& run, const Simulation& simulation) -> Result<void> {
        kept.files[run.policy_index * 2 + (run.seed - settings.seed)] =
            jobs_csv(simulation.outcomes, inputs.labels()) +
            schedule_csv(simulation.recorder, inputs.labels());
        return {};
      },
      [&](std::size_t done_count) { kept.done_count = done_count; });
  EXPECT_TRUE(results) << results.error().message;
  for (const SweepResult& result : *results)
    kept.hashes.push_back(result.summary.run.schedule_hash);
  return kept;
}

TEST(Sweep, parallel_runs_give_the_same_bytes) {
  const Kept one = sweep_with(1);
  const Kept four = sweep_with(4);
  EXPECT_EQ(one.done_count, 6U);
  EXPECT_EQ(four.done_count, 6U);
  EXPECT_EQ(one.files, four.files);
  EXPECT_EQ(one.hashes, four.hashes);
  EXPECT_EQ(std::set<std::uint64_t>(one.hashes.begin(), one.hashes.end()).size(), 6U)
      << "seeds and policies should make a difference here";
}

TEST(Sweep, parallel_runs_report_the_first_error) {
  const TemporaryFolder folder;
  const RunSettings settings = settings_for(folder);
  const Inputs inputs = inputs_for(settings);
  const auto results = sweep(
      inputs, settings, choices("fifo,srtf,srsf,sjf"), {.thread_count = 4},
      [&](const SweepRun& run, const Simulation&) -> Result<void> {
        if (run.policy_index == 0) return {};
        return failure("run " + std::to_string(run.policy_index));
      },
      [](std::size_t) {});
  ASSERT_FALSE(results);
  EXPECT_EQ(results.error().message, "run 1");
}

}  // namespace
}  // namespace muster
