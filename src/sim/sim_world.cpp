#include "sim/sim_world.h"

#include <algorithm>
#include <variant>

#include "base/check.h"

namespace muster {

SimWorld::SimWorld(const Cluster& cluster, const PerformanceModel& truth,
                   std::span<const Arrival> arrivals, SimOptions options)
    : cluster_(&cluster),
      truth_(&truth),
      arrivals_(arrivals),
      options_(std::move(options)),
      jobs_(arrivals.size()),
      is_node_up_(cluster.nodes.size(), true),
      node_versions_(cluster.nodes.size(), 0) {
  for (std::size_t job = 0; job < arrivals.size(); ++job) {
    CHECK(job == 0 || arrivals[job - 1].at <= arrivals[job].at);
    const Arrival& arrival = arrivals[job];
    if (arrival.cancelled_at && *arrival.cancelled_at > arrival.at) {
      cancels_.emplace_back(*arrival.cancelled_at, JobId(job));
    }
  }
  std::stable_sort(cancels_.begin(), cancels_.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  for (std::size_t node = 0; node < cluster.nodes.size(); ++node) {
    node_rngs_.push_back(Rng{mix(options_.seed, node)});
    plan_failure(NodeId(node));
  }
  for (const NodeChange& change : options_.node_changes) {
    push(change.at, change.joins ? Rank::node_joined : Rank::node_lost,
         change.joins ? What::node_joined : What::node_lost, change.node.value(), planned_change);
  }
}

std::optional<Batch> SimWorld::next(std::optional<Time> wake_at) {
  std::optional<Time> at = next_time();  // Takes out what is stale, so that idle is seen as idle.
  if (is_hopeless()) return std::nullopt;
  if (is_idle()) {
    if (complete_count_ == arrivals_.size()) return std::nullopt;
    if (++idle_batches_ > idle_batches_max) {
      is_stuck_ = true;
      return std::nullopt;
    }
  }
  if (wake_at && (!at || *wake_at < *at)) at = wake_at;
  if (!at) {
    is_stuck_ = complete_count_ < arrivals_.size();
    return std::nullopt;
  }
  CHECK(*at >= now_);
  now_ = *at;
  events_.clear();
  while (!queue_.empty() && queue_.top().at <= now_) {
    const Entry entry = queue_.top();
    queue_.pop();
    emit(entry);
  }
  emit_cancels();
  emit_arrivals();
  return Batch{.now = now_, .events = events_};
}

// Nothing runs and nothing but failures and repairs is to come.
bool SimWorld::is_idle() const {
  return next_arrival_ == arrivals_.size() && runs_.empty() && pending_count_ == 0;
}

std::optional<Time> SimWorld::next_time() {
  while (!queue_.empty() && is_stale(queue_.top())) {
    emit(queue_.top());
    queue_.pop();
  }
  std::optional<Time> at;
  if (!queue_.empty()) at = queue_.top().at;
  if (next_arrival_ < arrivals_.size()) {
    const Time arrival = arrivals_[next_arrival_].at;
    if (!at || arrival < *at) at = arrival;
  }
  if (next_cancel_ < cancels_.size()) {
    const Time cancel = cancels_[next_cancel_].first;
    if (!at || cancel < *at) at = cancel;
  }
  return at;
}

void SimWorld::push(Time at, Rank rank, What what, std::uint32_t subject, std::uint32_t version) {
  if (what != What::node_lost && what != What::node_joined) ++pending_count_;
  queue_.push({.at = at,
               .rank = rank,
               .sequence = next_sequence_++,
               .what = what,
               .subject = subject,
               .version = version});
}

bool SimWorld::is_stale(const Entry& entry) const {
  switch (entry.what) {
    case What::consolidated: return false;
    case What::node_lost:
    case What::node_joined:
      return entry.version != planned_change && entry.version != node_versions_[entry.subject];
    case What::finish:
    case What::stopped:
    case What::failed:
    case What::lost:
    case What::started: break;
  }
  const auto found = runs_.find(RunId(entry.subject));
  return found == runs_.end() || found->second.version != entry.version;
}

void SimWorld::emit(const Entry& entry) {
  if (entry.what != What::node_lost && entry.what != What::node_joined) --pending_count_;
  if (is_stale(entry)) return;
  const RunId run(entry.subject);
  switch (entry.what) {
    case What::node_lost: lose_node(NodeId(entry.subject)); return;
    case What::finish: end_run(run, runs_.at(run).steps, Cause::done); return;
    case What::stopped: end_run(run, runs_.at(run).pace.steps_before, Cause::stopped); return;
    case What::failed: end_run(run, 0, Cause::failed); return;
    case What::lost: end_run(run, runs_.at(run).saved_steps, Cause::lost); return;
    case What::consolidated: events_.emplace_back(Consolidated{JobId(entry.subject)}); return;
    case What::node_joined: {
      const NodeId node(entry.subject);
      if (is_node_up_[node.index()]) return;
      is_node_up_[node.index()] = true;
      ++node_versions_[node.index()];
      events_.emplace_back(NodeJoined{node});
      plan_failure(node);
      return;
    }
    case What::started: begin_progress(run); return;
  }
}

void SimWorld::emit_cancels() {
  for (; next_cancel_ < cancels_.size() && cancels_[next_cancel_].first <= now_; ++next_cancel_) {
    cancel(cancels_[next_cancel_].second);
  }
}

void SimWorld::cancel(JobId id) {
  jobs_[id.index()].is_dropped = true;
  events_.emplace_back(Cancelled{id});
  settle(id);
}

void SimWorld::emit_arrivals() {
  for (; next_arrival_ < arrivals_.size() && arrivals_[next_arrival_].at <= now_; ++next_arrival_) {
    const Arrival& arrival = arrivals_[next_arrival_];
    const JobId id(next_arrival_);
    events_.emplace_back(Submitted{.job = id, .spec = arrival.spec});
    if (arrival.cancelled_at && *arrival.cancelled_at <= arrival.at) cancel(id);
  }
}

// Counts a job as complete once nothing more is to come of it.
void SimWorld::settle(JobId id) {
  JobTruth& job = jobs_[id.index()];
  const bool is_over = job.steps_done >= arrivals_[id.index()].spec.total_steps ||
                       (job.is_dropped && job.live_count == 0);
  if (!is_over || job.is_complete) return;
  ++complete_count_;
  job = {.steps_done = job.steps_done, .is_complete = true};
}

void SimWorld::plan_failure(NodeId node) {
  if (options_.failure_mean <= Duration::zero()) return;
  const double mean = to_seconds(options_.failure_mean);
  push(now_ + from_seconds(node_rngs_[node.index()].exponential(mean)), Rank::node_lost,
       What::node_lost, node.value(), node_versions_[node.index()]);
}

void SimWorld::lose_node(NodeId node) {
  if (!is_node_up_[node.index()]) return;
  is_node_up_[node.index()] = false;
  ++node_versions_[node.index()];
  events_.emplace_back(NodeLost{node});
  for (auto& [id, run] : runs_) {
    const Placement& placement = grants_.at(run.grant).placement;
    const bool was_there = std::any_of(placement.begin(), placement.end(), [&](const Slot& slot) {
      return cluster_->pools[slot.pool.index()].node == node;
    });
    if (!was_there) continue;
    save_checkpoint(run);
    run.is_stopping = true;  // A partner that is lost first must not bring it back to life.
    ++run.version;
    push(now_, Rank::run_ended, What::lost, id.value(), run.version);
  }
  if (options_.failure_mean > Duration::zero()) {
    const double mean = to_seconds(options_.repair_mean);
    push(now_ + from_seconds(node_rngs_[node.index()].exponential(mean)), Rank::node_joined,
         What::node_joined, node.value(), node_versions_[node.index()]);
  }
}

// Notes what the last checkpoint up to now holds. REQUIRES: called before every change of rate.
void SimWorld::save_checkpoint(LiveRun& run) const {
  if (!run.has_started || run.is_stopping) return;
  Time at = now_;
  if (options_.checkpoint_interval > Duration::zero()) {
    at = run.started_at +
         (now_ - run.started_at) / options_.checkpoint_interval * options_.checkpoint_interval;
  }
  if (at >= run.rate_changed_at) run.saved_steps = std::min(run.pace.steps(at), run.steps);
}

void SimWorld::end_run(RunId id, std::int64_t steps, Cause cause) {
  const LiveRun run = runs_.at(id);
  runs_.erase(id);
  LiveGrant& grant = grants_.at(run.grant);
  grant.runs.erase(std::find(grant.runs.begin(), grant.runs.end(), id));
  if (grant.runs.empty()) {
    grants_.erase(run.grant);
  } else {
    rerate(run.grant);
  }
  JobTruth& job = jobs_[run.job.index()];
  job.steps_done += steps;
  --job.live_count;
  if (steps > 0) loss_count_ = 0;
  if (steps == 0 && cause == Cause::lost) ++loss_count_;
  settle(run.job);
  events_.emplace_back(RunEnded{.run = id, .steps = steps, .cause = cause});
}

void SimWorld::begin_progress(RunId id) {
  LiveRun& run = runs_.at(id);
  run.has_started = true;
  run.started_at = now_;
  run.rate_changed_at = now_;
  run.pace = {.rate = true_rate(id, run), .since = now_};
  events_.emplace_back(RunStarted{id});
  plan_finish(id, run);
}

void SimWorld::plan_finish(RunId id, LiveRun& run) {
  ++run.version;
  const Time at = run.pace.when(run.steps);
  // Where it would never end it cannot run, whatever the policy believed.
  const bool ends = at != time_never;
  push(ends ? std::max(at, now_) : now_, Rank::run_ended, ends ? What::finish : What::failed,
       id.value(), run.version);
}

double SimWorld::true_rate(RunId id, const LiveRun& run) const {
  const LiveGrant& grant = grants_.at(run.grant);
  std::vector<const JobSpec*> others;
  for (const RunId other : grant.runs) {
    if (other == id) continue;
    others.push_back(&arrivals_[runs_.at(other).job.index()].spec);
  }
  return truth_
      ->rate(arrivals_[run.job.index()].spec,
             {.cluster = *cluster_, .placement = grant.placement, .co_runners = others})
      .steps_per_second;
}

// New true rates for the runs of a grant whose company has changed.
void SimWorld::rerate(GrantId id) {
  for (const RunId run_id : grants_.at(id).runs) {
    LiveRun& run = runs_.at(run_id);
    if (!run.has_started || run.is_stopping) continue;
    const double rate = true_rate(run_id, run);
    if (rate == run.pace.rate) continue;
    save_checkpoint(run);
    run.pace.set_rate(now_, rate);
    run.rate_changed_at = now_;
    plan_finish(run_id, run);
  }
}

void SimWorld::execute(std::span<const Command> commands) {
  for (const Command& command : commands) {
    if (const auto* stop_command = std::get_if<StopRun>(&command)) {
      stop(stop_command->run);
    } else if (const auto* consolidate = std::get_if<Consolidate>(&command)) {
      push(now_ + options_.consolidation_cost, Rank::consolidated, What::consolidated,
           consolidate->job.value());
    } else {
      start(std::get<StartRun>(command));
    }
  }
}

void SimWorld::forget(std::span<const JobId> ended) {
  for (const JobId id : ended) {
    jobs_[id.index()].is_dropped = true;
    settle(id);
  }
}

void SimWorld::start(const StartRun& command) {
  idle_batches_ = 0;
  JobTruth& job = jobs_[command.job.index()];
  const bool has_moved =
      job.has_run && (job.placement != command.placement || job.gpu_indices != command.gpu_indices);
  job.has_run = true;
  ++job.live_count;
  job.placement = command.placement;
  job.gpu_indices = command.gpu_indices;
  LiveRun& run = runs_[command.run];
  run = {.job = command.job, .grant = command.grant, .steps = command.steps};
  LiveGrant& grant = grants_[command.grant];
  grant.placement = command.placement;
  grant.runs.push_back(command.run);
  rerate(command.grant);
  const Duration delay =
      options_.start_latency + (has_moved ? options_.restart_cost : Duration::zero());
  push(now_ + delay, Rank::run_started, What::started, command.run.value(), run.version);
}

void SimWorld::stop(RunId id) {
  const auto found = runs_.find(id);
  if (found == runs_.end() || found->second.is_stopping) return;  // It ended at this instant.
  LiveRun& run = found->second;
  if (run.has_started) {
    run.pace.set_rate(now_, 0);
    run.pace.steps_before = std::min(run.pace.steps_before, run.steps);
    run.saved_steps = run.pace.steps_before;
  }
  run.is_stopping = true;
  ++run.version;
  push(now_ + options_.stop_latency, Rank::run_ended, What::stopped, id.value(), run.version);
}

}  // namespace muster
