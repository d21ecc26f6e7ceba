#include "perf/models.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "base/text.h"
#include "perf/profiled_rates.h"
#include "perf/recorded_rates.h"

namespace muster {
namespace {

// The one place where GPU memory decides.
bool fits_memory(const JobSpec& job, const PerformanceModel::Setting& setting) {
  if (job.gpu_memory_gib <= 0) return true;
  return std::all_of(setting.placement.begin(), setting.placement.end(), [&](const Slot& slot) {
    const Pool& pool = setting.cluster.pools[slot.pool.index()];
    const double memory_gib = setting.cluster.types[pool.type.index()].memory_gib;
    return memory_gib <= 0 || job.gpu_memory_gib <= memory_gib;
  });
}

class TraceModel : public PerformanceModel {
 public:
  explicit TraceModel(const ModelContext& context)
      : recorded_(context.cluster, context.records), profiled_(context) {}

  Rate rate(const JobSpec& job, const Setting& setting) const override {
    if (!fits_memory(job, setting)) return {};
    return {.steps_per_second = RecordedRates::has_recorded_time(job)
                                    ? recorded_.rate(job, setting)
                                    : profiled_.rate(job, setting)};
  }

 private:
  RecordedRates recorded_;
  ProfiledRates profiled_;
};

class TableModel : public PerformanceModel {
 public:
  explicit TableModel(const ModelContext& context)
      : recorded_(context.cluster, context.records), profiled_(context) {}

  Rate rate(const JobSpec& job, const Setting& setting) const override {
    if (!fits_memory(job, setting)) return {};
    // Times per type, recorded of the job itself, know more than a table.
    const bool from_table = !job.record.is_valid() && profiled_.knows(job);
    return {.steps_per_second =
                from_table ? profiled_.rate(job, setting) : recorded_.rate(job, setting)};
  }

 private:
  RecordedRates recorded_;
  ProfiledRates profiled_;
};

class LocalityModel : public PerformanceModel {
 public:
  LocalityModel(std::unique_ptr<PerformanceModel> base, const ModelContext& context)
      : base_(std::move(base)), curves_(context.models.size()) {
    if (context.tables == nullptr) return;
    table_ = context.tables->spread;
    for (std::size_t i = 0; i < curves_.size(); ++i) {
      curves_[i] = table_.find_curve(context.models[i]).value_or(CurveId());
    }
  }

  Rate rate(const JobSpec& job, const Setting& setting) const override {
    Rate rate = base_->rate(job, setting);
    if (job.model.index() >= curves_.size()) return rate;
    const CurveId curve = curves_[job.model.index()];
    if (!curve.is_valid()) return rate;
    rate.steps_per_second *= table_.speed_ratio(curve, gpu_total(setting.placement),
                                                node_count(setting.placement, setting.cluster));
    return rate;
  }

 private:
  std::unique_ptr<PerformanceModel> base_;
  SpreadTable table_;
  std::vector<CurveId> curves_;  // By ModelId; may name nothing.
};

}  // namespace

std::string_view default_reference(const PerfTables& tables) {
  const auto types = tables.throughputs.gpu_types();
  if (types.empty() || tables.throughputs.find_gpu_type("v100")) return "v100";
  return types.front();
}

Result<ModelSpec> parse_model(std::string_view text) {
  static const std::array<std::string, 4> names = {"trace", "table", "trace+locality",
                                                   "table+locality"};
  const auto found = std::find(names.begin(), names.end(), text);
  if (found == names.end()) {
    const auto suggestion = nearest(text, names);
    return failure("unknown performance model " + quoted(text),
                   suggestion ? "did you mean '" + *suggestion + "'?"
                              : "performance models: " + join(names, ", "));
  }
  return ModelSpec{.kind = text.starts_with("table") ? ModelKind::table : ModelKind::trace,
                   .has_locality = text.ends_with("+locality")};
}

std::unique_ptr<PerformanceModel> make_model(const ModelSpec& spec, const ModelContext& context) {
  std::unique_ptr<PerformanceModel> model;
  switch (spec.kind) {
    case ModelKind::trace: model = std::make_unique<TraceModel>(context); break;
    case ModelKind::table: model = std::make_unique<TableModel>(context); break;
  }
  if (!spec.has_locality) return model;
  return std::make_unique<LocalityModel>(std::move(model), context);
}

Result<std::unique_ptr<PerformanceModel>> make_model(std::string_view text,
                                                     const ModelContext& context) {
  const Result<ModelSpec> spec = parse_model(text);
  if (!spec) return tl::unexpected(spec.error());
  return make_model(*spec, context);
}

}  // namespace muster
