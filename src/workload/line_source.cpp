#include <algorithm>

#include "workload/reader.h"

namespace muster {
namespace {

constexpr std::size_t block_bytes = std::size_t{1} << 16U;
constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

}  // namespace

Result<std::optional<std::string_view>> LineSource::next() {
  is_bad_line_ = false;
  if (Result<void> passed = pass_rest_of_line(); !passed) {
    return tl::unexpected<Error>(passed.error());
  }
  std::size_t searched = position_;
  std::size_t end = buffer_.find('\n', searched);
  while (end == std::string::npos && !at_end_ && buffer_.size() - position_ <= line_bytes_max) {
    searched = buffer_.size() - position_;
    if (Result<void> read = read_block(); !read) return tl::unexpected<Error>(read.error());
    end = buffer_.find('\n', searched);
  }
  const bool has_end = end != std::string::npos;
  if (!has_end) end = buffer_.size();
  if (at_end_ && position_ == buffer_.size()) return std::nullopt;

  std::string_view line(buffer_.data() + position_, end - position_);
  begin_ = position_;
  position_ = std::min(end + 1, buffer_.size());
  ++line_;
  if (line.size() > line_bytes_max) {
    in_long_line_ = !has_end;
    return bad_line(line, "the line is longer than 1 MiB");
  }
  if (line.find('\0') != std::string_view::npos) {
    return bad_line(line, "a NUL byte: not a text file");
  }
  if (line_ == 1 && line.substr(0, byte_order_mark.size()) == byte_order_mark) {
    line.remove_prefix(byte_order_mark.size());
  }
  if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
  return line;
}

Result<std::optional<std::string_view>> LineSource::peek() {
  Result<std::optional<std::string_view>> line = next();
  if (line && *line) {
    position_ = begin_;
    --line_;
  }
  return line;
}

// What has a NUL byte may be compressed; other text has a row that is too long.
tl::unexpected<Error> LineSource::bad_line(std::string_view line, const std::string& problem) {
  is_bad_line_ = true;
  const bool is_binary = line.find('\0') != std::string_view::npos;
  return failure(path_ + ":" + std::to_string(line_) + ": " + problem,
                 is_binary ? "a trace is a text file; unpack it first if it is compressed"
                           : "--skip-bad-rows leaves out bad rows and counts them");
}

Result<void> LineSource::pass_rest_of_line() {
  while (in_long_line_) {
    const std::size_t end = buffer_.find('\n', position_);
    in_long_line_ = end == std::string::npos && !at_end_;
    position_ = end == std::string::npos ? buffer_.size() : end + 1;
    if (!in_long_line_) return {};
    if (Result<void> read = read_block(); !read) return read;
  }
  return {};
}

Result<void> LineSource::read_block() {
  buffer_.erase(0, position_);
  position_ = 0;
  const std::size_t kept = buffer_.size();
  buffer_.resize(kept + block_bytes);
  input_.read(buffer_.data() + kept, static_cast<std::streamsize>(block_bytes));
  buffer_.resize(kept + static_cast<std::size_t>(input_.gcount()));
  if (input_.bad()) return failure(path_ + ": cannot be read");
  at_end_ = input_.eof();
  return {};
}

}  // namespace muster
