#include "workload/csv.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

#include "base/text.h"

namespace muster {
namespace {

constexpr double span_max_seconds = 1e11;

tl::unexpected<Error> expected_but(const std::string& what, std::string_view text) {
  return failure("expected " + what + ", got " + quoted(text));
}

// The number of `count` decimal digits at `position`; nothing if they are not all digits.
std::optional<int> digits_at(std::string_view text, std::size_t position, std::size_t count) {
  if (position + count > text.size()) return std::nullopt;
  int value = 0;
  for (const char c : text.substr(position, count)) {
    if (c < '0' || c > '9') return std::nullopt;
    value = value * 10 + (c - '0');
  }
  return value;
}

// "", "Z", "+08:00" or "-0800", as seconds to the east.
std::optional<std::chrono::seconds> zone_offset(std::string_view zone) {
  if (zone.empty() || zone == "Z") return std::chrono::seconds(0);
  if (zone.front() != '+' && zone.front() != '-') return std::nullopt;
  const bool has_colon = zone.size() == 6 && zone[3] == ':';
  if (!has_colon && zone.size() != 5) return std::nullopt;
  const std::optional<int> hours = digits_at(zone, 1, 2);
  const std::optional<int> minutes = digits_at(zone, has_colon ? 4 : 3, 2);
  if (!hours || !minutes || *hours > 14 || *minutes > 59) return std::nullopt;
  const std::chrono::seconds offset = std::chrono::hours(*hours) + std::chrono::minutes(*minutes);
  return zone.front() == '-' ? -offset : offset;
}

std::optional<std::chrono::seconds> parse_calendar(std::string_view text) {
  constexpr std::string_view shape = "dddd-dd-dd dd:dd:dd";
  if (text.size() < shape.size()) return std::nullopt;
  for (const std::size_t at : {4U, 7U, 13U, 16U}) {
    if (text[at] != shape[at]) return std::nullopt;
  }
  if (text[10] != ' ' && text[10] != 'T') return std::nullopt;
  const std::optional<int> year = digits_at(text, 0, 4);
  const std::optional<int> month = digits_at(text, 5, 2);
  const std::optional<int> day = digits_at(text, 8, 2);
  const std::optional<int> hour = digits_at(text, 11, 2);
  const std::optional<int> minute = digits_at(text, 14, 2);
  const std::optional<int> second = digits_at(text, 17, 2);
  const std::optional<std::chrono::seconds> offset = zone_offset(text.substr(shape.size()));
  if (!year || !month || !day || !hour || !minute || !second || !offset) return std::nullopt;
  const std::chrono::year_month_day date{std::chrono::year(*year),
                                         std::chrono::month(static_cast<unsigned>(*month)),
                                         std::chrono::day(static_cast<unsigned>(*day))};
  if (!date.ok() || *hour > 23 || *minute > 59 || *second > 59) return std::nullopt;
  return std::chrono::sys_days(date).time_since_epoch() + std::chrono::hours(*hour) +
         std::chrono::minutes(*minute) + std::chrono::seconds(*second) - *offset;
}

// Reads a quoted field from its opening quote: appends what it stands for to `unquoted` and returns
// the place after it; nothing if the quote does not end there.
std::optional<std::size_t> read_quoted(std::string_view line, std::size_t position, char separator,
                                       std::string& unquoted) {
  for (++position; position < line.size(); ++position) {
    if (line[position] != '"') {
      unquoted += line[position];
      continue;
    }
    ++position;
    if (position == line.size() || line[position] == separator) return position;
    if (line[position] != '"') return std::nullopt;
    unquoted += '"';
  }
  return std::nullopt;
}

// Splits a line. Views point into the line, or into `unquoted` for quoted fields. False for a quote
// that does not end.
bool split_fields(std::string_view line, char separator, std::vector<std::string_view>& fields,
                  std::string& unquoted) {
  fields.clear();
  unquoted.clear();
  const bool has_quotes = line.find('"') != std::string_view::npos;
  if (has_quotes) unquoted.reserve(line.size());  // Views into it must stay where they are.
  for (std::size_t position = 0;;) {
    std::size_t end = 0;
    if (has_quotes && position < line.size() && line[position] == '"') {
      const std::size_t begin = unquoted.size();
      const std::optional<std::size_t> after = read_quoted(line, position, separator, unquoted);
      if (!after) return false;
      end = *after;
      fields.push_back(std::string_view(unquoted).substr(begin));
    } else {
      end = std::min(line.find(separator, position), line.size());
      fields.push_back(line.substr(position, end - position));
    }
    if (end == line.size()) return true;
    position = end + 1;
  }
}

}  // namespace

Result<CsvTable> CsvTable::open(LineSource& source, char separator) {
  CsvTable table;
  table.source_ = &source;
  table.separator_ = separator;
  std::optional<std::string_view> line;
  do {
    Result<std::optional<std::string_view>> next = source.next();
    if (!next) return tl::unexpected<Error>(next.error());
    line = *next;
  } while (line && trim(*line).empty());
  if (!line) return failure(source.path() + ": the file is empty");

  const std::string place = source.path() + ":" + std::to_string(source.line()) + ": ";
  const std::string hint = "--format NAME overrides the guess";
  if (!split_fields(*line, separator, table.fields_, table.unquoted_)) {
    return failure(place + "a quote in the header does not end", hint);
  }
  for (const std::string_view field : table.fields_) {
    const std::string_view name = trim(field);
    if (!name.empty() && table.find(name).is_present()) {
      return failure(place + "column " + quoted(name) + " appears twice", hint);
    }
    table.names_.emplace_back(name);
  }
  table.fields_.clear();
  return table;
}

Result<CsvTable> CsvTable::open_with(LineSource& source,
                                     std::initializer_list<std::string_view> required,
                                     char separator) {
  Result<CsvTable> table = open(source, separator);
  if (!table) return table;
  for (const std::string_view name : required) {
    const Result<Column> column = table->require(name);
    if (!column) return tl::unexpected<Error>(column.error());
  }
  return table;
}

CsvTable CsvTable::without_header(LineSource& source, std::vector<std::string> names,
                                  char separator) {
  CsvTable table;
  table.source_ = &source;
  table.separator_ = separator;
  table.names_ = std::move(names);
  return table;
}

Result<CsvTable::Column> CsvTable::require(std::string_view name) const {
  Column column = find(name);
  if (column.is_present()) return column;
  return failure(source_->path() + ":" + std::to_string(source_->line()) + ": column " +
                     quoted(name) + " is missing; found " +
                     quoted(join(names_, std::string_view(&separator_, 1))),
                 "--format NAME overrides the guess");
}

CsvTable::Column CsvTable::find(std::string_view name) const {
  Column column;
  column.name = name;
  const auto found = std::find(names_.begin(), names_.end(), name);
  if (found != names_.end()) column.index = static_cast<int>(found - names_.begin());
  return column;
}

Result<bool> CsvTable::next(TraceBuilder& builder) {
  for (;;) {
    const Result<std::optional<std::string_view>> line = builder.next_line(*source_);
    if (!line) return tl::unexpected<Error>(line.error());
    if (!*line) return false;
    if (trim(**line).empty()) continue;
    const std::optional<std::string> problem = split_line(**line);
    if (!problem) return true;
    builder.begin_row();
    const Result<void> counted = builder.bad_row(source_->line(), "", *problem);
    if (!counted) return tl::unexpected<Error>(counted.error());
  }
}

std::optional<std::string> CsvTable::split_line(std::string_view line) {
  if (!split_fields(line, separator_, fields_, unquoted_)) return "a quote does not end";
  if (fields_.size() == names_.size()) return std::nullopt;
  return "expected " + std::to_string(names_.size()) + " fields, got " +
         std::to_string(fields_.size());
}

std::string_view CsvTable::field(const Column& column) const {
  if (!column.is_present()) return {};
  return trim(fields_[static_cast<std::size_t>(column.index)]);
}

Result<std::int64_t> integer_field(std::string_view text, std::int64_t minimum,
                                   std::int64_t maximum) {
  std::optional<std::int64_t> value = parse_integer(text);
  if (!value) {
    const std::optional<double> number = parse_number(text);
    constexpr double exact_max = 9007199254740992.0;
    if (number && std::abs(*number) <= exact_max && std::floor(*number) == *number) {
      value = static_cast<std::int64_t>(*number);
    }
  }
  std::string what = "an integer";
  if (minimum == 0) what = "a non-negative integer";
  if (minimum == 1) what = "a positive integer";
  if (!value) return expected_but(what, text);
  if (*value < minimum) {
    const bool is_said = minimum == 0 || minimum == 1;
    return expected_but(is_said ? what : what + " from " + std::to_string(minimum), text);
  }
  if (*value > maximum) return expected_but(what + " up to " + std::to_string(maximum), text);
  return *value;
}

Result<double> number_field(std::string_view text, double minimum, double maximum) {
  const std::optional<double> value = parse_number(text);
  std::string what = "a number";
  if (minimum == 0) what = "a non-negative number";
  if (minimum == std::numeric_limits<double>::min()) what = "a positive number";
  if (!value) return expected_but(what, text);
  if (*value < minimum) {
    return expected_but(
        minimum < 0 || minimum >= 1 ? what + " from " + format_number(minimum) : what, text);
  }
  if (*value > maximum) return expected_but(what + " up to " + format_number(maximum), text);
  return *value;
}

Result<Duration> span_field(std::string_view text, double unit_seconds) {
  // Whole numbers stay exact at any size.
  if (const std::optional<std::int64_t> whole = parse_integer(text)) {
    const double seconds = static_cast<double>(*whole) * unit_seconds;
    if (seconds >= 0 && seconds <= span_max_seconds) {
      return Duration(*whole * from_seconds(unit_seconds).count());
    }
  }
  const Result<double> units = number_field(text, 0, span_max_seconds / unit_seconds);
  if (!units) return tl::unexpected<Error>(units.error());
  return from_seconds(*units * unit_seconds);
}

Result<Duration> calendar_field(std::string_view text) {
  const std::optional<std::chrono::seconds> seconds = parse_calendar(text);
  if (!seconds) return expected_but("a time like 2017-10-09 07:01:55", text);
  return Duration(*seconds);
}

template <class T>
T CsvRow::value_or_fault(const CsvTable::Column& column, Result<T> value, T otherwise) {
  if (value) return *value;
  set_fault(column.name, std::move(value.error().message));
  return otherwise;
}

std::string CsvRow::id(const CsvTable::Column& column) {
  std::string value(text(column));
  if (value.empty()) set_fault(column.name, "expected an id, got ''");
  return value;
}

std::int32_t CsvRow::gpus(const CsvTable::Column& column) {
  return static_cast<std::int32_t>(integer(column, 1, gpus_max));
}

std::int64_t CsvRow::integer(const CsvTable::Column& column, std::int64_t minimum,
                             std::int64_t maximum) {
  return value_or_fault(column, integer_field(text(column), minimum, maximum), minimum);
}

double CsvRow::number(const CsvTable::Column& column, double minimum, double maximum) {
  return value_or_fault(column, number_field(text(column), minimum, maximum), minimum);
}

Duration CsvRow::span(const CsvTable::Column& column, double unit_seconds) {
  return value_or_fault(column, span_field(text(column), unit_seconds), Duration::zero());
}

Duration CsvRow::calendar(const CsvTable::Column& column) {
  return value_or_fault(column, calendar_field(text(column)), Duration::zero());
}

void CsvRow::set_fault(std::string_view field, std::string problem) {
  if (has_fault()) return;
  field_ = field;
  problem_ = std::move(problem);
}

bool header_matches(std::string_view head, const HeaderQuery& query) {
  std::vector<std::string_view> names;
  std::string unquoted;
  if (!split_fields(first_line(head), query.separator, names, unquoted)) return false;
  const auto is_named = [&names](std::string_view name) {
    return std::any_of(names.begin(), names.end(),
                       [name](std::string_view field) { return trim(field) == name; });
  };
  return std::all_of(query.has.begin(), query.has.end(), is_named) &&
         std::none_of(query.lacks.begin(), query.lacks.end(), is_named);
}

std::string_view first_line(std::string_view head) {
  std::string_view line = head.substr(0, head.find('\n'));
  if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
  return line;
}

}  // namespace muster
