#include "report/table.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "base/check.h"

namespace muster {
namespace {

std::size_t width(std::string_view text) {
  // Every code point has one byte that is not a continuation byte (10xxxxxx).
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
  }));
}

std::string escape_pipes(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '|') escaped += '\\';
    escaped += c;
  }
  return escaped;
}

}  // namespace

Table::Table(std::vector<Column> columns) : columns_(std::move(columns)) {
  std::vector<std::string> titles;
  for (const Column& column : columns_) titles.push_back(column.title);
  add_row(std::move(titles));
}

void Table::add_row(std::vector<std::string> cells) {
  CHECK(cells.size() == columns_.size());
  for (std::string& cell : cells) {
    for (char& c : cell) {
      if (c == '\t' || c == '\n' || c == '\r') c = ' ';
    }
  }
  rows_.push_back(std::move(cells));
}

std::string Table::aligned() const {
  std::vector<std::size_t> widths(columns_.size(), 0);
  for (const std::vector<std::string>& row : rows_) {
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], width(row[i]));
  }
  std::string text;
  for (const std::vector<std::string>& row : rows_) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      const std::string padding(widths[i] - width(row[i]), ' ');
      if (i > 0) line += "  ";
      line += columns_[i].align == Align::right ? padding + row[i] : row[i] + padding;
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + '\n';
  }
  return text;
}

std::string Table::tab_separated() const {
  std::string text;
  for (const std::vector<std::string>& row : rows_) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (i > 0) text += '\t';
      text += row[i];
    }
    text += '\n';
  }
  return text;
}

std::string Table::markdown() const {
  std::string text;
  for (std::size_t row = 0; row < rows_.size(); ++row) {
    for (const std::string& cell : rows_[row]) text += "| " + escape_pipes(cell) + " ";
    text += "|\n";
    if (row > 0) continue;
    for (const Column& column : columns_) text += column.align == Align::right ? "|--:" : "|---";
    text += "|\n";
  }
  return text;
}

}  // namespace muster
