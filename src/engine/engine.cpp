#include "engine/engine.h"

#include <algorithm>
#include <iterator>
#include <limits>

#include "base/check.h"
#include "engine/check_plan.h"

namespace muster {
namespace {

// In the hash, so that a begin, a stop and an end of one run differ.
constexpr std::uint64_t kind_begin = 1;
constexpr std::uint64_t kind_stop = 2;

}  // namespace

Engine::Engine(Cluster cluster, const PerformanceModel& belief, Policy& policy,
               EngineOptions options)
    : cluster_(std::move(cluster)),
      belief_(&belief),
      policy_(&policy),
      options_(options),
      traits_(policy.traits()),
      ledger_(cluster_) {}

Engine::Step Engine::step(Time now, std::span<const Event> events) {
  CHECK(now >= now_);
  now_ = now;
  stops_.clear();
  consolidations_.clear();
  commands_.clear();
  ended_.clear();
  bool ask = wake_at_ && now >= *wake_at_;
  for (const Event& event : events) {
    ++counters_.events;
    ask = apply(event) || ask;
  }
  std::optional<Error> refused;
  if (ask) ask_policy(refused);
  // A copy that found nothing left to do frees GPUs, so the policy is asked again; every round of
  // this loop drops at least one run.
  while (begin_waiting_runs() && !refused) ask_policy(refused);
  return {.commands = commands_, .ended = ended_, .wake_at = wake_at_, .refused = refused};
}

Snapshot Engine::snapshot() const {
  return {.now = now_,
          .cluster = cluster_,
          .belief = *belief_,
          .jobs = jobs_,
          .waiting = waiting_,
          .running = running_,
          .changed = changed_,
          .runs = runs_,
          .grants = grants_,
          .free = ledger_.free(),
          .free_by_type = ledger_.free_by_type(),
          .free_total = ledger_.free_total(),
          .free_cpus_milli = ledger_.free_cpus_milli(),
          .free_memory_mib = ledger_.free_memory_mib(),
          .minimum_run_time = options_.minimum_run_time};
}

void Engine::ask_policy(std::optional<Error>& refused) {
  wake_at_.reset();
  std::sort(changed_.begin(), changed_.end());
  changed_.erase(std::unique(changed_.begin(), changed_.end()), changed_.end());
  const Plan plan = policy_->decide(snapshot());
  ++counters_.decisions;
  if (auto checked = check_plan(snapshot(), plan, traits_); !checked) {
    refused = checked.error();
    return;
  }
  changed_.clear();
  adopt(plan);
}

void Engine::adopt(const Plan& plan) {
  wake_at_ = plan.wake_at;
  for (const Why& reject : plan.rejects) {
    Job& job = jobs_[reject.job.index()];
    job.reason = reject.reason;
    job.reason_detail = reject.detail;
    end(job, JobState::rejected);
  }
  for (const RunId id : plan.stops) {
    Run& run = runs_.at(id);
    if (run.has_begun()) {
      ++counters_.stops;
      stop(run);
    } else {
      drop(id);
    }
  }
  for (const Assignment& start : plan.starts) adopt_start(start);
  for (const Why& why : plan.reasons) {
    jobs_[why.job.index()].reason = why.reason;
    jobs_[why.job.index()].reason_detail = why.detail;
  }
}

void Engine::adopt_start(const Assignment& start) {
  const GrantId grant_id = start.join.value_or(next_grant_);
  if (!start.join) {
    next_grant_ = next_grant_.next();
    grants_[grant_id] = {.id = grant_id, .placement = start.placement};
    ledger_.commit_gpus(start.placement);
  }
  Grant& grant = grants_.at(grant_id);
  for (const Assignment::Part& part : start.parts) {
    Job& job = jobs_[part.job.index()];
    const RunId id = next_run_;
    next_run_ = next_run_.next();
    Run& run = runs_[id];
    run = {.id = id, .job = part.job, .grant = grant_id, .quota = part.quota, .requested_at = now_};
    run.steps = std::min(part.quota.value_or(std::numeric_limits<std::int64_t>::max()),
                         job.spec.total_steps - job.steps_done);
    grant.runs.push_back(id);
    job.runs.push_back(id);
    unbegun_.push_back(id);
    ++grant.wanted_count;
    ++job.wanted_count;
    ledger_.commit_host(job.spec, grant.placement);
    update_lists(job);
    mark_changed(job.id);
  }
  rerate(grant);
}

bool Engine::begin_waiting_runs() {
  // Before the starts that they make room for, but behind those of an earlier round, one of which
  // may be stopped already.
  commands_.insert(commands_.end(), stops_.begin(), stops_.end());
  commands_.insert(commands_.end(), std::make_move_iterator(consolidations_.begin()),
                   std::make_move_iterator(consolidations_.end()));
  stops_.clear();
  consolidations_.clear();
  bool dropped = false;
  const std::vector<RunId> candidates = unbegun_;
  for (const RunId id : candidates) {
    const auto found = runs_.find(id);
    if (found == runs_.end() || !can_begin(found->second)) continue;
    const std::int64_t steps = steps_for(found->second);
    if (steps > 0) {
      begin(found->second, steps);
    } else {
      drop(id);
      dropped = true;
    }
  }
  return dropped;
}

bool Engine::can_begin(const Run& run) const {
  const Job& job = jobs_[run.job.index()];
  if (job.consolidating) return false;
  for (const RunId other : job.runs) {
    if (!runs_.at(other).is_wanted()) return false;
  }
  const Grant& grant = grants_.at(run.grant);
  if (!grant.is_held() && !ledger_.can_hold_gpus(grant.placement)) return false;
  for (const Slot& slot : grant.placement) {
    if (!cluster_.is_usable(slot.pool)) return false;
  }
  return ledger_.can_hold_host(job.spec, grant.placement);
}

std::int64_t Engine::steps_for(const Run& run) const {
  const Job& job = jobs_[run.job.index()];
  std::int64_t left = job.spec.total_steps - job.steps_done;
  for (const RunId other : job.runs) {
    const Run& sibling = runs_.at(other);
    if (sibling.has_begun()) left -= sibling.steps;
  }
  return run.quota ? std::min(*run.quota, left) : left;
}

void Engine::begin(Run& run, std::int64_t steps) {
  Job& job = jobs_[run.job.index()];
  Grant& grant = grants_.at(run.grant);
  if (!grant.is_held()) grant.gpu_indices = ledger_.hold_gpus(grant.placement);
  ledger_.hold_host(job.spec, grant.placement);
  run.begun_at = now_;
  run.state = RunState::starting;
  run.steps = steps;
  ++job.run_count;
  job.reason = Reason::queued;
  job.reason_detail = 0;
  change_gpus_held(job, gpu_total(grant.placement));
  unbegun_.erase(std::lower_bound(unbegun_.begin(), unbegun_.end(), run.id));
  rerate(grant);
  mark_changed(job.id);
  hash_event(kind_begin, run, steps);
  for (const std::int32_t gpu : grant.gpu_indices) hash_.add(static_cast<std::uint64_t>(gpu));
  for (const Slot& slot : grant.placement) hash_.add(slot.pool.value());
  commands_.emplace_back(StartRun{.run = run.id,
                                  .job = run.job,
                                  .grant = run.grant,
                                  .steps = steps,
                                  .placement = grant.placement,
                                  .gpu_indices = grant.gpu_indices});
}

void Engine::stop(Run& run) {
  run.pace.set_rate(now_, 0);
  // A run that never reported its start has made no steps.
  if (run.state == RunState::starting) run.pace.steps_before = 0;
  release_wanted(run);
  run.state = RunState::stopping;
  hash_event(kind_stop, run, 0);
  stops_.emplace_back(StopRun{.run = run.id});
}

void Engine::stop_all(Job& job) {
  const std::vector<RunId> runs = job.runs;
  for (const RunId id : runs) {
    Run& run = runs_.at(id);
    if (!run.has_begun()) {
      drop(id);
    } else if (run.is_wanted()) {
      stop(run);
    }
  }
}

void Engine::drop(RunId id) {
  const Run run = runs_.at(id);
  CHECK(!run.has_begun());
  unbegun_.erase(std::lower_bound(unbegun_.begin(), unbegun_.end(), id));
  release_wanted(runs_.at(id));
  unlink(run);
}

// Takes a run out of all tables; an empty grant goes with it.
void Engine::unlink(const Run& run) {
  const RunId id = run.id;
  Job& job = jobs_[run.job.index()];
  job.runs.erase(std::find(job.runs.begin(), job.runs.end(), id));
  Grant& grant = grants_.at(run.grant);
  grant.runs.erase(std::find(grant.runs.begin(), grant.runs.end(), id));
  const bool any_begun = std::any_of(grant.runs.begin(), grant.runs.end(),
                                     [&](RunId other) { return runs_.at(other).has_begun(); });
  if (grant.is_held() && !any_begun) {
    ledger_.drop_gpus(grant.placement, grant.gpu_indices);
    grant.gpu_indices.clear();
  }
  const GrantId grant_id = grant.id;
  runs_.erase(id);
  if (grants_.at(grant_id).runs.empty()) {
    grants_.erase(grant_id);
  } else {
    rerate(grants_.at(grant_id));
  }
  mark_changed(job.id);
}

// Takes a run that is about to stop or end out of the committed book. REQUIRES: it is wanted.
void Engine::release_wanted(Run& run) {
  CHECK(run.is_wanted());
  Job& job = jobs_[run.job.index()];
  Grant& grant = grants_.at(run.grant);
  --job.wanted_count;
  --grant.wanted_count;
  ledger_.release_host(job.spec, grant.placement);
  if (grant.wanted_count == 0) ledger_.release_gpus(grant.placement);
  update_lists(job);
  mark_changed(job.id);
}

void Engine::update_lists(Job& job) {
  const auto place = [&](std::vector<JobId>& list, bool belongs) {
    const auto at = std::lower_bound(list.begin(), list.end(), job.id);
    const bool is_there = at != list.end() && *at == job.id;
    if (belongs && !is_there) list.insert(at, job.id);
    if (!belongs && is_there) list.erase(at);
  };
  const bool is_active = job.state == JobState::active;
  place(waiting_, is_active && job.wanted_count == 0);
  place(running_, is_active && job.wanted_count > 0);
}

void Engine::mark_changed(JobId job) {
  if (changed_.empty() || changed_.back() != job) changed_.push_back(job);
}

void Engine::change_gpus_held(Job& job, std::int32_t change) {
  job.gpu_time = job.gpu_time_at(now_);
  job.settled_at = now_;
  job.gpus_held += change;
}

// New believed rates for the runs of a grant, in the company they have now.
void Engine::rerate(const Grant& grant) {
  for (const RunId id : grant.runs) {
    Run& run = runs_.at(id);
    if (!run.is_wanted()) continue;
    const double rate = believed_rate(run);
    if (run.state != RunState::running) {
      run.pace = {.rate = rate, .since = now_};
    } else if (rate != run.pace.rate) {
      run.pace.set_rate(now_, rate);
    } else {
      continue;
    }
    mark_changed(run.job);
  }
}

double Engine::believed_rate(const Run& run) const {
  const Grant& grant = grants_.at(run.grant);
  std::vector<const JobSpec*> others;
  for (const RunId id : grant.runs) {
    const Run& other = runs_.at(id);
    // Those that hold the GPUs, until they have ended; for a run that has not begun, those to come.
    const bool counts = run.has_begun() ? other.has_begun() : other.is_wanted();
    if (id != run.id && counts) others.push_back(&jobs_[other.job.index()].spec);
  }
  return belief_
      ->rate(jobs_[run.job.index()].spec,
             {.cluster = cluster_, .placement = grant.placement, .co_runners = others})
      .steps_per_second;
}

void Engine::hash_event(std::uint64_t kind, const Run& run, std::int64_t steps) {
  hash_.add(kind);
  hash_.add(static_cast<std::uint64_t>(now_.time_since_epoch().count()));
  hash_.add((std::uint64_t{run.id.value()} << 32U) | run.job.value());
  hash_.add(static_cast<std::uint64_t>(steps));
}

}  // namespace muster
