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
using Durations = std::vector<std::pair<std::string, double>>;

const std::string header = ",job_name,norm_job_submit_time,ddl,A100,V100,GTX2080Ti\n";

TEST(Hydra, reads_a_duration_per_gpu_type) {
  EXPECT_EQ(guesses(header), Names{"hydra"});
  const Trace trace = read_or_fail(header +
                                   "0,9929,10,inf,1020.0,1540.0,2595.0\n"
                                   "1,4bb1,25,7767.0,5384.25,8235.0,10278.0\n");
  EXPECT_EQ(trace.format, "hydra");
  ASSERT_EQ(trace.jobs.size(), 2U);
  EXPECT_EQ(trace.jobs[0].id, "9929");
  EXPECT_EQ(trace.jobs[0].gpus, 1);
  EXPECT_EQ(trace.jobs[0].deadline, std::nullopt);
  EXPECT_EQ(trace.jobs[0].duration, seconds(1020));
  EXPECT_EQ(trace.records.at(trace.jobs[0].record.index()).seconds,
            (Durations{{"a100", 1020}, {"v100", 1540}, {"gtx2080ti", 2595}}));
  EXPECT_EQ(trace.jobs[1].submit, seconds(15));
  EXPECT_EQ(trace.jobs[1].deadline, seconds(7757));
  EXPECT_EQ(trace.records.at(trace.jobs[1].record.index()).seconds,
            (Durations{{"a100", 5384.25}, {"v100", 8235}, {"gtx2080ti", 10278}}));
}

TEST(Hydra, names_line_field_and_value_of_a_fault) {
  EXPECT_EQ(message_of(header + "0,a,0,inf,1,inf,3\n"),
            "jobs.csv:2: V100: expected a non-negative number, got 'inf'");
  EXPECT_EQ(message_of(header + "0,a,0,soon,1,2,3\n"),
            "jobs.csv:2: ddl: expected a non-negative number, got 'soon'");
  EXPECT_EQ(message_of(header + "0,a,0,inf,1,2,3\n1,a,0,inf,1,2,3\n"),
            "jobs.csv:3: job_id: 'a' was used before");
  EXPECT_EQ(message_of(",job_name,norm_job_submit_time,ddl\n0,a,0,inf\n"),
            "jobs.csv:1: expected a column per GPU type, found none");
}

struct SharedCase {
  const char* file;
  std::int64_t deadlines;
  std::int64_t deadline_seconds_sum;
  std::vector<double> type_seconds_sums;
};

class HydraShared : public ::testing::TestWithParam<SharedCase> {};

TEST_P(HydraShared, reads_the_published_case) {
  MUSTER_NEED_SHARED(path, std::string("data/hydra/") + GetParam().file);
  const Trace trace = testing::read_file_or_fail(path.string());
  EXPECT_EQ(trace.format, "hydra");
  ASSERT_EQ(trace.jobs.size(), 5'000U);
  ASSERT_EQ(trace.records.size(), 5'000U);
  EXPECT_EQ(testing::count_with_deadline(trace), GetParam().deadlines);
  EXPECT_EQ(testing::deadline_microseconds(trace),
            GetParam().deadline_seconds_sum * testing::microseconds_per_second);
  std::vector<double> sums(3);
  for (const TypeDurations& record : trace.records) {
    for (std::size_t i = 0; i < 3; ++i) sums[i] += record.seconds.at(i).second;
  }
  EXPECT_EQ(sums, GetParam().type_seconds_sums);
}

INSTANTIATE_TEST_SUITE_P(
    cases, HydraShared,
    ::testing::Values(
        SharedCase{"20_ddl.csv", 985, 27'039'283, {45'219'068, 76'351'630, 114'496'032}},
        SharedCase{"30_ddl.csv", 1'473, 41'167'923, {44'960'825, 76'390'480, 114'615'016}}));

}  // namespace
}  // namespace muster
