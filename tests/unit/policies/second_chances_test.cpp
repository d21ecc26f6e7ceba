// Policies that must come back: after a minimum run time, after a refused plan, after a wait.
#include <gtest/gtest.h>

#include "support/simulation.h"

namespace muster {
namespace {

using std::chrono::seconds;
using testing::plain_arrival;
using testing::plain_cluster;
using testing::PlainModel;
using testing::simulate;
using testing::Simulated;

std::optional<Time> start_of_second(const std::string& policy_text, Duration minimum_run_time,
                                    double first_seconds) {
  const PlainModel model;
  const Cluster cluster = plain_cluster(1, 1);
  const std::vector<Arrival> arrivals = {plain_arrival(0, 1, first_seconds),
                                         plain_arrival(50, 1, 10)};
  const auto policy = parse_policy(policy_text, nullptr)->make({});
  Engine engine(cluster, model, *policy, {.minimum_run_time = minimum_run_time});
  SimWorld world(cluster, model, arrivals);
  std::optional<Time> start;
  EXPECT_TRUE(run(engine, world, [&](const Batch& batch, const Engine::Step& step) {
    for (const Command& command : step.commands) {
      const auto* begun = std::get_if<StartRun>(&command);
      if (begun != nullptr && begun->job == JobId(1U) && !start) start = batch.now;
    }
    return true;
  }));
  return start;
}

TEST(SecondChances, srtf_stops_a_run_as_soon_as_it_is_old_enough) {
  EXPECT_EQ(start_of_second("srtf", seconds(100), 1000), Time(seconds(100)));
}

TEST(SecondChances, tiresias_stops_a_run_as_soon_as_it_is_old_enough) {
  EXPECT_EQ(start_of_second("tiresias-l", seconds(4000), 10000), Time(seconds(4000)));
}

TEST(SecondChances, yarn_gives_a_tenant_its_whole_share_in_spite_of_rounding) {
  std::vector<Arrival> arrivals(29, plain_arrival(0, 1, 100));
  for (Arrival& arrival : arrivals) arrival.spec.tenant = TenantId(0U);
  const Simulated simulated =
      simulate(plain_cluster(1, 100), arrivals, "yarn-cs:capacities=0.29/0.71,borrow=0");
  for (const testing::SimulatedJob& job : simulated.jobs) EXPECT_EQ(job.first_start, Time{});
}

// Passes everything on, but spoils one plan.
class SpoilOnce final : public Policy {
 public:
  explicit SpoilOnce(Policy& policy) : policy_(policy) {}
  Plan decide(const Snapshot& snapshot) override {
    Plan plan = policy_.decide(snapshot);
    if (!spoilt_ && snapshot.now >= Time(seconds(10))) {
      spoilt_ = true;
      plan.wake_at = snapshot.now;  // Not later than now: refused.
    }
    return plan;
  }

 private:
  Policy& policy_;
  bool spoilt_ = false;
};

class AfterRefusal : public ::testing::TestWithParam<std::string> {};

TEST_P(AfterRefusal, the_waiting_job_starts_at_the_next_chance) {
  const PlainModel model;
  const Cluster cluster = plain_cluster(1, 1);
  const std::vector<Arrival> arrivals = {plain_arrival(0, 1, 10), plain_arrival(1, 1, 10),
                                         plain_arrival(30, 1, 10)};
  const auto policy = parse_policy(GetParam(), nullptr)->make({});
  SpoilOnce spoil(*policy);
  Engine engine(cluster, model, spoil);
  SimWorld world(cluster, model, arrivals);
  std::optional<Time> wake_at;
  int refused_count = 0;
  while (const auto batch = world.next(wake_at)) {  // As a daemon: a refusal ends nothing.
    const Engine::Step step = engine.step(batch->now, batch->events);
    refused_count += step.refused ? 1 : 0;
    world.execute(step.commands);
    wake_at = step.wake_at;
  }
  EXPECT_EQ(refused_count, 1);
  for (const Job& job : engine.jobs()) EXPECT_EQ(job.state, JobState::finished);
}

std::vector<std::string> policy_names() {
  std::vector<std::string> names;
  for (const PolicyInfo& policy : all_policies()) names.push_back(policy.name);
  return names;
}

INSTANTIATE_TEST_SUITE_P(EveryPolicy, AfterRefusal, ::testing::ValuesIn(policy_names()));

}  // namespace
}  // namespace muster
