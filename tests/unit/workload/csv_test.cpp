#include "workload/csv.h"

#include <gtest/gtest.h>

#include <chrono>
#include <limits>
#include <sstream>

namespace muster {
namespace {

using std::chrono::microseconds;
using std::chrono::seconds;
using Fields = std::vector<std::string>;

// All fields of all rows, in the order of `names`; or the error.
std::vector<Fields> rows_of(const std::string& text, const Fields& names,
                            const ReadOptions& options = {}) {
  std::istringstream input(text);
  LineSource source(input, "jobs.csv");
  TraceBuilder builder("jobs.csv", "test", options);
  Result<CsvTable> table = CsvTable::open(source);
  if (!table) return {{table.error().message, table.error().hint}};
  std::vector<Fields> rows;
  for (;;) {
    const Result<bool> more = table->next(builder);
    if (!more) return {{more.error().message, more.error().hint}};
    if (!*more) return rows;
    rows.emplace_back();
    for (const std::string& name : names) rows.back().emplace_back(table->field(table->find(name)));
  }
}

const char* const row_hint = "--skip-bad-rows leaves out bad rows and counts them";

TEST(CsvTable, finds_columns_by_name_and_trims) {
  const std::vector<Fields> rows = rows_of(" b , a\n 1 ,2\t\n\n , 4\n\n", {"a", "b", "none"});
  EXPECT_EQ(rows, (std::vector<Fields>{{"2", "1", ""}, {"4", "", ""}}));
}

TEST(CsvTable, understands_quotes) {
  const std::vector<Fields> rows =
      rows_of("\"a\",b,c\n\"x, \"\"y\"\"\",\"\",\" z \"\n1\"2,3,\"4\"\n", {"a", "b", "c"});
  EXPECT_EQ(rows, (std::vector<Fields>{{"x, \"y\"", "", "z"}, {"1\"2", "3", "4"}}));
}

TEST(CsvTable, a_quote_must_end_at_the_end_of_its_field) {
  const std::vector<Fields> expected = {{"jobs.csv:2: a quote does not end", row_hint}};
  EXPECT_EQ(rows_of("a,b\n\"1,2\n", {}), expected);
  EXPECT_EQ(rows_of("a,b\n\"1\"x,2\n", {}), expected);
  EXPECT_EQ(rows_of("a,\"b\n", {})[0][0], "jobs.csv:1: a quote in the header does not end");
}

TEST(CsvTable, a_row_of_the_wrong_width_is_bad) {
  EXPECT_EQ(rows_of("a,b\n1,2\n1\n", {}),
            (std::vector<Fields>{{"jobs.csv:3: expected 2 fields, got 1", row_hint}}));
  EXPECT_EQ(rows_of("a,b\n1,2,\n", {}),
            (std::vector<Fields>{{"jobs.csv:2: expected 2 fields, got 3", row_hint}}));
  EXPECT_EQ(rows_of("a,b\n1\n1,2\n1,2,3\n", {"a"}, {.skip_bad_rows = true}),
            (std::vector<Fields>{{"1"}}));
}

TEST(CsvTable, a_column_has_one_place) {
  EXPECT_EQ(rows_of("a,b,a\n", {}), (std::vector<Fields>{{"jobs.csv:1: column 'a' appears twice",
                                                          "--format NAME overrides the guess"}}));
}

TEST(CsvTable, a_missing_column_is_named_with_those_there_are) {
  std::istringstream input("\na,b\n");
  LineSource source(input, "jobs.csv");
  const Result<CsvTable> table = CsvTable::open_with(source, {"a", "gpus"});
  ASSERT_FALSE(table.has_value());
  EXPECT_EQ(table.error().message, "jobs.csv:2: column 'gpus' is missing; found 'a,b'");
  EXPECT_EQ(table.error().hint, "--format NAME overrides the guess");
}

TEST(CsvTable, a_file_of_blank_lines_is_empty) {
  EXPECT_EQ(rows_of("\n \n", {})[0][0], "jobs.csv: the file is empty");
}

std::string integer_text(std::string_view text, std::int64_t minimum, std::int64_t maximum) {
  const Result<std::int64_t> value = integer_field(text, minimum, maximum);
  return value ? std::to_string(*value) : value.error().message;
}

TEST(CsvFields, integers) {
  EXPECT_EQ(integer_text("17", 1, 100), "17");
  EXPECT_EQ(integer_text("3.0", 1, 100), "3");
  EXPECT_EQ(integer_text("1e2", 1, 100), "100");
  EXPECT_EQ(integer_text("9223372036854775807", 0, INT64_MAX), "9223372036854775807");
  EXPECT_EQ(integer_text("-3", 1, 100), "expected a positive integer, got '-3'");
  EXPECT_EQ(integer_text("0", 1, 100), "expected a positive integer, got '0'");
  EXPECT_EQ(integer_text("3.5", 1, 100), "expected a positive integer, got '3.5'");
  EXPECT_EQ(integer_text("", 0, 100), "expected a non-negative integer, got ''");
  EXPECT_EQ(integer_text("nan", 0, 100), "expected a non-negative integer, got 'nan'");
  EXPECT_EQ(integer_text("1e300", 0, 100), "expected a non-negative integer, got '1e300'");
  EXPECT_EQ(integer_text("101", 1, 100), "expected a positive integer up to 100, got '101'");
  EXPECT_EQ(integer_text("1", 2, 100), "expected an integer from 2, got '1'");
  EXPECT_EQ(integer_text("12x", -5, 100), "expected an integer, got '12x'");
}

std::string number_message(std::string_view text, double minimum, double maximum) {
  const Result<double> value = number_field(text, minimum, maximum);
  return value ? "good" : value.error().message;
}

TEST(CsvFields, numbers) {
  EXPECT_EQ(number_field("2.5", 0, 10).value(), 2.5);
  EXPECT_EQ(number_field("-1e-3", -1, 1).value(), -0.001);
  constexpr double positive = std::numeric_limits<double>::min();
  EXPECT_EQ(number_message("0", positive, 10), "expected a positive number, got '0'");
  EXPECT_EQ(number_message("-1", 0, 10), "expected a non-negative number, got '-1'");
  EXPECT_EQ(number_message("inf", 0, 10), "expected a non-negative number, got 'inf'");
  EXPECT_EQ(number_message("NaN", -1, 10), "expected a number, got 'NaN'");
  EXPECT_EQ(number_message("11", 0, 10), "expected a non-negative number up to 10, got '11'");
  EXPECT_EQ(number_message("-2", -1, 10), "expected a number from -1, got '-2'");
}

TEST(CsvFields, spans) {
  EXPECT_EQ(span_field("0").value(), seconds(0));
  EXPECT_EQ(span_field("652.229528").value(), microseconds(652'229'528));
  EXPECT_EQ(span_field("100000000000").value(), seconds(100'000'000'000));
  EXPECT_EQ(span_field("90", 60).value(), seconds(5400));
  EXPECT_EQ(span_field("0.5", 60).value(), seconds(30));
  EXPECT_EQ(span_field("4628239001", 0.001).value(), microseconds(4'628'239'001'000));
  const auto message = [](std::string_view text, double unit_seconds) {
    const Result<Duration> value = span_field(text, unit_seconds);
    return value ? "good" : value.error().message;
  };
  EXPECT_EQ(message("-1", 1), "expected a non-negative number, got '-1'");
  EXPECT_EQ(message("-0.25", 1), "expected a non-negative number, got '-0.25'");
  EXPECT_EQ(message("inf", 1), "expected a non-negative number, got 'inf'");
  EXPECT_EQ(message("", 1), "expected a non-negative number, got ''");
  EXPECT_EQ(message("100000000001", 1),
            "expected a non-negative number up to 1e+11, got '100000000001'");
  EXPECT_EQ(message("99999999999999999999", 1),
            "expected a non-negative number up to 1e+11, got '99999999999999999999'");
  EXPECT_EQ(message("9223372036854775807", 60).substr(0, 34), "expected a non-negative number up ");
}

TEST(CsvFields, calendar) {
  EXPECT_EQ(calendar_field("1970-01-01 00:00:00").value(), seconds(0));
  EXPECT_EQ(calendar_field("2017-10-09 07:01:55").value(), seconds(1'507'532'515));
  EXPECT_EQ(calendar_field("2017-10-09T07:01:55Z").value(), seconds(1'507'532'515));
  EXPECT_EQ(calendar_field("2017-10-09T15:01:55+08:00").value(), seconds(1'507'532'515));
  EXPECT_EQ(calendar_field("2017-10-08 23:31:55-0730").value(), seconds(1'507'532'515));
  EXPECT_EQ(calendar_field("2000-02-29 00:00:00").value(), seconds(951'782'400));
  for (const char* text :
       {"", "2017-10-09", "2017-10-09 07:01", "2017-02-29 00:00:00", "2017-13-01 00:00:00",
        "2017-00-01 00:00:00", "2017-04-31 00:00:00", "2017-10-09 24:00:00", "2017-10-09 23:60:00",
        "2017-10-09 23:59:60", "2017-10-09x07:01:55", "2017/10/09 07:01:55", "2017-10-09 07:01:5x",
        "2017-10-09 07:01:55 PST", "2017-10-09 07:01:55+8", "2017-10-09 07:01:55+99:00", "None"}) {
    const Result<Duration> value = calendar_field(text);
    ASSERT_FALSE(value.has_value()) << text;
    EXPECT_EQ(value.error().message,
              "expected a time like 2017-10-09 07:01:55, got '" + std::string(text) + "'");
  }
}

TEST(CsvHeader, is_recognised_in_any_order_and_needs_all_names) {
  const HeaderQuery query{.has = {"a", "b"}, .lacks = {"x"}};
  EXPECT_TRUE(header_matches("b,c, a\r\n1,2,3", query));
  EXPECT_TRUE(header_matches("\"b\",a", query));
  EXPECT_FALSE(header_matches("a,c\nb,a\n", query));
  EXPECT_FALSE(header_matches("a,b,x\n", query));
  EXPECT_FALSE(header_matches("a;b\n", query));
  EXPECT_FALSE(header_matches("", query));
}

}  // namespace
}  // namespace muster
