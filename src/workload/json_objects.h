#pragma once

#include <cstdint>
#include <istream>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace muster {

// Hands out the objects of a JSON array `[{...}, {...}]` one at a time, in memory proportional to
// the largest one. It follows strings and brackets only as far as it must to find where an object
// ends; what is inside is for a JSON parser to judge.
class JsonObjects {
 public:
  static constexpr std::size_t object_bytes_max = std::size_t{64} << 20U;

  JsonObjects(std::istream& input, std::string path);
  // The text of the next object; nothing after the end of the array. The view is valid until the
  // next call.
  Result<std::optional<std::string_view>> next();
  std::uint32_t line() const { return object_line_; }  // One-based; where the object begins.

 private:
  bool fill();  // Another chunk; false at the end of the input.
  std::optional<char> next_character();
  std::optional<char> next_visible();
  Result<std::optional<std::string_view>> read_object();
  Result<std::optional<std::string_view>> check_nothing_follows();
  tl::unexpected<Error> fault(std::string_view problem) const;
  tl::unexpected<Error> unexpected(std::optional<char> found, std::string_view expected) const;

  std::istream& input_;
  std::string path_;
  std::vector<char> chunk_;
  std::size_t chunk_size_ = 0;
  std::size_t position_ = 0;        // In the chunk.
  std::uint64_t bytes_before_ = 0;  // Of earlier chunks.
  std::uint32_t line_ = 1;
  std::uint32_t object_line_ = 0;
  bool in_array_ = false;
  std::string object_;
};

}  // namespace muster
