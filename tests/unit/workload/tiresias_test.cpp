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

const std::string header = "job_id,num_gpu,submit_time,iterations,model_name,duration,interval\r\n";

TEST(Tiresias, reads_whole_seconds_and_cuts_durations_to_them) {
  EXPECT_EQ(guesses(header), Names{"tiresias"});
  const Trace trace =
      read_or_fail(header + "7,1,5,606,vgg19,164,30\r\n9,8,35,133,vgg11,147.9,23\r\n");
  EXPECT_EQ(trace.format, "tiresias");
  ASSERT_EQ(trace.jobs.size(), 2U);
  EXPECT_EQ(trace.jobs[0].id, "7");
  EXPECT_EQ(trace.jobs[0].duration, seconds(164));
  EXPECT_EQ(trace.jobs[1].submit, seconds(30));
  EXPECT_EQ(trace.jobs[1].gpus, 8);
  EXPECT_EQ(trace.jobs[1].duration, seconds(147));
  EXPECT_EQ(trace.jobs[1].total_steps, std::nullopt);
  EXPECT_EQ(trace.models.at(trace.jobs[1].model.index()), "vgg11");
}

TEST(Tiresias, names_line_field_and_value_of_a_fault) {
  EXPECT_EQ(message_of(header + "0,0,5,606,vgg19,164,30\n"),
            "jobs.csv:2: num_gpu: expected a positive integer, got '0'");
  EXPECT_EQ(message_of(header + "0,1,5,606,vgg19,-164,30\n"),
            "jobs.csv:2: duration: expected a non-negative number, got '-164'");
  EXPECT_EQ(message_of(header + "0,1,5,606,vgg19,164,30\n0,1,5,606,vgg19,164,30\n"),
            "jobs.csv:3: job_id: '0' was used before");
}

TEST(Tiresias, reads_the_published_list) {
  MUSTER_NEED_SHARED(path, "data/tiresias/60_job.csv");
  const Trace trace = testing::read_file_or_fail(path.string());
  EXPECT_EQ(trace.format, "tiresias");
  EXPECT_EQ(trace.jobs.size(), 60U);
  EXPECT_EQ(trace.models.size(), 10U);
  EXPECT_EQ(testing::gpu_microseconds(trace), 26'624 * testing::microseconds_per_second);
  EXPECT_EQ(trace.jobs.back().submit, seconds(1779));
  EXPECT_TRUE(trace.warnings.empty());
}

}  // namespace
}  // namespace muster
