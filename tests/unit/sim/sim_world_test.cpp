#include "sim/sim_world.h"

#include <gtest/gtest.h>

#include <array>

#include "base/text.h"
#include "support/simulation.h"
#include "support/test_policies.h"

namespace muster {
namespace {

using std::chrono::seconds;
using testing::plain_arrival;
using testing::plain_cluster;

constexpr RunId run0{0U};
constexpr RunId run1{1U};
constexpr JobId job0{0U};
constexpr JobId job1{1U};

Time at(double at_seconds) { return Time(from_seconds(at_seconds)); }

// An event as a line of text.
struct Words {
  std::string operator()(const Submitted& event) { return "submitted " + number(event.job); }
  std::string operator()(const Cancelled& event) { return "cancelled " + number(event.job); }
  std::string operator()(const RunStarted& event) { return "started " + number(event.run); }
  std::string operator()(const RunEnded& event) {
    constexpr std::array causes = {"done", "completed", "stopped", "failed", "lost"};
    return std::string(causes[static_cast<std::size_t>(event.cause)]) + " " + number(event.run) +
           " " + std::to_string(event.steps);
  }
  std::string operator()(const Consolidated& event) { return "consolidated " + number(event.job); }
  std::string operator()(const NodeJoined& event) { return "node joined " + number(event.node); }
  std::string operator()(const NodeLost& event) { return "node lost " + number(event.node); }
  template <class Other>
  std::string operator()(const Other&) {
    return "what no simulated world says";
  }
  template <class Tag>
  static std::string number(Id<Tag> id) {
    return std::to_string(id.value());
  }
};

// A world that a test drives itself, without an engine.
class Driver {
 public:
  explicit Driver(std::vector<Arrival> arrivals, SimOptions options = {},
                  Cluster cluster = plain_cluster(2, 4))
      : cluster_(std::move(cluster)),
        arrivals_(std::move(arrivals)),
        world_(cluster_, model_, arrivals_, std::move(options)) {}
  Driver(const Driver&) = delete;
  Driver& operator=(const Driver&) = delete;

  // The events of the next batch, one line each, behind its time.
  std::vector<std::string> next(std::optional<Time> wake_at = {}) {
    const std::optional<Batch> batch = world_.next(wake_at);
    if (!batch) return {"over"};
    std::vector<std::string> lines = {format_number(to_seconds(batch->now))};
    for (const Event& event : batch->events) lines.push_back(std::visit(Words(), event));
    return lines;
  }

  void start(RunId run, JobId job, Placement placement, std::int64_t steps,
             std::vector<std::int32_t> gpu_indices = {0}) {
    const std::vector<Command> commands = {StartRun{.run = run,
                                                    .job = job,
                                                    .grant = GrantId(run.value()),
                                                    .steps = steps,
                                                    .placement = std::move(placement),
                                                    .gpu_indices = std::move(gpu_indices)}};
    world_.execute(commands);
  }
  void join(RunId run, JobId job, RunId other, Placement placement, std::int64_t steps) {
    const std::vector<Command> commands = {StartRun{.run = run,
                                                    .job = job,
                                                    .grant = GrantId(other.value()),
                                                    .steps = steps,
                                                    .placement = std::move(placement),
                                                    .gpu_indices = {0}}};
    world_.execute(commands);
  }
  void stop(RunId run) {
    const std::vector<Command> commands = {StopRun{run}};
    world_.execute(commands);
  }
  void consolidate(JobId job) {
    const std::vector<Command> commands = {Consolidate{.job = job, .copies = {}}};
    world_.execute(commands);
  }
  SimWorld& world() { return world_; }

 private:
  testing::PlainModel model_;
  Cluster cluster_;
  std::vector<Arrival> arrivals_;
  SimWorld world_;
};

using Lines = std::vector<std::string>;

const Placement one_gpu = {{.pool = PoolId(0U), .gpu_count = 1}};
const Placement other_gpu = {{.pool = PoolId(1U), .gpu_count = 1}};

TEST(SimWorld, a_run_does_its_steps_and_ends) {
  Driver driver({plain_arrival(5, 1, 100)});
  EXPECT_EQ(driver.next(), (Lines{"5", "submitted 0"}));
  driver.start(run0, job0, one_gpu, 100'000);
  EXPECT_EQ(driver.next(), (Lines{"5", "started 0"}));
  EXPECT_EQ(driver.next(), (Lines{"105", "done 0 100000"}));
  EXPECT_EQ(driver.next(), (Lines{"over"}));
  EXPECT_FALSE(driver.world().is_stuck());
}

TEST(SimWorld, comes_back_at_the_wake_time_if_nothing_happens_before) {
  Driver driver({plain_arrival(0, 1, 100)});
  driver.next();
  driver.start(run0, job0, one_gpu, 100'000);
  driver.next();
  EXPECT_EQ(driver.next(at(30)), (Lines{"30"}));
  EXPECT_EQ(driver.next(at(100)), (Lines{"100", "done 0 100000"}));
}

TEST(SimWorld, starts_and_stops_take_their_time) {
  Driver driver({plain_arrival(0, 1, 100)},
                {.start_latency = seconds(3), .stop_latency = seconds(7)});
  driver.next();
  driver.start(run0, job0, one_gpu, 100'000);
  EXPECT_EQ(driver.next(), (Lines{"3", "started 0"}));
  EXPECT_EQ(driver.next(at(13)), (Lines{"13"}));
  driver.stop(run0);
  EXPECT_EQ(driver.world().live_count(), 1U);
  EXPECT_EQ(driver.next(), (Lines{"20", "stopped 0 10000"}));  // No steps while stopping.
}

TEST(SimWorld, a_stop_before_the_start_saves_nothing) {
  Driver driver({plain_arrival(0, 1, 100)}, {.start_latency = seconds(10)});
  driver.next();
  driver.start(run0, job0, one_gpu, 100'000);
  driver.next(at(4));
  driver.stop(run0);
  EXPECT_EQ(driver.next(), (Lines{"4", "stopped 0 0"}));
}

TEST(SimWorld, a_stop_of_a_run_that_ended_or_is_stopping_is_ignored) {
  Driver driver({plain_arrival(0, 1, 10)}, {.stop_latency = seconds(2)});
  driver.next();
  driver.start(run0, job0, one_gpu, 10'000);
  driver.next();
  driver.next(at(5));
  driver.stop(run0);
  driver.stop(run0);
  EXPECT_EQ(driver.next(), (Lines{"7", "stopped 0 5000"}));
  driver.stop(run0);
  driver.stop(RunId(9U));
  EXPECT_EQ(driver.next(at(8)), (Lines{"8"}));
}

TEST(SimWorld, restarting_costs_only_on_other_gpus) {
  Driver driver({plain_arrival(0, 1, 100)}, {.restart_cost = seconds(6)});
  driver.next();
  const auto stop_at = [&](double time, RunId run) {
    driver.next(at(time));
    driver.stop(run);
    driver.next();
  };
  driver.start(run0, job0, one_gpu, 100'000, {0});
  EXPECT_EQ(driver.next(), (Lines{"0", "started 0"}));  // The first start is free.
  stop_at(10, run0);
  driver.start(run1, job0, one_gpu, 90'000, {0});
  EXPECT_EQ(driver.next(), (Lines{"10", "started 1"}));  // The same GPU.
  stop_at(20, run1);
  driver.start(RunId(2U), job0, one_gpu, 80'000, {1});
  EXPECT_EQ(driver.next(), (Lines{"26", "started 2"}));  // Another one in the node.
  stop_at(30, RunId(2U));
  driver.start(RunId(3U), job0, other_gpu, 76'000, {1});
  EXPECT_EQ(driver.next(), (Lines{"36", "started 3"}));  // Another node.
  EXPECT_EQ(driver.next(), (Lines{"112", "done 3 76000"}));
}

TEST(SimWorld, events_of_one_instant_come_in_the_order_of_their_ranks) {
  std::vector<Arrival> arrivals = {plain_arrival(0, 1, 50), plain_arrival(0, 1, 1000),
                                   plain_arrival(0, 1, 100), plain_arrival(50, 1, 1)};
  arrivals[2].cancelled_at = at(50);
  Driver driver(arrivals, {.start_latency = seconds(50),
                           .stop_latency = seconds(10),
                           .consolidation_cost = seconds(50),
                           .node_changes = {{.at = at(50), .node = NodeId(1U)},
                                            {.at = at(50), .node = NodeId(0U), .joins = true}}});
  driver.next();
  driver.start(run0, job0, one_gpu, 50'000);
  driver.consolidate(job1);
  driver.start(run1, job1, other_gpu, 10'000);
  driver.next(at(40));
  driver.stop(run0);
  // Node 0 is up already, so that its joining is no news.
  EXPECT_EQ(driver.next(), (Lines{"50", "node lost 1", "stopped 0 0", "lost 1 0", "consolidated 1",
                                  "cancelled 2", "submitted 3"}));
}

TEST(SimWorld, a_finish_comes_before_a_newcomer) {
  Driver driver({plain_arrival(0, 1, 50), plain_arrival(50, 1, 50)});
  driver.next();
  driver.start(run0, job0, one_gpu, 50'000);
  driver.next();
  EXPECT_EQ(driver.next(), (Lines{"50", "done 0 50000", "submitted 1"}));
}

TEST(SimWorld, a_node_lost_at_the_instant_of_a_finish_takes_the_run_with_it) {
  Driver driver({plain_arrival(0, 1, 50)}, {.checkpoint_interval = seconds(20),
                                            .node_changes = {{.at = at(50), .node = NodeId(0U)}}});
  driver.next();
  driver.start(run0, job0, one_gpu, 50'000);
  driver.next();
  EXPECT_EQ(driver.next(), (Lines{"50", "node lost 0", "lost 0 40000"}));
}

TEST(SimWorld, a_lost_run_keeps_the_steps_of_its_last_checkpoint) {
  for (const auto& [interval, steps] :
       {std::pair{20, 80'000}, {30, 90'000}, {200, 0}, {0, 99'000}}) {
    Driver driver({plain_arrival(0, 1, 500)},
                  {.start_latency = seconds(1),
                   .checkpoint_interval = seconds(interval),
                   .node_changes = {{.at = at(100), .node = NodeId(0U)}}});
    driver.next();
    driver.start(run0, job0, one_gpu, 500'000);
    driver.next();
    EXPECT_EQ(driver.next(), (Lines{"100", "node lost 0", "lost 0 " + std::to_string(steps)}));
  }
}

TEST(SimWorld, checkpoints_follow_the_changes_of_company) {
  Driver driver(
      {plain_arrival(0, 1, 500), plain_arrival(0, 1, 500)},
      {.checkpoint_interval = seconds(40), .node_changes = {{.at = at(79), .node = NodeId(0U)}}});
  driver.next();
  driver.start(run0, job0, one_gpu, 500'000);
  driver.next();
  driver.next(at(50));
  driver.join(run1, job1, run0, one_gpu, 500'000);  // From 50 s on both are half as fast.
  driver.next();
  EXPECT_EQ(driver.next(), (Lines{"79", "node lost 0", "lost 0 40000", "lost 1 0"}));
}

TEST(SimWorld, company_slows_and_parting_speeds_up) {
  Driver driver({plain_arrival(0, 1, 100), plain_arrival(0, 1, 20)});
  driver.next();
  driver.start(run0, job0, one_gpu, 100'000);
  driver.next();
  driver.next(at(10));
  driver.join(run1, job1, run0, one_gpu, 20'000);
  EXPECT_EQ(driver.next(), (Lines{"10", "started 1"}));
  EXPECT_EQ(driver.next(), (Lines{"50", "done 1 20000"}));
  EXPECT_EQ(driver.next(), (Lines{"120", "done 0 100000"}));  // 10 + 20 steps by then.
}

TEST(SimWorld, runs_only_on_other_nodes_survive_a_loss) {
  Driver driver({plain_arrival(0, 1, 100), plain_arrival(0, 1, 100)},
                {.node_changes = {{.at = at(50), .node = NodeId(0U)},
                                  {.at = at(60), .node = NodeId(0U), .joins = true}}});
  driver.next();
  driver.start(run0, job0, one_gpu, 100'000);
  driver.start(run1, job1, other_gpu, 100'000);
  driver.next();
  EXPECT_EQ(driver.next(), (Lines{"50", "node lost 0", "lost 0 0"}));
  EXPECT_EQ(driver.next(), (Lines{"60", "node joined 0"}));
  EXPECT_EQ(driver.next(), (Lines{"100", "done 1 100000"}));
}

TEST(SimWorld, averaging_takes_its_time) {
  Driver driver({plain_arrival(0, 1, 100)}, {.consolidation_cost = seconds(9)});
  driver.next();
  driver.consolidate(job0);
  EXPECT_EQ(driver.next(), (Lines{"9", "consolidated 0"}));
}

TEST(SimWorld, an_idle_world_with_jobs_left_is_stuck) {
  Driver driver({plain_arrival(0, 1, 100)});
  driver.next();
  EXPECT_EQ(driver.next(), (Lines{"over"}));
  EXPECT_TRUE(driver.world().is_stuck());
}

TEST(SimWorld, an_empty_world_is_over_at_once) {
  Driver driver({});
  EXPECT_EQ(driver.next(at(5)), (Lines{"over"}));
  EXPECT_FALSE(driver.world().is_stuck());
}

TEST(SimWorld, jobs_that_were_cancelled_leave_nobody_stuck) {
  std::vector<Arrival> arrivals = {plain_arrival(0, 1, 100), plain_arrival(0, 1, 100)};
  arrivals[0].cancelled_at = at(5);
  arrivals[1].cancelled_at = at(10);
  Driver driver(arrivals, {.stop_latency = seconds(2)});
  driver.next();
  driver.start(run1, job1, one_gpu, 100'000);
  driver.next();
  EXPECT_EQ(driver.next(), (Lines{"5", "cancelled 0"}));
  EXPECT_EQ(driver.next(), (Lines{"10", "cancelled 1"}));
  driver.stop(run1);
  EXPECT_EQ(driver.next(), (Lines{"12", "stopped 1 10000"}));
  EXPECT_EQ(driver.next(at(60)), (Lines{"over"}));
  EXPECT_FALSE(driver.world().is_stuck());
}

TEST(SimWorld, a_job_cancelled_as_it_comes_is_cancelled_after_it_has_come) {
  std::vector<Arrival> arrivals = {plain_arrival(3, 1, 100)};
  arrivals[0].cancelled_at = at(3);
  Driver driver(arrivals);
  EXPECT_EQ(driver.next(), (Lines{"3", "submitted 0", "cancelled 0"}));
  EXPECT_EQ(driver.next(at(60)), (Lines{"over"}));
}

TEST(SimWorld, a_cancel_after_the_finish_changes_nothing) {
  std::vector<Arrival> arrivals = {plain_arrival(0, 1, 10), plain_arrival(0, 1, 10)};
  arrivals[0].cancelled_at = at(500);
  Driver driver(arrivals);
  driver.next();
  driver.start(run0, job0, one_gpu, 10'000);
  driver.start(run1, job1, other_gpu, 10'000);
  driver.next();
  EXPECT_EQ(driver.next(), (Lines{"10", "done 0 10000", "done 1 10000"}));
  EXPECT_EQ(driver.next(), (Lines{"over"}));
  EXPECT_FALSE(driver.world().is_stuck());
}

TEST(SimWorld, arrivals_out_of_order_are_a_bug) {
  const std::vector<Arrival> arrivals = {plain_arrival(5, 1, 1), plain_arrival(4, 1, 1)};
  const Cluster cluster = plain_cluster(1, 1);
  const testing::PlainModel model;
  EXPECT_DEATH(SimWorld(cluster, model, arrivals), "broken invariant");
}

}  // namespace
}  // namespace muster
