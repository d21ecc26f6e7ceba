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

Rank length_rank(const Snapshot& snapshot, const Job& job) {
  const std::vector<double> rates = isolated_rates(snapshot, job.spec);
  const double best = *std::max_element(rates.begin(), rates.end());
  const auto gpus = static_cast<std::uint64_t>(job.spec.gpu_count);
  return {.key = static_cast<double>(snapshot.steps_left(job)) / best,
          .stamp = (gpus << 32U) | job.id.value()};
}

}  // namespace

PolicyInfo sjf_policy() {
  return {.name = "sjf",
          .summary = "shortest job first, without preemption",
          .source = "baseline",
          .options = {placement_option()},
          .needs_run_times = true,
          .is_work_conserving = true,
          .make = [](const OptionValues& options, const PolicySettings&) {
            return std::unique_ptr<Policy>(std::make_unique<QueuePolicy>(
                length_rank, QueuePolicy::Misfit::is_passed_over, placement_rule(options)));
          }};
}

}  // namespace muster
