#include "policies/preemption.h"

#include <algorithm>

namespace muster {
namespace {

// One pass; holds what each running job's turn has come to.
class Pass {
 public:
  Pass(const Snapshot& snapshot, const WaitingJobs& waiting, const RunningJobs& running,
       Capacity& capacity, Plan& plan)
      : snapshot_(snapshot),
        waiting_(waiting),
        running_(running.jobs()),
        capacity_(capacity),
        plan_(plan),
        turns_(running_.size(), Turn::to_come),
        budget_(snapshot.free_by_type.begin(), snapshot.free_by_type.end()) {
    if (snapshot.minimum_run_time > Duration::zero()) spare_young_runs();
    for (std::size_t i = 0; i < running_.size(); ++i) {
      if (turns_[i] == Turn::stays) continue;
      if (is_on_lost_node(running_[i])) {
        turns_[i] = Turn::stays;
      } else {
        budget_[running_[i].type.index()] += running_[i].gpus;
      }
    }
  }

  void make() {
    ShapedQueue::Walk walk(waiting_.queue());
    std::size_t next = 0;
    while (!walk.is_over()) {
      if (next < running_.size() && running_[next].rank < walk.entry().rank) {
        visit(next++);
      } else if (start(walk.entry().job, waiting_.shape(walk.shape()))) {
        walk.advance();
      } else {
        walk.drop_shape();
      }
    }
    for (; next < running_.size(); ++next) visit(next);
  }

 private:
  enum class Turn : std::uint8_t { to_come, displaced, stays };

  // Runs that may not be stopped yet stay; the policy is asked again when the first of them may be.
  void spare_young_runs() {
    for (std::size_t i = 0; i < running_.size(); ++i) {
      const Run& run = snapshot_.run(running_[i].run);
      if (snapshot_.may_stop(run)) continue;
      turns_[i] = Turn::stays;
      const Time old_enough = run.begun_at + snapshot_.minimum_run_time;
      plan_.wake_at = std::min(plan_.wake_at.value_or(old_enough), old_enough);
    }
  }

  bool is_on_lost_node(const RunningJob& job) const {
    return std::any_of(job.placement.begin(), job.placement.end(),
                       [&](const Slot& slot) { return !snapshot_.cluster.is_usable(slot.pool); });
  }

  void visit(std::size_t i) {
    const RunningJob& job = running_[i];
    if (turns_[i] == Turn::stays) return;
    const bool was_displaced = turns_[i] == Turn::displaced;
    turns_[i] = Turn::stays;
    const Shape& shape = waiting_.shape(job.shape);
    if (!was_displaced || capacity_.holds(shape, job.placement)) {
      if (was_displaced) capacity_.take(shape, job.placement);
      budget_[job.type.index()] -= job.gpus;
      return;
    }
    plan_.stops.push_back(job.run);
    if (!start(job.job, shape)) {
      plan_.reasons.push_back({.job = job.job, .reason = Reason::preempted});
    }
  }

  // Takes GPUs for a job: free ones, else those of the running jobs that are last in the order.
  bool start(JobId job, const Shape& shape) {
    std::optional<Placement> placement = capacity_.find(shape);
    for (std::size_t type = 0; !placement && type < budget_.size(); ++type) {
      const bool may_use = ((shape.types >> type) & 1U) != 0;
      if (may_use && budget_[type] >= shape.gpu_count) {
        placement = displace_for(shape, GpuTypeId(type));
      }
    }
    if (!placement) return false;
    capacity_.take(shape, *placement);
    const PoolId first = placement->front().pool;
    budget_[snapshot_.cluster.pools[first.index()].type.index()] -= shape.gpu_count;
    plan_.start(job, std::move(*placement));
    return true;
  }

  std::optional<Placement> displace_for(const Shape& shape, GpuTypeId type) {
    for (std::size_t i = running_.size(); i-- > 0;) {
      if (turns_[i] != Turn::to_come || running_[i].type != type) continue;
      turns_[i] = Turn::displaced;
      capacity_.give(waiting_.shape(running_[i].shape), running_[i].placement);
      if (auto placement = capacity_.find_on(shape, type)) return placement;
    }
    return std::nullopt;
  }

  const Snapshot& snapshot_;
  const WaitingJobs& waiting_;
  const std::vector<RunningJob>& running_;
  Capacity& capacity_;
  Plan& plan_;
  std::vector<Turn> turns_;
  std::vector<std::int32_t> budget_;  // By type: free, and of running jobs whose turn is to come.
};

}  // namespace

std::int64_t RunningJob::steps_left(Time now) const {
  if (!makes_steps) return left_before;
  return left_before - std::min(pace.steps(now), run_steps);
}

void RunningJobs::update(const Snapshot& snapshot, WaitingJobs& waiting) {
  left_.clear();
  if (snapshot.changed.empty()) return;
  place_of_.resize(snapshot.jobs.size(), nowhere);
  for (std::size_t i = 0; i < jobs_.size(); ++i) place_of_[jobs_[i].job.index()] = i;
  for (const JobId id : snapshot.changed) {
    const Job& job = snapshot.job(id);
    std::size_t& place = place_of_[id.index()];
    if (job.state != JobState::active || job.wanted_count == 0) {
      if (place != nowhere) left_.emplace_back(id, jobs_[place].rank);
      continue;
    }
    if (place == nowhere) {
      place = jobs_.size();
      jobs_.emplace_back();
      jobs_.back().job = id;
      if (waiting.queue().contains(id)) {
        jobs_.back().rank = waiting.queue().rank(id);
        jobs_.back().shape = waiting.queue().shape(id);
      } else {
        jobs_.back().shape = waiting.shape_of(snapshot, job.spec);
      }
    }
    refresh(snapshot, job, jobs_[place]);
  }
  for (const RunningJob& job : jobs_) place_of_[job.job.index()] = nowhere;
  if (left_.empty()) return;
  jobs_.erase(std::remove_if(jobs_.begin(), jobs_.end(),
                             [&](const RunningJob& job) { return left(job.job) != nullptr; }),
              jobs_.end());
}

void RunningJobs::refresh(const Snapshot& snapshot, const Job& job, RunningJob& known) {
  const auto wanted = std::find_if(job.runs.rbegin(), job.runs.rend(),
                                   [&](RunId id) { return snapshot.run(id).is_wanted(); });
  const Run& run = snapshot.run(*wanted);
  const Placement& placement = snapshot.grant_of(run).placement;
  known.run = run.id;
  known.placement = placement;
  known.type = snapshot.cluster.pools[placement.front().pool.index()].type;
  known.gpus = gpu_total(placement);
  known.pace = run.pace;
  known.run_steps = run.steps;
  known.left_before = job.spec.total_steps - job.steps_done;
  for (const RunId live : job.runs) {
    if (live != run.id) known.left_before -= snapshot.run(live).steps_by(snapshot.now);
  }
  known.makes_steps = run.state == RunState::running;
  known.predicted_end = run.pace.when(run.steps);
  known.gpu_time = job.gpu_time;
  known.settled_at = job.settled_at;
  known.gpus_held = job.gpus_held;
}

void RunningJobs::sort() {
  for (std::size_t i = 1; i < jobs_.size(); ++i) {
    if (!(jobs_[i].rank < jobs_[i - 1].rank)) continue;
    const auto at =
        std::upper_bound(jobs_.begin(), jobs_.begin() + static_cast<std::ptrdiff_t>(i), jobs_[i],
                         [](const RunningJob& a, const RunningJob& b) { return a.rank < b.rank; });
    std::rotate(at, jobs_.begin() + static_cast<std::ptrdiff_t>(i),
                jobs_.begin() + static_cast<std::ptrdiff_t>(i) + 1);
  }
}

const Rank* RunningJobs::left(JobId job) const {
  const auto at = std::lower_bound(left_.begin(), left_.end(), job,
                                   [](const auto& gone, JobId id) { return gone.first < id; });
  return at == left_.end() || at->first != job ? nullptr : &at->second;
}

void place_in_order(const Snapshot& snapshot, const WaitingJobs& waiting,
                    const RunningJobs& running, Capacity& capacity, Plan& plan) {
  if (waiting.queue().is_empty()) return;
  capacity.reset(snapshot);
  Pass(snapshot, waiting, running, capacity, plan).make();
}

}  // namespace muster
