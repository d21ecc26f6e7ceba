#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <vector>

#include "workload/reader.h"

namespace muster {
namespace {

std::vector<std::string> lines_of(const std::string& text) {
  std::istringstream input(text);
  LineSource source(input, "jobs.csv");
  std::vector<std::string> lines;
  for (;;) {
    const Result<std::optional<std::string_view>> line = source.next();
    if (!line) return {"error: " + line.error().message};
    if (!*line) return lines;
    lines.emplace_back(**line);
    EXPECT_EQ(source.line(), lines.size());
  }
}

using Lines = std::vector<std::string>;

TEST(LineSource, an_empty_stream_has_no_lines) { EXPECT_EQ(lines_of(""), Lines()); }

TEST(LineSource, the_last_line_needs_no_end) {
  EXPECT_EQ(lines_of("a\nb"), (Lines{"a", "b"}));
  EXPECT_EQ(lines_of("a\nb\n"), (Lines{"a", "b"}));
}

TEST(LineSource, keeps_blank_lines) {
  EXPECT_EQ(lines_of("a\n\nb\n\n"), (Lines{"a", "", "b", ""}));
}

TEST(LineSource, takes_away_carriage_returns) {
  EXPECT_EQ(lines_of("a\r\nb\r\nc\r"), (Lines{"a", "b", "c"}));
}

TEST(LineSource, takes_away_a_byte_order_mark_only_at_the_start) {
  EXPECT_EQ(lines_of("\xEF\xBB\xBF"
                     "a\n\xEF\xBB\xBF"
                     "b\n"),
            (Lines{"a",
                   "\xEF\xBB\xBF"
                   "b"}));
}

TEST(LineSource, lines_cross_the_blocks_in_which_the_stream_is_read) {
  Lines expected;
  std::string text;
  for (std::size_t size = 1; size < 200'000; size = size * 3 + 1) {
    expected.emplace_back(size, static_cast<char>('a' + size % 26));
    text += expected.back() + "\n";
  }
  EXPECT_EQ(lines_of(text), expected);
}

TEST(LineSource, a_line_of_the_largest_size_passes_and_a_longer_one_does_not) {
  const std::string largest(LineSource::line_bytes_max, 'x');
  EXPECT_EQ(lines_of("a\n" + largest + "\nb"), (Lines{"a", largest, "b"}));
  const Lines refused{"error: jobs.csv:2: the line is longer than 1 MiB"};
  EXPECT_EQ(lines_of("a\n" + largest + "x\nb"), refused);
  EXPECT_EQ(lines_of("a\n" + std::string(10'000'000, 'x')), refused);
}

TEST(LineSource, a_nul_byte_is_an_error) {
  EXPECT_EQ(lines_of(std::string("a\nb\0c\n", 6)),
            Lines{"error: jobs.csv:2: a NUL byte: not a text file"});
}

TEST(LineSource, goes_on_after_a_bad_line) {
  const std::string endless(5 * LineSource::line_bytes_max, 'x');
  std::istringstream input("a\n" + endless + "\nb\n" + std::string("c\0\nd\n", 5) + endless);
  LineSource source(input, "jobs.csv");
  Lines lines;
  Lines problems;
  for (;;) {
    const Result<std::optional<std::string_view>> line = source.next();
    EXPECT_EQ(source.can_go_on(), !line.has_value());
    if (!line) {
      problems.push_back(line.error().message);
    } else if (*line) {
      lines.emplace_back(**line);
    } else {
      break;
    }
  }
  EXPECT_EQ(lines, (Lines{"a", "b", "d"}));
  EXPECT_EQ(problems, (Lines{"jobs.csv:2: the line is longer than 1 MiB",
                             "jobs.csv:4: a NUL byte: not a text file",
                             "jobs.csv:6: the line is longer than 1 MiB"}));
}

TEST(LineSource, only_what_looks_compressed_is_called_so) {
  const auto hint_of = [](const std::string& text) {
    std::istringstream input(text);
    LineSource source(input, "jobs.csv");
    const Result<std::optional<std::string_view>> line = source.next();
    return line ? std::string() : line.error().hint;
  };
  std::string text(2 * LineSource::line_bytes_max, 'x');
  EXPECT_EQ(hint_of(text), "--skip-bad-rows leaves out bad rows and counts them");
  text[10] = '\0';
  EXPECT_EQ(hint_of(text), "a trace is a text file; unpack it first if it is compressed");
}

TEST(LineSource, peek_does_not_move) {
  std::istringstream input(
      "\xEF\xBB\xBF"
      "a\r\nb\n");
  LineSource source(input, "jobs.csv");
  EXPECT_EQ(source.peek().value(), "a");
  EXPECT_EQ(source.line(), 0U);
  EXPECT_EQ(source.next().value(), "a");
  EXPECT_EQ(source.peek().value(), "b");
  EXPECT_EQ(source.line(), 1U);
  EXPECT_EQ(source.next().value(), "b");
  EXPECT_EQ(source.peek().value(), std::nullopt);
  EXPECT_EQ(source.next().value(), std::nullopt);
}

TEST(LineSource, a_stream_that_fails_is_an_error) {
  std::istringstream input("a\n");
  input.setstate(std::ios::badbit);
  LineSource source(input, "jobs.csv");
  const Result<std::optional<std::string_view>> line = source.next();
  ASSERT_FALSE(line.has_value());
  EXPECT_EQ(line.error().message, "jobs.csv: cannot be read");
}

}  // namespace
}  // namespace muster
