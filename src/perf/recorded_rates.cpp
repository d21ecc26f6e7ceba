#include "perf/recorded_rates.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "base/check.h"

namespace muster {
namespace {

// The speed at which `steps` take `seconds` to the microsecond: the quotient may round to a hair
// too little, and then the last step would be one microsecond late.
double rate_for(std::int64_t steps, double seconds) {
  const auto count = static_cast<double>(steps);
  const double rate = count / seconds;
  return rate * seconds < count ? std::nextafter(rate, std::numeric_limits<double>::max()) : rate;
}

double of_gang(double gang_rate, std::int32_t gpus, std::int32_t gang) {
  return gpus == gang ? gang_rate : gang_rate * gpus / gang;
}

}  // namespace

RecordedRates::RecordedRates(const Cluster& cluster, std::span<const TypeDurations> records)
    : type_count_(cluster.types.size()), seconds_(records.size() * type_count_) {
  for (std::size_t i = 0; i < records.size(); ++i) {
    for (const auto& [name, seconds] : records[i].seconds) {
      const std::optional<GpuTypeId> type = cluster.find_type(name);
      if (type) seconds_[i * type_count_ + type->index()] = seconds;
    }
  }
}

double RecordedRates::rate(const JobSpec& job, const PerformanceModel::Setting& setting) const {
  // The time of equal GPUs is divided equally between all that run on them.
  const double share = 1 / static_cast<double>(1 + setting.co_runners.size());
  const std::int32_t gpus = gpu_total(setting.placement);
  if (!job.record.is_valid()) {
    return share * of_gang(job.reference_steps_per_second, gpus, job.gpu_count);
  }
  double longest_seconds = 0;
  for (const Slot& slot : setting.placement) {
    const GpuTypeId type = setting.cluster.pools[slot.pool.index()].type;
    const std::size_t index = job.record.index() * type_count_ + type.index();
    CHECK(type.index() < type_count_ && index < seconds_.size());
    if (seconds_[index] <= 0) return 0;
    longest_seconds = std::max(longest_seconds, seconds_[index]);
  }
  return share * of_gang(rate_for(job.total_steps, longest_seconds), gpus, job.gpu_count);
}

}  // namespace muster
