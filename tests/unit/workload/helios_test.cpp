#include <gtest/gtest.h>

#include <string>

#include "support/shared_data.h"
#include "workload/reader.h"

namespace muster {
namespace {

using std::chrono::seconds;

constexpr std::string_view header =
    "job_id,user,vc,gpu_num,cpu_num,node_num,state,submit_time,start_time,end_time,duration,"
    "queue\n";

std::string fixture_path(const std::string& name) {
  return std::string(MUSTER_SOURCE_DIR) + "/tests/fixtures/helios/" + name;
}

std::string error_of(std::string_view row) {
  const Result<Trace> trace =
      read_trace_text(std::string(header) + std::string(row), "log.csv", {.format = "helios"});
  return trace ? "no error" : trace.error().message;
}

TEST(Helios, reads_a_cluster_log) {
  const Result<Trace> trace = read_trace(fixture_path("cluster_log.csv"), {});
  ASSERT_TRUE(trace) << trace.error().message;
  EXPECT_EQ(trace->format, "helios");
  EXPECT_EQ(trace->rows_read, 5);
  EXPECT_EQ(trace->cpu_only, 1);
  EXPECT_EQ(trace->never_ran, 1);
  ASSERT_EQ(trace->jobs.size(), 3U);
  const TraceJob& first = trace->jobs[0];
  EXPECT_EQ(first.id, "1001");
  EXPECT_EQ(first.gpus, 8);
  EXPECT_EQ(first.cpus_milli, 64000);
  EXPECT_EQ(first.submit, seconds(0));
  EXPECT_EQ(first.duration, seconds(3600));
  EXPECT_EQ(first.line, 2U);
  EXPECT_EQ(trace->users[first.user.index()], "u1");
  EXPECT_EQ(trace->tenants[first.tenant.index()], "vcA");
  EXPECT_EQ(trace->jobs[1].id, "1003");
  EXPECT_EQ(trace->jobs[1].gpus, 16);
  EXPECT_EQ(trace->jobs[1].submit, seconds(10));
  EXPECT_EQ(trace->jobs[1].row, 2U);
  EXPECT_EQ(trace->jobs[2].submit, seconds(86390));
  EXPECT_EQ(trace->jobs[2].duration, seconds(0));
}

TEST(Helios, reads_acme_with_its_zones_and_without_virtual_clusters) {
  const Result<Trace> trace = read_trace(fixture_path("trace_seren.csv"), {});
  ASSERT_TRUE(trace) << trace.error().message;
  EXPECT_EQ(trace->format, "helios");
  ASSERT_EQ(trace->jobs.size(), 2U);
  EXPECT_EQ(trace->jobs[1].submit, seconds(30));
  EXPECT_FALSE(trace->jobs[0].tenant.is_valid());
}

TEST(Helios, faults_name_line_and_field) {
  const std::string times = "2020-04-01 00:00:10,2020-04-01 00:01:10,2020-04-01 01:01:10";
  EXPECT_EQ(error_of("1,u,v,-8,64,1,COMPLETED," + times + ",3600,60\n"),
            "log.csv:2: gpu_num: expected a non-negative integer, got '-8'");
  EXPECT_EQ(error_of("1,u,v,8,64,1,COMPLETED," + times + ",-1,60\n"),
            "log.csv:2: duration: expected a non-negative number, got '-1'");
  EXPECT_EQ(error_of("1,u,v,8,64,1,COMPLETED,2020-02-30 00:00:00,None,None,0,60\n"),
            "log.csv:2: submit_time: expected a time like 2017-10-09 07:01:55, got "
            "'2020-02-30 00:00:00'");
  EXPECT_EQ(error_of("1,u,v,8,64,1\n"), "log.csv:2: expected 12 fields, got 6");
  EXPECT_EQ(error_of(",u,v,8,64,1,COMPLETED," + times + ",3600,60\n"),
            "log.csv:2: job_id: expected an id, got ''");
}

TEST(Helios, a_faulty_row_that_is_skipped_is_counted_once) {
  const std::string text = std::string(header) +
                           "1,u,v,0,x,1,FAILED,2020-04-01 00:00:10,None,None,0,0\n"
                           "2,u,v,1,4,1,FAILED,2020-04-01 00:00:10,2020-04-01 00:00:10,"
                           "2020-04-01 00:00:12,2,0\n";
  const Result<Trace> trace =
      read_trace_text(text, "log.csv", {.format = "helios", .skip_bad_rows = true});
  ASSERT_TRUE(trace) << trace.error().message;
  EXPECT_EQ(trace->rows_read, 2);
  EXPECT_EQ(trace->rows_skipped, 1);
  EXPECT_EQ(trace->cpu_only, 0);
  EXPECT_EQ(trace->jobs.size(), 1U);
}

TEST(Helios, a_missing_column_is_named) {
  const Result<Trace> trace =
      read_trace_text("job_id,gpu_num\n1,2\n", "log.csv", {.format = "helios"});
  ASSERT_FALSE(trace);
  EXPECT_EQ(trace.error().message,
            "log.csv:1: column 'cpu_num' is missing; found 'job_id,gpu_num'");
}

}  // namespace
}  // namespace muster
