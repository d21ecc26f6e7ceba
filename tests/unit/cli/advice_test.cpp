#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/comparison.h"

namespace muster {
namespace {

ComparisonRow row(const std::string& policy, double jct_mean_seconds) {
  ComparisonRow made{.policy = policy};
  made.runs.emplace_back();
  made.runs.back().jct_mean_seconds = jct_mean_seconds;
  return made;
}

TEST(Advice, names_the_best_and_what_doing_without_costs) {
  EXPECT_EQ(advice({row("srtf", 100), row("tiresias-l:promote=8", 125), row("sjf", 150)}),
            "Pick by mean JCT: srtf; without run times: tiresias-l:promote=8, 1.25 x; "
            "without stopping jobs: sjf, 1.50 x.\n");
}

TEST(Advice, says_nothing_of_what_the_best_does_not_need) {
  EXPECT_EQ(advice({row("first-fit", 100), row("srtf", 125)}), "Pick by mean JCT: first-fit.\n");
}

TEST(Advice, picks_none_of_equally_good_ones) {
  EXPECT_EQ(advice({row("fifo", 100), row("first-fit", 100), row("sjf", 150)}),
            "No difference in mean JCT between fifo and first-fit.\n");
  EXPECT_EQ(advice({row("srtf", 100), row("sjf", 100), row("fifo", 150)}),
            "No difference in mean JCT between srtf and sjf; without run times: fifo, 1.50 x.\n");
  EXPECT_EQ(advice({row("fifo", 1), row("sjf", 1), row("srtf", 1), row("srsf", 1),
                    row("tiresias-l", 1), row("first-fit", 1)}),
            "No difference in mean JCT between fifo, sjf, srtf, srsf and 2 more.\n");
}

TEST(Advice, is_silent_about_a_single_policy) { EXPECT_EQ(advice({row("fifo", 100)}), ""); }

}  // namespace
}  // namespace muster
