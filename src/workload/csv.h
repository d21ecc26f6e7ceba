#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "workload/reader.h"

namespace muster {

inline constexpr std::int64_t gpus_max = 1'000'000;               // Of one job.
inline constexpr std::int64_t steps_max = 1'000'000'000'000'000;  // Of one job.

// A table of separated values with a header line; columns in any order. Quoted fields
// ("a, ""b""") are understood within one line. Blank lines are passed over; a row with too few or
// too many fields is a bad row.
class CsvTable {
 public:
  struct Column {
    int index = -1;
    std::string name;
    bool is_present() const { return index >= 0; }
  };

  // Reads the header. REQUIRES: a fresh source.
  static Result<CsvTable> open(LineSource& source, char separator = ',');
  // The same; that one of the `required` columns is missing is an error.
  static Result<CsvTable> open_with(LineSource& source,
                                    std::initializer_list<std::string_view> required,
                                    char separator = ',');
  // For files without a header: the names are given.
  static CsvTable without_header(LineSource& source, std::vector<std::string> names,
                                 char separator = ',');

  Result<Column> require(std::string_view name) const;  // An error that lists what is there.
  Column find(std::string_view name) const;             // Absent: is_present() is false.
  std::span<const std::string> names() const { return names_; }

  // Moves to the next row that is not blank; false at the end. Lines that cannot be read are passed
  // over where bad rows are skipped. A row with a wrong number of fields is counted as a row and
  // reported through builder.bad_row, and passed over when that only counts it; begin_row is the
  // caller's for the rows it gets.
  Result<bool> next(TraceBuilder& builder);
  std::uint32_t line() const { return source_->line(); }
  // The trimmed field; empty where the column is absent.
  std::string_view field(const Column& column) const;

 private:
  // Why the line cannot be split into as many fields as there are names.
  std::optional<std::string> split_line(std::string_view line);

  LineSource* source_ = nullptr;
  char separator_ = ',';
  std::vector<std::string> names_;
  std::vector<std::string_view> fields_;
  std::string unquoted_;  // What the quoted fields of the line stand for, end to end.
};

// Typed fields: a value, or the text for bad_row ("expected a positive integer, got '-3'").
// Both bounds are inclusive. A whole number written as 3.0 is an integer.
Result<std::int64_t> integer_field(std::string_view text, std::int64_t minimum,
                                   std::int64_t maximum);
Result<double> number_field(std::string_view text, double minimum, double maximum);
// Seconds (or `unit_seconds` each) to a Duration; accepts decimals, refuses negative numbers and
// those over 1e11 seconds.
Result<Duration> span_field(std::string_view text, double unit_seconds = 1);
// "YYYY-MM-DD HH:MM:SS" or with 'T', optionally a zone (Z, +08:00); to seconds since 1970 in that
// zone, local time read as it stands. Validates the calendar.
Result<Duration> calendar_field(std::string_view text);

// Reads the fields of a table's current row and keeps the first fault, so that a reader takes all
// the fields it wants and the fault is looked at once.
class CsvRow {
 public:
  explicit CsvRow(const CsvTable& table) : table_(table) {}

  bool has(const CsvTable::Column& column) const { return !text(column).empty(); }
  std::string_view text(const CsvTable::Column& column) const { return table_.field(column); }

  // After a fault: the least legal value.
  std::string id(const CsvTable::Column& column);  // Text that must be there.
  std::int32_t gpus(const CsvTable::Column& column);
  std::int64_t integer(const CsvTable::Column& column, std::int64_t minimum, std::int64_t maximum);
  double number(const CsvTable::Column& column, double minimum, double maximum);
  Duration span(const CsvTable::Column& column, double unit_seconds = 1);
  Duration calendar(const CsvTable::Column& column);

  void set_fault(std::string_view field, std::string problem);
  bool has_fault() const { return !problem_.empty(); }
  const std::string& fault_field() const { return field_; }
  const std::string& problem() const { return problem_; }

 private:
  template <class T>
  T value_or_fault(const CsvTable::Column& column, Result<T> value, T otherwise);

  const CsvTable& table_;
  std::string field_;
  std::string problem_;
};

// Adds the jobs of all rows. `job_of(CsvRow&)` returns an optional TraceJob: nothing passes the row
// over, and a fault makes it a bad row. Row and line numbers are filled in here.
template <class JobOf>
Result<void> add_rows(CsvTable& table, TraceBuilder& builder, JobOf job_of) {
  for (;;) {
    const Result<bool> more = table.next(builder);
    if (!more) return tl::unexpected<Error>(more.error());
    if (!*more) return {};
    const std::uint32_t number = builder.begin_row();
    CsvRow row(table);
    std::optional<TraceJob> job = job_of(row);
    Result<void> added{};
    if (row.has_fault()) {
      added = builder.bad_row(table.line(), row.fault_field(), row.problem());
    } else if (job) {
      job->row = number;
      job->line = table.line();
      added = builder.add(std::move(*job));
    }
    if (!added) return added;
  }
}

// For guesses: does the first line of `head` name all columns of `has` and none of `lacks`?
struct HeaderQuery {
  std::vector<std::string_view> has{};
  std::vector<std::string_view> lacks{};
  char separator = ',';
};
bool header_matches(std::string_view head, const HeaderQuery& query);
// The first line of `head`, trimmed at its end.
std::string_view first_line(std::string_view head);

}  // namespace muster
