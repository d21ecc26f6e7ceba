#pragma once

#include <cstdint>
#include <memory>

#include "core/performance_model.h"

namespace muster {

struct Noise {
  double ratio = 0;  // In [0, 1): the largest relative error.
  std::uint64_t seed = 0;
};

// A belief that errs: each (job, GPU type) is off by a fixed factor, uniform in
// [1 - ratio, 1 + ratio). The type of a mixed placement is that of its first slot.
class NoisyModel : public PerformanceModel {
 public:
  // REQUIRES: a model; 0 <= noise.ratio < 1.
  NoisyModel(std::unique_ptr<PerformanceModel> base, Noise noise);
  Rate rate(const JobSpec& job, const Setting& setting) const override;

 private:
  std::unique_ptr<PerformanceModel> base_;
  Noise noise_;
};

}  // namespace muster
