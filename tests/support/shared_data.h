#pragma once

#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>

namespace muster::testing {

// Where measured data and oracles lie: MUSTER_SHARED, else `../shared` beside the source tree.
inline std::filesystem::path shared_root() {
  const char* set = std::getenv("MUSTER_SHARED");
  if (set != nullptr && *set != '\0') return set;
  return std::filesystem::path(MUSTER_SOURCE_DIR).parent_path() / "shared";
}

inline std::optional<std::filesystem::path> shared_file(const std::string& relative) {
  std::filesystem::path path = shared_root() / relative;
  if (!std::filesystem::exists(path)) return std::nullopt;
  return path;
}

inline bool shared_is_required() {
  const char* set = std::getenv("MUSTER_REQUIRE_SHARED");
  return set != nullptr && std::string(set) == "1";
}

// Tells the test run that `count` numeric cases with known answers were checked; the runner adds
// the lines up.
inline void count_oracle_cases(int count) { std::printf("oracle-cases: %d\n", count); }

}  // namespace muster::testing

// Declares `variable` as the path of a shared file; where it is absent the test is skipped by name,
// or fails when MUSTER_REQUIRE_SHARED=1.
#define MUSTER_NEED_SHARED(variable, relative)                                                   \
  const auto variable##_found = ::muster::testing::shared_file(relative);                        \
  if (!variable##_found) {                                                                       \
    if (::muster::testing::shared_is_required()) FAIL() << "missing shared file " << (relative); \
    GTEST_SKIP() << "needs shared file " << (relative);                                          \
  }                                                                                              \
  const std::filesystem::path variable = *variable##_found
