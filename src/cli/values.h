#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "base/time.h"

namespace muster {

// Values of flags. Errors name the flag and what it expects.

// Not empty.
Result<void> require(std::string_view flag, std::string_view text, std::string_view hint = {});
struct CountRange {
  std::int64_t minimum = 1;
  std::int64_t maximum = std::numeric_limits<std::int64_t>::max();
};
Result<std::int64_t> parse_count(std::string_view flag, std::string_view text,
                                 CountRange range = {});
Result<std::uint64_t> parse_seed(std::string_view flag, std::string_view text);
Result<Duration> parse_seconds(std::string_view flag, std::string_view text);  // From 0 on.
Result<double> parse_ratio(std::string_view flag, std::string_view text);      // In [0, 1).
// "A:B": jobs A..B-1 by submit order, at least one.
Result<std::pair<std::int64_t, std::int64_t>> parse_window(std::string_view text);

struct Failures {
  Duration failure_mean{};
  Duration repair_mean = std::chrono::hours(1);
};
// "mtbf=SECONDS" or "mtbf=SECONDS,mttr=SECONDS".
Result<Failures> parse_failures(std::string_view text);

// Empty, or a known trace format.
Result<void> check_format(std::string_view name);

// The one column of a CSV file with a header line: what column_file options of policies read.
Result<std::vector<double>> read_column_file(const std::string& path, const std::string& column);

}  // namespace muster
