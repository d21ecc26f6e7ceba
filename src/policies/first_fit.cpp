// First fit: jobs are tried in the order of submission, and those that do not fit are passed over.
//
// Order:      submitted_at, then trace order.
// Source:     the Tiresias simulator (`fjf`, fit job first); Gandiva's and Kubernetes' default.
// Complexity: O((starts + shapes) log waiting + starts x pools) per decision.
#include "policies/queueing.h"
#include "policies/registry.h"

namespace muster {
namespace {

class FirstFit final : public Policy {
 public:
  explicit FirstFit(PlacementRule rule) : waiting_(rule) {}

  Plan decide(const Snapshot& snapshot) override {
    Plan plan;
    waiting_.update(snapshot, plan, [](const Job& job) { return Rank{.stamp = job.id.value()}; });
    if (waiting_.queue().is_empty()) return plan;
    capacity_.reset(snapshot);
    start_in_order(waiting_, capacity_, plan, /*strict=*/false);
    waiting_.explain(snapshot, capacity_, plan);
    return plan;
  }

  void transfer(Archive& archive) override { archive(waiting_); }

 private:
  WaitingJobs waiting_;
  Capacity capacity_;
};

}  // namespace

PolicyInfo first_fit_policy() {
  return {.name = "first-fit",
          .summary = "order of submission; jobs that do not fit are passed over",
          .source = "Tiresias simulator (fjf)",
          .options = {placement_option()},
          .is_work_conserving = true,
          .make = [](const OptionValues& options, const PolicySettings&) {
            return std::unique_ptr<Policy>(std::make_unique<FirstFit>(placement_rule(options)));
          }};
}

}  // namespace muster
