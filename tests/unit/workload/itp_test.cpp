#include <gtest/gtest.h>

#include <chrono>

#include "support/shared_data.h"
#include "unit/workload/reading.h"

namespace muster {
namespace {

using std::chrono::seconds;
using testing::guesses;
using testing::message_of;
using testing::read_or_fail;
using Names = std::vector<std::string>;

const std::string header = "job_id,submission_time,duration,num_gpu\n";

TEST(Itp, reads_seconds) {
  EXPECT_EQ(guesses(header), Names{"itp"});
  const Trace trace = read_or_fail(header + "965d-1,1932025,2429,64\nfb10-2,2000581,1532.5,1");
  EXPECT_EQ(trace.format, "itp");
  ASSERT_EQ(trace.jobs.size(), 2U);
  EXPECT_EQ(trace.jobs[0].id, "965d-1");
  EXPECT_EQ(trace.jobs[0].gpus, 64);
  EXPECT_EQ(trace.jobs[0].duration, seconds(2429));
  EXPECT_EQ(trace.jobs[0].deadline, std::nullopt);
  EXPECT_EQ(trace.jobs[1].submit, seconds(68'556));
  EXPECT_EQ(trace.jobs[1].duration, Duration(1'532'500'000));
}

TEST(Itp, deadlines_are_on_the_clock_of_the_submit_times) {
  const std::string long_header =
      "job_id,submission_time,num_iteration,model_name,deadline,batch_size,num_gpu,duration\n";
  EXPECT_EQ(guesses(long_header), Names{"itp"});
  const Trace trace = read_or_fail(long_header +
                                   "a,1932025,45775,resnet50,1933904,256,64,2429\n"
                                   "b,1932125,11197,gpt2,,128,1,1532\n");
  EXPECT_EQ(trace.jobs.at(0).deadline, seconds(1879));
  EXPECT_EQ(trace.jobs[0].total_steps, std::nullopt);
  EXPECT_EQ(trace.models.at(trace.jobs[0].model.index()), "resnet50");
  EXPECT_EQ(trace.jobs.at(1).deadline, std::nullopt);
}

TEST(Itp, names_line_field_and_value_of_a_fault) {
  EXPECT_EQ(message_of(header + "a,0,5,0\n"),
            "jobs.csv:2: num_gpu: expected a positive integer, got '0'");
  EXPECT_EQ(message_of(header + "a,x,5,1\n"),
            "jobs.csv:2: submission_time: expected a non-negative number, got 'x'");
  EXPECT_EQ(message_of(header + "a,0,5,1\na,0,5,1\n"), "jobs.csv:3: job_id: 'a' was used before");
}

struct RawCase {
  const char* file;
  std::size_t jobs;
  std::int64_t gpu_seconds;
};

class ItpRaw : public ::testing::TestWithParam<RawCase> {};

TEST_P(ItpRaw, reads_the_published_cluster) {
  MUSTER_NEED_SHARED(path, std::string("data/msr_itp/raw/") + GetParam().file);
  const Trace trace = testing::read_file_or_fail(path.string());
  EXPECT_EQ(trace.format, "itp");
  EXPECT_EQ(trace.jobs.size(), GetParam().jobs);
  EXPECT_EQ(testing::gpu_microseconds(trace),
            GetParam().gpu_seconds * testing::microseconds_per_second);
  EXPECT_EQ(testing::count_with_deadline(trace), 0);
  EXPECT_TRUE(trace.warnings.empty());
  testing::count_oracle_cases(1);
}

INSTANTIATE_TEST_SUITE_P(clusters, ItpRaw,
                         ::testing::Values(RawCase{"cluster01.csv", 1'595, 81'864'453},
                                           RawCase{"cluster02.csv", 5'778, 445'494'106},
                                           RawCase{"cluster03.csv", 3'011, 595'593'077},
                                           RawCase{"cluster04.csv", 15'802, 2'540'458'386},
                                           RawCase{"cluster05.csv", 3'629, 51'491'311}));

struct DeadlineCase {
  const char* file;
  std::int64_t jobs;
  std::int64_t deadline_seconds_sum;  // From submit.
};

class ItpDeadlines : public ::testing::TestWithParam<DeadlineCase> {};

TEST_P(ItpDeadlines, reads_the_published_cluster) {
  MUSTER_NEED_SHARED(path, std::string("data/msr_itp/deadlines/") + GetParam().file);
  const Trace trace = testing::read_file_or_fail(path.string());
  EXPECT_EQ(trace.format, "itp");
  EXPECT_EQ(testing::count_with_deadline(trace), GetParam().jobs);
  EXPECT_EQ(testing::deadline_microseconds(trace),
            GetParam().deadline_seconds_sum * testing::microseconds_per_second);
  EXPECT_EQ(trace.models.size(), 6U);
}

INSTANTIATE_TEST_SUITE_P(clusters, ItpDeadlines,
                         ::testing::Values(DeadlineCase{"195job.csv", 195, 5'418'386},
                                           DeadlineCase{"cluster01.csv", 1'595, 20'062'209},
                                           DeadlineCase{"cluster02.csv", 5'778, 133'940'137}));

}  // namespace
}  // namespace muster
