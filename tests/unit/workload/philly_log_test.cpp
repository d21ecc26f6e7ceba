#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>

#include "support/shared_data.h"
#include "workload/json_objects.h"
#include "workload/reader.h"

namespace muster {
namespace {

using std::chrono::seconds;

std::string fixture_path() {
  return std::string(MUSTER_SOURCE_DIR) + "/tests/fixtures/philly/cluster_job_log";
}

std::string fixture_text() {
  std::ostringstream text;
  text << std::ifstream(fixture_path()).rdbuf();
  return text.str();
}

Result<Trace> read_text(std::string_view text) {
  return read_trace_text(text, "log", {.format = "philly-log"});
}

std::string error_of(std::string_view text) {
  const Result<Trace> trace = read_text(text);
  return trace ? "no error" : trace.error().message;
}

// A job of one GPU and one attempt of a minute, with one member replaced.
std::string job(std::string_view from = "", std::string_view to = "") {
  std::string text =
      R"({"vc": "v", "jobid": "a", "attempts": [{"start_time": "2017-10-09 07:01:00", )"
      R"("end_time": "2017-10-09 07:02:00", "detail": [{"ip": "m", "gpus": ["gpu0"]}]}], )"
      R"("submitted_time": "2017-10-09 07:00:00", "user": "u"})";
  if (!from.empty()) text.replace(text.find(from), from.size(), to);
  return text;
}

TEST(PhillyLog, reads_jobs_with_the_gpus_of_the_last_attempt_and_the_time_of_all) {
  const Result<Trace> trace = read_trace(fixture_path(), {});
  ASSERT_TRUE(trace) << trace.error().message;
  EXPECT_EQ(trace->format, "philly-log");
  EXPECT_EQ(trace->rows_read, 6);
  EXPECT_EQ(trace->never_ran, 2);
  EXPECT_EQ(trace->cpu_only, 1);
  EXPECT_EQ(trace->fractional, 0);
  ASSERT_EQ(trace->jobs.size(), 3U);

  const TraceJob& first = trace->jobs[0];
  EXPECT_EQ(first.id, "application_1");
  EXPECT_EQ(first.gpus, 3);
  EXPECT_EQ(first.submit, seconds(0));
  EXPECT_EQ(first.duration, seconds(600));
  EXPECT_EQ(first.row, 0U);
  EXPECT_EQ(first.line, 2U);
  EXPECT_EQ(trace->tenants[first.tenant.index()], "vc-a");
  EXPECT_EQ(trace->users[first.user.index()], "user-1");

  const TraceJob& second = trace->jobs[1];
  EXPECT_EQ(second.id, "application_2");
  EXPECT_EQ(second.gpus, 8);
  EXPECT_EQ(second.submit, seconds(300));
  EXPECT_EQ(second.duration, seconds(3630));
  EXPECT_EQ(second.row, 1U);
  EXPECT_EQ(second.line, 19U);
}

TEST(PhillyLog, an_attempt_that_ends_before_it_starts_counts_nothing) {
  const Result<Trace> trace = read_trace(fixture_path(), {});
  ASSERT_TRUE(trace) << trace.error().message;
  EXPECT_EQ(trace->jobs[2].id, "application_6");
  EXPECT_EQ(trace->jobs[2].duration, seconds(5));
}

TEST(PhillyLog, a_byte_order_mark_and_no_blanks_are_fine) {
  const Result<Trace> trace = read_trace_text("\xEF\xBB\xBF[" + job() + "]", "log", {});
  ASSERT_TRUE(trace) << trace.error().message;
  EXPECT_EQ(trace->jobs.size(), 1U);
  EXPECT_EQ(trace->jobs[0].duration, seconds(60));
}

TEST(PhillyLog, times_and_ids_that_are_missing_or_wrong_are_errors_with_their_line) {
  EXPECT_EQ(error_of("[\n" + job("\"2017-10-09 07:00:00\"", "null") + "]"),
            "log:2: submitted_time: expected a time like 2017-10-09 07:01:55, got ''");
  EXPECT_EQ(error_of("[" + job("07:02:00", "24:02:00") + "]"),
            "log:1: end_time: expected a time like 2017-10-09 07:01:55, got "
            "'2017-10-09 24:02:00'");
  EXPECT_EQ(error_of("[" + job("\"jobid\": \"a\", ", "") + "]"), "log:1: jobid: is missing");
  EXPECT_EQ(error_of("[" + job("\"a\"", "7") + "]"), "log:1: jobid: expected a string or null");
  EXPECT_EQ(error_of("[" + job("[\"gpu0\"]", "1") + "]"), "log:1: gpus: expected an array");
  EXPECT_EQ(error_of("[" + job() + ",\n" + job() + "]"), "log:2: job_id: 'a' was used before");
}

TEST(PhillyLog, damaged_json_is_one_error_with_line_and_byte) {
  ASSERT_EQ(job().size(), 210U);
  EXPECT_EQ(error_of("{}"), "log:1: byte 1: expected '[', the start of an array, got '{'");
  EXPECT_EQ(error_of("[\n1]"),
            "log:2: byte 3: expected '{', the start of an object, or ']', "
            "got '1'");
  EXPECT_EQ(error_of("[" + job() + "\n"),
            "log:2: byte 212: expected ',' or ']' after an object, got the end of the file");
  EXPECT_EQ(error_of("[" + job() + ",]"),
            "log:1: byte 213: expected '{', the start of an object, got ']'");
  EXPECT_EQ(error_of("[" + job() + "] x"),
            "log:1: byte 214: expected nothing after the array, "
            "got 'x'");
  EXPECT_EQ(error_of("[" + job("\"u\"}", "\"u") + "]"),
            "log:1: byte 210: the file ends inside the object that begins in line 1");
  EXPECT_EQ(error_of("[" + job("\"vc\": ", "\"vc\" ") + "]"), "log:1: job: not valid JSON");
  EXPECT_EQ(error_of("[]"), "log: no usable job in 0 data rows");
}

TEST(PhillyLog, bad_jobs_can_be_skipped_but_not_a_broken_array) {
  const std::string text = "[" + job("\"jobid\": \"a\"", "\"jobid\" \"a\"") + "," +
                           job("\"a\"", "\"\"") + "," + job() + "]";
  const Result<Trace> trace =
      read_trace_text(text, "log", {.format = "philly-log", .skip_bad_rows = true});
  ASSERT_TRUE(trace) << trace.error().message;
  EXPECT_EQ(trace->rows_read, 3);
  EXPECT_EQ(trace->rows_skipped, 2);
  EXPECT_EQ(trace->jobs.size(), 1U);
  EXPECT_FALSE(read_trace_text(text.substr(0, text.size() - 1), "log",
                               {.format = "philly-log", .skip_bad_rows = true}));
}

TEST(PhillyLog, every_truncation_is_an_error) {
  std::string text = fixture_text();
  text.resize(text.find_last_of(']') + 1);
  ASSERT_TRUE(read_text(text));
  for (std::size_t size = 0; size < text.size(); ++size) {
    const Result<Trace> trace = read_text(std::string_view(text).substr(0, size));
    ASSERT_FALSE(trace) << "cut after " << size << " bytes";
    ASSERT_FALSE(trace.error().message.empty());
  }
}

TEST(PhillyLog, every_changed_byte_gives_jobs_or_an_error) {
  const std::string good = "[" + job() + "," + job("\"a\"", "\"b\"") + "]";
  int errors = 0;
  for (std::size_t i = 0; i < good.size(); ++i) {
    for (const char c : {'\0', '"', '{', ']', '\\', '\xFF'}) {
      std::string text = good;
      text[i] = c;
      const Result<Trace> trace = read_text(text);
      if (!trace)
        ++errors;
      else
        EXPECT_LE(trace->jobs.size(), 2U);
    }
  }
  EXPECT_GT(errors, 0);
}

TEST(JsonObjects, memory_stays_at_the_largest_object_whatever_the_chunks) {
  std::string text = "[";
  for (int i = 0; i < 3000; ++i) text += (i == 0 ? "" : ", ") + job();
  text += "]";
  std::istringstream input(text);
  JsonObjects objects(input, "log");
  int count = 0;
  for (;;) {
    const Result<std::optional<std::string_view>> object = objects.next();
    ASSERT_TRUE(object) << object.error().message;
    if (!*object) break;
    ASSERT_EQ(**object, job());
    ++count;
  }
  EXPECT_EQ(count, 3000);
}

}  // namespace
}  // namespace muster
