// First fit: jobs are tried in the order of submission, and those that do not fit are passed over.
//
// Order:      submitted_at, then trace order.
// Source:     the Tiresias simulator (`fjf`, fit job first); Gandiva's and Kubernetes' default.
// Complexity: O((starts + shapes) log waiting + starts x pools) per decision.
#include "policies/queueing.h"
#include "policies/registry.h"

namespace muster {

PolicyInfo first_fit_policy() {
  return {.name = "first-fit",
          .summary = "order of submission; jobs that do not fit are passed over",
          .source = "Tiresias simulator (fjf)",
          .options = {placement_option()},
          .is_work_conserving = true,
          .make = [](const OptionValues& options, const PolicySettings&) {
            return std::unique_ptr<Policy>(std::make_unique<QueuePolicy>(
                submission_rank, QueuePolicy::Misfit::is_passed_over, placement_rule(options)));
          }};
}

}  // namespace muster
