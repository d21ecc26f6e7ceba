#include "perf/noisy_model.h"

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "base/rng.h"

namespace muster {

NoisyModel::NoisyModel(std::unique_ptr<PerformanceModel> base, Noise noise)
    : base_(std::move(base)), noise_(noise) {
  CHECK(base_ != nullptr);
  CHECK(noise_.ratio >= 0 && noise_.ratio < 1);
}

PerformanceModel::Rate NoisyModel::rate(const JobSpec& job, const Setting& setting) const {
  Rate rate = base_->rate(job, setting);
  if (rate.steps_per_second <= 0) return rate;
  const GpuTypeId type = setting.cluster.pools[setting.placement.front().pool.index()].type;
  Rng rng{mix(mix(noise_.seed, job.row), type.value())};
  rate.steps_per_second *= 1 + noise_.ratio * (2 * rng.uniform() - 1);
  rate.deviation_ratio = std::max(rate.deviation_ratio, noise_.ratio);
  return rate;
}

}  // namespace muster
