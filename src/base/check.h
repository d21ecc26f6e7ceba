#pragma once

namespace muster {

// Prints the broken condition with its place and aborts.
[[noreturn]] void check_failed(const char* condition, const char* file, int line);

}  // namespace muster

// States what can only be false through a bug. On in release builds; never used on input.
#define CHECK(condition)                               \
  (static_cast<bool>(condition) ? static_cast<void>(0) \
                                : ::muster::check_failed(#condition, __FILE__, __LINE__))
