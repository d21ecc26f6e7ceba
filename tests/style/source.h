#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace muster::style {

// A text file of the tree. The text of C++ is also kept as its code alone and its comments alone:
// same length, same lines, everything else blank (literals and preprocessor lines are neither).
struct Source {
  std::string path;  // From the root of the tree, with '/'.
  std::string text;
  std::string code;
  std::string comments;

  bool is_header() const { return path.ends_with(".h"); }
  bool is_cpp() const { return is_header() || path.ends_with(".cpp"); }
  bool is_below(std::string_view folder) const { return path.starts_with(folder); }
};

Source make_source(std::string path, std::string text);

// All sources, scripts, build files and documents below `root`, by path; data, build outputs and
// test inputs are left out.
std::vector<Source> read_tree(const std::filesystem::path& root);

std::vector<std::string_view> lines_of(std::string_view text);

// "path:line: message"
using Violations = std::vector<std::string>;
std::string violation(const Source& source, std::size_t line, std::string_view message);

// Where `word` stands in `text` as a whole word at or after `start`; npos where it does not.
std::size_t find_word(std::string_view text, std::string_view word, std::size_t start = 0);
std::size_t line_at(std::string_view text, std::size_t position);  // One-based.

}  // namespace muster::style
