#include <gtest/gtest.h>

#include "support/shared_data.h"
#include "unit/workload/reading.h"

namespace muster {
namespace {

using testing::guesses;
using testing::message_of;
using testing::read_or_fail;
using Names = std::vector<std::string>;

const std::string new_row =
    "ResNet-18 (batch size 64)\tpython3 main.py --data_dir %s/cifar10\tcifar10\t--num_steps\t1\t"
    "343170\t4\t2\t-1.000000\t652.229528\n";
const std::string old_row = "CycleGAN\tbash run.sh %s\t-n\t1\t236751\t6.000000\t1\n";

TEST(Gavel, reads_ten_columns) {
  EXPECT_EQ(guesses(new_row), Names{"gavel"});
  const Trace trace = read_or_fail("LM (batch size 5)\tx\ty\t-s\t0\t10\t1\t1\t-1\t0.5\n" + new_row);
  EXPECT_EQ(trace.format, "gavel");
  ASSERT_EQ(trace.jobs.size(), 2U);
  const TraceJob& job = trace.jobs[1];
  EXPECT_EQ(job.id, "1");
  EXPECT_EQ(job.submit, Duration(651'729'528));
  EXPECT_EQ(job.gpus, 4);
  EXPECT_EQ(job.total_steps, 343170);
  EXPECT_EQ(job.duration, std::nullopt);
  EXPECT_EQ(job.weight, 2);
  EXPECT_EQ(job.deadline, std::nullopt);
  EXPECT_EQ(trace.models.at(job.model.index()), "ResNet-18 (batch size 64)");
  EXPECT_TRUE(trace.warnings.empty());
}

TEST(Gavel, reads_seven_columns) {
  EXPECT_EQ(guesses(old_row), Names{"gavel"});
  const Trace trace = read_or_fail(old_row + "A3C\tx\t-n\t1\t5\t6.25\t8\n");
  ASSERT_EQ(trace.jobs.size(), 2U);
  EXPECT_EQ(trace.jobs[0].total_steps, 236751);
  EXPECT_EQ(trace.jobs[1].submit, Duration(250'000));
  EXPECT_EQ(trace.jobs[1].gpus, 8);
  EXPECT_EQ(trace.jobs[1].weight, 1);
}

TEST(Gavel, warns_once_of_service_levels_and_ignores_them) {
  const std::string row = "A3C\tx\ty\t-n\t1\t5\t1\t1\t1.2\t0\n";
  const Trace trace = read_or_fail(row + row);
  EXPECT_EQ(trace.warnings, Names{"jobs.csv: slo: factors of an unknown duration, not used"});
  EXPECT_EQ(trace.jobs.at(0).deadline, std::nullopt);
}

TEST(Gavel, names_line_field_and_value_of_a_fault) {
  EXPECT_EQ(message_of(new_row + "A3C\tx\ty\t-n\t1\t5\t0\t1\t-1\t700\n"),
            "jobs.csv:2: scale_factor: expected a positive integer, got '0'");
  EXPECT_EQ(message_of(new_row + "A3C\tx\ty\t-n\t1\t0\t1\t1\t-1\t700\n"),
            "jobs.csv:2: total_steps: expected a positive integer, got '0'");
  EXPECT_EQ(message_of(new_row + "A3C\tx\ty\t-n\t1\t5\t1\t1\t-1\tinf\n"),
            "jobs.csv:2: arrival_time: expected a non-negative number, got 'inf'");
  EXPECT_EQ(message_of(new_row + "\tx\ty\t-n\t1\t5\t1\t1\t-1\t700\n"),
            "jobs.csv:2: job_type: expected a model, got ''");
  EXPECT_EQ(message_of(new_row + old_row), "jobs.csv:2: expected 10 fields, got 7");
  EXPECT_EQ(message_of("a\tb\n", {.format = "gavel"}),
            "jobs.csv:1: expected 7 or 10 fields separated by tabs, got 2");
}

struct SharedCase {
  const char* file;
  std::int64_t steps_sum;
  std::int64_t gpus_sum;
  std::int64_t last_submit_microseconds;
};

class GavelShared : public ::testing::TestWithParam<SharedCase> {};

TEST_P(GavelShared, reads_the_trace_of_the_oracle) {
  MUSTER_NEED_SHARED(path, std::string("oracles/gavel/traces/") + GetParam().file);
  const Trace trace = testing::read_file_or_fail(path.string());
  EXPECT_EQ(trace.format, "gavel");
  ASSERT_EQ(trace.jobs.size(), 100U);
  std::int64_t steps_sum = 0;
  std::int64_t gpus_sum = 0;
  for (const TraceJob& job : trace.jobs) {
    steps_sum += job.total_steps.value();
    gpus_sum += job.gpus;
  }
  EXPECT_EQ(steps_sum, GetParam().steps_sum);
  EXPECT_EQ(gpus_sum, GetParam().gpus_sum);
  EXPECT_EQ(trace.jobs.back().submit.count(), GetParam().last_submit_microseconds);
  EXPECT_TRUE(trace.warnings.empty());
}

INSTANTIATE_TEST_SUITE_P(
    traces, GavelShared,
    ::testing::Values(
        SharedCase{"multi_100_lam2400_seed0.trace", 160'489'613, 200, 286'268'026'087},
        SharedCase{"single_100_lam1000_seed0.trace", 169'101'212, 100, 119'278'344'203},
        SharedCase{"static_multi_100_seed0.trace", 160'489'613, 200, 0},
        SharedCase{"static_single_100_seed0.trace", 169'101'212, 100, 0}));

}  // namespace
}  // namespace muster
