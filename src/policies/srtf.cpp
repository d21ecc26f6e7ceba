// SRTF, shortest remaining time first: preemptive; whoever would finish soonest alone goes first.
//
// Order:      steps left / best rate over the GPU types the job may use.
// Source:     the clairvoyant bound of Tiresias (NSDI'19); its simulator's `shortest`.
// Where ours differs: only jobs whose GPUs are taken are stopped; the simulator empties the cluster
//             at every event, which is the same where preemption is free.
// Complexity: O(running + (starts + shapes) log waiting + starts x (running + pools)) per decision.
#include "policies/registry.h"
#include "policies/shortest_remaining.h"

namespace muster {

PolicyInfo srtf_policy() {
  return {.name = "srtf",
          .summary = "shortest remaining time first, preemptive",
          .source = "Tiresias simulator (shortest)",
          .options = {placement_option()},
          .preempts = true,
          .needs_run_times = true,
          .is_work_conserving = true,
          .make = [](const OptionValues& options, const PolicySettings&) {
            return std::unique_ptr<Policy>(std::make_unique<ShortestRemaining>(
                ShortestRemaining::Measure::time, placement_rule(options)));
          }};
}

}  // namespace muster
