#include "workload/log_fields.h"

#include <algorithm>
#include <array>

namespace muster {

bool is_unknown(std::string_view text) {
  constexpr std::array<std::string_view, 7> words = {"",    "None", "null",   "NULL",
                                                     "NaN", "nan",  "Unknown"};
  return std::find(words.begin(), words.end(), text) != words.end();
}

std::optional<Duration> span_if_known(CsvRow& row, const CsvTable::Column& column) {
  if (is_unknown(row.text(column))) return std::nullopt;
  return row.span(column);
}

std::optional<Duration> calendar_if_known(CsvRow& row, const CsvTable::Column& column) {
  if (is_unknown(row.text(column))) return std::nullopt;
  return row.calendar(column);
}

}  // namespace muster
