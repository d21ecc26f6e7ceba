#include "policies/service_queues.h"

#include <algorithm>

#include "base/check.h"

namespace muster {

ServiceQueues::ServiceQueues(const std::vector<double>& thresholds, double promote_ratio)
    : promote_ratio_(promote_ratio) {
  for (const double gpu_seconds : thresholds) thresholds_.push_back(from_seconds(gpu_seconds));
  CHECK(std::is_sorted(thresholds_.begin(), thresholds_.end()));
}

void ServiceQueues::enter(State& state, std::int32_t level) {
  state.level = level;
  state.entry_stamp = next_stamp_++;
}

// When a waiting job goes back to the top, if it goes on waiting. Replaces what was planned: with a
// stop latency, service and level grow on after the job has begun to wait.
void ServiceQueues::plan_promotion(const Job& job, State& state, Time now) {
  promotions_.erase({state.promoted_at, job.id});
  state.promoted_at = time_never;
  const Duration attained = job.gpu_time_at(now) - state.gpu_time_before;
  state.wait_counts = attained > Duration::zero();
  if (promote_ratio_ <= 0 || state.level == 0 || !state.wait_counts) return;
  const double executed_seconds = to_seconds(attained) / job.spec.gpu_count;
  const Duration needed = from_seconds(std::min(executed_seconds * promote_ratio_, 1e12));
  state.promoted_at = std::max(state.wait_since + (needed - state.waited), now + Duration(1));
  promotions_.emplace(state.promoted_at, job.id);
}

void ServiceQueues::end_wait(JobId job, State& state, Time now) {
  if (!state.waits) return;
  state.waits = false;
  if (state.wait_counts) state.waited += now - state.wait_since;
  promotions_.erase({state.promoted_at, job});
  state.promoted_at = time_never;
}

void ServiceQueues::move(JobId job) {
  if (states_[job.index()].has_moved) return;
  states_[job.index()].has_moved = true;
  moved_.push_back(job);
}

void ServiceQueues::sink(JobId job, Duration gpu_time) {
  State& state = states_[job.index()];
  const Duration attained = gpu_time - state.gpu_time_before;
  const auto level = static_cast<std::int32_t>(
      std::upper_bound(thresholds_.begin(), thresholds_.end(), attained) - thresholds_.begin());
  if (level <= state.level) return;
  enter(state, level);
  move(job);
}

void ServiceQueues::update(const Snapshot& snapshot, const RunningJobs& running) {
  for (const JobId job : moved_) states_[job.index()].has_moved = false;
  moved_.clear();
  if (states_.size() < snapshot.jobs.size()) states_.resize(snapshot.jobs.size());
  for (const RunningJob& job : running.jobs()) sink(job.job, job.gpu_time_at(snapshot.now));
  for (const JobId id : snapshot.changed) {
    const Job& job = snapshot.job(id);
    State& state = states_[id.index()];
    if (!state.is_known) {
      state.is_known = true;
      enter(state, 0);
    }
    sink(id, job.gpu_time_at(snapshot.now));
    const bool waits = job.state == JobState::active && job.wanted_count == 0;
    if (!waits) {
      end_wait(id, state, snapshot.now);
      continue;
    }
    if (!state.waits) state.wait_since = snapshot.now;
    state.waits = true;
    plan_promotion(job, state, snapshot.now);
  }
  while (!promotions_.empty() && promotions_.begin()->first <= snapshot.now) {
    const JobId id = promotions_.begin()->second;
    State& state = states_[id.index()];
    promotions_.erase(promotions_.begin());
    state.promoted_at = time_never;
    state.gpu_time_before = snapshot.job(id).gpu_time_at(snapshot.now);
    state.waited = Duration::zero();
    state.wait_counts = false;
    enter(state, 0);
    move(id);
  }
}

std::optional<Time> ServiceQueues::next_crossing(const Snapshot& snapshot,
                                                 const RunningJobs& running,
                                                 const Plan& plan) const {
  Time next = promotions_.empty() ? time_never : promotions_.begin()->first;
  const auto sinks = [&](JobId id, Duration gpu_time, std::int64_t gpus, Time from) {
    const auto level = static_cast<std::size_t>(states_[id.index()].level);
    if (level >= thresholds_.size()) return;
    const Duration missing = thresholds_[level] + states_[id.index()].gpu_time_before - gpu_time;
    next = std::min(next, from + Duration((missing.count() + gpus - 1) / gpus));
  };
  // A run that has not begun does so now, or later, when others have stopped: then this comes too
  // early, which costs one more decision.
  for (const RunningJob& job : running.jobs()) {
    if (job.gpus_held > 0) {
      sinks(job.job, job.gpu_time, job.gpus_held, job.settled_at);
    } else {
      sinks(job.job, job.gpu_time, job.gpus, snapshot.now);
    }
  }
  for (const Assignment& start : plan.starts) {
    const Job& job = snapshot.job(start.parts.front().job);
    sinks(job.id, job.gpu_time_at(snapshot.now), gpu_total(start.placement), snapshot.now);
  }
  if (next == time_never) return std::nullopt;
  return std::max(next, snapshot.now + Duration(1));
}

std::vector<OptionInfo> service_queue_options() {
  return {{.name = "thresholds",
           .kind = OptionKind::number_list,
           .default_text = "3250/7200",
           .unit = "GPU-seconds",
           .minimum = 1e-3,
           .maximum = 1e12,
           .help = "attained service at which a job sinks to the next queue, ascending"},
          {.name = "promote",
           .kind = OptionKind::number,
           .default_text = "0",
           .maximum = 1e9,
           .help = "a job that has waited this many times as long as it has run goes back to the "
                   "first queue; 0: never"},
          placement_option()};
}

}  // namespace muster
