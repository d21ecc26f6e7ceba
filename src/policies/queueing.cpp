#include "policies/queueing.h"

#include <algorithm>

namespace muster {

void WaitingJobs::update(const Snapshot& snapshot, Plan& plan,
                         const std::function<Rank(const Job&)>& rank_of) {
  for (const JobId id : snapshot.changed) {
    const Job& job = snapshot.job(id);
    const bool waits = job.state == JobState::active && job.wanted_count == 0;
    if (!waits) {
      queue_.erase(id);
      continue;
    }
    if (queue_.contains(id)) continue;
    const ShapeId shape = shapes_.shape_of(snapshot, job.spec);
    if (job.run_count == 0 && !shapes_.ever_fits(shape)) {
      plan.rejects.push_back({.job = id, .reason = Reason::fits_nowhere});
      continue;
    }
    queue_.insert(id, shape, rank_of(job));
  }
}

void WaitingJobs::explain(const Snapshot& snapshot, const Capacity& capacity, Plan& plan,
                          Reason passed_over) const {
  std::vector<JobId> started;
  for (const Assignment& start : plan.starts) started.push_back(start.parts.front().job);
  std::sort(started.begin(), started.end());
  for (const JobId id : snapshot.changed) {
    if (!queue_.contains(id) || std::binary_search(started.begin(), started.end(), id)) continue;
    if (snapshot.job(id).reason == Reason::preempted) continue;
    const Shape& needed = shape(queue_.shape(id));
    const Reason reason = capacity.find(needed)                       ? passed_over
                          : capacity.free_total() >= needed.gpu_count ? Reason::fragmented
                                                                      : Reason::gpus_busy;
    plan.reasons.push_back({.job = id, .reason = reason});
  }
}

Plan QueuePolicy::decide(const Snapshot& snapshot) {
  Plan plan;
  waiting_.update(snapshot, plan, [&](const Job& job) { return rank_of_(snapshot, job); });
  if (waiting_.queue().is_empty()) return plan;
  capacity_.reset(snapshot);
  start_in_order(plan);
  waiting_.explain(snapshot, capacity_, plan);
  return plan;
}

void QueuePolicy::start_in_order(Plan& plan) {
  ShapedQueue::Walk walk(waiting_.queue());
  while (!walk.is_over() && capacity_.free_total() > 0) {
    const Shape& shape = waiting_.shape(walk.shape());
    if (auto placement = capacity_.find(shape)) {
      capacity_.take(shape, *placement);
      plan.start(walk.entry().job, std::move(*placement));
      walk.advance();
    } else if (misfit_ == Misfit::blocks) {
      return;
    } else {
      walk.drop_shape();
    }
  }
}

Rank submission_rank(const Snapshot&, const Job& job) { return {.stamp = job.id.value()}; }

}  // namespace muster
