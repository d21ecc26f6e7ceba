#include <gtest/gtest.h>

#include "support/simulation.h"

namespace muster {
namespace {

using testing::plain_arrival;
using testing::plain_cluster;
using testing::simulate;
using testing::Simulated;

Time at(double at_seconds) { return Time(from_seconds(at_seconds)); }

Arrival tenant_arrival(std::uint32_t tenant, double submit_seconds, int gpus,
                       double duration_seconds) {
  Arrival arrival = plain_arrival(submit_seconds, gpus, duration_seconds);
  arrival.spec.tenant = TenantId(tenant);
  return arrival;
}

TEST(YarnCs, idle_capacity_may_be_borrowed) {
  const Simulated simulated = simulate(
      plain_cluster(1, 4),
      {tenant_arrival(0, 0, 2, 100), tenant_arrival(0, 0, 2, 100), tenant_arrival(1, 10, 2, 100)},
      "yarn-cs");
  EXPECT_EQ(simulated.jobs[1].first_start, at(0));
  EXPECT_EQ(simulated.jobs[2].first_start, at(100));  // Nothing is preempted.
  EXPECT_EQ(simulated.counters.stops, 0);
}

TEST(YarnCs, without_borrowing_a_tenant_stays_within_its_share) {
  const Simulated simulated = simulate(plain_cluster(1, 4),
                                       {tenant_arrival(0, 0, 2, 100), tenant_arrival(1, 0, 1, 100),
                                        tenant_arrival(0, 5, 1, 100), tenant_arrival(1, 5, 1, 100)},
                                       "yarn-cs:borrow=0");
  EXPECT_EQ(simulated.jobs[2].first_start, at(100));
  EXPECT_EQ(simulated.jobs[3].first_start, at(5));
}

TEST(YarnCs, a_gang_beyond_its_share_runs_when_its_tenant_has_nothing_else) {
  const Simulated simulated = simulate(
      plain_cluster(1, 4),
      {tenant_arrival(0, 0, 1, 50), tenant_arrival(1, 0, 1, 20), tenant_arrival(0, 5, 3, 100)},
      "yarn-cs:borrow=0");
  EXPECT_EQ(simulated.jobs[2].first_start, at(50));
}

TEST(YarnCs, the_neediest_tenant_goes_first) {
  // Tenant 0 holds three of the four GPUs when two come free at once.
  const Simulated simulated = simulate(
      plain_cluster(1, 4),
      {tenant_arrival(0, 0, 1, 1000), tenant_arrival(0, 0, 1, 50), tenant_arrival(0, 0, 1, 50),
       tenant_arrival(1, 0, 1, 1000), tenant_arrival(0, 10, 1, 100), tenant_arrival(0, 11, 1, 100),
       tenant_arrival(1, 12, 1, 100)},
      "yarn-cs");
  // One each: tenant 0 (1 GPU) and tenant 1 (1 GPU) are level, and job 4 came first.
  EXPECT_EQ(simulated.jobs[4].first_start, at(50));
  EXPECT_EQ(simulated.jobs[6].first_start, at(50));
  EXPECT_EQ(simulated.jobs[5].first_start, at(150));
}

TEST(YarnCs, capacities_weigh_the_need) {
  // Tenant 0 may have three quarters: with two GPUs it is needier than tenant 1 with one.
  const Simulated simulated = simulate(
      plain_cluster(1, 4),
      {tenant_arrival(0, 0, 2, 1000), tenant_arrival(1, 0, 1, 1000), tenant_arrival(1, 0, 1, 50),
       tenant_arrival(1, 10, 1, 100), tenant_arrival(0, 11, 1, 100)},
      "yarn-cs:capacities=0.75/0.25");
  EXPECT_EQ(simulated.jobs[4].first_start, at(50));
  EXPECT_EQ(simulated.jobs[3].first_start, at(150));
}

TEST(YarnCs, a_head_that_does_not_fit_holds_up_its_own_queue_only) {
  const Simulated simulated = simulate(plain_cluster(1, 4),
                                       {tenant_arrival(0, 0, 3, 100), tenant_arrival(0, 5, 2, 10),
                                        tenant_arrival(0, 6, 1, 10), tenant_arrival(1, 7, 1, 10)},
                                       "yarn-cs");
  EXPECT_EQ(simulated.jobs[3].first_start, at(7));
  EXPECT_EQ(simulated.jobs[1].first_start, at(100));
  EXPECT_EQ(simulated.jobs[2].first_start, at(100));
}

TEST(YarnCs, jobs_without_a_tenant_share_one_queue_in_order) {
  const Simulated simulated = simulate(
      plain_cluster(1, 2),
      {plain_arrival(0, 1, 100), plain_arrival(1, 2, 10), plain_arrival(2, 1, 10)}, "yarn-cs");
  EXPECT_EQ(simulated.jobs[1].first_start, at(100));
  EXPECT_EQ(simulated.jobs[2].first_start, at(110));
}

TEST(YarnCs, gangs_are_consolidated) {
  const Simulated simulated = simulate(
      plain_cluster(2, 4),
      {tenant_arrival(0, 0, 3, 100), tenant_arrival(0, 0, 3, 50), tenant_arrival(1, 1, 2, 10)},
      "yarn-cs");
  EXPECT_EQ(simulated.jobs[2].first_start, at(50));  // Two are free, but in two nodes.
}

TEST(YarnCs, says_why_a_job_waits) {
  const Cluster cluster = plain_cluster(1, 4);
  const testing::PlainModel model;
  auto choice = parse_policy("yarn-cs:borrow=0", nullptr);
  ASSERT_TRUE(choice);
  const auto policy = choice->make({});
  Engine engine(cluster, model, *policy);
  const auto submit = [&](std::uint32_t job, std::uint32_t tenant, int gpus) {
    const std::vector<Event> events = {
        Submitted{.job = JobId(job), .spec = tenant_arrival(tenant, 0, gpus, 100).spec}};
    EXPECT_FALSE(engine.step(at(job), events).refused);
    return engine.jobs()[job].reason;
  };
  submit(0, 1, 1);
  submit(1, 0, 2);
  EXPECT_EQ(submit(2, 0, 1), Reason::share_used);
  EXPECT_EQ(submit(3, 0, 1), Reason::behind_others);
}

}  // namespace
}  // namespace muster
