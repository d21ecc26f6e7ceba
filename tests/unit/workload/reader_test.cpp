#include "workload/reader.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "unit/workload/reading.h"

namespace muster {
namespace {

using testing::error_of;
using testing::ids_of;
using testing::message_of;
using testing::read_or_fail;
using Names = std::vector<std::string>;

TEST(Reader, a_missing_file_is_named) {
  const Result<Trace> trace = read_trace("no/such/jobs.csv", {});
  ASSERT_FALSE(trace.has_value());
  EXPECT_EQ(trace.error().message, "no/such/jobs.csv: cannot be opened: No such file or directory");
}

TEST(Reader, a_directory_is_not_a_trace) {
  const Result<Trace> trace = read_trace("/", {});
  ASSERT_FALSE(trace.has_value());
  EXPECT_EQ(trace.error().message, "/: is a directory");
}

TEST(Reader, an_empty_file_is_an_error) {
  EXPECT_EQ(message_of(""), "jobs.csv: the file is empty");
  EXPECT_EQ(message_of("", {.format = "gavel"}), "jobs.csv: the file is empty");
  EXPECT_EQ(message_of("\n\n", {.format = "itp"}), "jobs.csv: the file is empty");
}

TEST(Reader, a_binary_file_is_an_error) {
  const std::string bytes("\x1F\x8B\0\0job_id,submit_seconds\n", 25);
  EXPECT_EQ(message_of(bytes), "jobs.csv: a NUL byte: not a text file");
  EXPECT_EQ(message_of(bytes, {.format = "native"}), "jobs.csv:1: a NUL byte: not a text file");
}

TEST(Reader, a_cut_off_file_is_an_error) {
  EXPECT_EQ(message_of("job_id,submission_time,duration,num_gpu\na,0,5,1\nb,7"),
            "jobs.csv:3: expected 4 fields, got 2");
}

TEST(Reader, a_line_without_end_is_an_error) {
  const std::string header = "job_id,submission_time,duration,num_gpu\n";
  EXPECT_EQ(message_of(header + std::string(10'000'000, '1')),
            "jobs.csv:2: the line is longer than 1 MiB");
}

TEST(Reader, a_header_alone_has_no_jobs) {
  EXPECT_EQ(message_of("job_id,submission_time,duration,num_gpu\n"),
            "jobs.csv: no usable job in 0 data rows");
}

TEST(Reader, an_unknown_header_lists_the_formats) {
  const Error error = error_of("a,b\n1,2\n");
  EXPECT_EQ(error.message, "jobs.csv: unknown trace format; the file begins with 'a,b'");
  const std::string start = "--format NAME overrides the guess; formats: ";
  EXPECT_EQ(error.hint.substr(0, start.size()), start);
  for (const TraceFormat& format : all_trace_formats()) {
    EXPECT_NE(error.hint.find(format.name), std::string::npos);
  }
}

TEST(Reader, an_unknown_format_name_gets_a_suggestion) {
  const Error error = error_of("a,b\n1,2\n", {.format = "gavl"});
  EXPECT_EQ(error.message, "unknown trace format 'gavl'; did you mean 'gavel'?");
  EXPECT_EQ(error.hint.substr(0, 9), "formats: ");
}

TEST(Reader, the_format_can_be_forced) {
  EXPECT_EQ(message_of("job_id,submission_time,duration,num_gpu\na,0,5,1\n", {.format = "native"}),
            "jobs.csv:1: column 'submit_seconds' is missing; found "
            "'job_id,submission_time,duration,num_gpu'");
}

TEST(Reader, takes_crlf_a_byte_order_mark_and_blank_lines) {
  const Trace plain = read_or_fail("job_id,submission_time,duration,num_gpu\na,3,5,1\nb,4,6,2\n");
  const Trace odd = read_or_fail(
      "\xEF\xBB\xBFjob_id,submission_time,duration,num_gpu\r\na,3,5,1\r\n\r\nb,4,6,2\r\n\r\n\n");
  EXPECT_EQ(odd.format, "itp");
  EXPECT_EQ(ids_of(odd), ids_of(plain));
  EXPECT_EQ(odd.jobs.at(1).submit, plain.jobs.at(1).submit);
  EXPECT_EQ(odd.jobs.at(1).gpus, 2);
  EXPECT_TRUE(odd.warnings.empty());
}

TEST(Reader, bad_rows_are_left_out_and_counted_when_told_to) {
  const std::string text =
      "job_id,submission_time,duration,num_gpu\n"
      "a,0,5,1\nb,1,x,1\nc,2\na,3,5,1\nd,4,5,0\ne,5,5,8\n";
  EXPECT_EQ(message_of(text), "jobs.csv:3: duration: expected a non-negative number, got 'x'");
  const Trace trace = read_or_fail(text, {.skip_bad_rows = true});
  EXPECT_EQ(ids_of(trace), (Names{"a", "e"}));
  EXPECT_EQ(trace.rows_read, 6);
  EXPECT_EQ(trace.rows_skipped, 4);
  EXPECT_EQ(trace.jobs.at(1).row, 5U);
  EXPECT_EQ(trace.jobs.at(1).line, 7U);
}

TEST(Reader, reads_the_same_from_a_file_as_from_memory) {
  std::string text = "job_id,submission_time,duration,num_gpu\n";
  for (int i = 0; i < 20'000; ++i) text += "job" + std::to_string(i) + ",1,2,3\n";
  const std::filesystem::path path =
      std::filesystem::path(::testing::TempDir()) / "muster_reader_test.csv";
  std::ofstream(path, std::ios::binary) << text;
  const Trace from_file = testing::read_file_or_fail(path.string());
  std::filesystem::remove(path);
  EXPECT_EQ(ids_of(from_file), ids_of(read_or_fail(text)));
  EXPECT_EQ(from_file.jobs.size(), 20'000U);
  EXPECT_EQ(from_file.path, path.string());
}

TEST(Reader, format_names_are_unique) {
  Names names;
  for (const TraceFormat& format : all_trace_formats()) names.push_back(format.name);
  std::sort(names.begin(), names.end());
  EXPECT_EQ(std::adjacent_find(names.begin(), names.end()), names.end());
}

TEST(Reader, lines_that_cannot_be_read_are_bad_rows) {
  const std::string longest(LineSource::line_bytes_max + 1, 'x');
  const std::string nul = std::string("b\0", 2) + ",1,1,60\n";
  const std::string text =
      "job_id,submit_seconds,gpus,duration_seconds\na,0,1,60\n" + nul + longest + "\nc,2,1,60\n";
  EXPECT_EQ(message_of(text), "jobs.csv:3: a NUL byte: not a text file");
  const Trace trace = read_or_fail(text, {.skip_bad_rows = true});
  EXPECT_EQ(testing::ids_of(trace), (std::vector<std::string>{"a", "c"}));
  EXPECT_EQ(trace.rows_read, 4);
  EXPECT_EQ(trace.rows_skipped, 2);
  EXPECT_EQ(trace.jobs[1].line, 5U);
}

TEST(Reader, the_first_line_of_a_file_without_a_header_may_be_bad) {
  const std::string text = std::string("\0\n", 2) + "A3C\tx\tx\tx\t100\t0\t1\n";
  const Trace trace = read_or_fail(text, {.format = "gavel", .skip_bad_rows = true});
  EXPECT_EQ(trace.jobs.size(), 1U);
  EXPECT_EQ(trace.rows_skipped, 1);
}

}  // namespace
}  // namespace muster
