#include "base/id.h"

#include <gtest/gtest.h>

#include <set>
#include <type_traits>

namespace muster {
namespace {

TEST(Id, default_names_nothing) {
  EXPECT_FALSE(JobId().is_valid());
  EXPECT_TRUE(JobId(0U).is_valid());
  EXPECT_EQ(JobId(), JobId());
  EXPECT_NE(JobId(), JobId(0U));
}

TEST(Id, is_a_dense_number) {
  const RunId id(std::size_t{41});
  EXPECT_EQ(id.value(), 41U);
  EXPECT_EQ(id.index(), std::size_t{41});
  EXPECT_EQ(id.next(), RunId(42U));
}

TEST(Id, is_ordered_by_number) {
  EXPECT_LT(NodeId(1U), NodeId(2U));
  EXPECT_GT(NodeId(), NodeId(2U));
  const std::set<NodeId> ids = {NodeId(2U), NodeId(0U), NodeId(1U)};
  EXPECT_EQ(*ids.begin(), NodeId(0U));
}

TEST(Id, kinds_do_not_mix) {
  EXPECT_FALSE((std::is_convertible_v<JobId, RunId>));
  EXPECT_FALSE((std::is_constructible_v<JobId, RunId>));
  EXPECT_FALSE((std::is_convertible_v<std::uint32_t, JobId>));
  EXPECT_EQ(sizeof(JobId), 4U);
}

}  // namespace
}  // namespace muster
