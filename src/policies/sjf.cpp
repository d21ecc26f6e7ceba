// SJF, shortest job first: whenever GPUs are free, the shortest waiting job that fits starts.
// Nothing is preempted.
//
// Order:      steps left / best rate over the GPU types the job may use; ties: fewer GPUs, then
//             trace order.
// Source:     textbook; not the `sjf` of the Tiresias simulator, which orders by gang size.
// Complexity: O((starts + shapes) log waiting + starts x pools) per decision.
#include <algorithm>

#include "policies/queueing.h"
#include "policies/registry.h"

namespace muster {
namespace {

class Sjf final : public Policy {
 public:
  explicit Sjf(PlacementRule rule) : waiting_(rule) {}

  Plan decide(const Snapshot& snapshot) override {
    Plan plan;
    waiting_.update(snapshot, plan, [&](const Job& job) {
      const std::vector<double> rates = isolated_rates(snapshot, job.spec);
      const double best = *std::max_element(rates.begin(), rates.end());
      const auto gpus = static_cast<std::uint64_t>(job.spec.gpu_count);
      return Rank{.key = static_cast<double>(snapshot.steps_left(job)) / best,
                  .stamp = (gpus << 32U) | job.id.value()};
    });
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

PolicyInfo sjf_policy() {
  return {.name = "sjf",
          .summary = "shortest job first, without preemption; needs run times",
          .source = "baseline",
          .options = {placement_option()},
          .is_work_conserving = true,
          .make = [](const OptionValues& options, const PolicySettings&) {
            return std::unique_ptr<Policy>(std::make_unique<Sjf>(placement_rule(options)));
          }};
}

}  // namespace muster
