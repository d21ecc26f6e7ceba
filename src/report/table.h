#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace muster {

enum class Align : std::uint8_t { left, right };  // Numbers stand on the right.

struct Column {
  std::string title{};
  Align align = Align::left;
};

// Rows of text under titles, written for a terminal, a pipe or a document. How numbers read is the
// caller's business. Widths count code points of UTF-8.
class Table {
 public:
  explicit Table(std::vector<Column> columns);

  // Tabs and line breaks in cells become spaces. REQUIRES: as many cells as there are columns.
  void add_row(std::vector<std::string> cells);

  // All start with the titles and end with a newline.
  std::string aligned() const;  // Two spaces between columns, none at the end of a line.
  std::string tab_separated() const;
  std::string markdown() const;  // Pipes in cells are escaped.

 private:
  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;  // The first are the titles.
};

}  // namespace muster
