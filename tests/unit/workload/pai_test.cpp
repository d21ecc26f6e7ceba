#include <gtest/gtest.h>

#include <string>

#include "support/shared_data.h"
#include "workload/reader.h"

namespace muster {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr std::string_view header =
    "job_name,task_name,inst_num,status,start_time,end_time,plan_cpu,plan_mem,plan_gpu,gpu_type\n";

std::string fixture_path() {
  return std::string(MUSTER_SOURCE_DIR) + "/tests/fixtures/pai/pai_task_table.csv";
}

std::string error_of(std::string_view text) {
  const Result<Trace> trace = read_trace_text(text, "tasks.csv", {.format = "pai"});
  return trace ? "no error" : trace.error().message;
}

TEST(Pai, reads_tasks_and_the_job_table_beside_them) {
  const Result<Trace> trace = read_trace(fixture_path(), {});
  ASSERT_TRUE(trace) << trace.error().message;
  EXPECT_EQ(trace->format, "pai");
  EXPECT_EQ(trace->rows_read, 6);
  EXPECT_EQ(trace->cpu_only, 1);
  EXPECT_EQ(trace->never_ran, 2);
  EXPECT_EQ(trace->fractional, 2);
  ASSERT_EQ(trace->jobs.size(), 3U);

  // Not in the job table: submitted when it started.
  EXPECT_EQ(trace->jobs[0].id, "job-e/worker");
  EXPECT_EQ(trace->jobs[0].submit, seconds(0));
  EXPECT_EQ(trace->jobs[0].gpus, 1);
  EXPECT_EQ(trace->jobs[0].type_set, 0U);
  EXPECT_FALSE(trace->jobs[0].user.is_valid());

  const TraceJob& first = trace->jobs[1];
  EXPECT_EQ(first.id, "job-a/tensorflow");
  EXPECT_EQ(first.submit, seconds(90));
  EXPECT_EQ(first.duration, seconds(600));
  EXPECT_EQ(first.gpus, 4);
  EXPECT_EQ(first.cpus_milli, 24000);
  EXPECT_EQ(first.memory_mib, 120000);
  EXPECT_EQ(trace->users[first.user.index()], "user-1");
  EXPECT_EQ(trace->type_sets[first.type_set], std::vector<std::string>{"v100"});
  EXPECT_EQ(first.row, 0U);
  EXPECT_EQ(first.line, 1U);

  // Three workers with one and a half GPUs each take two each.
  EXPECT_EQ(trace->jobs[2].id, "job-b/worker");
  EXPECT_EQ(trace->jobs[2].gpus, 6);
  EXPECT_EQ(trace->jobs[2].submit, seconds(1050));
  EXPECT_EQ(trace->jobs[2].duration, milliseconds(500500));
  EXPECT_EQ(trace->type_sets[trace->jobs[2].type_set], std::vector<std::string>{"misc"});
}

TEST(Pai, a_header_line_is_not_a_row_and_memory_has_no_job_table) {
  const Result<Trace> trace = read_trace_text(
      std::string(header) + "a,worker,2,Terminated,10,20,600,8,100,T4\n", "tasks.csv", {});
  ASSERT_TRUE(trace) << trace.error().message;
  EXPECT_EQ(trace->format, "pai");
  EXPECT_EQ(trace->rows_read, 1);
  EXPECT_EQ(trace->jobs[0].id, "a/worker");
  EXPECT_EQ(trace->jobs[0].gpus, 2);
  EXPECT_EQ(trace->jobs[0].row, 0U);
  EXPECT_EQ(trace->jobs[0].line, 2U);
}

TEST(Pai, faults_name_line_and_field) {
  EXPECT_EQ(error_of("a,worker,0,Terminated,10,20,600,8,100,T4\n"),
            "tasks.csv:1: inst_num: expected a positive integer, got '0'");
  EXPECT_EQ(error_of("a,worker,1,Terminated,10,20,600,8,-50,T4\n"),
            "tasks.csv:1: plan_gpu: expected a non-negative number, got '-50'");
  EXPECT_EQ(error_of("a,worker,1,Terminated,ten,20,600,8,50,T4\n"),
            "tasks.csv:1: start_time: expected a non-negative number, got 'ten'");
  EXPECT_EQ(error_of("a,worker,600000,Terminated,10,20,600,8,200,T4\n"),
            "tasks.csv:1: inst_num: asks for 1200000 GPUs in all");
  EXPECT_EQ(error_of("a,worker,1,Terminated,10,20,600,8,50\n"),
            "tasks.csv:1: expected 10 fields, got 9");
  EXPECT_EQ(error_of("a,w,1,Terminated,10,20,1,1,50,T4\na,w,1,Terminated,10,20,1,1,50,T4\n"),
            "tasks.csv:2: job_id: 'a/w' was used before");
}

TEST(Pai, a_task_that_ends_before_it_starts_never_ran) {
  EXPECT_EQ(error_of("a,worker,1,Terminated,20,10,600,8,100,T4\n"),
            "tasks.csv: no usable job in 1 data rows");
}

}  // namespace
}  // namespace muster
