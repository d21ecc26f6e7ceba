#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/result.h"
#include "base/time.h"
#include "workload/csv.h"

namespace muster {

// Limits that leave room for sums and products; of one job.
inline constexpr std::int64_t cpus_max = 1'000'000'000;
inline constexpr std::int64_t memory_mib_max = 1'000'000'000'000;

// How logs write that there is no value: nothing at all, None, null, NULL, NaN, nan, Unknown.
bool is_unknown(std::string_view text);

// A field of a table's row that logs leave open; nothing where it has no value.
std::optional<Duration> span_if_known(CsvRow& row, const CsvTable::Column& column);
std::optional<Duration> calendar_if_known(CsvRow& row, const CsvTable::Column& column);

// The first fault of a row that does not come from a CsvTable.
class RowFault {
 public:
  // The value; else notes the fault and gives an empty one.
  template <class T>
  T value_of(std::string_view field, Result<T> value) {
    if (value) return std::move(*value);
    set(field, std::move(value.error().message));
    return T{};
  }
  void set(std::string_view field, std::string problem) {
    if (!fault_) fault_.emplace(std::string(field), std::move(problem));
  }
  bool is_set() const { return fault_.has_value(); }
  // REQUIRES: is_set().
  Result<void> report(TraceBuilder& builder, std::uint32_t line) const {
    return builder.bad_row(line, fault_->first, fault_->second);
  }

 private:
  std::optional<std::pair<std::string, std::string>> fault_;  // Field and problem.
};

}  // namespace muster
