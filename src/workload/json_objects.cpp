#include "workload/json_objects.h"

#include <algorithm>

#include "base/text.h"

namespace muster {
namespace {

// Where in an object a reader is: enough to know when it ends.
struct Nesting {
  int depth = 1;
  bool in_string = false;
  bool is_escaped = false;

  void follow(char c) {
    if (is_escaped) {
      is_escaped = false;
    } else if (in_string) {
      is_escaped = c == '\\';
      in_string = c != '"';
    } else if (c == '"') {
      in_string = true;
    } else if (c == '{' || c == '[') {
      ++depth;
    } else if (c == '}' || c == ']') {
      --depth;
    }
  }
};

}  // namespace

JsonObjects::JsonObjects(std::istream& input, std::string path)
    : input_(input), path_(std::move(path)), chunk_(std::size_t{1} << 16U) {}

bool JsonObjects::fill() {
  bytes_before_ += chunk_size_;
  position_ = 0;
  input_.read(chunk_.data(), static_cast<std::streamsize>(chunk_.size()));
  chunk_size_ = static_cast<std::size_t>(input_.gcount());
  return chunk_size_ > 0;
}

std::optional<char> JsonObjects::next_character() {
  if (position_ == chunk_size_ && !fill()) return std::nullopt;
  const char c = chunk_[position_++];
  if (c == '\n') ++line_;
  return c;
}

std::optional<char> JsonObjects::next_visible() {
  constexpr std::string_view blanks = " \t\r\n";
  std::optional<char> c = next_character();
  while (c && blanks.find(*c) != std::string_view::npos) c = next_character();
  return c;
}

tl::unexpected<Error> JsonObjects::fault(std::string_view problem) const {
  return failure(path_ + ":" + std::to_string(line_) + ": byte " +
                 std::to_string(bytes_before_ + position_) + ": " + std::string(problem));
}

tl::unexpected<Error> JsonObjects::unexpected(std::optional<char> found,
                                              std::string_view expected) const {
  const std::string got = found ? quoted(std::string_view(&*found, 1)) : "the end of the file";
  return fault("expected " + std::string(expected) + ", got " + got);
}

Result<std::optional<std::string_view>> JsonObjects::next() {
  std::optional<char> c = next_visible();
  if (!in_array_) {
    constexpr std::string_view rest_of_byte_order_mark = "\xBB\xBF";
    if (c == '\xEF') {
      for (const char expected : rest_of_byte_order_mark) {
        c = next_character();
        if (c != expected) return unexpected(c, "'[', the start of an array");
      }
      c = next_visible();
    }
    if (c != '[') return unexpected(c, "'[', the start of an array");
    in_array_ = true;
    c = next_visible();
    if (c == ']') return check_nothing_follows();
    if (c != '{') return unexpected(c, "'{', the start of an object, or ']'");
    return read_object();
  }
  if (c == ']') return check_nothing_follows();
  if (c != ',') return unexpected(c, "',' or ']' after an object");
  c = next_visible();
  if (c != '{') return unexpected(c, "'{', the start of an object");
  return read_object();
}

Result<std::optional<std::string_view>> JsonObjects::check_nothing_follows() {
  const std::optional<char> c = next_visible();
  if (c) return unexpected(c, "nothing after the array");
  return std::optional<std::string_view>();
}

Result<std::optional<std::string_view>> JsonObjects::read_object() {
  object_line_ = line_;
  object_.assign(1, '{');
  Nesting nesting;
  while (nesting.depth > 0) {
    if (position_ == chunk_size_ && !fill()) {
      return fault("the file ends inside the object that begins in line " +
                   std::to_string(object_line_));
    }
    const std::size_t begin = position_;
    while (position_ < chunk_size_ && nesting.depth > 0) nesting.follow(chunk_[position_++]);
    const std::string_view part(chunk_.data() + begin, position_ - begin);
    line_ += static_cast<std::uint32_t>(std::count(part.begin(), part.end(), '\n'));
    object_ += part;
    if (object_.size() > object_bytes_max) {
      return fault("an object of more than " + std::to_string(object_bytes_max) + " bytes");
    }
  }
  return std::optional<std::string_view>(object_);
}

}  // namespace muster
