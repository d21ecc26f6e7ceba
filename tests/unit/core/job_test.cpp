#include "core/job.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "base/rng.h"

namespace muster {
namespace {

using std::chrono::seconds;

TEST(JobSpec, the_gang_is_whole_unless_the_job_says_otherwise) {
  const JobSpec rigid{.gpu_count = 4};
  EXPECT_EQ(rigid.gpu_min(), 4);
  EXPECT_EQ(rigid.gpu_max(), 4);
  const JobSpec elastic{.gpu_count = 4, .gpu_count_min = 2, .gpu_count_max = 8};
  EXPECT_EQ(elastic.gpu_min(), 2);
  EXPECT_EQ(elastic.gpu_max(), 8);
  const JobSpec forked{.gpu_count = 4, .copies_max = 3};
  EXPECT_EQ(forked.gpu_min(), 1);
  EXPECT_EQ(forked.gpu_max(), 4);
}

TEST(JobSpec, allows_the_types_of_its_mask) {
  EXPECT_TRUE(JobSpec().allows(GpuTypeId(63U)));
  const JobSpec picky{.types_allowed = 0b101};
  EXPECT_TRUE(picky.allows(GpuTypeId(0U)));
  EXPECT_FALSE(picky.allows(GpuTypeId(1U)));
  EXPECT_TRUE(picky.allows(GpuTypeId(2U)));
}

TEST(JobSpec, shares_of_nodes_are_rounded_up) {
  const JobSpec spec{.gpu_count = 3, .cpus_milli = 1000, .memory_mib = 10};
  EXPECT_EQ(spec.cpus_milli_for(1), 334);
  EXPECT_EQ(spec.cpus_milli_for(2), 667);
  EXPECT_EQ(spec.cpus_milli_for(3), 1000);
  EXPECT_EQ(spec.memory_mib_for(1), 4);
  EXPECT_EQ(JobSpec{.gpu_count = 3}.cpus_milli_for(2), 0);
}

TEST(JobSpec, the_shares_of_all_nodes_suffice) {
  Rng rng{1};
  for (int round = 0; round < 5000; ++round) {
    const auto gpus = static_cast<std::int32_t>(1 + rng.below(1024));
    const JobSpec spec{.gpu_count = gpus,
                       .cpus_milli = static_cast<std::int64_t>(rng.below(10000000)),
                       .memory_mib = static_cast<std::int64_t>(rng.below(100000000))};
    std::int64_t cpus_milli = 0;
    std::int64_t memory_mib = 0;
    int nodes = 0;
    for (std::int32_t left = gpus; left > 0; ++nodes) {
      const auto part = static_cast<std::int32_t>(1 + rng.below(static_cast<std::uint64_t>(left)));
      cpus_milli += spec.cpus_milli_for(part);
      memory_mib += spec.memory_mib_for(part);
      left -= part;
    }
    ASSERT_GE(cpus_milli, spec.cpus_milli);
    ASSERT_LT(cpus_milli, spec.cpus_milli + nodes);
    ASSERT_GE(memory_mib, spec.memory_mib);
    ASSERT_LT(memory_mib, spec.memory_mib + nodes);
    ASSERT_EQ(spec.cpus_milli_for(gpus), spec.cpus_milli);
  }
}

TEST(Job, attained_service_grows_with_the_gpus_held) {
  const Job job{.gpus_held = 3, .gpu_time = seconds(10), .settled_at = Time(seconds(100))};
  EXPECT_EQ(job.gpu_time_at(Time(seconds(100))), seconds(10));
  EXPECT_EQ(job.gpu_time_at(Time(seconds(107))), seconds(31));
}

TEST(Job, held_jobs_have_not_ended) {
  for (const JobState state : {JobState::active, JobState::held}) {
    EXPECT_FALSE(Job{.state = state}.has_ended());
  }
  for (const JobState state :
       {JobState::cancelled, JobState::rejected, JobState::finished, JobState::failed}) {
    EXPECT_TRUE(Job{.state = state}.has_ended());
  }
}

TEST(Job, goes_through_an_archive) {
  Job job{.id = JobId(3U),
          .spec = {.gpu_count = 5, .deadline = Time(seconds(9))},
          .state = JobState::held,
          .steps_done = 77,
          .runs = {RunId(4U), RunId(6U)},
          .wanted_count = 1,
          .consolidating = true,
          .copies = {{RunId(1U), 5}},
          .reason = Reason::share_used,
          .reason_detail = 8};
  Archive saver = Archive::saver();
  saver(job);
  Archive loader = Archive::loader(saver.bytes());
  Job loaded;
  loader(loaded);
  ASSERT_TRUE(loader.is_complete());
  EXPECT_EQ(loaded.id, job.id);
  EXPECT_EQ(loaded.spec.gpu_count, 5);
  EXPECT_EQ(loaded.spec.deadline, job.spec.deadline);
  EXPECT_EQ(loaded.state, JobState::held);
  EXPECT_EQ(loaded.steps_done, 77);
  EXPECT_EQ(loaded.runs, job.runs);
  EXPECT_TRUE(loaded.consolidating);
  EXPECT_EQ(loaded.copies, job.copies);
  EXPECT_EQ(loaded.reason, Reason::share_used);
  EXPECT_EQ(loaded.reason_detail, 8);
}

TEST(Reason, every_one_has_words_of_its_own) {
  std::set<std::string_view> words;
  for (int i = 0; i <= static_cast<int>(Reason::fits_nowhere); ++i) {
    words.insert(to_text(static_cast<Reason>(i)));
  }
  EXPECT_EQ(words.size(), 8U);
  EXPECT_EQ(words.count(""), 0U);
}

}  // namespace
}  // namespace muster
