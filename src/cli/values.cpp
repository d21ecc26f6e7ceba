#include "cli/values.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <optional>

#include "base/text.h"
#include "workload/reader.h"

namespace muster {
namespace {

constexpr double seconds_max = 1e11;  // What the clock holds, with room to add.

tl::unexpected<Error> unfit(std::string_view flag, std::string_view expected,
                            std::string_view text) {
  return failure(std::string(flag) + ": expected " + std::string(expected) + ", got " +
                 quoted(text));
}

}  // namespace

Result<void> require(std::string_view flag, std::string_view text, std::string_view hint) {
  if (!text.empty()) return {};
  return failure(std::string(flag) + " is missing", std::string(hint));
}

Result<std::int64_t> parse_count(std::string_view flag, std::string_view text, CountRange range) {
  const std::optional<std::int64_t> value = parse_integer(text);
  if (value && *value >= range.minimum && *value <= range.maximum) return *value;
  const bool has_maximum = range.maximum < CountRange().maximum;
  return unfit(flag,
               "a whole number from " + std::to_string(range.minimum) +
                   (has_maximum ? " to " + std::to_string(range.maximum) : " on"),
               text);
}

Result<std::uint64_t> parse_seed(std::string_view flag, std::string_view text) {
  const Result<std::int64_t> value = parse_count(flag, text, {.minimum = 0});
  if (!value) return tl::unexpected(value.error());
  return static_cast<std::uint64_t>(*value);
}

Result<Duration> parse_seconds(std::string_view flag, std::string_view text) {
  const std::optional<double> value = parse_number(text);
  if (!value || *value < 0 || *value > seconds_max) return unfit(flag, "seconds", text);
  return from_seconds(*value);
}

Result<double> parse_ratio(std::string_view flag, std::string_view text) {
  const std::optional<double> value = parse_number(text);
  if (!value || *value < 0 || *value >= 1) {
    return unfit(flag, "a ratio from 0 to below 1", text);
  }
  return *value;
}

Result<std::pair<std::int64_t, std::int64_t>> parse_window(std::string_view text) {
  const auto parts = split(text, ':');
  if (parts.size() == 2) {
    const auto first = parse_integer(parts[0]);
    const auto last = parse_integer(parts[1]);
    if (first && last && *first >= 0 && *first < *last) return std::pair(*first, *last);
  }
  return unfit("--window", "A:B with 0 <= A < B (jobs A to B-1 by submit order)", text);
}

Result<Failures> parse_failures(std::string_view text) {
  Failures failures;
  for (const std::string_view item : split(text, ',')) {
    const std::size_t equals = item.find('=');
    const std::string_view key = item.substr(0, equals);
    if (equals == std::string_view::npos || (key != "mtbf" && key != "mttr")) {
      return unfit("--failures", "mtbf=SECONDS,mttr=SECONDS", text);
    }
    const auto span = parse_seconds("--failures: " + std::string(key), item.substr(equals + 1));
    if (!span) return tl::unexpected(span.error());
    if (*span <= Duration::zero()) {
      return unfit("--failures: " + std::string(key), "seconds over 0", item.substr(equals + 1));
    }
    (key == "mtbf" ? failures.failure_mean : failures.repair_mean) = *span;
  }
  if (failures.failure_mean == Duration::zero()) {
    return unfit("--failures", "mtbf=SECONDS,mttr=SECONDS", text);
  }
  return failures;
}

Result<void> check_format(std::string_view name) {
  if (name.empty()) return {};
  std::vector<std::string> names;
  for (const TraceFormat& format : all_trace_formats()) {
    if (format.name == name) return {};
    names.push_back(format.name);
  }
  const auto similar = nearest(name, names);
  return failure("unknown trace format " + quoted(name),
                 similar ? "did you mean '" + *similar + "'?" : "formats: " + join(names, ", "));
}

Result<std::vector<double>> read_column_file(const std::string& path, const std::string& column) {
  std::ifstream file(path, std::ios::binary);
  const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  if (!file.good() && !file.eof()) return failure(path + ": cannot be read");
  std::vector<double> values;
  std::size_t line = 0;
  for (std::string_view row : split(text, '\n')) {
    ++line;
    row = trim(row);
    if (row.starts_with("\xEF\xBB\xBF")) row.remove_prefix(3);
    const std::string place = path + ":" + std::to_string(line) + ": ";
    if (line == 1) {
      if (row == column) continue;
      return failure(place + "expected the header " + quoted(column) + ", got " + quoted(row));
    }
    if (row.empty()) continue;
    const std::optional<double> value = parse_number(row);
    if (!value) return failure(place + column + ": expected a number, got " + quoted(row));
    values.push_back(*value);
  }
  if (values.empty()) return failure(path + ": no values below the header");
  return values;
}

}  // namespace muster
