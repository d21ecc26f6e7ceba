// Through Tiresias-L: exact crossings, order inside a queue, promotion.
#include "policies/service_queues.h"

#include <gtest/gtest.h>

#include "support/simulation.h"

namespace muster {
namespace {

using std::chrono::seconds;
using testing::plain_arrival;
using testing::plain_cluster;
using testing::simulate;
using testing::Simulated;

Time at(double at_seconds) { return Time(from_seconds(at_seconds)); }

struct Start {
  Time at{};
  std::uint32_t job = 0;
  friend bool operator==(const Start&, const Start&) = default;
};

void PrintTo(const Start& start, std::ostream* out) {
  *out << "job " << start.job << " at " << to_seconds(start.at) << " s";
}

std::vector<Start> starts_of(const Cluster& cluster, const std::vector<Arrival>& arrivals,
                             const std::string& policy_text, const SimOptions& options = {}) {
  std::vector<Start> starts;
  auto choice = parse_policy(policy_text, nullptr);
  EXPECT_TRUE(choice) << choice.error().message;
  if (!choice) return starts;
  const auto policy = choice->make({});
  const Simulated simulated = simulate(cluster, arrivals, *policy, testing::PlainModel(), options,
                                       [&](const Batch& batch, const Engine::Step& step) {
                                         for (const Command& command : step.commands) {
                                           const auto* start = std::get_if<StartRun>(&command);
                                           if (start != nullptr)
                                             starts.push_back({batch.now, start->job.value()});
                                         }
                                         return true;
                                       });
  EXPECT_FALSE(simulated.error) << simulated.error->message;
  return starts;
}

using Starts = std::vector<Start>;

TEST(ServiceQueues, a_newcomer_waits_until_the_running_gang_has_sunk) {
  // 100 GPU-seconds are 50 s of two GPUs.
  EXPECT_EQ(starts_of(plain_cluster(1, 2), {plain_arrival(0, 2, 200), plain_arrival(20, 2, 30)},
                      "tiresias-l:thresholds=100"),
            (Starts{{at(0), 0}, {at(50), 1}, {at(80), 0}}));
}

TEST(ServiceQueues, a_newcomer_takes_the_gpus_of_one_that_has_sunk) {
  EXPECT_EQ(starts_of(plain_cluster(1, 2), {plain_arrival(0, 2, 200), plain_arrival(60, 2, 30)},
                      "tiresias-l:thresholds=100"),
            (Starts{{at(0), 0}, {at(60), 1}, {at(90), 0}}));
}

TEST(ServiceQueues, crossings_are_exact_to_the_microsecond) {
  // 100 GPU-seconds divided by three GPUs.
  const auto starts =
      starts_of(plain_cluster(1, 3), {plain_arrival(0, 3, 200), plain_arrival(20, 3, 10)},
                "tiresias-l:thresholds=100");
  ASSERT_GE(starts.size(), 2U);
  EXPECT_EQ(starts[1].at, Time(Duration(33'333'334)));
}

TEST(ServiceQueues, in_one_queue_those_that_run_go_on) {
  EXPECT_EQ(starts_of(plain_cluster(1, 1), {plain_arrival(0, 1, 90), plain_arrival(10, 1, 90)},
                      "tiresias-l:thresholds=1000"),
            (Starts{{at(0), 0}, {at(90), 1}}));
}

TEST(ServiceQueues, one_that_sinks_goes_behind_those_that_were_there_before) {
  // Job 1 sinks at 20 s, after job 0 at 10 s.
  EXPECT_EQ(starts_of(plain_cluster(1, 1), {plain_arrival(0, 1, 50), plain_arrival(5, 1, 50)},
                      "tiresias-l:thresholds=10"),
            (Starts{{at(0), 0}, {at(10), 1}, {at(20), 0}, {at(60), 1}}));
}

TEST(ServiceQueues, a_job_may_sink_through_several_queues) {
  // Job 0 is in the third queue from 20 s on, job 1 in the second from 35 s on, where it stays
  // ahead until 45 s.
  EXPECT_EQ(starts_of(plain_cluster(1, 1), {plain_arrival(0, 1, 100), plain_arrival(25, 1, 30)},
                      "tiresias-l:thresholds=10/20"),
            (Starts{{at(0), 0}, {at(25), 1}, {at(45), 0}, {at(120), 1}}));
}

TEST(ServiceQueues, a_long_wait_is_rewarded_with_the_first_queue) {
  // Job 1 runs from 10 to 20 s and sinks; after twice as long a wait it is promoted, at 40 s. Job 0
  // has run 10 + 20 s by then and is itself promoted after 60 s of waiting, 10 of them before.
  const auto starts =
      starts_of(plain_cluster(1, 1), {plain_arrival(0, 1, 1000), plain_arrival(5, 1, 1000)},
                "tiresias-l:thresholds=10,promote=2");
  ASSERT_GE(starts.size(), 4U);
  EXPECT_EQ((Starts{starts.begin(), starts.begin() + 4}),
            (Starts{{at(0), 0}, {at(10), 1}, {at(20), 0}, {at(40), 1}}));
}

TEST(ServiceQueues, without_promotion_nobody_rises) {
  EXPECT_EQ(starts_of(plain_cluster(1, 1), {plain_arrival(0, 1, 1000), plain_arrival(5, 1, 1000)},
                      "tiresias-l:thresholds=10"),
            (Starts{{at(0), 0}, {at(10), 1}, {at(20), 0}, {at(1010), 1}}));
}

TEST(ServiceQueues, service_goes_on_while_a_run_stops) {
  // Job 0 sinks at 10 s, is stopped at 20 s and holds its GPUs until 27 s. By then it has had 54
  // GPU-seconds and is in the third queue, so that job 1, which sinks at 37 s, goes on.
  EXPECT_EQ(starts_of(plain_cluster(1, 2), {plain_arrival(0, 2, 100), plain_arrival(20, 2, 20)},
                      "tiresias-l:thresholds=20/50", {.stop_latency = seconds(7)}),
            (Starts{{at(0), 0}, {at(27), 1}, {at(47), 0}}));
}

TEST(ServiceQueues, thresholds_must_ascend) {
  EXPECT_DEATH(ServiceQueues({20, 10}, 0), "broken invariant");
}

TEST(ServiceQueues, tiresias_g_goes_by_submission_while_it_knows_no_past) {
  EXPECT_EQ(starts_of(plain_cluster(1, 1), {plain_arrival(0, 1, 30), plain_arrival(1, 1, 30)},
                      "tiresias-g"),
            (Starts{{at(0), 0}, {at(30), 1}}));
}

}  // namespace
}  // namespace muster
