#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <sstream>
#include <string>

#include "support/shared_data.h"
#include "workload/reader.h"
#include "workload/tres.h"

namespace muster {
namespace {

using std::chrono::hours;
using std::chrono::minutes;
using std::chrono::seconds;

Result<Trace> read_text(std::string_view text) {
  return read_trace_text(text, "sacct.txt", {.format = "sacct"});
}

std::string error_of(std::string_view text) {
  const Result<Trace> trace = read_text(text);
  return trace ? "no error" : trace.error().message;
}

TEST(Sacct, reads_an_accounting_log) {
  const Result<Trace> trace =
      read_trace(std::string(MUSTER_SOURCE_DIR) + "/tests/fixtures/sacct/sacct.txt", {});
  ASSERT_TRUE(trace) << trace.error().message;
  EXPECT_EQ(trace->format, "sacct");
  EXPECT_EQ(trace->rows_read, 10);
  EXPECT_EQ(trace->cpu_only, 1);
  EXPECT_EQ(trace->never_ran, 3);  // Pending, cancelled while it waited, still running.
  ASSERT_EQ(trace->jobs.size(), 4U);

  const TraceJob& first = trace->jobs[0];
  EXPECT_EQ(first.id, "100");
  EXPECT_EQ(first.gpus, 4);
  EXPECT_EQ(first.duration, hours(2));
  EXPECT_EQ(first.cpus_milli, 16000);
  EXPECT_EQ(first.memory_mib, 65536);
  EXPECT_EQ(trace->type_sets[first.type_set], std::vector<std::string>{"a100"});
  EXPECT_EQ(trace->users[first.user.index()], "ada");
  EXPECT_EQ(trace->tenants[first.tenant.index()], "vision");

  // It was given V100s but had asked for any type.
  const TraceJob& array_task = trace->jobs[1];
  EXPECT_EQ(array_task.id, "102_7");
  EXPECT_EQ(array_task.submit, minutes(2));
  EXPECT_EQ(array_task.gpus, 2);
  EXPECT_EQ(array_task.duration, hours(25));
  EXPECT_EQ(array_task.memory_mib, 1572864);
  EXPECT_EQ(array_task.type_set, 0U);
}

TEST(Sacct, a_requeued_job_is_two_runs_and_its_tenant_may_be_the_partition) {
  const Result<Trace> trace =
      read_trace(std::string(MUSTER_SOURCE_DIR) + "/tests/fixtures/sacct/sacct.txt", {});
  ASSERT_TRUE(trace) << trace.error().message;
  EXPECT_EQ(trace->jobs[2].id, "106");
  EXPECT_EQ(trace->jobs[2].duration, minutes(10));
  EXPECT_EQ(trace->jobs[3].id, "106#2");
  EXPECT_EQ(trace->jobs[3].duration, minutes(30));
  EXPECT_EQ(trace->tenants[trace->jobs[3].tenant.index()], "gpu");
}

TEST(Sacct, the_run_time_may_come_from_any_of_three_columns) {
  const std::string_view raw =
      "JobIDRaw|Submit|ElapsedRaw|AllocTRES\n7|2024-03-01T10:00:00|90|gres/gpu=2\n";
  const std::string_view elapsed =
      "JobID|Submit|Elapsed|ReqTRES\n7|2024-03-01T10:00:00|00:01:30|gres/gpu=2\n";
  const std::string_view span =
      "JobID|Submit|Start|End|AllocTRES\n"
      "7|2024-03-01T10:00:00|2024-03-01T10:00:10|2024-03-01T10:01:40|gres/gpu=2\n";
  for (const std::string_view text : {raw, elapsed, span}) {
    const Result<Trace> trace = read_trace_text(text, "sacct.txt", {});
    ASSERT_TRUE(trace) << trace.error().message;
    EXPECT_EQ(trace->format, "sacct");
    EXPECT_EQ(trace->jobs[0].id, "7");
    EXPECT_EQ(trace->jobs[0].gpus, 2);
    EXPECT_EQ(trace->jobs[0].duration, seconds(90));
  }
}

TEST(Sacct, several_types_add_up_and_any_of_them_will_do) {
  const Result<Trace> trace = read_text(
      "JobID|Submit|ElapsedRaw|AllocTRES\n"
      "7|2024-03-01T10:00:00|90|gres/gpu:A100=2,gres/gpu:v100=1,gres/gpu=3\n");
  ASSERT_TRUE(trace) << trace.error().message;
  EXPECT_EQ(trace->jobs[0].gpus, 3);
  EXPECT_EQ(trace->type_sets[trace->jobs[0].type_set], (std::vector<std::string>{"a100", "v100"}));
}

TEST(Sacct, a_job_cancelled_while_it_waited_never_ran_even_without_a_start_column) {
  EXPECT_EQ(error_of("JobID|Submit|Elapsed|State|ReqTRES\n"
                     "7|2024-03-01T10:00:00|00:00:00|CANCELLED by 1000|gres/gpu=2\n"),
            "sacct.txt: no usable job in 1 data rows");
}

TEST(Sacct, missing_columns_are_named) {
  EXPECT_EQ(error_of("User|Submit\nada|2024-03-01T10:00:00\n"),
            "sacct.txt:1: JobID or JobIDRaw: the column is missing");
  EXPECT_EQ(error_of("JobID|Elapsed\n1|00:01:00\n"), "sacct.txt:1: Submit: the column is missing");
  EXPECT_EQ(error_of("JobID|Submit|Start|AllocTRES\n1|a|b|c\n"),
            "sacct.txt:1: Elapsed, ElapsedRaw, or Start and End: the column is missing");
  EXPECT_EQ(error_of("JobID|Submit|Elapsed\n1|a|b\n"),
            "sacct.txt:1: AllocTRES or ReqTRES: the column is missing");
}

TEST(Sacct, faults_name_line_and_field) {
  const std::string header = "JobID|Submit|Start|End|AllocTRES\n";
  EXPECT_EQ(error_of(header + "7|2024-03-01T10:00:00|2024-03-01T10:01:00|2024-03-01T10:00:00|"
                              "gres/gpu=2\n"),
            "sacct.txt:2: End: is before Start");
  EXPECT_EQ(error_of(header + "7|Unknown|2024-03-01T10:01:00|2024-03-01T10:02:00|gres/gpu=2\n"),
            "sacct.txt:2: Submit: expected a time like 2017-10-09 07:01:55, got 'Unknown'");
  EXPECT_EQ(error_of(header + "7|2024-03-01T10:00:00|2024-03-01T10:01:00|2024-03-01T10:02:00|"
                              "gres/gpu=two\n"),
            "sacct.txt:2: AllocTRES: expected resources such as 'cpu=8,gres/gpu=2,mem=64G', got "
            "'gres/gpu=two'");
  EXPECT_EQ(error_of("JobID|Submit|Elapsed|AllocTRES\n7|2024-03-01T10:00:00|INVALID|gres/gpu=2\n"),
            "sacct.txt:2: Elapsed: expected [DD-]HH:MM:SS, got 'INVALID'");
}

TEST(Tres, other_resources_and_blanks_are_passed_over) {
  const Result<Tres> tres =
      parse_tres("billing=1,energy=35,fs/disk=9,gres/gpumem=7G,gres/gpuutil=100,node=2,");
  ASSERT_TRUE(tres) << tres.error().message;
  EXPECT_EQ(tres->gpus, 0);
  EXPECT_EQ(tres->cpus_milli, 0);
  EXPECT_EQ(tres->memory_mib, 0);
  EXPECT_TRUE(parse_tres(""));
}

TEST(Tres, typed_counts_win) {
  EXPECT_EQ(parse_tres("gres/gpu=8,gres/gpu:h100=2")->gpus, 2);
  EXPECT_EQ(parse_tres("gres/gpu=8,gres/gpu:h100=0")->gpus, 8);
}

TEST(Tres, memory_has_a_suffix_or_is_in_mib) {
  EXPECT_EQ(parse_tres("mem=64G")->memory_mib, 65536);
  EXPECT_EQ(parse_tres("mem=500M")->memory_mib, 500);
  EXPECT_EQ(parse_tres("mem=2T")->memory_mib, 2097152);
  EXPECT_EQ(parse_tres("mem=1025K")->memory_mib, 2);
  EXPECT_EQ(parse_tres("mem=4000")->memory_mib, 4000);
  EXPECT_EQ(parse_tres("mem=0.5G")->memory_mib, 512);
  for (const char* bad : {"mem=", "mem", "mem=G", "mem=-1G", "mem=1e30T", "mem=12Q"}) {
    EXPECT_FALSE(parse_tres(bad)) << bad;
  }
}

TEST(Tres, counts_are_whole_and_in_range) {
  for (const char* bad : {"cpu=", "cpu=1.5", "cpu=-1", "cpu=99999999999", "gres/gpu=9999999",
                          "gres/gpu:a=600000,gres/gpu:b=600000"}) {
    EXPECT_FALSE(parse_tres(bad)) << bad;
  }
}

TEST(SlurmSpan, days_and_hours_are_optional) {
  EXPECT_EQ(*parse_slurm_span("00:00:00"), seconds(0));
  EXPECT_EQ(*parse_slurm_span("01:30"), seconds(90));
  EXPECT_EQ(*parse_slurm_span("02:03:04"), seconds(7384));
  EXPECT_EQ(*parse_slurm_span("10-00:00:01"), seconds(864001));
  EXPECT_EQ(*parse_slurm_span("00:01.500"), std::chrono::milliseconds(1500));
  for (const char* bad :
       {"", "5", "1:60:00", "00:60", "-1:00", "1-", "1:2:3:4", "x:00", "1e9-0:0"}) {
    EXPECT_FALSE(parse_slurm_span(bad)) << bad;
  }
}

const std::map<std::string, std::string>& fixture_formats() {
  static const std::map<std::string, std::string> formats = {
      {"philly/cluster_job_log", "philly-log"},
      {"helios/cluster_log.csv", "helios"},
      {"helios/trace_seren.csv", "helios"},
      {"pai/pai_task_table.csv", "pai"},
      {"openb/openb_pod_list.csv", "openb"},
      {"swf/archive.swf", "swf"},
      {"sacct/sacct.txt", "sacct"}};
  return formats;
}

std::string fixture_text(const std::string& file) {
  std::ostringstream text;
  text << std::ifstream(std::string(MUSTER_SOURCE_DIR) + "/tests/fixtures/" + file).rdbuf();
  return text.str();
}

// Guesses must not depend on the order in which they are tried.
TEST(LogFormats, each_fixture_is_claimed_by_its_format_alone) {
  for (const auto& [file, format] : fixture_formats()) {
    const std::string text = fixture_text(file);
    ASSERT_FALSE(text.empty()) << file;
    std::vector<std::string> claims;
    for (const TraceFormat& candidate : all_trace_formats()) {
      if (candidate.matches(text)) claims.push_back(candidate.name);
    }
    EXPECT_EQ(claims, std::vector<std::string>{format}) << file;
  }
}

TEST(LogFormats, every_truncation_gives_no_more_jobs_or_an_error) {
  for (const auto& [file, format] : fixture_formats()) {
    const std::string text = fixture_text(file);
    const Result<Trace> whole = read_trace_text(text, "log", {.format = format});
    ASSERT_TRUE(whole) << whole.error().message;
    for (std::size_t size = 0; size < text.size(); ++size) {
      const Result<Trace> part =
          read_trace_text(std::string_view(text).substr(0, size), "log", {.format = format});
      if (part) {
        EXPECT_LE(part->jobs.size(), whole->jobs.size()) << file << " cut after " << size;
      } else {
        EXPECT_EQ(part.error().message.substr(0, 3), "log") << file << " cut after " << size;
      }
    }
  }
}

TEST(LogFormats, every_changed_byte_gives_a_trace_or_an_error) {
  for (const auto& [file, format] : fixture_formats()) {
    const std::string good = fixture_text(file);
    for (std::size_t i = 0; i < good.size(); ++i) {
      for (const char c : {'\n', '9', '-', '|', '"', '\xFF'}) {
        std::string text = good;
        text[i] = c;
        const Result<Trace> trace = read_trace_text(text, "log", {.format = format});
        if (!trace)
          EXPECT_EQ(trace.error().message.substr(0, 3), "log") << file;
        else
          EXPECT_FALSE(trace->jobs.empty()) << file;
      }
    }
  }
}

}  // namespace
}  // namespace muster
