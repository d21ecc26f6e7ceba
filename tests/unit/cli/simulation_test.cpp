#include "cli/simulation.h"

#include <gtest/gtest.h>

#include "unit/cli/temporary_folder.h"

namespace muster {
namespace {

using testing::TemporaryFolder;

// A policy that never starts anything.
class IdlePolicy final : public Policy {
 public:
  Plan decide(const Snapshot&) override { return {}; }
};

// A policy that gives every job more GPUs than it asked for.
class GreedyPolicy final : public Policy {
 public:
  Plan decide(const Snapshot& snapshot) override {
    Plan plan;
    for (const JobId job : snapshot.waiting) {
      plan.start(job, {{PoolId(0U), snapshot.job(job).spec.gpu_count + 1}});
    }
    return plan;
  }
};

template <class P>
PolicyInfo info_of(const std::string& name) {
  PolicyInfo info;
  info.name = name;
  info.make = [](const OptionValues&, const PolicySettings&) -> std::unique_ptr<Policy> {
    return std::make_unique<P>();
  };
  return info;
}

PolicyChoice choice_of(const PolicyInfo& info) {
  PolicyChoice choice;
  choice.info = &info;
  return choice;
}

PolicyChoice fifo() {
  auto choice = parse_policy("fifo", nullptr);
  EXPECT_TRUE(choice);
  return *choice;
}

// Three jobs of 4 GPUs on 8, the third of which waits; one that is too large.
constexpr std::string_view jobs =
    "job_id,submit_seconds,gpus,duration_seconds\n"
    "a,0,4,100\nb,10,4,200\nc,20,4,100\nlarge,30,99,100\nd,40,1,1000\n";

class SimulationTest : public ::testing::Test {
 protected:
  Result<Simulation> run(const PolicyChoice& choice, RunFlags flags = {}) {
    flags.cluster = "tiny-v100";
    flags.trace = folder_.write("jobs.csv", std::string(jobs));
    const auto settings = parse_run_flags(flags);
    EXPECT_TRUE(settings) << settings.error().message;
    auto inputs = load_inputs(*settings, std::string(MUSTER_SOURCE_DIR) + "/data");
    EXPECT_TRUE(inputs) << inputs.error().message;
    inputs_ = std::move(*inputs);
    return simulate(inputs_, choice, SimulationOptions::from(*settings, settings->seed), {});
  }

  TemporaryFolder folder_;
  Inputs inputs_;
};

TEST_F(SimulationTest, counts_what_became_of_the_jobs) {
  const auto simulation = run(fifo());
  ASSERT_TRUE(simulation) << simulation.error().message;
  EXPECT_EQ(simulation->summary.jobs_total, 5);
  EXPECT_EQ(simulation->summary.jobs_finished, 4);
  EXPECT_EQ(simulation->summary.jobs_rejected, 1);
  EXPECT_EQ(simulation->summary.makespan_seconds, 1200);  // d starts when c ends, at 200.
  EXPECT_GT(simulation->summary.decisions_count, 0);
  EXPECT_EQ(
      warnings_of(*simulation),
      std::vector<std::string>{"job large is rejected: it asks for 99 GPUs, the largest GPU type "
                               "that it may use has 8"});
}

TEST_F(SimulationTest, a_window_ends_the_run_with_its_jobs) {
  const auto simulation = run(fifo(), {.window = "1:3"});
  ASSERT_TRUE(simulation) << simulation.error().message;
  EXPECT_EQ(simulation->summary.jobs_total, 2);
  EXPECT_EQ(simulation->summary.jobs_finished, 2);
  EXPECT_EQ(simulation->summary.jct_mean_seconds, (200 + 180) / 2.0);  // b; c from 100 to 200.
  EXPECT_EQ(to_seconds(simulation->recorder.now()), 210);
}

TEST_F(SimulationTest, a_window_beyond_the_trace_is_an_error) {
  const auto settings = parse_run_flags({.cluster = "tiny-v100",
                                         .trace = folder_.write("jobs.csv", std::string(jobs)),
                                         .window = "2:6"});
  ASSERT_TRUE(settings);
  const auto inputs = load_inputs(*settings, std::string(MUSTER_SOURCE_DIR) + "/data");
  ASSERT_FALSE(inputs);
  EXPECT_EQ(inputs.error().message, "--window: there are only 5 jobs, got 2:6");
}

TEST_F(SimulationTest, an_idle_policy_is_noticed) {
  const PolicyInfo info = info_of<IdlePolicy>("idle");
  const auto simulation = run(choice_of(info));
  ASSERT_TRUE(simulation) << simulation.error().message;
  EXPECT_EQ(simulation->summary.jobs_unfinished, 4);
  EXPECT_EQ(simulation->summary.jct_mean_seconds, std::nullopt);
  EXPECT_EQ(warnings_of(*simulation).back(),
            "policy 'idle' left 4 jobs waiting on an idle cluster");
}

TEST_F(SimulationTest, a_refused_plan_names_the_policy) {
  const PolicyInfo info = info_of<GreedyPolicy>("greedy");
  const auto simulation = run(choice_of(info));
  ASSERT_FALSE(simulation);
  EXPECT_TRUE(simulation.error().message.starts_with("policy greedy: wrong plan at 0 s: "))
      << simulation.error().message;
}

TEST_F(SimulationTest, noise_is_of_the_belief_only) {
  const auto exact = run(fifo());
  const auto noisy = run(fifo(), {.noise = "0.9", .seed = "3"});
  ASSERT_TRUE(exact && noisy);
  EXPECT_EQ(exact->summary.jct_mean_seconds, noisy->summary.jct_mean_seconds);
  EXPECT_EQ(noisy->summary.run.seed, 3U);
}

}  // namespace
}  // namespace muster
