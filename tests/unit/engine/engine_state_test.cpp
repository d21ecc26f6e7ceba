// Saving and loading.
#include <gtest/gtest.h>

#include "unit/engine/stage.h"

namespace muster {
namespace {

using testing::at;
using testing::first_pool;
using testing::Stage;
using testing::start_plan;

// One job runs, one waits to start, one is held.
std::string busy_state(Stage& stage) {
  stage.submit(0, {.gpu_count = 4, .total_steps = 100}, start_plan(JobId(0U), first_pool(4)));
  stage.step(1, {RunStarted{RunId(0U)}});
  Plan swap{.stops = {RunId(0U)}, .wake_at = at(99)};
  swap.start(JobId(1U), first_pool(2));
  stage.submit(2, {.gpu_count = 2, .total_steps = 50}, swap);
  stage.submit(3, {.gpu_count = 1, .total_steps = 50}, {.wake_at = at(99)});
  stage.step(4, {Held{JobId(2U)}}, {.wake_at = at(99)});
  return stage.engine().save();
}

TEST(EngineState, a_loaded_engine_goes_on_like_the_saved_one) {
  Stage saved;
  const std::string bytes = busy_state(saved);
  Stage loaded;
  ASSERT_TRUE(loaded.engine().load(bytes));
  EXPECT_EQ(loaded.engine().save(), saved.engine().save());
  for (Stage* stage : {&saved, &loaded}) {
    EXPECT_EQ(stage->step(5, {}).wake_at, at(99));
    stage->step(6, {RunEnded{.run = RunId(0U), .steps = 1, .cause = Cause::stopped}});
    EXPECT_EQ(stage->started(), std::vector<RunId>{RunId(1U)});
    stage->step(7, {Released{JobId(2U)}}, start_plan(JobId(2U), first_pool(1)));
    EXPECT_EQ(stage->started(), std::vector<RunId>{RunId(2U)});
  }
  EXPECT_EQ(loaded.engine().schedule_hash(), saved.engine().schedule_hash());
}

TEST(EngineState, bytes_cut_short_anywhere_are_an_error) {
  Stage saved;
  const std::string bytes = busy_state(saved);
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    Stage loaded;
    const Result<void> result = loaded.engine().load(bytes.substr(0, size));
    ASSERT_FALSE(result) << size;
    ASSERT_EQ(result.error().message, "engine state: damaged or of another version") << size;
  }
}

TEST(EngineState, bytes_left_over_are_an_error) {
  Stage saved;
  Stage loaded;
  EXPECT_FALSE(loaded.engine().load(busy_state(saved) + "x"));
}

TEST(EngineState, another_version_is_an_error) {
  Stage saved;
  std::string bytes = busy_state(saved);
  ++bytes[0];
  Stage loaded;
  EXPECT_FALSE(loaded.engine().load(bytes));
}

TEST(EngineState, another_cluster_is_an_error) {
  Stage saved;
  const std::string bytes = busy_state(saved);
  Stage more_nodes({.cluster = testing::plain_cluster(2, 4)});
  EXPECT_FALSE(more_nodes.engine().load(bytes));
  Stage fewer_gpus({.cluster = testing::plain_cluster(1, 3)});
  EXPECT_FALSE(fewer_gpus.engine().load(bytes));
  Stage more_gpus({.cluster = testing::plain_cluster(1, 5)});
  const Result<void> result = more_gpus.engine().load(bytes);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().message, "engine state: the free GPUs of a pool");
  Stage many_gpus({.cluster = testing::plain_cluster(1, 500)});
  EXPECT_FALSE(many_gpus.engine().load(bytes));
}

TEST(EngineState, node_states_are_part_of_it) {
  Stage saved;
  saved.step(1, {NodeDrained{NodeId(0U)}});
  Stage loaded;
  ASSERT_TRUE(loaded.engine().load(saved.engine().save()));
  EXPECT_EQ(loaded.engine().cluster().nodes[0].state, NodeState::draining);
  EXPECT_EQ(loaded.free_total(), 0);
}

}  // namespace
}  // namespace muster
