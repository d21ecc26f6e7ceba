#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace muster {

// A text and the path that messages call it by.
struct NamedText {
  std::string_view text{};
  std::string path{};
};

// One row of a data file: as many fields as columns, trimmed; views into the text.
struct CsvRow {
  std::uint32_t line = 0;  // One-based.
  std::vector<std::string_view> fields{};
};

// The rows below a header of exactly these columns. Blank lines and lines that begin with '#' are
// left out. For our own data files only: no quoting.
Result<std::vector<CsvRow>> csv_rows(const NamedText& file, std::span<const std::string> columns);

// "path:line: field: expected ..., got '...'"
std::string bad_field(const NamedText& file, std::uint32_t line, std::string_view field,
                      std::string_view expected, std::string_view text);

}  // namespace muster
