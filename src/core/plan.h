#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "base/time.h"
#include "core/job.h"
#include "core/placement.h"

namespace muster {

// GPUs for one job, or for several that share them from the start.
struct Assignment {
  struct Part {
    JobId job;
    std::optional<std::int64_t> quota{};  // Steps after which the run ends; none: all that is left.
  };
  std::vector<Part> parts{};
  Placement placement{};
  std::optional<GrantId> join{};  // Or: use this grant's GPUs, whose runs go on undisturbed.
};

struct Why {
  JobId job;
  Reason reason = Reason::queued;
  std::int64_t detail = 0;
};

// The change a policy wants, against the snapshot it was given. A run that is not named goes on.
struct Plan {
  std::vector<RunId> stops{};
  std::vector<Assignment> starts{};  // May use the GPUs of the stops, at the same instant.
  std::vector<Why> rejects{};        // Waiting jobs that end here, unserved, with the reason.
  std::vector<Why> reasons{};        // Only those that changed.
  std::optional<Time> wake_at{};     // Ask again then, even if nothing happens.

  void start(JobId job, Placement placement, std::optional<std::int64_t> quota = {}) {
    starts.push_back({.parts = {{.job = job, .quota = quota}}, .placement = std::move(placement)});
  }
  bool is_empty() const { return stops.empty() && starts.empty() && rejects.empty(); }
};

}  // namespace muster
