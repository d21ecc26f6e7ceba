#pragma once

#include <span>

#include "core/cluster.h"
#include "core/job.h"
#include "core/placement.h"

namespace muster {

// How fast a job goes on given GPUs. The world of a simulation runs on one (the truth), the policy
// plans on another (the belief). Pure: the same question has the same answer.
class PerformanceModel {
 public:
  struct Setting {
    const Cluster& cluster;
    const Placement& placement;                    // Not empty.
    std::span<const JobSpec* const> co_runners{};  // Other jobs on the same GPUs.
  };
  struct Rate {
    // Of the whole run; 0: does not fit there. Whether it is 0 depends only on the GPU types, their
    // number and the company, not on the nodes.
    double steps_per_second = 0;
    double deviation_ratio = 0;  // How unsure the model is; 0: exact or not known.
  };

  virtual ~PerformanceModel() = default;
  // A copy's rate ignores its siblings: copies add up.
  virtual Rate rate(const JobSpec& job, const Setting& setting) const = 0;
};

}  // namespace muster
