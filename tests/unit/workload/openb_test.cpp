#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "support/shared_data.h"
#include "workload/reader.h"

namespace muster {
namespace {

using std::chrono::seconds;

constexpr std::string_view header =
    "name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec,qos,pod_phase,creation_time,"
    "deletion_time,scheduled_time\n";

std::string error_of(std::string_view row) {
  const Result<Trace> trace =
      read_trace_text(std::string(header) + std::string(row), "pods.csv", {.format = "openb"});
  return trace ? "no error" : trace.error().message;
}

struct Sums {
  std::int64_t gpus = 0;
  std::int64_t gpu_seconds = 0;
  std::int64_t cpus_milli = 0;
  std::int64_t memory_mib = 0;
};

Sums sums_of(const Trace& trace) {
  Sums sums;
  for (const TraceJob& job : trace.jobs) {
    sums.gpus += job.gpus;
    sums.gpu_seconds += job.gpus * (*job.duration / seconds(1));
    sums.cpus_milli += job.cpus_milli;
    sums.memory_mib += job.memory_mib;
  }
  return sums;
}

TEST(Openb, reads_pods) {
  const Result<Trace> trace =
      read_trace(std::string(MUSTER_SOURCE_DIR) + "/tests/fixtures/openb/openb_pod_list.csv", {});
  ASSERT_TRUE(trace) << trace.error().message;
  EXPECT_EQ(trace->format, "openb");
  EXPECT_EQ(trace->rows_read, 5);
  EXPECT_EQ(trace->cpu_only, 1);
  EXPECT_EQ(trace->never_ran, 1);
  EXPECT_EQ(trace->fractional, 1);
  ASSERT_EQ(trace->jobs.size(), 3U);
  EXPECT_EQ(trace->jobs[0].id, "pod-4");
  EXPECT_EQ(trace->jobs[0].gpus, 8);
  EXPECT_EQ(trace->jobs[0].duration, seconds(1));
  const TraceJob& whole = trace->jobs[1];
  EXPECT_EQ(whole.id, "pod-0");
  EXPECT_EQ(whole.submit, seconds(10));
  EXPECT_EQ(whole.duration, seconds(550));
  EXPECT_EQ(whole.cpus_milli, 12000);
  EXPECT_EQ(whole.memory_mib, 16384);
  EXPECT_EQ(whole.type_set, 0U);
  const TraceJob& part = trace->jobs[2];
  EXPECT_EQ(part.gpus, 1);
  EXPECT_EQ(part.duration, seconds(80));
  EXPECT_EQ(trace->type_sets[part.type_set], (std::vector<std::string>{"v100m16", "v100m32"}));
}

TEST(Openb, faults_name_line_and_field) {
  EXPECT_EQ(error_of("p,1,1,1,2000,,LS,Running,0,10,0\n"),
            "pods.csv:2: gpu_milli: expected a non-negative integer up to 1000, got '2000'");
  EXPECT_EQ(error_of("p,1,1,1,1000,,LS,Running,0,10,20\n"),
            "pods.csv:2: deletion_time: is before scheduled_time");
  EXPECT_EQ(error_of("p,1,1,1,1000,,LS,Running,,10,5\n"),
            "pods.csv:2: creation_time: expected a non-negative number, got ''");
  EXPECT_EQ(error_of("p,1,1,one,1000,,LS,Running,0,10,5\n"),
            "pods.csv:2: num_gpu: expected a non-negative integer, got 'one'");
}

TEST(Openb, every_truncation_gives_fewer_jobs_or_an_error) {
  const std::string text = std::string(header) +
                           "p0,12000,16384,1,1000,,LS,Running,0,10,0\n"
                           "p1,12000,16384,2,1000,G2,LS,Running,0,10,0\n";
  for (std::size_t size = 0; size < text.size(); ++size) {
    const Result<Trace> trace =
        read_trace_text(std::string_view(text).substr(0, size), "pods.csv", {.format = "openb"});
    if (trace)
      EXPECT_LE(trace->jobs.size(), 2U);
    else
      EXPECT_FALSE(trace.error().message.empty());
  }
}

TEST(Openb, default_pod_list_has_the_published_counts) {
  MUSTER_NEED_SHARED(path, "data/alibaba_openb/openb_pod_list_default.csv");
  const Result<Trace> trace = read_trace(path.string(), {});
  ASSERT_TRUE(trace) << trace.error().message;
  EXPECT_EQ(trace->format, "openb");
  EXPECT_EQ(trace->rows_read, 8152);
  EXPECT_EQ(trace->cpu_only, 1088);
  EXPECT_EQ(trace->never_ran, 861);  // 897 pending pods, 36 of them without GPUs.
  EXPECT_EQ(trace->fractional, 2573);
  EXPECT_EQ(trace->jobs.size(), 6203U);
  EXPECT_TRUE(trace->warnings.empty());
  const Sums sums = sums_of(*trace);
  EXPECT_EQ(sums.gpus, 6571);
  EXPECT_EQ(sums.gpu_seconds, 214603958);
  EXPECT_EQ(sums.cpus_milli, 57761316);
  EXPECT_EQ(sums.memory_mib, 216410618);
  testing::count_oracle_cases(9);
}

TEST(Openb, gpushare40_pod_list_is_read_and_sorted) {
  MUSTER_NEED_SHARED(path, "data/alibaba_openb/openb_pod_list_gpushare40.csv");
  const Result<Trace> trace = read_trace(path.string(), {});
  ASSERT_TRUE(trace) << trace.error().message;
  EXPECT_EQ(trace->rows_read, 8152);
  EXPECT_EQ(trace->cpu_only, 1088);
  EXPECT_EQ(trace->never_ran, 945);
  EXPECT_EQ(trace->fractional, 3339);
  EXPECT_EQ(trace->jobs.size(), 6119U);
  EXPECT_EQ(trace->warnings,
            std::vector<std::string>{path.string() +
                                     ": rows are not in the order of submission; sorted"});
  const Sums sums = sums_of(*trace);
  EXPECT_EQ(sums.gpus, 6436);
  EXPECT_EQ(sums.gpu_seconds, 184246403);
  EXPECT_TRUE(
      std::is_sorted(trace->jobs.begin(), trace->jobs.end(),
                     [](const TraceJob& a, const TraceJob& b) { return a.submit < b.submit; }));
  testing::count_oracle_cases(7);
}

TEST(Openb, a_list_without_times_says_so) {
  MUSTER_NEED_SHARED(path, "data/alibaba_openb/openb_pod_list_multigpu20.csv");
  const Result<Trace> trace = read_trace(path.string(), {});
  ASSERT_FALSE(trace);
  EXPECT_EQ(trace.error().message,
            path.string() +
                ":1: creation_time: the column is missing: pods without times cannot "
                "be replayed");
}

}  // namespace
}  // namespace muster
