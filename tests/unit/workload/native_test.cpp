#include <gtest/gtest.h>

#include <chrono>

#include "unit/workload/reading.h"

namespace muster {
namespace {

using std::chrono::seconds;
using testing::guesses;
using testing::ids_of;
using testing::message_of;
using testing::read_or_fail;
using Names = std::vector<std::string>;

TEST(Native, reads_every_column) {
  const Trace trace = read_or_fail(
      "weight,job_id,submit_seconds,gpus,duration_seconds,total_steps,user,tenant,model,gpu_type,"
      "min_gpus,max_gpus,deadline_seconds,cpus,memory_gib,gpu_memory_gib\n"
      "2.5,a,10.25,4,3600.000001,,ann,vision,resnet50,a100 | v100,2,8,5000,7.5,64.5,16\n"
      ",b,11,1,,123456,bob,vision,bert,,,,,,,\n");
  EXPECT_EQ(trace.format, "native");
  EXPECT_TRUE(trace.warnings.empty());
  ASSERT_EQ(trace.jobs.size(), 2U);
  const TraceJob& a = trace.jobs[0];
  EXPECT_EQ(a.id, "a");
  EXPECT_EQ(a.submit, seconds(0));
  EXPECT_EQ(a.gpus, 4);
  EXPECT_EQ(a.duration, Duration(3'600'000'001));
  EXPECT_EQ(a.total_steps, std::nullopt);
  EXPECT_EQ(trace.models.at(a.model.index()), "resnet50");
  EXPECT_EQ(trace.users.at(a.user.index()), "ann");
  EXPECT_EQ(trace.tenants.at(a.tenant.index()), "vision");
  EXPECT_EQ(trace.type_sets.at(a.type_set), (Names{"a100", "v100"}));
  EXPECT_EQ(a.min_gpus, 2);
  EXPECT_EQ(a.max_gpus, 8);
  EXPECT_EQ(a.weight, 2.5);
  EXPECT_EQ(a.deadline, Duration(4'989'750'000));
  EXPECT_EQ(a.cpus_milli, 7500);
  EXPECT_EQ(a.memory_mib, 66048);
  EXPECT_EQ(a.gpu_memory_gib, 16);
  EXPECT_EQ(a.row, 0U);
  EXPECT_EQ(a.line, 2U);
  const TraceJob& b = trace.jobs[1];
  EXPECT_EQ(b.submit, Duration(750'000));
  EXPECT_EQ(b.duration, std::nullopt);
  EXPECT_EQ(b.total_steps, 123456);
  EXPECT_EQ(b.type_set, 0U);
  EXPECT_EQ(b.min_gpus, 0);
  EXPECT_EQ(b.weight, 1);
  EXPECT_EQ(b.deadline, std::nullopt);
  EXPECT_EQ(b.tenant, a.tenant);
}

TEST(Native, needs_only_three_columns_and_the_work) {
  const std::string text = "job_id,submit_seconds,gpus,duration_seconds\na,0,1,0\n";
  EXPECT_EQ(guesses(text), Names{"native"});
  const Trace trace = read_or_fail(text);
  EXPECT_EQ(trace.jobs.at(0).duration, seconds(0));
  EXPECT_FALSE(trace.jobs[0].model.is_valid());
}

TEST(Native, unsorted_rows_are_sorted_with_one_warning) {
  const Trace trace = read_or_fail(
      "job_id,submit_seconds,gpus,duration_seconds\na,9,1,5\nb,3,1,5\nc,3,1,5\nd,1,1,5\n");
  EXPECT_EQ(ids_of(trace), (Names{"d", "b", "c", "a"}));
  EXPECT_EQ(trace.jobs[3].submit, seconds(8));
  EXPECT_EQ(trace.warnings.size(), 1U);
}

TEST(Native, warns_of_a_column_it_does_not_know) {
  const Trace trace =
      read_or_fail("job_id,submit_seconds,gpus,duration_seconds,wieght\na,0,1,5,2\n");
  EXPECT_EQ(trace.warnings, Names{"jobs.csv:1: wieght: unknown column, not used"});
}

std::string fault_of(const std::string& row) {
  return message_of(
      "job_id,submit_seconds,gpus,duration_seconds,total_steps,model,gpu_type,min_gpus,max_gpus,"
      "weight,deadline_seconds,cpus\n" +
      row + "\n");
}

TEST(Native, names_line_field_and_value_of_a_fault) {
  EXPECT_EQ(fault_of("a,0,-3,5,,,,,,,,"),
            "jobs.csv:2: gpus: expected a positive integer, got '-3'");
  EXPECT_EQ(fault_of("a,0,0,5,,,,,,,,"), "jobs.csv:2: gpus: expected a positive integer, got '0'");
  EXPECT_EQ(fault_of("a,0,1000001,5,,,,,,,,"),
            "jobs.csv:2: gpus: expected a positive integer up to 1000000, got '1000001'");
  EXPECT_EQ(fault_of("a,-1,1,5,,,,,,,,"),
            "jobs.csv:2: submit_seconds: expected a non-negative number, got '-1'");
  EXPECT_EQ(fault_of("a,0,1,nan,,,,,,,,"),
            "jobs.csv:2: duration_seconds: expected a non-negative number, got 'nan'");
  EXPECT_EQ(fault_of("a,0,1,-5,,,,,,,,"),
            "jobs.csv:2: duration_seconds: expected a non-negative number, got '-5'");
  EXPECT_EQ(fault_of("a,0,1,2e11,,,,,,,,"),
            "jobs.csv:2: duration_seconds: expected a non-negative number up to 1e+11, "
            "got '2e11'");
  EXPECT_EQ(fault_of(",0,1,5,,,,,,,,"), "jobs.csv:2: job_id: expected an id, got ''");
  EXPECT_EQ(fault_of("a,0,1,5,,,v100|,,,,,"),
            "jobs.csv:2: gpu_type: expected GPU types like v100|a100, got 'v100|'");
  EXPECT_EQ(fault_of("a,0,4,5,,,,5,,,,"),
            "jobs.csv:2: min_gpus: expected a positive integer up to 4, got '5'");
  EXPECT_EQ(fault_of("a,0,4,5,,,,,3,,,"),
            "jobs.csv:2: max_gpus: expected an integer from 4, got '3'");
  EXPECT_EQ(fault_of("a,0,1,5,,,,,,0,,"),
            "jobs.csv:2: weight: expected a positive number, got '0'");
  EXPECT_EQ(fault_of("a,0,1,5,,,,,,,inf,"),
            "jobs.csv:2: deadline_seconds: expected a non-negative number, got 'inf'");
  EXPECT_EQ(fault_of("a,0,1,5,,,,,,,,-1"),
            "jobs.csv:2: cpus: expected a non-negative number, got '-1'");
}

TEST(Native, the_work_is_given_once) {
  EXPECT_EQ(fault_of("a,0,1,5,7,bert,,,,,,"),
            "jobs.csv:2: total_steps: expected either duration_seconds or total_steps, got both");
  EXPECT_EQ(fault_of("a,0,1,,,bert,,,,,,"),
            "jobs.csv:2: duration_seconds: expected either this or total_steps, got neither");
  EXPECT_EQ(fault_of("a,0,1,,7,,,,,,,"),
            "jobs.csv:2: model: expected the model that total_steps counts, got ''");
  EXPECT_EQ(fault_of("a,0,1,,0,bert,,,,,,"),
            "jobs.csv:2: total_steps: expected a positive integer, got '0'");
  EXPECT_EQ(message_of("job_id,submit_seconds,gpus\na,0,1\n"),
            "jobs.csv:1: column 'duration_seconds' is missing; found 'job_id,submit_seconds,gpus'");
}

TEST(Native, an_id_is_taken_once) {
  EXPECT_EQ(message_of("job_id,submit_seconds,gpus,duration_seconds\na,0,1,5\nb,1,1,5\na,2,1,5\n"),
            "jobs.csv:4: job_id: 'a' was used before");
}

TEST(Native, keeps_the_first_jobs) {
  const Trace trace = read_or_fail(
      "job_id,submit_seconds,gpus,duration_seconds\na,9,1,5\nb,3,1,5\nc,3,1,5\nd,7,1,5\n",
      {.jobs_max = 2});
  EXPECT_EQ(ids_of(trace), (Names{"b", "c"}));
  EXPECT_EQ(trace.rows_read, 4);
}

}  // namespace
}  // namespace muster
