#include <gtest/gtest.h>

#include <string>

#include "support/shared_data.h"
#include "workload/reader.h"

namespace muster {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;
using std::chrono::seconds;

Result<Trace> read_text(std::string_view text) {
  return read_trace_text(text, "log.swf", {.format = "swf"});
}

std::string error_of(std::string_view text) {
  const Result<Trace> trace = read_text(text);
  return trace ? "no error" : trace.error().message;
}

struct Sums {
  std::int64_t gpus = 0;
  Duration run{};
};

Sums sums_of(const Trace& trace) {
  Sums sums;
  for (const TraceJob& job : trace.jobs) {
    sums.gpus += job.gpus;
    sums.run += *job.duration;
  }
  return sums;
}

TEST(Swf, reads_jobs_past_comments) {
  const Result<Trace> trace =
      read_trace(std::string(MUSTER_SOURCE_DIR) + "/tests/fixtures/swf/archive.swf", {});
  ASSERT_TRUE(trace) << trace.error().message;
  EXPECT_EQ(trace->format, "swf");
  EXPECT_EQ(trace->rows_read, 5);
  EXPECT_EQ(trace->never_ran, 2);  // Cancelled while they waited.
  ASSERT_EQ(trace->jobs.size(), 3U);
  const TraceJob& first = trace->jobs[0];
  EXPECT_EQ(first.id, "1");
  EXPECT_EQ(first.gpus, 8);
  EXPECT_EQ(first.duration, seconds(60));
  EXPECT_EQ(first.line, 5U);
  EXPECT_EQ(trace->users[first.user.index()], "7");
  EXPECT_EQ(trace->tenants[first.tenant.index()], "4");
  const TraceJob& fraction = trace->jobs[1];
  EXPECT_EQ(fraction.id, "4");
  EXPECT_EQ(fraction.gpus, 2);  // Requested: what was allocated is not known.
  EXPECT_EQ(fraction.submit, milliseconds(30500));
  EXPECT_EQ(fraction.duration, milliseconds(2250));
  EXPECT_EQ(trace->tenants[fraction.tenant.index()], "2");
  const TraceJob& empty = trace->jobs[2];
  EXPECT_EQ(empty.duration, seconds(0));
  EXPECT_FALSE(empty.user.is_valid());
  EXPECT_FALSE(empty.tenant.is_valid());
}

TEST(Swf, faults_name_line_and_field) {
  EXPECT_EQ(error_of("; a comment\n1 0 0 10 1 -1 -1 1\n"), "log.swf:2: expected 18 fields, got 8");
  EXPECT_EQ(error_of("1 0 0 10 -1 -1 -1 0 -1 -1 1 1 1 1 1 1 -1 -1\n"),
            "log.swf:1: requested processors: expected a positive integer, got '0'");
  EXPECT_EQ(error_of("1 -5 0 10 1 -1 -1 1 -1 -1 1 1 1 1 1 1 -1 -1\n"),
            "log.swf:1: submit time: expected a non-negative number, got '-5'");
  EXPECT_EQ(error_of("1 0 0 x 1 -1 -1 1 -1 -1 1 1 1 1 1 1 -1 -1\n"),
            "log.swf:1: run time: expected a number, got 'x'");
  EXPECT_EQ(error_of("1 0 0 10 1.5 -1 -1 1 -1 -1 1 1 1 1 1 1 -1 -1\n"),
            "log.swf:1: allocated processors: expected an integer, got '1.5'");
  EXPECT_EQ(error_of("; only\n; comments\n"), "log.swf: no usable job in 0 data rows");
}

TEST(Swf, every_truncation_gives_fewer_jobs_or_an_error) {
  const std::string text =
      "; Version: 2.2\n"
      "1 0 0 10 1 -1 -1 1 -1 -1 1 1 1 1 1 1 -1 -1\n"
      "2 5 0 10 2 -1 -1 2 -1 -1 1 1 1 1 1 1 -1 -1\n";
  for (std::size_t size = 0; size < text.size(); ++size) {
    const Result<Trace> trace = read_text(std::string_view(text).substr(0, size));
    if (trace)
      EXPECT_LE(trace->jobs.size(), 2U);
    else
      EXPECT_FALSE(trace.error().message.empty());
  }
}

TEST(Swf, lublin_logs_have_10000_jobs) {
  struct Expected {
    const char* file;
    std::int64_t gpus;
    std::int64_t run_seconds;
    std::int64_t first_gpus;
  };
  const Expected logs[] = {{"data/swf/lublin_256.swf", 221010, 48627667, 16},
                           {"data/swf/lublin-aaroh.swf", 162776, 80867282, 1}};
  for (const Expected& log : logs) {
    MUSTER_NEED_SHARED(path, log.file);
    const Result<Trace> trace = read_trace(path.string(), {});
    ASSERT_TRUE(trace) << trace.error().message;
    EXPECT_EQ(trace->format, "swf");
    EXPECT_EQ(trace->rows_read, 10000);
    EXPECT_EQ(trace->jobs.size(), 10000U);
    EXPECT_EQ(trace->jobs[0].gpus, log.first_gpus);
    EXPECT_EQ(sums_of(*trace).gpus, log.gpus);
    EXPECT_EQ(sums_of(*trace).run, seconds(log.run_seconds));
    EXPECT_EQ(trace->tenants, std::vector<std::string>{"0"});
    testing::count_oracle_cases(5);
  }
}

TEST(Swf, evalys_logs_have_800_jobs_with_fractions_of_seconds) {
  for (const char* file : {"data/swf/evalys_easy_mediumWL_smallPF.swf",
                           "data/swf/evalys_filler_mediumWL_smallPF.swf"}) {
    MUSTER_NEED_SHARED(path, file);
    const Result<Trace> trace = read_trace(path.string(), {});
    ASSERT_TRUE(trace) << trace.error().message;
    EXPECT_EQ(trace->format, "swf");
    EXPECT_EQ(trace->jobs.size(), 800U);
    EXPECT_EQ(trace->jobs[0].id, "0");
    EXPECT_EQ(trace->jobs[0].duration, milliseconds(88510));
    EXPECT_EQ(trace->jobs[1].id, "10");
    EXPECT_EQ(trace->jobs[1].submit, microseconds(4709164));
    EXPECT_EQ(sums_of(*trace).gpus, 2179);
    EXPECT_EQ(sums_of(*trace).run, milliseconds(121191497));
    EXPECT_TRUE(trace->tenants.empty());
    testing::count_oracle_cases(6);
  }
}

}  // namespace
}  // namespace muster
