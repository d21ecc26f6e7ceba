#include <gtest/gtest.h>

#include <chrono>

#include "support/shared_data.h"
#include "unit/workload/reading.h"

namespace muster {
namespace {

using std::chrono::minutes;
using testing::guesses;
using testing::message_of;
using testing::read_or_fail;
using Names = std::vector<std::string>;

const std::string header =
    "job_id,user,num_gpu,submit_time,iterations,model_name,duration,interval,expect_time_list,"
    "expect_value_list,best_effort,job_type\n";

TEST(Chronus, reads_minutes_and_the_first_deadline) {
  EXPECT_EQ(guesses(header), Names{"chronus"});
  const Trace trace = read_or_fail(header +
                                   "0,vc_ed69ec,1,100,5530,mobilenet_v2,96,5,159-189-229-289,"
                                   "10-8-5-2,0,soft\n"
                                   "1,vc_6214e9,0,101,1,vgg16,2,5,1,10,0,strict\n"
                                   "2,vc_6214e9,8,105,760,alexnet,0.5,6,235,10,0,strict\n"
                                   "3,vc_ee9e8c,1,110,3621,alexnet,30,17,110,10,1,best\n"
                                   "4,vc_ee9e8c,1,111,3621,alexnet,30,17,,,0,strict\n");
  EXPECT_EQ(trace.format, "chronus");
  EXPECT_EQ(trace.cpu_only, 1);
  EXPECT_EQ(trace.rows_read, 5);
  EXPECT_EQ(testing::ids_of(trace), (Names{"0", "2", "3", "4"}));
  EXPECT_EQ(trace.jobs[0].duration, minutes(96));
  EXPECT_EQ(trace.jobs[0].deadline, minutes(159));
  EXPECT_EQ(trace.users.at(trace.jobs[0].user.index()), "vc_ed69ec");
  EXPECT_EQ(trace.tenants.at(trace.jobs[0].tenant.index()), "vc_ed69ec");
  EXPECT_EQ(trace.models.at(trace.jobs[0].model.index()), "mobilenet_v2");
  EXPECT_EQ(trace.jobs[1].submit, minutes(5));
  EXPECT_EQ(trace.jobs[1].gpus, 8);
  EXPECT_EQ(trace.jobs[1].duration, std::chrono::seconds(30));
  EXPECT_EQ(trace.jobs[1].deadline, minutes(240));
  EXPECT_EQ(trace.jobs[2].deadline, std::nullopt);
  EXPECT_EQ(trace.jobs[3].deadline, std::nullopt);
}

TEST(Chronus, names_line_field_and_value_of_a_fault) {
  EXPECT_EQ(message_of(header + "0,u,-1,1,1,vgg16,2,5,1,10,0,strict\n"),
            "jobs.csv:2: num_gpu: expected a non-negative integer, got '-1'");
  EXPECT_EQ(message_of(header + "0,u,1,1,1,vgg16,2,5,x-2,10,0,strict\n"),
            "jobs.csv:2: expect_time_list: expected a non-negative number, got 'x'");
  EXPECT_EQ(message_of(header + "0,u,1,1,1,vgg16,2,5,1,10,2,strict\n"),
            "jobs.csv:2: best_effort: expected a non-negative integer up to 1, got '2'");
  EXPECT_EQ(message_of(header + "0,u,1,1,1,vgg16,2,5,1,10,0,x\n0,u,1,1,1,vgg16,2,5,1,10,0,x\n"),
            "jobs.csv:3: job_id: '0' was used before");
}

struct SharedCase {
  const char* file;
  std::size_t jobs;
  std::int64_t gpu_minutes;
  std::int64_t deadlines;
  std::int64_t deadline_minutes_sum;
};

class ChronusShared : public ::testing::TestWithParam<SharedCase> {};

TEST_P(ChronusShared, reads_the_published_trace) {
  MUSTER_NEED_SHARED(path, std::string("data/philly_chronus/") + GetParam().file);
  const Trace trace = testing::read_file_or_fail(path.string());
  constexpr std::int64_t microseconds_per_minute = 60 * testing::microseconds_per_second;
  EXPECT_EQ(trace.format, "chronus");
  EXPECT_EQ(trace.rows_read, 30'940);
  EXPECT_EQ(trace.jobs.size(), GetParam().jobs);
  EXPECT_EQ(trace.cpu_only, 30'940 - static_cast<std::int64_t>(GetParam().jobs));
  EXPECT_EQ(trace.users.size(), 11U);
  EXPECT_EQ(testing::gpu_microseconds(trace), GetParam().gpu_minutes * microseconds_per_minute);
  EXPECT_EQ(testing::count_with_deadline(trace), GetParam().deadlines);
  EXPECT_EQ(testing::deadline_microseconds(trace),
            GetParam().deadline_minutes_sum * microseconds_per_minute);
  EXPECT_EQ(trace.jobs.back().submit, minutes(20'150));
}

INSTANTIATE_TEST_SUITE_P(traces, ChronusShared,
                         ::testing::Values(SharedCase{"trace_job_Philly_MIX1.csv", 30'756,
                                                      22'279'688, 21'600, 8'978'340},
                                           SharedCase{"trace_job_Philly_MIX2.csv", 30'746,
                                                      22'738'522, 27'621, 11'657'825},
                                           SharedCase{"trace_job_Philly_SLO.csv", 30'735,
                                                      22'110'655, 30'735, 12'841'325}));

}  // namespace
}  // namespace muster
