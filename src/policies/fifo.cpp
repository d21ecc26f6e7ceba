// FIFO, strict: jobs start in the order of submission; the first that does not fit holds up all
// behind it.
//
// Order:      submitted_at, then trace order.
// Source:     the baseline of every scheduler paper; as in the Tiresias simulator (`fifo`).
// Complexity: O((starts + shapes) log waiting + starts x pools) per decision.
#include "policies/queueing.h"
#include "policies/registry.h"

namespace muster {
namespace {

class Fifo final : public Policy {
 public:
  explicit Fifo(PlacementRule rule) : waiting_(rule) {}

  Plan decide(const Snapshot& snapshot) override {
    Plan plan;
    waiting_.update(snapshot, plan, [](const Job& job) { return Rank{.stamp = job.id.value()}; });
    if (waiting_.queue().is_empty()) return plan;
    capacity_.reset(snapshot);
    start_in_order(waiting_, capacity_, plan, /*strict=*/true);
    waiting_.explain(snapshot, capacity_, plan);
    return plan;
  }

  void transfer(Archive& archive) override { archive(waiting_); }

 private:
  WaitingJobs waiting_;
  Capacity capacity_;
};

}  // namespace

PolicyInfo fifo_policy() {
  return {.name = "fifo",
          .summary = "strict order of submission; the first job that does not fit blocks the rest",
          .source = "baseline",
          .options = {placement_option()},
          .make = [](const OptionValues& options, const PolicySettings&) {
            return std::unique_ptr<Policy>(std::make_unique<Fifo>(placement_rule(options)));
          }};
}

}  // namespace muster
