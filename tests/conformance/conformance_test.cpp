// Every policy, in its variants, keeps every rule on random worlds; policies that break a rule on
// purpose are caught by the same checks. MUSTER_SEED_COUNT sets the number of worlds.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "base/text.h"
#include "conformance/properties.h"
#include "policies/registry.h"
#include "support/bad_policies.h"

namespace muster::testing {
namespace {

constexpr std::int64_t seed_count_default = 200;
constexpr std::int64_t seed_count_min = 20;

std::uint64_t seed_count() {
  const char* set = std::getenv("MUSTER_SEED_COUNT");
  const auto count = parse_integer(set == nullptr ? "" : set).value_or(seed_count_default);
  return static_cast<std::uint64_t>(std::max(count, seed_count_min));
}

// What to run: "name" or "name:options", as on the command line.
std::vector<std::string> variants() {
  std::vector<std::string> texts;
  for (const PolicyInfo& policy : all_policies()) {
    texts.push_back(policy.name);
    for (const OptionInfo& option : policy.options) {
      if (option.name != "placement") continue;
      for (const std::string& choice : option.choices) {
        if (choice != option.default_text) texts.push_back(policy.name + ":placement=" + choice);
      }
    }
  }
  for (const char* text :
       {"tiresias-l:thresholds=600/3000,promote=16", "tiresias-l:thresholds=100",
        "tiresias-g:thresholds=600/3000,promote=16", "tiresias-g:distribution=past",
        "yarn-cs:borrow=0.25,placement=count", "yarn-cs:capacities=0.5/0.25/0.25,borrow=0"}) {
    texts.emplace_back(text);
  }
  return texts;
}

// Stands for the file of a `distribution`.
Result<std::vector<double>> past_gpu_seconds(const std::string&, const std::string&) {
  std::vector<double> samples;
  for (int i = 1; i <= 50; ++i) samples.push_back(40.0 * i * i);
  return samples;
}

std::string case_name(const ::testing::TestParamInfo<std::string>& info) {
  std::string name = info.param;
  std::replace_if(
      name.begin(), name.end(),
      [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; }, '_');
  return name;
}

PolicyChoice choice_of(const std::string& text) {
  return parse_policy(text, past_gpu_seconds).value();
}

bool is_by_count(const PolicyChoice& choice) {
  return placement_rule(choice.options) == PlacementRule::count;
}

// The variants of which `is_meant` is true.
template <class IsMeant>
std::vector<std::string> variants_where(IsMeant is_meant) {
  std::vector<std::string> texts = variants();
  std::erase_if(texts, [&](const std::string& text) { return !is_meant(choice_of(text)); });
  return texts;
}

class Conformance : public ::testing::TestWithParam<std::string> {
 protected:
  PolicyMaker maker() const {
    return [this] { return choice_.make({}); };
  }
  PlacementRule rule() const { return placement_rule(choice_.options); }

  // Calls check(world, seed) for world after world until one fails.
  template <class Check>
  void expect_on_any_world(Check check) const {
    for (std::uint64_t seed = 0; seed < seed_count(); ++seed) {
      const auto world = WorldMaker(seed).any();
      ASSERT_EQ(check(*world, seed), "") << "seed " << seed;
    }
  }

  const PolicyChoice choice_ = choice_of(GetParam());
};

TEST_P(Conformance, plans_are_never_refused) {
  expect_on_any_world(
      [&](const RandomWorld& world, std::uint64_t) { return check_plans(world, maker()); });
}

TEST_P(Conformance, every_feasible_job_finishes) {
  expect_on_any_world(
      [&](const RandomWorld& world, std::uint64_t) { return check_ends(world, maker(), rule()); });
}

TEST_P(Conformance, same_world_same_schedule) {
  expect_on_any_world(
      [&](const RandomWorld& world, std::uint64_t) { return check_repeats(world, maker()); });
}

TEST_P(Conformance, goes_on_after_loading) {
  expect_on_any_world([&](const RandomWorld& world, std::uint64_t seed) {
    return check_resumes(world, maker(), mix(seed, 1));
  });
}

TEST_P(Conformance, no_step_and_no_gpu_time_is_lost) {
  expect_on_any_world(
      [&](const RandomWorld& world, std::uint64_t) { return check_account(world, maker()); });
}

INSTANTIATE_TEST_SUITE_P(Policies, Conformance, ::testing::ValuesIn(variants()), case_name);

// Where more than the number of GPUs decides, jobs that move or go ahead leave holes that may suit
// a job that was passed over, and asked again a policy may do better.
class Stability : public Conformance {};

TEST_P(Stability, asked_again_changes_nothing) {
  for (std::uint64_t seed = 0; seed < seed_count(); ++seed) {
    const auto world = WorldMaker(seed).without_hosts();
    ASSERT_EQ(check_stable(*world, maker()), "") << "seed " << seed;
  }
}

INSTANTIATE_TEST_SUITE_P(Policies, Stability,
                         ::testing::ValuesIn(variants_where([](const PolicyChoice& choice) {
                           const PlacementRule rule = placement_rule(choice.options);
                           return rule == PlacementRule::count || rule == PlacementRule::spread;
                         })),
                         case_name);

class WorkConservation : public Conformance {};

TEST_P(WorkConservation, no_job_waits_beside_gpus_that_it_fits) {
  expect_on_any_world([&](const RandomWorld& world, std::uint64_t) {
    return check_work_conserving(world, maker());
  });
}

INSTANTIATE_TEST_SUITE_P(Policies, WorkConservation,
                         ::testing::ValuesIn(variants_where([](const PolicyChoice& choice) {
                           return choice.info->is_work_conserving && is_by_count(choice);
                         })),
                         case_name);

// Shares that are given to tenants by their order are names that matter.
class Naming : public Conformance {};

TEST_P(Naming, names_and_node_order_do_not_matter) {
  for (std::uint64_t seed = 0; seed < seed_count(); ++seed) {
    const auto world = WorldMaker(seed).plain();
    ASSERT_EQ(check_names_ignored(*world, maker(), is_by_count(choice_)), "") << "seed " << seed;
  }
}

INSTANTIATE_TEST_SUITE_P(Policies, Naming,
                         ::testing::ValuesIn(variants_where([](const PolicyChoice& choice) {
                           return choice.options_text.find("capacities") == std::string::npos;
                         })),
                         case_name);

}  // namespace
}  // namespace muster::testing
