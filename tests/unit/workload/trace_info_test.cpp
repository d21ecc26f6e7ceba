#include "workload/trace_info.h"

#include <gtest/gtest.h>

#include <chrono>

namespace muster {
namespace {

using std::chrono::hours;

TraceJob job(Duration submit, std::int32_t gpus, std::optional<Duration> duration) {
  TraceJob job;
  job.submit = submit;
  job.gpus = gpus;
  job.duration = duration;
  return job;
}

TEST(TraceInfo, adds_up_a_small_log) {
  Trace trace;
  trace.jobs = {job(hours(0), 1, hours(1)), job(hours(1), 8, hours(2)), job(hours(2), 1, hours(3)),
                job(hours(4), 1, hours(10))};
  trace.jobs[0].user = UserId(0U);
  trace.jobs[1].user = UserId(1U);
  trace.jobs[2].user = UserId(0U);
  trace.jobs[1].tenant = TenantId(0U);
  const TraceInfo info = trace_info(trace, 4);

  EXPECT_EQ(info.jobs_count, 4);
  EXPECT_EQ(info.jobs_without_duration_count, 0);
  EXPECT_EQ(info.span, hours(4));
  EXPECT_DOUBLE_EQ(*info.interarrival_mean_seconds, 4 * 3600 / 3.0);
  EXPECT_DOUBLE_EQ(info.gpu_hours.value(), 30);
  ASSERT_EQ(info.gangs.size(), 2U);
  EXPECT_EQ(info.gangs[0].gpus, 1);
  EXPECT_EQ(info.gangs[0].jobs_count, 3);
  EXPECT_DOUBLE_EQ(info.gangs[0].jobs_ratio, 0.75);
  EXPECT_DOUBLE_EQ(info.gangs[0].gpu_time_ratio.value(), 14.0 / 30);
  EXPECT_EQ(info.gangs[1].gpus, 8);
  EXPECT_DOUBLE_EQ(info.gangs[1].gpu_time_ratio.value(), 16.0 / 30);
  ASSERT_TRUE(info.durations);
  EXPECT_DOUBLE_EQ(info.durations->min_seconds, 3600);
  EXPECT_DOUBLE_EQ(info.durations->median_seconds, 2.5 * 3600);
  EXPECT_DOUBLE_EQ(info.durations->mean_seconds, 4 * 3600);
  EXPECT_NEAR(info.durations->p95_seconds, (3 + 0.85 * 7) * 3600, 1e-6);
  EXPECT_NEAR(info.durations->p99_seconds, (3 + 0.97 * 7) * 3600, 1e-6);
  EXPECT_DOUBLE_EQ(info.durations->max_seconds, 36000);
  EXPECT_EQ(info.users_count, 2U);
  EXPECT_EQ(info.tenants_count, 1U);
  EXPECT_EQ(info.models_count, 0U);
  EXPECT_DOUBLE_EQ(*info.offered_load, 30.0 / 16);
  EXPECT_EQ(info.jobs_too_large_count, 1);
}

TEST(TraceInfo, jobs_with_steps_only_are_counted_apart) {
  Trace trace;
  trace.jobs = {job(hours(0), 2, hours(1)), job(hours(1), 4, std::nullopt)};
  trace.jobs[1].total_steps = 1000;
  const TraceInfo info = trace_info(trace);
  EXPECT_EQ(info.jobs_without_duration_count, 1);
  EXPECT_DOUBLE_EQ(info.gpu_hours.value(), 2);
  EXPECT_EQ(info.gangs.size(), 2U);
  EXPECT_DOUBLE_EQ(info.durations->max_seconds, 3600);
  EXPECT_FALSE(info.offered_load);
}

TEST(TraceInfo, a_log_without_durations_has_neither_times_nor_load) {
  Trace trace;
  trace.jobs = {job(hours(0), 2, std::nullopt), job(hours(1), 2, std::nullopt)};
  const TraceInfo info = trace_info(trace, 8);
  EXPECT_FALSE(info.durations);
  EXPECT_FALSE(info.offered_load);
  EXPECT_FALSE(info.gpu_hours);
  EXPECT_FALSE(info.gangs.at(0).gpu_time_ratio);
}

TEST(TraceInfo, jobs_that_come_together_offer_no_load) {
  Trace trace;
  trace.jobs = {job(hours(0), 2, hours(1)), job(hours(0), 2, hours(1))};
  EXPECT_FALSE(trace_info(trace, 8).offered_load);
  trace.jobs.pop_back();
  EXPECT_FALSE(trace_info(trace, 8).interarrival_mean_seconds);
  trace.jobs.clear();
  EXPECT_EQ(trace_info(trace, 8).jobs_count, 0);
}

TEST(TraceInfo, first_type_counts_where_durations_differ_by_type) {
  Trace trace;
  trace.records = {TypeDurations{{{"a100", 100.5}, {"v100", 200}}}, TypeDurations{}};
  trace.jobs = {job(hours(0), 1, std::nullopt), job(hours(0), 1, std::nullopt)};
  trace.jobs[0].record = RecordId(0U);
  trace.jobs[1].record = RecordId(1U);
  EXPECT_EQ(recorded_duration(trace, trace.jobs[0]), from_seconds(100.5));
  EXPECT_EQ(recorded_duration(trace, trace.jobs[1]), std::nullopt);
}

}  // namespace
}  // namespace muster
