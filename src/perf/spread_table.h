#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/id.h"
#include "base/result.h"
#include "perf/csv_rows.h"

namespace muster {

using CurveId = Id<struct CurveTag>;  // The measured slowdown of one model family.

// How much slower a job goes when its GPUs are spread over several nodes. Immutable.
class SpreadTable {
 public:
  SpreadTable() = default;
  static Result<SpreadTable> parse(const NamedText& file);

  // The curve of the model's family; nothing for models of which none was measured.
  std::optional<CurveId> find_curve(std::string_view model) const;
  // Speed relative to the same GPUs in one node, in (0, 1]. GPUs: the nearest lower measured
  // count; nodes: the nearest measured count, of two equally near the lower.
  double speed_ratio(CurveId curve, std::int32_t gpus, std::int32_t nodes) const;

 private:
  struct Point {
    std::int32_t gpus = 0;
    std::int32_t nodes = 0;
    double speed_ratio = 1;
  };
  struct Curve {
    std::string model;
    std::vector<Point> points;  // Ascending by gpus, then nodes.
  };
  std::vector<Curve> curves_;
};

}  // namespace muster
