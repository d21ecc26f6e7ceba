#include "policies/shortest_remaining.h"

#include <algorithm>

namespace muster {

Plan ShortestRemaining::decide(const Snapshot& snapshot) {
  Plan plan;
  running_.update(snapshot, waiting_);
  running_.sort();  // By the ranks of the pass before: those that have just started come in.
  // Stamps are drawn in the order of the pass before, as far as keys have changed since.
  for (RunningJob& running : running_.jobs()) {
    const double now = key(snapshot.job(running.job), running.steps_left(snapshot.now));
    if (now == running.rank.key) continue;
    running.rank = {.key = now, .stamp = next_stamp_++};
  }
  running_.sort();
  waiting_.update(snapshot, plan, [&](const Job& job) {
    best_rate(snapshot, job);
    const double now = key(job, snapshot.steps_left(job));
    const Rank* left = running_.left(job.id);
    if (left != nullptr && left->key == now) return *left;
    return Rank{.key = now, .stamp = next_stamp_++};
  });
  // What a stopped run has really saved may come to be known while its job waits.
  for (const JobId id : snapshot.changed) {
    if (!waiting_.queue().contains(id)) continue;
    const double now = key(snapshot.job(id), snapshot.steps_left(snapshot.job(id)));
    if (now == waiting_.queue().rank(id).key) continue;
    waiting_.queue().insert(id, waiting_.queue().shape(id), {.key = now, .stamp = next_stamp_++});
  }
  place_in_order(snapshot, waiting_, running_, capacity_, plan);
  if (!waiting_.queue().is_empty()) waiting_.explain(snapshot, capacity_, plan);
  return plan;
}

double ShortestRemaining::key(const Job& job, std::int64_t steps_left) const {
  const double seconds = static_cast<double>(steps_left) / best_rates_[job.id.index()];
  return measure_ == Measure::time ? seconds : seconds * job.spec.gpu_count;
}

double ShortestRemaining::best_rate(const Snapshot& snapshot, const Job& job) {
  if (best_rates_.size() <= job.id.index()) best_rates_.resize(job.id.index() + 1, 0);
  double& best = best_rates_[job.id.index()];
  if (best > 0) return best;
  const std::vector<double> rates = isolated_rates(snapshot, job.spec);
  best = *std::max_element(rates.begin(), rates.end());
  return best;
}

}  // namespace muster
