#include "style/source.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>

namespace muster::style {
namespace {

bool is_word_char(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

// Takes C++ apart, piece by piece. Each piece (comment, literal, directive) is kept in one of the
// two texts or in none; what is not a piece is code.
class Splitter {
 public:
  explicit Splitter(Source& source)
      : text_(source.text), code_(source.code), comments_(source.comments) {
    code_.assign(text_.size(), ' ');
    comments_.assign(text_.size(), ' ');
    for (std::size_t i = 0; i < text_.size(); ++i) {
      if (text_[i] == '\n') code_[i] = comments_[i] = '\n';
    }
  }

  void split() {
    while (position_ < text_.size()) {
      const std::string_view rest = std::string_view(text_).substr(position_);
      if (rest.starts_with("//")) {
        keep(end_of_line(), &comments_);
      } else if (rest.starts_with("/*")) {
        keep(after("*/", position_ + 2), &comments_);
      } else if (rest.front() == '#' && is_first_of_line()) {
        skip_directive();
      } else if (rest.starts_with("R\"") && !follows_word()) {
        const std::size_t open = text_.find('(', position_);
        const std::string delimiter = text_.substr(position_ + 2, open - position_ - 2);
        keep(after(")" + delimiter + "\"", open), nullptr);
      } else if (rest.front() == '"' || (rest.front() == '\'' && !follows_word())) {
        keep(end_of_literal(), nullptr);
      } else {
        keep(position_ + 1, &code_);
      }
    }
  }

 private:
  // In 1'000'000 the quote is no literal, in BAR"(x)" the R is no prefix.
  bool follows_word() const { return position_ > 0 && is_word_char(text_[position_ - 1]); }

  bool is_first_of_line() const {
    const std::size_t before = text_.find_last_not_of(" \t", position_ - 1);
    return position_ == 0 || before == std::string::npos || text_[before] == '\n';
  }

  std::size_t after(std::string_view end, std::size_t start) const {
    const std::size_t found = text_.find(end, start);
    return found == std::string::npos ? text_.size() : found + end.size();
  }

  std::size_t end_of_line() const { return std::min(text_.find('\n', position_), text_.size()); }

  std::size_t end_of_literal() const {
    std::size_t end = position_ + 1;
    while (end < text_.size() && text_[end] != text_[position_] && text_[end] != '\n') {
      end += text_[end] == '\\' ? 2U : 1U;
    }
    return std::min(end + 1, text_.size());
  }

  // To the end of its last line; a comment behind it is left to the loop.
  void skip_directive() {
    for (;;) {
      const std::size_t end = end_of_line();
      const std::size_t comment = text_.find("//", position_);
      keep(std::min(comment, end), nullptr);
      if (comment < end || end == text_.size() || text_[end - 1] != '\\') return;
      keep(end + 1, nullptr);
    }
  }

  void keep(std::size_t end, std::string* where) {
    for (; position_ < end; ++position_) {
      if (where != nullptr) (*where)[position_] = text_[position_];
    }
  }

  const std::string& text_;
  std::string& code_;
  std::string& comments_;
  std::size_t position_ = 0;
};

bool is_left_out(const std::string& path) {
  constexpr std::array<std::string_view, 8> folders = {".git",
                                                       "build",
                                                       "out",
                                                       "data",
                                                       "tests/fixtures",
                                                       "tests/fuzz/corpus",
                                                       "tests/golden/data",
                                                       "node_modules"};
  return std::find(folders.begin(), folders.end(), path) != folders.end();
}

bool is_source(const std::filesystem::path& path) {
  constexpr std::array<std::string_view, 14> endings = {
      ".h",  ".cpp", ".def",      ".cmake",         ".sh",      ".py",          ".md",
      ".ts", ".js",  ".scenario", "CMakeLists.txt", "Makefile", "packages.txt", ".ci/run"};
  const std::string name = path.generic_string();
  return std::any_of(endings.begin(), endings.end(),
                     [&](std::string_view ending) { return name.ends_with(ending); });
}

}  // namespace

Source make_source(std::string path, std::string text) {
  Source source{.path = std::move(path), .text = std::move(text), .code = {}, .comments = {}};
  if (source.is_cpp()) Splitter(source).split();
  return source;
}

std::vector<Source> read_tree(const std::filesystem::path& root) {
  std::vector<Source> sources;
  for (auto entry = std::filesystem::recursive_directory_iterator(root);
       entry != std::filesystem::recursive_directory_iterator(); ++entry) {
    const std::string path = entry->path().lexically_relative(root).generic_string();
    if (is_left_out(path)) {
      entry.disable_recursion_pending();
    } else if (entry->is_regular_file() && is_source(entry->path())) {
      std::ifstream stream(entry->path(), std::ios::binary);
      sources.push_back(make_source(path, std::string(std::istreambuf_iterator<char>(stream), {})));
    }
  }
  std::sort(sources.begin(), sources.end(),
            [](const Source& a, const Source& b) { return a.path < b.path; });
  return sources;
}

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

std::string violation(const Source& source, std::size_t line, std::string_view message) {
  return source.path + ":" + std::to_string(line) + ": " + std::string(message);
}

std::size_t find_word(std::string_view text, std::string_view word, std::size_t start) {
  for (std::size_t at = text.find(word, start); at != std::string_view::npos;
       at = text.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    const bool starts = at == 0 || !is_word_char(text[at - 1]);
    const bool ends = end == text.size() || !is_word_char(text[end]);
    if (starts && ends) return at;
  }
  return std::string_view::npos;
}

std::size_t line_at(std::string_view text, std::size_t position) {
  const std::string_view before = text.substr(0, position);
  return 1 + static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n'));
}

}  // namespace muster::style
