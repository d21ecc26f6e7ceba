// Random policies in random worlds: the invariants of the engine hold after every step, every job
// ends, late reports change nothing, and saving and loading at every step changes nothing either.
#include <gtest/gtest.h>

#include "unit/engine/random_world.h"

namespace muster {
namespace {

using testing::play;
using testing::Played;
using testing::random_scene;
using testing::RandomScene;

constexpr std::uint64_t worlds = 500;

TEST(RandomWorld, the_invariants_hold_and_every_job_ends) {
  std::int64_t starts = 0;
  std::int64_t joins = 0;
  std::int64_t consolidations = 0;
  for (std::uint64_t seed = 0; seed < worlds; ++seed) {
    const RandomScene scene = random_scene(seed);
    const Played played = play(scene, seed);
    ASSERT_EQ(played.fault, "") << "seed " << seed << ", step " << played.steps;
    ASSERT_TRUE(played.all_ended) << "seed " << seed << ", step " << played.steps;
    starts += played.starts;
    joins += played.joins;
    consolidations += played.consolidations;
  }
  // The worlds would prove little if nothing happened in them.
  EXPECT_GT(starts, 10000);
  EXPECT_GT(joins, 1000);
  EXPECT_GT(consolidations, 100);
}

TEST(RandomWorld, the_same_seed_gives_the_same_schedule) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const RandomScene scene = random_scene(seed);
    ASSERT_EQ(play(scene, seed).schedule_hash, play(scene, seed).schedule_hash) << seed;
  }
}

TEST(RandomWorld, late_and_repeated_reports_change_nothing) {
  for (std::uint64_t seed = 0; seed < worlds; ++seed) {
    const RandomScene scene = random_scene(seed);
    const Played plain = play(scene, seed);
    const Played repeated = play(scene, seed, {.repeats_reports = true});
    ASSERT_EQ(repeated.fault, "") << "seed " << seed << ", step " << repeated.steps;
    ASSERT_EQ(repeated.schedule_hash, plain.schedule_hash) << "seed " << seed;
    ASSERT_GT(repeated.late_reports, plain.late_reports) << "seed " << seed;
  }
}

TEST(RandomWorld, saving_and_loading_at_every_step_changes_nothing) {
  for (std::uint64_t seed = 0; seed < worlds; ++seed) {
    const RandomScene scene = random_scene(seed);
    const Played plain = play(scene, seed);
    const Played reloaded = play(scene, seed, {.reloads = true});
    ASSERT_EQ(reloaded.fault, "") << "seed " << seed << ", step " << reloaded.steps;
    ASSERT_EQ(reloaded.schedule_hash, plain.schedule_hash) << "seed " << seed;
    ASSERT_EQ(reloaded.late_reports, plain.late_reports) << "seed " << seed;
  }
}

}  // namespace
}  // namespace muster
