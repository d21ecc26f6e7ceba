// The checks of conformance find what they are there to find.
#include <gtest/gtest.h>

#include "conformance/properties.h"
#include "support/bad_policies.h"

namespace muster::testing {
namespace {

// How many of some random worlds show the fault that `check` looks for.
template <class Check>
int worlds_with_fault(Check check) {
  int found = 0;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    found += check(*WorldMaker(seed).any(), seed).empty() ? 0 : 1;
  }
  return found;
}

int worlds_with_wrong_plan(const PolicyMaker& make) {
  return worlds_with_fault(
      [&](const RandomWorld& world, std::uint64_t) { return check_plans(world, make); });
}

TEST(BadPolicies, oversubscribing_is_caught) {
  EXPECT_GT(worlds_with_wrong_plan(make_oversubscriber), 0);
}
TEST(BadPolicies, splitting_gangs_is_caught) {
  EXPECT_GT(worlds_with_wrong_plan(make_gang_splitter), 0);
}
TEST(BadPolicies, starting_on_a_lost_node_is_caught) {
  EXPECT_GT(worlds_with_wrong_plan(make_ghost_rider), 0);
}
TEST(BadPolicies, mixing_types_is_caught) { EXPECT_GT(worlds_with_wrong_plan(make_mixer), 0); }
TEST(BadPolicies, overrunning_quotas_is_caught) {
  EXPECT_GT(worlds_with_wrong_plan(make_overrunner), 0);
}

TEST(BadPolicies, forgetting_jobs_is_caught) {
  EXPECT_GT(worlds_with_fault([](const RandomWorld& world, std::uint64_t) {
              return check_ends(world, make_forgetter, PlacementRule::count);
            }),
            0);
}

TEST(BadPolicies, rolling_dice_is_caught) {
  std::uint64_t outside = 0;
  EXPECT_GT(worlds_with_fault([&](const RandomWorld& world, std::uint64_t) {
              return check_repeats(world, [&] { return make_dice_thrower(outside); });
            }),
            0);
}

TEST(BadPolicies, losing_memory_is_caught) {
  EXPECT_GT(worlds_with_fault([](const RandomWorld& world, std::uint64_t seed) {
              return check_resumes(world, make_amnesiac, mix(seed, 1));
            }),
            0);
}

TEST(BadPolicies, changing_its_mind_is_caught) {
  EXPECT_GT(worlds_with_fault([](const RandomWorld& world, std::uint64_t) {
              return check_stable(world, make_flip_flopper);
            }),
            0);
}

TEST(BadPolicies, idle_gpus_are_caught) {
  EXPECT_GT(worlds_with_fault([](const RandomWorld& world, std::uint64_t) {
              return check_work_conserving(world, make_idler);
            }),
            0);
}

TEST(BadPolicies, favouring_users_is_caught) {
  int found = 0;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const auto world = WorldMaker(seed).plain();
    found += check_names_ignored(*world, make_favourer, true).empty() ? 0 : 1;
  }
  EXPECT_GT(found, 0);
}

// A report that is lost on the way must show in the account.
TEST(BadPolicies, lost_steps_are_caught) {
  int simulations = 0;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const auto world = WorldMaker(seed).any();
    Stage stage(*world, [] { return parse_policy("fifo", nullptr)->make({}); });
    Account account;
    bool has_lost = false;
    while (stage.next()) {
      ASSERT_TRUE(stage.step());
      std::vector<Event> events(stage.batch().events.begin(), stage.batch().events.end());
      for (Event& event : events) {
        auto* ended = std::get_if<RunEnded>(&event);
        if (ended == nullptr || has_lost || ended->steps == 0) continue;
        --ended->steps;
        has_lost = true;
      }
      account.on_step({.now = stage.batch().now, .events = events}, stage.last_step().commands);
    }
    if (!has_lost) continue;
    ++simulations;
    EXPECT_NE(account.check(stage.engine(), stage.now()), "") << "seed " << seed;
  }
  EXPECT_GT(simulations, 30);
}

}  // namespace
}  // namespace muster::testing
