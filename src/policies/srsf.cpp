// SRSF, shortest remaining service first: preemptive; remaining time counts once per GPU.
//
// Order:      steps left / best rate x gang size.
// Source:     Tiresias (NSDI'19); its simulator's `shortest-gpu`.
// Complexity: O(running + (starts + shapes) log waiting + starts x (running + pools)) per decision.
#include "policies/registry.h"
#include "policies/shortest_remaining.h"

namespace muster {

PolicyInfo srsf_policy() {
  return {.name = "srsf",
          .summary = "shortest remaining GPU time first, preemptive",
          .source = "Tiresias simulator (shortest-gpu)",
          .options = {placement_option()},
          .preempts = true,
          .needs_run_times = true,
          .is_work_conserving = true,
          .make = [](const OptionValues& options, const PolicySettings&) {
            return std::unique_ptr<Policy>(std::make_unique<ShortestRemaining>(
                ShortestRemaining::Measure::service, placement_rule(options)));
          }};
}

}  // namespace muster
