#include "perf/throughput_table.h"

#include <algorithm>

#include "base/check.h"
#include "base/text.h"

namespace muster {
namespace {

constexpr double rate_max = 1e9;
constexpr std::int32_t gpus_max = 1000000;
constexpr std::size_t names_max = 10000;

template <class IdType>
std::optional<IdType> find_name(const std::vector<std::string>& names, std::string_view name) {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) return std::nullopt;
  return IdType(static_cast<std::size_t>(found - names.begin()));
}

void add_name(std::vector<std::string>& names, std::string_view name) {
  if (std::find(names.begin(), names.end(), name) == names.end()) names.emplace_back(name);
}

// Steps per second, or `none` for a job that does not fit: 0.
Result<double> read_rate(const NamedText& file, std::uint32_t line, std::string_view field,
                         std::string_view text) {
  if (text == "none") return 0.0;
  const std::optional<double> rate = parse_number(text);
  if (rate && *rate > 0 && *rate <= rate_max) return *rate;
  return failure(bad_field(file, line, field, "a positive number or 'none'", text));
}

struct IsolatedRow {
  std::uint32_t line = 0;
  std::string_view model{};
  std::string_view gpu_type{};
  std::int32_t gpus = 0;
  Layout layout = Layout::consolidated;
  double rate = 0;
};

Result<IsolatedRow> read_isolated_row(const NamedText& file, const CsvRow& row) {
  IsolatedRow read{.line = row.line, .model = row.fields[0], .gpu_type = row.fields[1]};
  if (read.model.empty()) return failure(bad_field(file, row.line, "model", "a name", ""));
  if (read.gpu_type.empty()) return failure(bad_field(file, row.line, "gpu_type", "a name", ""));
  const std::optional<std::int64_t> gpus = parse_integer(row.fields[2]);
  if (!gpus || *gpus < 1 || *gpus > gpus_max) {
    return failure(bad_field(file, row.line, "gpus", "a positive integer", row.fields[2]));
  }
  read.gpus = static_cast<std::int32_t>(*gpus);
  if (row.fields[3] != "0" && row.fields[3] != "1") {
    return failure(bad_field(file, row.line, "consolidated", "0 or 1", row.fields[3]));
  }
  read.layout = row.fields[3] == "1" ? Layout::consolidated : Layout::spread;
  const Result<double> rate = read_rate(file, row.line, "steps_per_second", row.fields[4]);
  if (!rate) return tl::unexpected(rate.error());
  read.rate = *rate;
  return read;
}

}  // namespace

Result<ThroughputTable> ThroughputTable::parse(const NamedText& isolated, const NamedText& pairs) {
  ThroughputTable table;
  if (const auto read = table.parse_isolated(isolated); !read) return tl::unexpected(read.error());
  if (const auto read = table.parse_pairs(pairs); !read) return tl::unexpected(read.error());
  table.fill_gaps();
  return table;
}

Result<void> ThroughputTable::parse_isolated(const NamedText& file) {
  const std::vector<std::string> columns = {"model", "gpu_type", "gpus", "consolidated",
                                            "steps_per_second"};
  const auto rows = csv_rows(file, columns);
  if (!rows) return tl::unexpected(rows.error());
  std::vector<IsolatedRow> measured;
  for (const CsvRow& row : *rows) {
    const Result<IsolatedRow> read = read_isolated_row(file, row);
    if (!read) return tl::unexpected(read.error());
    measured.push_back(*read);
    add_name(models_, read->model);
    add_name(gpu_types_, read->gpu_type);
    if (std::find(counts_.begin(), counts_.end(), read->gpus) == counts_.end()) {
      counts_.push_back(read->gpus);
    }
    if (models_.size() * gpu_types_.size() * counts_.size() > names_max) {
      return failure(bad_field(file, row.line, "model", "a smaller table", row.fields[0]));
    }
  }
  std::sort(counts_.begin(), counts_.end());
  cells_.resize(models_.size() * gpu_types_.size() * 2 * counts_.size());
  for (const IsolatedRow& row : measured) {
    const auto count = std::find(counts_.begin(), counts_.end(), row.gpus) - counts_.begin();
    Cell& cell = cells_[cell_index(*find_model(row.model), *find_gpu_type(row.gpu_type), row.layout,
                                   static_cast<std::size_t>(count))];
    if (cell.is_listed) {
      return failure(bad_field(file, row.line, "model", "each measurement once", row.model));
    }
    cell = {.rate = row.rate, .is_listed = true};
  }
  return {};
}

Result<void> ThroughputTable::parse_pairs(const NamedText& file) {
  const std::vector<std::string> columns = {"gpu_type", "model_a", "model_b", "steps_per_second_a",
                                            "steps_per_second_b"};
  const auto rows = csv_rows(file, columns);
  if (!rows) return tl::unexpected(rows.error());
  pairs_.assign(gpu_types_.size() * models_.size() * models_.size(), -1);
  for (const CsvRow& row : *rows) {
    const auto gpu = find_gpu_type(row.fields[0]);
    if (!gpu) {
      return failure(
          bad_field(file, row.line, "gpu_type", "a type with isolated speeds", row.fields[0]));
    }
    const auto first = find_model(row.fields[1]);
    const auto second = find_model(row.fields[2]);
    if (!first || !second) {
      return failure(bad_field(file, row.line, first ? "model_b" : "model_a",
                               "a model with isolated speeds", row.fields[first ? 2 : 1]));
    }
    double& of_first = pairs_[pair_index(*gpu, *first, *second)];
    double& of_second = pairs_[pair_index(*gpu, *second, *first)];
    if (of_first >= 0) {
      return failure(bad_field(file, row.line, "model_a", "each pair once", row.fields[1]));
    }
    const auto first_rate = read_rate(file, row.line, columns[3], row.fields[3]);
    if (!first_rate) return tl::unexpected(first_rate.error());
    const auto second_rate = read_rate(file, row.line, columns[4], row.fields[4]);
    if (!second_rate) return tl::unexpected(second_rate.error());
    of_first = *first_rate;
    of_second = *second_rate;
  }
  return {};
}

// Every cell gets the speed that `rate` promises for its count, so that a look-up need not search.
void ThroughputTable::fill_gaps() {
  for (std::size_t first = 0; first < cells_.size(); first += counts_.size()) {
    for (std::size_t i = 1; i < counts_.size(); ++i) {
      Cell& cell = cells_[first + i];
      if (cell.is_listed) continue;
      cell.rate = cells_[first + i - 1].rate * counts_[i] / counts_[i - 1];
    }
  }
}

std::size_t ThroughputTable::cell_index(ProfileId model, ProfiledGpuId gpu, Layout layout,
                                        std::size_t count_index) const {
  const std::size_t line =
      (model.index() * gpu_types_.size() + gpu.index()) * 2 + (layout == Layout::spread ? 1 : 0);
  return line * counts_.size() + count_index;
}

std::size_t ThroughputTable::pair_index(ProfiledGpuId gpu, ProfileId model, ProfileId other) const {
  return (gpu.index() * models_.size() + model.index()) * models_.size() + other.index();
}

std::optional<ProfileId> ThroughputTable::find_model(std::string_view name) const {
  return find_name<ProfileId>(models_, name);
}

std::optional<ProfiledGpuId> ThroughputTable::find_gpu_type(std::string_view name) const {
  return find_name<ProfiledGpuId>(gpu_types_, name);
}

bool ThroughputTable::is_measured(ProfileId model, ProfiledGpuId gpu, std::int32_t gpus) const {
  const auto count = std::find(counts_.begin(), counts_.end(), gpus);
  if (count == counts_.end()) return false;
  const Cell& cell = cells_[cell_index(model, gpu, Layout::consolidated,
                                       static_cast<std::size_t>(count - counts_.begin()))];
  return cell.is_listed && cell.rate > 0;
}

double ThroughputTable::rate(ProfileId model, ProfiledGpuId gpu, std::int32_t gpus,
                             Layout layout) const {
  CHECK(model.index() < models_.size() && gpu.index() < gpu_types_.size());
  std::size_t nearest = 0;
  while (nearest + 1 < counts_.size() && counts_[nearest + 1] <= gpus) ++nearest;
  const double rate = cells_[cell_index(model, gpu, layout, nearest)].rate;
  return counts_[nearest] == gpus ? rate : rate * gpus / counts_[nearest];
}

std::optional<double> ThroughputTable::pair_rate(ProfiledGpuId gpu, ProfileId model,
                                                 ProfileId other) const {
  CHECK(gpu.index() < gpu_types_.size());
  CHECK(model.index() < models_.size() && other.index() < models_.size());
  const double rate = pairs_[pair_index(gpu, model, other)];
  if (rate < 0) return std::nullopt;
  return rate;
}

}  // namespace muster
