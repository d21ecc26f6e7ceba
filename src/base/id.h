#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace muster {

// A dense 32-bit name of one thing of kind Tag. A default id names nothing. Ids of different kinds
// do not mix; `index()` is the place in the vector that holds the things.
template <class Tag>
class Id {
 public:
  constexpr Id() = default;
  constexpr explicit Id(std::uint32_t value) : value_(value) {}
  constexpr explicit Id(std::size_t value) : value_(static_cast<std::uint32_t>(value)) {}

  constexpr bool is_valid() const { return value_ != none; }
  constexpr std::uint32_t value() const { return value_; }
  constexpr std::size_t index() const { return value_; }
  constexpr Id next() const { return Id(value_ + 1); }

  friend constexpr auto operator<=>(Id, Id) = default;

 private:
  static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();
  std::uint32_t value_ = none;
};

using GpuTypeId = Id<struct GpuTypeTag>;
using NodeId = Id<struct NodeTag>;
using PoolId = Id<struct PoolTag>;
using ModelId = Id<struct ModelTag>;
using UserId = Id<struct UserTag>;
using TenantId = Id<struct TenantTag>;
using RecordId = Id<struct RecordTag>;  // A row of recorded per-type durations.
using JobId = Id<struct JobTag>;
using GrantId = Id<struct GrantTag>;  // Ascending, never used twice.
using RunId = Id<struct RunTag>;      // Ascending, never used twice.

}  // namespace muster
