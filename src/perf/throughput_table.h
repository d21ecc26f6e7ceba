#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/id.h"
#include "base/result.h"
#include "perf/csv_rows.h"

namespace muster {

using ProfileId = Id<struct ProfileTag>;          // A measured model: name and batch size.
using ProfiledGpuId = Id<struct ProfiledGpuTag>;  // A GPU type on which it was measured.

enum class Layout : std::uint8_t { consolidated, spread };

// Measured speeds: of jobs that have their GPUs to themselves, by model, GPU type, number of GPUs
// and layout; and of pairs of one-GPU jobs that share a GPU. Immutable; a look-up is O(1).
class ThroughputTable {
 public:
  ThroughputTable() = default;
  // `isolated` and `pairs` are the files of data/throughputs; a value that is missing, zero,
  // negative or not a number is an error that names file and line.
  static Result<ThroughputTable> parse(const NamedText& isolated, const NamedText& pairs);

  std::span<const std::string> models() const { return models_; }        // By ProfileId.
  std::span<const std::string> gpu_types() const { return gpu_types_; }  // By ProfiledGpuId.
  std::span<const std::int32_t> gpu_counts() const { return counts_; }   // Measured; ascending.
  std::optional<ProfileId> find_model(std::string_view name) const;
  std::optional<ProfiledGpuId> find_gpu_type(std::string_view name) const;

  // Was the model measured, consolidated, on exactly so many GPUs of that type, and did it fit?
  bool is_measured(ProfileId model, ProfiledGpuId gpu, std::int32_t gpus) const;
  // Steps per second of the whole job. Between and above the measured counts the speed grows
  // linearly from the nearest lower one. 0: does not fit, or never measured.
  double rate(ProfileId model, ProfiledGpuId gpu, std::int32_t gpus,
              Layout layout = Layout::consolidated) const;
  // Steps per second of `model` on a GPU that it shares with `other`; 0 where the two do not fit;
  // nothing where that pair was not measured.
  std::optional<double> pair_rate(ProfiledGpuId gpu, ProfileId model, ProfileId other) const;

 private:
  struct Cell {
    double rate = 0;
    bool is_listed = false;
  };

  Result<void> parse_isolated(const NamedText& file);
  Result<void> parse_pairs(const NamedText& file);
  void fill_gaps();
  std::size_t cell_index(ProfileId model, ProfiledGpuId gpu, Layout layout,
                         std::size_t count_index) const;
  std::size_t pair_index(ProfiledGpuId gpu, ProfileId model, ProfileId other) const;

  std::vector<std::string> models_;
  std::vector<std::string> gpu_types_;
  std::vector<std::int32_t> counts_;
  std::vector<Cell> cells_;    // Model by model, GPU type by GPU type, layout by layout.
  std::vector<double> pairs_;  // Of the first beside the second; negative: not measured.
};

}  // namespace muster
