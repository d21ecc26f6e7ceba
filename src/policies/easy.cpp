// EASY backfill: strict order of submission, but a later job may go ahead if that does not delay
// the first one that waits (the head).
//
// Head's reservation: shadow time = the first predicted end at which the head fits; a job may go
//             ahead if it fits now and (ends by the shadow time, or leaves the head its GPUs then:
//             the "extra nodes").
// Source:     Lifka, "The ANL/IBM SP scheduling system" (JSSPP'95); Mu'alem and Feitelson
// (TPDS'01). Where ours differs: the extra nodes are checked under the placement rule, not only
// counted, and
//             are used up by the jobs that go ahead. Estimates are the believed run times.
// Complexity: O((starts + shapes) x (log waiting + pools) + ends up to the shadow time x pools).
#include <algorithm>

#include "policies/backfill_queue.h"
#include "policies/preemption.h"
#include "policies/registry.h"

namespace muster {
namespace {

class Easy final : public Policy {
 public:
  explicit Easy(PlacementRule rule) : waiting_(rule) {}

  Plan decide(const Snapshot& snapshot) override {
    Plan plan;
    update(snapshot, plan);
    if (waiting_.queue().is_empty()) return plan;
    capacity_.reset(snapshot);
    started_.clear();
    const std::optional<JobId> head = start_heads(snapshot, plan);
    if (head && capacity_.free_total() > 0) backfill(snapshot, *head, plan);
    waiting_.explain(snapshot, capacity_, plan, Reason::would_delay_head);
    return plan;
  }

  void transfer(Archive& archive) override { archive(waiting_, running_, by_shape_); }

 private:
  struct Candidate {
    ShapeId shape{};
    BackfillQueue::Item item{};
    bool only_short = false;  // The head's reservation leaves no room for a long one.
  };
  struct Started {
    Time end{};
    ShapeId shape{};
    Placement placement;
  };

  void update(const Snapshot& snapshot, Plan& plan) {
    running_.update(snapshot, waiting_);
    for (RunningJob& running : running_.jobs()) {
      running.rank = {.key = to_seconds(running.predicted_end), .stamp = running.job.value()};
    }
    running_.sort();
    for (const JobId id : snapshot.changed) {
      if (!waiting_.queue().contains(id)) continue;
      const Job& job = snapshot.job(id);
      if (job.state == JobState::active && job.wanted_count == 0) continue;
      by_shape_[waiting_.queue().shape(id).index()].erase(id);
    }
    waiting_.update(snapshot, plan, [](const Job& job) { return Rank{.stamp = job.id.value()}; });
    for (const JobId id : snapshot.changed) {
      if (!waiting_.queue().contains(id)) continue;
      const std::size_t shape = waiting_.queue().shape(id).index();
      if (by_shape_.size() <= shape) by_shape_.resize(shape + 1);
      by_shape_[shape].insert(id, best_estimate_seconds(snapshot, id));
    }
  }

  // On the fastest type: no placement ends sooner.
  static double best_estimate_seconds(const Snapshot& snapshot, JobId id) {
    const Job& job = snapshot.job(id);
    const std::vector<double> rates = isolated_rates(snapshot, job.spec);
    return static_cast<double>(snapshot.steps_left(job)) /
           *std::max_element(rates.begin(), rates.end());
  }

  Time predicted_end(const Snapshot& snapshot, JobId id, const Placement& placement) const {
    const Job& job = snapshot.job(id);
    const auto rate =
        snapshot.belief.rate(job.spec, {.cluster = snapshot.cluster, .placement = placement});
    const Duration span = time_for(snapshot.steps_left(job), rate.steps_per_second);
    return span > time_never - snapshot.now ? time_never : snapshot.now + span;
  }

  void start(const Snapshot& snapshot, JobId job, ShapeId shape, Placement placement, Plan& plan) {
    capacity_.take(waiting_.shape(shape), placement);
    started_.push_back(
        {.end = predicted_end(snapshot, job, placement), .shape = shape, .placement = placement});
    plan.start(job, std::move(placement));
  }

  // Strict order; returns the first that does not fit.
  std::optional<JobId> start_heads(const Snapshot& snapshot, Plan& plan) {
    for (ShapedQueue::Walk walk(waiting_.queue()); !walk.is_over(); walk.advance()) {
      auto placement = capacity_.find(waiting_.shape(walk.shape()));
      if (!placement) return walk.entry().job;
      start(snapshot, walk.entry().job, walk.shape(), std::move(*placement), plan);
    }
    return std::nullopt;
  }

  // Makes `future_` what is free at the head's shadow time, the head's own share included.
  Time find_shadow(const Snapshot& snapshot, const Shape& head) {
    future_ = capacity_;
    std::sort(started_.begin(), started_.end(),
              [](const Started& a, const Started& b) { return a.end < b.end; });
    std::size_t next_running = 0;
    std::size_t next_started = 0;
    const std::vector<RunningJob>& running = running_.jobs();
    while (next_running < running.size() || next_started < started_.size()) {
      Time end = time_never;
      if (next_running < running.size()) end = running[next_running].predicted_end;
      if (next_started < started_.size()) end = std::min(end, started_[next_started].end);
      for (; next_running < running.size() && running[next_running].predicted_end <= end;
           ++next_running) {
        future_.give(waiting_.shape(running[next_running].shape), running[next_running].placement);
      }
      for (; next_started < started_.size() && started_[next_started].end <= end; ++next_started) {
        future_.give(waiting_.shape(started_[next_started].shape),
                     started_[next_started].placement);
      }
      if (future_.find(head)) return std::max(end, snapshot.now);
    }
    return time_never;
  }

  void backfill(const Snapshot& snapshot, JobId head, Plan& plan) {
    const Shape& head_shape = waiting_.shape(waiting_.queue().shape(head));
    const Time shadow = find_shadow(snapshot, head_shape);
    // A little more than the span, which seconds in floating point may miss; go_ahead is exact.
    const double short_seconds = to_seconds(shadow - snapshot.now) + 1e-5;
    std::vector<Candidate> candidates;
    for (std::size_t shape = 0; shape < by_shape_.size(); ++shape) {
      const auto item = by_shape_[shape].first(head, no_limit);
      if (item && capacity_.find(waiting_.shape(ShapeId(shape)))) {
        candidates.push_back({.shape = ShapeId(shape), .item = *item});
      }
    }
    while (!candidates.empty() && capacity_.free_total() > 0) {
      const auto earliest = std::min_element(
          candidates.begin(), candidates.end(),
          [](const Candidate& a, const Candidate& b) { return a.item.job < b.item.job; });
      std::optional<BackfillQueue::Item> next;
      if (capacity_.find(waiting_.shape(earliest->shape))) {
        if (!go_ahead(snapshot, *earliest, shadow, head_shape, plan)) earliest->only_short = true;
        next = by_shape_[earliest->shape.index()].first(
            earliest->item.job, earliest->only_short ? short_seconds : no_limit);
      }
      if (next) {
        earliest->item = *next;
      } else {
        candidates.erase(earliest);
      }
    }
  }

  // Starts a job on the first GPU type where that does not delay the head; false if there is none.
  bool go_ahead(const Snapshot& snapshot, const Candidate& candidate, Time shadow,
                const Shape& head, Plan& plan) {
    const Shape& shape = waiting_.shape(candidate.shape);
    const JobId job = candidate.item.job;
    for (std::size_t type = 0; type < snapshot.cluster.types.size(); ++type) {
      auto placement = capacity_.find_on(shape, GpuTypeId(type));
      if (!placement) continue;
      if (predicted_end(snapshot, job, *placement) > shadow) {
        if (!leaves_room(shape, *placement, head)) {
          placement = find_beside_head(shape, GpuTypeId(type), head);
        }
        if (!placement) continue;
        future_.take(shape, *placement);
      }
      start(snapshot, job, candidate.shape, std::move(*placement), plan);
      return true;
    }
    return false;
  }

  // Free GPUs that the head's own placement at its shadow time does not need.
  std::optional<Placement> find_beside_head(const Shape& shape, GpuTypeId type,
                                            const Shape& head) const {
    Capacity spare = future_;
    const auto reserved = spare.find(head);
    if (!reserved) return std::nullopt;
    spare.take(head, *reserved);
    spare.limit_to(capacity_);
    return spare.find_on(shape, type);
  }

  // Whether the head still fits at its shadow time if `placement` is in use then.
  bool leaves_room(const Shape& shape, const Placement& placement, const Shape& head) {
    if (!future_.holds(shape, placement)) return false;
    future_.take(shape, placement);
    const bool fits = future_.find(head).has_value();
    future_.give(shape, placement);
    return fits;
  }

  static constexpr double no_limit = 1e300;

  WaitingJobs waiting_;
  RunningJobs running_;
  std::vector<BackfillQueue> by_shape_;
  Capacity capacity_;
  Capacity future_;
  std::vector<Started> started_;  // In the present decision.
};

}  // namespace

PolicyInfo easy_policy() {
  return {.name = "easy",
          .summary = "order of submission with EASY backfill",
          .source = "Lifka (JSSPP'95)",
          .options = {placement_option()},
          .needs_run_times = true,
          .make = [](const OptionValues& options, const PolicySettings&) {
            return std::unique_ptr<Policy>(std::make_unique<Easy>(placement_rule(options)));
          }};
}

}  // namespace muster
