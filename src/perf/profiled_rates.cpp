#include "perf/profiled_rates.h"

#include <algorithm>
#include <limits>
#include <optional>

#include "base/check.h"

namespace muster {

ProfiledRates::ProfiledRates(const ModelContext& context) {
  profiles_.resize(context.models.size());
  gpus_.resize(context.cluster.types.size());
  if (context.tables == nullptr) return;
  table_ = context.tables->throughputs;
  for (std::size_t i = 0; i < profiles_.size(); ++i) {
    profiles_[i] = table_.find_model(context.models[i]).value_or(ProfileId());
  }
  for (std::size_t i = 0; i < gpus_.size(); ++i) {
    const std::string& name = context.cluster.types[i].name;
    gpus_[i] = table_.find_gpu_type(name).value_or(ProfiledGpuId());
  }
  const std::string_view reference =
      context.reference_gpu.empty() ? default_reference(*context.tables) : context.reference_gpu;
  reference_ = table_.find_gpu_type(reference).value_or(ProfiledGpuId());
}

ProfileId ProfiledRates::profile_of(const JobSpec& job) const {
  return job.model.index() < profiles_.size() ? profiles_[job.model.index()] : ProfileId();
}

double ProfiledRates::reference_rate(ProfileId profile, const JobSpec& job) const {
  return reference_.is_valid() ? table_.rate(profile, reference_, job.gpu_count) : 0;
}

bool ProfiledRates::knows(const JobSpec& job) const {
  const ProfileId profile = profile_of(job);
  if (!profile.is_valid()) return false;
  return job.reference_steps_per_second <= 0 || reference_rate(profile, job) > 0;
}

double ProfiledRates::rate_on(ProfiledGpuId gpu, ProfileId profile, std::int32_t gpus,
                              const PerformanceModel::Setting& setting) const {
  if (!gpu.is_valid()) return 0;
  const double isolated = table_.rate(profile, gpu, gpus);
  if (setting.co_runners.empty()) return isolated;
  std::optional<double> pair;
  for (const JobSpec* other : setting.co_runners) {
    const ProfileId other_profile = profile_of(*other);
    if (!other_profile.is_valid()) continue;
    pair = table_.pair_rate(gpu, profile, other_profile);
    if (pair && *pair <= 0) return 0;
  }
  // Pairs were measured on one GPU.
  if (pair && gpus == 1 && setting.co_runners.size() == 1) return *pair;
  return isolated / static_cast<double>(1 + setting.co_runners.size());
}

double ProfiledRates::rate(const JobSpec& job, const PerformanceModel::Setting& setting) const {
  const ProfileId profile = profile_of(job);
  if (!profile.is_valid()) return 0;
  const std::int32_t gpus = gpu_total(setting.placement);
  double slowest = std::numeric_limits<double>::max();
  GpuTypeId previous;
  for (const Slot& slot : setting.placement) {
    const GpuTypeId type = setting.cluster.pools[slot.pool.index()].type;
    if (type == previous) continue;
    previous = type;
    CHECK(type.index() < gpus_.size());
    // The table's speed is that of the whole gang, so the slowest worker times the number of
    // workers is the least of them.
    slowest = std::min(slowest, rate_on(gpus_[type.index()], profile, gpus, setting));
  }
  if (job.reference_steps_per_second <= 0) return slowest;
  // A recorded time makes the reference GPU exact, in whatever steps the job counts.
  const double reference = reference_rate(profile, job);
  if (reference <= 0) return 0;
  if (job.reference_steps_per_second == reference) return slowest;
  return job.reference_steps_per_second * (slowest / reference);
}

}  // namespace muster
