#include "perf/csv_rows.h"

#include <algorithm>

#include "base/text.h"

namespace muster {
namespace {

std::vector<std::string_view> trimmed_fields(std::string_view line) {
  std::vector<std::string_view> fields = split(line, ',');
  for (std::string_view& field : fields) field = trim(field);
  return fields;
}

std::string place(const NamedText& file, std::uint32_t line) {
  return file.path + ":" + std::to_string(line) + ": ";
}

}  // namespace

Result<std::vector<CsvRow>> csv_rows(const NamedText& file, std::span<const std::string> columns) {
  std::vector<CsvRow> rows;
  bool has_header = false;
  std::uint32_t line = 0;
  for (const std::string_view text : split(file.text, '\n')) {
    ++line;
    if (trim(text).empty() || text.front() == '#') continue;
    CsvRow row{.line = line, .fields = trimmed_fields(text)};
    if (!has_header) {
      const std::vector<std::string> found(row.fields.begin(), row.fields.end());
      if (!std::equal(found.begin(), found.end(), columns.begin(), columns.end())) {
        return failure(place(file, line) + "header: expected '" + join(columns, ",") + "', got " +
                       quoted(text));
      }
      has_header = true;
      continue;
    }
    if (row.fields.size() != columns.size()) {
      return failure(place(file, line) + "expected " + std::to_string(columns.size()) +
                     " fields, got " + std::to_string(row.fields.size()));
    }
    rows.push_back(std::move(row));
  }
  if (rows.empty()) return failure(file.path + ": expected rows of data, got none");
  return rows;
}

std::string bad_field(const NamedText& file, std::uint32_t line, std::string_view field,
                      std::string_view expected, std::string_view text) {
  std::string message = place(file, line);
  message += field;
  message += ": expected ";
  message += expected;
  return message + ", got " + quoted(text);
}

}  // namespace muster
