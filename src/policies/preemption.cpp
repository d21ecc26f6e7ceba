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
    for (std::size_t i = 0; i < running_.size(); ++i) {
      if (is_fixed(running_[i])) {
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

  bool is_fixed(const RunningJob& job) const {
    if (snapshot_.minimum_run_time > Duration::zero() &&
        !snapshot_.may_stop(snapshot_.run(job.run))) {
      return true;
    }
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
    start(job.job, shape);
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
  for (const JobId id : snapshot.changed) {
    const Job& job = snapshot.job(id);
    auto at = std::find_if(jobs_.begin(), jobs_.end(),
                           [&](const RunningJob& known) { return known.job == id; });
    if (job.state != JobState::active || job.wanted_count == 0) {
      if (at == jobs_.end()) continue;
      left_.emplace_back(id, at->rank);
      jobs_.erase(at);
      continue;
    }
    if (at == jobs_.end()) {
      jobs_.emplace_back();
      at = std::prev(jobs_.end());
      at->job = id;
      if (waiting.queue().contains(id)) {
        at->rank = waiting.queue().rank(id);
        at->shape = waiting.queue().shape(id);
      } else {
        at->shape = waiting.shape_of(snapshot, job.spec);
      }
    }
    const auto wanted = std::find_if(job.runs.rbegin(), job.runs.rend(), [&](RunId run_id) {
      return snapshot.run(run_id).is_wanted();
    });
    const Run& run = snapshot.run(*wanted);
    const Placement& placement = snapshot.grant_of(run).placement;
    at->run = run.id;
    at->placement = placement;
    at->type = snapshot.cluster.pools[placement.front().pool.index()].type;
    at->gpus = gpu_total(placement);
    at->pace = run.pace;
    at->run_steps = run.steps;
    at->left_before = job.spec.total_steps - job.steps_done;
    for (const RunId live : job.runs) {
      if (live != run.id) at->left_before -= snapshot.run(live).steps_by(snapshot.now);
    }
    at->makes_steps = run.state == RunState::running;
    at->predicted_end = run.pace.when(run.steps);
    at->gpu_time = job.gpu_time;
    at->settled_at = job.settled_at;
    at->gpus_held = job.gpus_held;
  }
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
  const auto found =
      std::find_if(left_.begin(), left_.end(), [&](const auto& gone) { return gone.first == job; });
  return found == left_.end() ? nullptr : &found->second;
}

void place_in_order(const Snapshot& snapshot, const WaitingJobs& waiting,
                    const RunningJobs& running, Capacity& capacity, Plan& plan) {
  if (waiting.queue().is_empty()) return;
  capacity.reset(snapshot);
  Pass(snapshot, waiting, running, capacity, plan).make();
}

}  // namespace muster
