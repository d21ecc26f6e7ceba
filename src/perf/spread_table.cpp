#include "perf/spread_table.h"

#include <algorithm>
#include <cstdlib>

#include "base/text.h"
#include "perf/model_facts.h"

namespace muster {
namespace {

constexpr std::int64_t count_max = 1000000;
constexpr double ratio_max = 1.1;  // Above that it is not noise.

}  // namespace

Result<SpreadTable> SpreadTable::parse(const NamedText& file) {
  const std::vector<std::string> columns = {"model", "gpus", "nodes", "speed_ratio"};
  const auto rows = csv_rows(file, columns);
  if (!rows) return tl::unexpected(rows.error());
  SpreadTable table;
  for (const CsvRow& row : *rows) {
    const std::string_view model = row.fields[0];
    if (model.empty()) return failure(bad_field(file, row.line, "model", "a name", model));
    const auto gpus = parse_integer(row.fields[1]);
    if (!gpus || *gpus < 2 || *gpus > count_max) {
      return failure(bad_field(file, row.line, "gpus", "an integer over 1", row.fields[1]));
    }
    const auto nodes = parse_integer(row.fields[2]);
    if (!nodes || *nodes < 2 || *nodes > *gpus) {
      return failure(
          bad_field(file, row.line, "nodes", "an integer from 2 to gpus", row.fields[2]));
    }
    const auto ratio = parse_number(row.fields[3]);
    if (!ratio || *ratio <= 0 || *ratio > ratio_max) {
      return failure(bad_field(file, row.line, "speed_ratio",
                               "a ratio over 0, at most 1 but for "
                               "noise",
                               row.fields[3]));
    }
    auto curve = std::find_if(table.curves_.begin(), table.curves_.end(),
                              [&](const Curve& known) { return known.model == model; });
    if (curve == table.curves_.end()) {
      table.curves_.push_back({.model = std::string(model), .points = {}});
      curve = table.curves_.end() - 1;
    }
    // Spreading does not help: a ratio measured a little over 1 is noise.
    curve->points.push_back({.gpus = static_cast<std::int32_t>(*gpus),
                             .nodes = static_cast<std::int32_t>(*nodes),
                             .speed_ratio = std::min(*ratio, 1.0)});
  }
  for (Curve& curve : table.curves_) {
    std::sort(curve.points.begin(), curve.points.end(), [](const Point& a, const Point& b) {
      return a.gpus != b.gpus ? a.gpus < b.gpus : a.nodes < b.nodes;
    });
  }
  return table;
}

std::optional<CurveId> SpreadTable::find_curve(std::string_view model) const {
  const std::string_view family = spread_family(model);
  for (std::size_t i = 0; i < curves_.size(); ++i) {
    if (curves_[i].model == family) return CurveId(i);
  }
  return std::nullopt;
}

double SpreadTable::speed_ratio(CurveId curve, std::int32_t gpus, std::int32_t nodes) const {
  if (nodes <= 1) return 1;
  const std::vector<Point>& points = curves_[curve.index()].points;
  const Point* nearest = nullptr;
  for (const Point& point : points) {
    if (point.gpus > gpus) break;
    if (nearest == nullptr || point.gpus > nearest->gpus ||
        std::abs(point.nodes - nodes) < std::abs(nearest->nodes - nodes)) {
      nearest = &point;
    }
  }
  return nearest == nullptr ? 1 : nearest->speed_ratio;
}

}  // namespace muster
