// Tiresias-L: discretised two-dimensional least attained service. Run times are not needed: jobs
// that have had much GPU time give way to those that have had little.
//
// Order:      queue by attained service (GPUs x time) between thresholds; in one queue running jobs
//             first, then the order of entry into the queue. Discretising keeps preemptions rare.
// Source:     Tiresias (NSDI'19); its simulator's `dlas-gpu`.
// Where ours differs: jobs sink at the exact moment of crossing; the simulator's jump compares
//             seconds with GPU-seconds and so comes late for gangs.
// Complexity: O(running + (starts + shapes) log waiting + starts x (running + pools)) per decision.
#include <algorithm>

#include "policies/registry.h"
#include "policies/service_queues.h"

namespace muster {
namespace {

class TiresiasL final : public Policy {
 public:
  TiresiasL(ServiceQueues queues, PlacementRule rule)
      : queues_(std::move(queues)), waiting_(rule) {}

  Plan decide(const Snapshot& snapshot) override {
    Plan plan;
    running_.update(snapshot, waiting_);
    running_.sort();  // By the ranks of the pass before.
    queues_.update(snapshot, running_);
    rank_running();
    waiting_.update(snapshot, plan, [&](const Job& job) { return waiting_rank(job.id); });
    for (const JobId job : queues_.moved()) {
      if (!waiting_.queue().contains(job)) continue;
      waiting_.queue().insert(job, waiting_.queue().shape(job), rank_at_tail(job));
    }
    place_in_order(snapshot, waiting_, running_, capacity_, plan);
    if (!waiting_.queue().is_empty()) waiting_.explain(snapshot, capacity_, plan);
    if (const auto crossing = queues_.next_crossing(snapshot, running_, plan)) {
      plan.wake_at = std::min(plan.wake_at.value_or(*crossing), *crossing);
    }
    ++pass_;
    return plan;
  }

  void transfer(Archive& archive) override {
    archive(queues_, waiting_, running_, next_run_stamp_, pass_);
  }

 private:
  // One queue in order: jobs that run, as they started; jobs that were stopped, the latest first;
  // jobs that have entered the queue and not run in it yet.
  static constexpr double runs = 0;
  static constexpr double was_stopped = 1;
  static constexpr double entered = 2;

  void rank_running() {
    for (RunningJob& running : running_.jobs()) {
      if (queues_.has_moved(running.job)) {
        running.rank = rank_at_tail(running.job);
      } else if (running.rank.key != runs) {
        running.rank = {
            .level = queues_.level(running.job), .key = runs, .stamp = next_run_stamp_++};
      }
    }
    running_.sort();
  }

  Rank rank_at_tail(JobId job) const {
    return {.level = queues_.level(job), .key = entered, .stamp = queues_.entry_stamp(job)};
  }

  Rank waiting_rank(JobId job) const {
    const Rank* left = running_.left(job);
    if (left == nullptr || left->key != runs) return rank_at_tail(job);
    // Those stopped in one pass keep their order, before those of earlier passes.
    return {.level = queues_.level(job),
            .key = was_stopped,
            .stamp = (~pass_ << 32U) | (left->stamp & 0xFFFFFFFFU)};
  }

  ServiceQueues queues_;
  WaitingJobs waiting_;
  RunningJobs running_;
  std::uint64_t next_run_stamp_ = 0;
  std::uint64_t pass_ = 0;
  Capacity capacity_;
};

}  // namespace

PolicyInfo tiresias_l_policy() {
  return {.name = "tiresias-l",
          .summary = "least attained GPU time in discrete queues, preemptive",
          .source = "Tiresias (NSDI'19), 2D-LAS",
          .options = service_queue_options(),
          .preempts = true,
          .is_work_conserving = true,
          .make = [](const OptionValues& options, const PolicySettings&) {
            return std::unique_ptr<Policy>(std::make_unique<TiresiasL>(
                ServiceQueues(options.numbers("thresholds"), options.number("promote")),
                placement_rule(options)));
          }};
}

}  // namespace muster
