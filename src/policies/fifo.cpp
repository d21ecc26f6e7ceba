// FIFO, strict: jobs start in the order of submission; the first that does not fit holds up all
// behind it.
//
// Order:      submitted_at, then trace order.
// Source:     the baseline of every scheduler paper; as in the Tiresias simulator (`fifo`).
// Complexity: O((starts + shapes) log waiting + starts x pools) per decision.
#include "policies/queueing.h"
#include "policies/registry.h"

namespace muster {

PolicyInfo fifo_policy() {
  return {.name = "fifo",
          .summary = "strict order of submission; the first job that does not fit blocks the rest",
          .source = "baseline",
          .options = {placement_option()},
          .make = [](const OptionValues& options, const PolicySettings&) {
            return std::unique_ptr<Policy>(std::make_unique<QueuePolicy>(
                submission_rank, QueuePolicy::Misfit::blocks, placement_rule(options)));
          }};
}

}  // namespace muster
