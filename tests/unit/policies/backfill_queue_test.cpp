#include "policies/backfill_queue.h"

#include <gtest/gtest.h>

#include <map>

#include "base/rng.h"

namespace muster {
namespace {

// The same by looking at every job.
class LinearQueue {
 public:
  void insert(JobId job, double estimate_seconds) { items_[job] = estimate_seconds; }
  void erase(JobId job) { items_.erase(job); }
  std::optional<BackfillQueue::Item> first(std::optional<JobId> after, double estimate_max) const {
    for (const auto& [job, estimate] : items_) {
      if (after && !(*after < job)) continue;
      if (estimate <= estimate_max)
        return BackfillQueue::Item{.job = job, .estimate_seconds = estimate};
    }
    return std::nullopt;
  }

 private:
  std::map<JobId, double> items_;
};

void expect_same(const BackfillQueue& queue, const LinearQueue& linear, std::optional<JobId> after,
                 double estimate_max) {
  const auto found = queue.first(after, estimate_max);
  const auto expected = linear.first(after, estimate_max);
  ASSERT_EQ(found.has_value(), expected.has_value());
  if (!found) return;
  ASSERT_EQ(found->job, expected->job);
  ASSERT_EQ(found->estimate_seconds, expected->estimate_seconds);
}

TEST(BackfillQueue, finds_what_a_linear_search_finds) {
  Rng rng{1};
  for (int round = 0; round < 200; ++round) {
    BackfillQueue queue;
    LinearQueue linear;
    std::uint32_t next_job = 0;
    for (int change = 0; change < 150; ++change) {
      const JobId old(static_cast<std::uint32_t>(rng.below(next_job + 1)));
      const double estimate = static_cast<double>(rng.below(20));
      const std::uint64_t what = rng.below(6);
      if (what == 0) {
        queue.erase(old);
        linear.erase(old);
      } else {
        // Mostly newcomers, some with gaps; sometimes one comes back, or comes late into a gap.
        if (what > 1) next_job += static_cast<std::uint32_t>(1 + rng.below(2));
        const JobId job = what > 1 ? JobId(next_job) : old;
        queue.insert(job, estimate);
        linear.insert(job, estimate);
      }
      const JobId after(static_cast<std::uint32_t>(rng.below(next_job + 2)));
      expect_same(queue, linear, after, static_cast<double>(rng.below(20)));
      expect_same(queue, linear, std::nullopt, static_cast<double>(rng.below(20)));
      expect_same(queue, linear, after, 1e300);
      ASSERT_FALSE(::testing::Test::HasFatalFailure());
    }
  }
}

TEST(BackfillQueue, is_empty_at_first) {
  BackfillQueue queue;
  EXPECT_FALSE(queue.first(std::nullopt, 1e300));
  EXPECT_FALSE(queue.first(JobId(3U), 1e300));
  queue.erase(JobId(3U));
  EXPECT_FALSE(queue.first(std::nullopt, 1e300));
}

TEST(BackfillQueue, goes_through_an_archive) {
  BackfillQueue queue;
  for (std::uint32_t job = 0; job < 9; ++job) queue.insert(JobId(job), 100.0 - job);
  queue.erase(JobId(8U));
  Archive saver = Archive::saver();
  saver(queue);
  Archive loader = Archive::loader(saver.bytes());
  BackfillQueue loaded;
  loader(loaded);
  ASSERT_TRUE(loader.is_complete());
  ASSERT_TRUE(loaded.first(std::nullopt, 95));
  EXPECT_EQ(loaded.first(std::nullopt, 95)->job, JobId(5U));
  EXPECT_FALSE(loaded.first(std::nullopt, 92));
}

}  // namespace
}  // namespace muster
