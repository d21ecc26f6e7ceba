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

const std::string header = "timestamp,duration,num_gpus,gpu_time,cluster\n";

TEST(PhillyList, reads_calendar_times_and_virtual_clusters) {
  EXPECT_EQ(guesses(header), Names{"philly-list"});
  const Trace trace = read_or_fail(header +
                                   "2017-10-09 07:01:55,66.0,1,66.0,11cb48\n"
                                   "2017-10-09 06:13:03,2951.5,8,23612.0,6214e9\n"
                                   "2017-10-09 07:01:55,0.0,1,0.0,11cb48\n\n");
  EXPECT_EQ(trace.format, "philly-list");
  EXPECT_EQ(testing::ids_of(trace), (Names{"1", "0", "2"}));
  EXPECT_EQ(trace.jobs[0].submit, seconds(0));
  EXPECT_EQ(trace.jobs[0].duration, Duration(2'951'500'000));
  EXPECT_EQ(trace.jobs[0].gpus, 8);
  EXPECT_EQ(trace.jobs[1].submit, seconds(2932));
  EXPECT_EQ(trace.jobs[2].duration, seconds(0));
  EXPECT_EQ(trace.tenants, (Names{"11cb48", "6214e9"}));
  EXPECT_EQ(trace.jobs[1].tenant, trace.jobs[2].tenant);
  EXPECT_EQ(trace.warnings, Names{"jobs.csv: rows are not in the order of submission; sorted"});
}

TEST(PhillyList, refuses_times_that_lie_too_far_apart) {
  EXPECT_EQ(message_of(header + "0017-10-09 07:01:55,1,1,1,a\n"
                                "4034-01-01 00:00:00,1,1,1,a\n"),
            "jobs.csv:3: submit: expected at most 1e+11 seconds between the jobs of a trace");
}

TEST(PhillyList, names_line_field_and_value_of_a_fault) {
  EXPECT_EQ(message_of(header + "2017-10-32 07:01:55,66.0,1,66.0,11cb48\n"),
            "jobs.csv:2: timestamp: expected a time like 2017-10-09 07:01:55, "
            "got '2017-10-32 07:01:55'");
  EXPECT_EQ(message_of(header + "2017-10-09 07:01:55,66.0,0,0.0,11cb48\n"),
            "jobs.csv:2: num_gpus: expected a positive integer, got '0'");
  EXPECT_EQ(message_of(header + "2017-10-09 07:01:55,-66.0,1,66.0,11cb48\n"),
            "jobs.csv:2: duration: expected a non-negative number, got '-66.0'");
}

TEST(PhillyList, reads_the_published_list) {
  MUSTER_NEED_SHARED(path, "data/philly_sia/philly.csv");
  const Trace trace = testing::read_file_or_fail(path.string());
  EXPECT_EQ(trace.format, "philly-list");
  ASSERT_EQ(trace.jobs.size(), 82'247U);
  EXPECT_EQ(trace.rows_read, 82'247);
  EXPECT_EQ(trace.tenants.size(), 15U);
  EXPECT_EQ(testing::gpu_microseconds(trace), 3'521'082'502 * testing::microseconds_per_second);
  EXPECT_EQ(testing::count_with_gpus(trace, 1), 76'627);
  EXPECT_EQ(testing::count_with_gpus(trace, 4), 1'870);
  EXPECT_EQ(testing::count_with_gpus(trace, 2), 1'818);
  EXPECT_EQ(testing::count_with_gpus(trace, 8), 1'643);
  EXPECT_EQ(trace.jobs.front().row, 31'566U);
  EXPECT_EQ(trace.jobs.back().submit, seconds(9'408'690));
  std::vector<Duration> durations;
  for (const TraceJob& job : trace.jobs) durations.push_back(job.duration.value());
  std::sort(durations.begin(), durations.end());
  EXPECT_EQ(durations[durations.size() / 2], seconds(1144));
  EXPECT_EQ(durations.back(), seconds(4'628'226));
  EXPECT_EQ(trace.warnings.size(), 1U);
  testing::count_oracle_cases(9);
}

TEST(PhillyList, keeps_the_first_jobs_of_the_published_list) {
  MUSTER_NEED_SHARED(path, "data/philly_sia/philly.csv");
  const Trace whole = testing::read_file_or_fail(path.string());
  const Result<Trace> part = read_trace(path.string(), {.jobs_max = 1000});
  ASSERT_TRUE(part.has_value());
  const Names all = testing::ids_of(whole);
  EXPECT_EQ(testing::ids_of(*part), Names(all.begin(), all.begin() + 1000));
  EXPECT_EQ(part->jobs.back().submit, whole.jobs.at(999).submit);
}

}  // namespace
}  // namespace muster
