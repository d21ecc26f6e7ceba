#include "policies/order.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/rng.h"

namespace muster {
namespace {

Rank random_rank(Rng& rng) {
  return {.level = static_cast<std::int32_t>(rng.below(3)),
          .key = static_cast<double>(rng.below(4)),
          .stamp = rng.below(5)};
}

std::vector<JobId> walk_all(const ShapedQueue& queue) {
  std::vector<JobId> jobs;
  for (ShapedQueue::Walk walk(queue); !walk.is_over(); walk.advance()) {
    EXPECT_EQ(walk.shape(), queue.shape(walk.entry().job));
    jobs.push_back(walk.entry().job);
  }
  return jobs;
}

TEST(Rank, level_then_key_then_stamp) {
  const Rank low{.level = 0, .key = 9, .stamp = 9};
  EXPECT_LT(low, (Rank{.level = 1}));
  EXPECT_LT((Rank{.key = 1, .stamp = 9}), (Rank{.key = 2}));
  EXPECT_LT((Rank{.key = 1, .stamp = 1}), (Rank{.key = 1, .stamp = 2}));
}

TEST(ShapedQueue, a_walk_goes_in_the_order_of_the_ranks_whatever_the_shapes) {
  Rng rng{1};
  for (int round = 0; round < 200; ++round) {
    ShapedQueue queue;
    std::map<JobId, Rank> ranks;
    for (int change = 0; change < 200; ++change) {
      const JobId job(static_cast<std::uint32_t>(rng.below(60)));
      if (rng.below(4) == 0) {
        queue.erase(job);
        ranks.erase(job);
      } else {
        ranks[job] = random_rank(rng);
        queue.insert(job, ShapeId(static_cast<std::uint32_t>(rng.below(6))), ranks[job]);
      }
      ASSERT_EQ(queue.contains(job), ranks.count(job) == 1);
      ASSERT_EQ(queue.size(), ranks.size());
      ASSERT_EQ(queue.is_empty(), ranks.empty());
    }
    std::vector<std::pair<Rank, JobId>> expected;
    for (const auto& [job, rank] : ranks) {
      ASSERT_EQ(queue.rank(job), rank);
      expected.emplace_back(rank, job);
    }
    std::sort(expected.begin(), expected.end());
    const std::vector<JobId> walked = walk_all(queue);
    ASSERT_EQ(walked.size(), expected.size());
    for (std::size_t i = 0; i < walked.size(); ++i) ASSERT_EQ(walked[i], expected[i].second);
  }
}

TEST(ShapedQueue, dropping_a_shape_leaves_out_the_rest_of_it) {
  Rng rng{2};
  for (int round = 0; round < 200; ++round) {
    ShapedQueue queue;
    std::vector<std::pair<Rank, JobId>> all;
    for (std::uint32_t job = 0; job < 40; ++job) {
      const Rank rank = random_rank(rng);
      queue.insert(JobId(job), ShapeId(static_cast<std::uint32_t>(rng.below(5))), rank);
      all.emplace_back(rank, JobId(job));
    }
    std::sort(all.begin(), all.end());
    std::set<ShapeId> dropped;
    ShapedQueue::Walk walk(queue);
    for (const auto& [rank, job] : all) {
      const ShapeId shape = queue.shape(job);
      if (dropped.count(shape) != 0) continue;
      ASSERT_FALSE(walk.is_over());
      ASSERT_EQ(walk.entry().job, job);
      ASSERT_EQ(walk.shape(), shape);
      if (rng.below(6) == 0) {
        walk.drop_shape();
        dropped.insert(shape);
      } else {
        walk.advance();
      }
    }
    ASSERT_TRUE(walk.is_over());
  }
}

TEST(ShapedQueue, a_job_may_change_its_shape) {
  ShapedQueue queue;
  queue.insert(JobId(3U), ShapeId(0U), {.key = 1});
  queue.insert(JobId(3U), ShapeId(2U), {.key = 5});
  EXPECT_EQ(queue.size(), 1U);
  EXPECT_EQ(queue.shape(JobId(3U)), ShapeId(2U));
  EXPECT_EQ(walk_all(queue), std::vector<JobId>{JobId(3U)});
}

TEST(ShapedQueue, erasing_who_is_not_there_does_nothing) {
  ShapedQueue queue;
  queue.erase(JobId(7U));
  queue.insert(JobId(1U), ShapeId(0U), {});
  queue.erase(JobId(0U));
  EXPECT_EQ(queue.size(), 1U);
  EXPECT_FALSE(queue.contains(JobId(7U)));
}

TEST(ShapedQueue, goes_through_an_archive) {
  ShapedQueue queue;
  for (std::uint32_t job = 0; job < 20; ++job) {
    queue.insert(JobId(job), ShapeId(job % 3), {.key = -static_cast<double>(job)});
  }
  Archive saver = Archive::saver();
  saver(queue);
  Archive loader = Archive::loader(saver.bytes());
  ShapedQueue loaded;
  loader(loaded);
  ASSERT_TRUE(loader.is_complete());
  EXPECT_EQ(walk_all(loaded), walk_all(queue));
}

}  // namespace
}  // namespace muster
