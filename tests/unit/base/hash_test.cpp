#include "base/hash.h"

#include <gtest/gtest.h>

namespace muster {
namespace {

std::uint64_t hash_of(std::string_view text) {
  Fnv hash;
  hash.add(text);
  return hash.value();
}

// The published test values of FNV-1a with 64 bits.
TEST(Fnv, known_values) {
  EXPECT_EQ(hash_of(""), 0xCBF29CE484222325ULL);
  EXPECT_EQ(hash_of("a"), 0xAF63DC4C8601EC8CULL);
  EXPECT_EQ(hash_of("foobar"), 0x85944171F73967E8ULL);
}

TEST(Fnv, numbers_go_in_byte_by_byte_lowest_first) {
  Fnv number;
  number.add(std::uint64_t{0x6867666564636261ULL});
  EXPECT_EQ(number.value(), hash_of("abcdefgh"));
}

TEST(Fnv, order_matters) {
  Fnv one_two;
  one_two.add(std::uint64_t{1});
  one_two.add(std::uint64_t{2});
  Fnv two_one;
  two_one.add(std::uint64_t{2});
  two_one.add(std::uint64_t{1});
  EXPECT_NE(one_two.value(), two_one.value());
}

}  // namespace
}  // namespace muster
