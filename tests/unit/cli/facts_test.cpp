#include "cli/facts.h"

#include <gtest/gtest.h>

namespace muster {
namespace {

TEST(Facts, counts_have_groups_of_three_digits) {
  EXPECT_EQ(readable_count(0), "0");
  EXPECT_EQ(readable_count(999), "999");
  EXPECT_EQ(readable_count(82247), "82,247");
  EXPECT_EQ(readable_count(-1234567), "-1,234,567");
}

TEST(Facts, long_times_are_also_told_in_larger_units) {
  EXPECT_EQ(readable_seconds(0), "0.0 s");
  EXPECT_EQ(readable_seconds(0.0123), "12.300 ms");
  EXPECT_EQ(readable_seconds(599), "599.0 s");
  EXPECT_EQ(readable_seconds(3315), "3,315.0 s (55.2 min)");
  EXPECT_EQ(readable_seconds(36000), "36,000.0 s (10.0 h)");
  EXPECT_EQ(readable_seconds(864000), "864,000.0 s (10.0 d)");
}

TEST(Facts, people_see_labels_and_programs_see_keys) {
  const std::vector<Fact> facts = {count_fact("jobs_count", "jobs", 1234),
                                   seconds_fact("span_seconds", "", 1.25),
                                   ratio_fact("load_ratio", "load", std::nullopt)};
  EXPECT_EQ(facts_text(facts, true), "jobs  1,234\nload  -\n");
  EXPECT_EQ(facts_text(facts, false),
            "key\tvalue\njobs_count\t1234\nspan_seconds\t1.25\nload_ratio\t\n");
}

TEST(Facts, a_name_with_tabs_stays_in_its_field) {
  EXPECT_EQ(facts_text({text_fact("trace", "trace", "a\tb")}, false), "key\tvalue\ntrace\ta b\n");
}

}  // namespace
}  // namespace muster
