#pragma once

#include <cstdint>
#include <string_view>

namespace muster {

// FNV-1a, 64 bits: order-sensitive, the same on every machine.
class Fnv {
 public:
  void add(std::uint64_t value) {
    for (int shift = 0; shift < 64; shift += 8) add_byte((value >> shift) & 0xFFU);
  }
  void add(std::string_view text) {
    for (const char c : text) add_byte(static_cast<unsigned char>(c));
  }
  std::uint64_t value() const { return value_; }

 private:
  void add_byte(std::uint64_t byte) { value_ = (value_ ^ byte) * 0x100000001B3ULL; }
  std::uint64_t value_ = 0xCBF29CE484222325ULL;
};

}  // namespace muster
