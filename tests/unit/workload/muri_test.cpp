#include <gtest/gtest.h>

#include <chrono>

#include "support/shared_data.h"
#include "unit/workload/reading.h"

namespace muster {
namespace {

using std::chrono::milliseconds;
using testing::guesses;
using testing::message_of;
using testing::read_or_fail;
using Names = std::vector<std::string>;

const std::string header =
    "job_id,num_gpu,submit_time,iterations,model_name,batch_size,duration,interval,iteration_time,"
    "resource_time_0,resource_time_1,resource_time_2,priority\r\n";

TEST(Muri, reads_milliseconds) {
  EXPECT_EQ(guesses(header), Names{"muri"});
  const Trace trace = read_or_fail(header +
                                   "0,1,1500,5853661,dqn,128,2868294001,46122000,490,446,8,0,1\r\n"
                                   "1,8,3000,8787693,gpt2,4,0,201694000,509,435,8,0.5,0\r\n");
  EXPECT_EQ(trace.format, "muri");
  ASSERT_EQ(trace.jobs.size(), 2U);
  EXPECT_EQ(trace.jobs[0].duration, milliseconds(2'868'294'001));
  EXPECT_EQ(trace.jobs[0].weight, 1);
  EXPECT_EQ(trace.jobs[1].submit, milliseconds(1500));
  EXPECT_EQ(trace.jobs[1].gpus, 8);
  EXPECT_EQ(trace.jobs[1].duration, milliseconds(0));
  EXPECT_EQ(trace.models.at(trace.jobs[1].model.index()), "gpt2");
}

TEST(Muri, names_line_field_and_value_of_a_fault) {
  EXPECT_EQ(message_of(header + "0,0,0,1,dqn,128,5,4,490,446,8,0,1\n"),
            "jobs.csv:2: num_gpu: expected a positive integer, got '0'");
  EXPECT_EQ(message_of(header + "0,1,0,1,dqn,128,200000000000000,4,490,446,8,0,1\n"),
            "jobs.csv:2: duration: expected a non-negative number up to 1e+14, "
            "got '200000000000000'");
  const std::string row = "0,1,0,1,dqn,128,5,4,490,446,8,0,1\n";
  EXPECT_EQ(message_of(header + row + row), "jobs.csv:3: job_id: '0' was used before");
}

struct SharedCase {
  const char* file;
  std::size_t jobs;
  std::int64_t gpu_seconds;
};

class MuriShared : public ::testing::TestWithParam<SharedCase> {};

TEST_P(MuriShared, reads_the_published_trace) {
  MUSTER_NEED_SHARED(path, std::string("data/philly_muri/") + GetParam().file);
  const Trace trace = testing::read_file_or_fail(path.string());
  EXPECT_EQ(trace.format, "muri");
  EXPECT_EQ(trace.jobs.size(), GetParam().jobs);
  EXPECT_EQ(trace.models.size(), 8U);
  EXPECT_EQ(testing::gpu_microseconds(trace),
            GetParam().gpu_seconds * testing::microseconds_per_second);
}

INSTANTIATE_TEST_SUITE_P(traces, MuriShared,
                         ::testing::Values(SharedCase{"cluster_trace.csv", 400, 220'836'929},
                                           SharedCase{"trace1.csv", 1'494, 1'379'976'364},
                                           SharedCase{"trace1_pr.csv", 1'494, 1'379'976'364},
                                           SharedCase{"trace2.csv", 5'755, 2'966'695'253},
                                           SharedCase{"trace2_pr.csv", 5'755, 2'966'695'253},
                                           SharedCase{"trace3.csv", 992, 420'084'355},
                                           SharedCase{"trace3_pr.csv", 992, 420'084'355},
                                           SharedCase{"trace4.csv", 2'638, 737'647'571},
                                           SharedCase{"trace4_pr.csv", 2'638, 737'647'571}));

}  // namespace
}  // namespace muster
