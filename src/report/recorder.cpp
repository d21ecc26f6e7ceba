#include "report/recorder.h"

#include <algorithm>
#include <utility>

#include "base/check.h"

namespace muster {
namespace {

// Several steps at one instant leave one entry, and none if nothing changed in the end.
void note_change(std::vector<CountChange>& changes, Time now, std::int32_t count) {
  if (!changes.empty() && changes.back().at == now) changes.pop_back();
  if (changes.empty() || changes.back().count != count) {
    changes.push_back({.at = now, .count = count});
  }
}

}  // namespace

Recorder::Recorder(const Cluster& cluster, RecorderOptions options)
    : cluster_(&cluster),
      options_(std::move(options)),
      busy_by_type_(cluster.types.size()),
      busy_by_node_(cluster.nodes.size(), 0),
      busy_by_pool_(cluster.pools.size(), 0),
      is_usable_(cluster.nodes.size(), false),
      free_by_type_(cluster.types.size(), 0),
      free_changes_(cluster.types.size()) {
  if (options_.window) CHECK(options_.window->first >= 0);
  for (std::size_t node = 0; node < cluster.nodes.size(); ++node) {
    set_usable(NodeId(node), cluster.nodes[node].state == NodeState::up);
  }
}

void Recorder::on_step(Time now, std::span<const Event> events, std::span<const Command> commands,
                       std::span<const JobId> ended, std::span<const Job> jobs) {
  CHECK(now >= now_);
  now_ = now;
  event_count_ += static_cast<std::int64_t>(events.size());
  for (const Event& event : events) apply(event, jobs);
  for (const Command& command : commands) {
    if (const auto* start = std::get_if<StartRun>(&command)) begin(*start);
  }
  bool counted_finish = false;
  for (const JobId id : ended) {
    const Job& job = jobs[id.index()];
    end_job(job);
    if (job.state == JobState::finished && is_counted(id)) counted_finish = true;
  }
  if (counted_finish) busy_at_last_finish_ = busy_until_now();
}

bool Recorder::is_counted(JobId job) const {
  if (!options_.window) return true;
  const auto index = static_cast<std::int64_t>(job.index());
  return index >= options_.window->first && index < options_.window->second;
}

std::optional<BusyTime> Recorder::busy_time() const {
  if (!busy_at_first_submit_ || !busy_at_last_finish_) return std::nullopt;
  BusyTime busy = *busy_at_last_finish_;
  for (std::size_t type = 0; type < busy.gpus_by_type.size(); ++type) {
    busy.gpus_by_type[type] -= busy_at_first_submit_->gpus_by_type[type];
  }
  busy.nodes -= busy_at_first_submit_->nodes;
  return busy;
}

void Recorder::apply(const Event& event, std::span<const Job> jobs) {
  if (const auto* submitted = std::get_if<Submitted>(&event)) {
    submit(submitted->job);
  } else if (const auto* ended = std::get_if<RunEnded>(&event)) {
    end(*ended, jobs);
  } else if (const auto* joined = std::get_if<NodeJoined>(&event)) {
    set_usable(joined->node, true);
  } else if (const auto* drained = std::get_if<NodeDrained>(&event)) {
    set_usable(drained->node, false);
  } else if (const auto* lost = std::get_if<NodeLost>(&event)) {
    set_usable(lost->node, false);
  }
}

void Recorder::submit(JobId id) {
  if (id.index() != jobs_.size()) return;
  unfinished_.change(now_, 1);
  jobs_.push_back({.settled_at = now_, .unfinished_area = unfinished_.area});
  change_pending(false, true);
  if (is_counted(id) && !busy_at_first_submit_) busy_at_first_submit_ = busy_until_now();
}

void Recorder::begin(const StartRun& start) {
  LiveRun run{.job = start.job,
              .grant = start.grant,
              .gpu_count = gpu_total(start.placement),
              .steps_max = start.steps};
  LiveGrant& grant = grants_[start.grant];
  if (grant.run_count++ == 0) {
    grant.placement = start.placement;
    take(grant.placement, 1);
  }
  JobRecord& job = jobs_[start.job.index()];
  if (job.first_start == time_never) job.first_start = now_;
  change_runs(start.job, 1, run.gpu_count);
  if (options_.keep_schedule) append_rows(start, run);
  runs_.emplace(start.run, run);
}

void Recorder::end(const RunEnded& ended, std::span<const Job> jobs) {
  const auto found = runs_.find(ended.run);
  if (found == runs_.end()) return;
  const LiveRun run = found->second;
  runs_.erase(found);

  const auto grant = grants_.find(run.grant);
  if (--grant->second.run_count == 0) {
    take(grant->second.placement, -1);
    grants_.erase(grant);
  }
  change_runs(run.job, -1, -run.gpu_count);
  JobRecord& job = jobs_[run.job.index()];
  // A job that was cancelled or put on hold was stopped by its user, and one that is complete needs
  // its other copies no more: neither had to make room.
  const Job& after = jobs[run.job.index()];
  const bool goes_on = after.state == JobState::active && after.steps_done < after.spec.total_steps;
  if (ended.cause == Cause::stopped && goes_on) ++job.preemption_count;
  if (ended.cause == Cause::lost) ++job.loss_count;

  for (std::size_t row = 0; row < run.row_count; ++row) schedule_[run.first_row + row].end = now_;
  if (run.row_count > 0) {
    schedule_[run.first_row].steps = std::clamp<std::int64_t>(ended.steps, 0, run.steps_max);
  }
}

void Recorder::end_job(const Job& ended) {
  JobRecord& job = jobs_[ended.id.index()];
  if (job.has_ended) return;
  const bool was_pending = job.is_pending();
  job.has_ended = true;
  change_pending(was_pending, false);
  unfinished_.change(now_, -1);
  const double life = static_cast<double>((now_ - ended.submitted_at).count());
  if (life > 0) job.contention = (unfinished_.area - job.unfinished_area) / life;
}

void Recorder::change_runs(JobId id, std::int32_t runs, std::int32_t gpus) {
  JobRecord& job = jobs_[id.index()];
  const bool was_pending = job.is_pending();
  job.run_time = job.run_time_at(now_);
  job.gpu_time = job.gpu_time_at(now_);
  job.settled_at = now_;
  job.run_count += runs;
  job.gpu_count += gpus;
  change_pending(was_pending, job.is_pending());
}

// Puts the GPUs to use (sign 1) or gives them back (sign -1).
void Recorder::take(const Placement& placement, std::int32_t sign) {
  for (const Slot& slot : placement) {
    const Pool& pool = cluster_->pools[slot.pool.index()];
    const std::int32_t gpus = sign * slot.gpu_count;
    std::int32_t& busy_on_node = busy_by_node_[pool.node.index()];
    const bool was_busy = busy_on_node > 0;
    busy_on_node += gpus;
    const bool is_busy = busy_on_node > 0;
    if (was_busy != is_busy) busy_nodes_.change(now_, sign);
    busy_by_type_[pool.type.index()].change(now_, gpus);
    busy_by_pool_[slot.pool.index()] += gpus;
    if (is_usable_[pool.node.index()]) change_free(pool.type, -gpus);
  }
}

void Recorder::set_usable(NodeId id, bool usable) {
  if (id.index() >= is_usable_.size() || is_usable_[id.index()] == usable) return;
  is_usable_[id.index()] = usable;
  const Node& node = cluster_->nodes[id.index()];
  for (std::size_t i = 0; i < node.pool_count; ++i) {
    const std::size_t index = node.first_pool.index() + i;
    const std::int32_t idle = cluster_->pools[index].gpu_count - busy_by_pool_[index];
    change_free(cluster_->pools[index].type, usable ? idle : -idle);
  }
}

void Recorder::change_free(GpuTypeId type, std::int32_t by) {
  free_by_type_[type.index()] += by;
  if (!options_.keep_schedule) return;
  note_change(free_changes_[type.index()], now_, free_by_type_[type.index()]);
}

void Recorder::change_pending(bool was, bool is) {
  pending_count_ += static_cast<std::int32_t>(is) - static_cast<std::int32_t>(was);
  if (options_.keep_schedule) note_change(pending_changes_, now_, pending_count_);
}

void Recorder::append_rows(const StartRun& start, LiveRun& run) {
  CHECK(start.gpu_indices.size() == static_cast<std::size_t>(run.gpu_count));
  run.first_row = schedule_.size();
  run.row_count = start.placement.size();
  std::size_t first_index = gpu_indices_.size();
  gpu_indices_.insert(gpu_indices_.end(), start.gpu_indices.begin(), start.gpu_indices.end());
  for (const Slot& slot : start.placement) {
    schedule_.push_back({.job = start.job,
                         .run = start.run,
                         .pool = slot.pool,
                         .gpu_count = slot.gpu_count,
                         .start = now_,
                         .first_index = first_index});
    first_index += static_cast<std::size_t>(slot.gpu_count);
  }
}

BusyTime Recorder::busy_until_now() const {
  BusyTime busy{.nodes = busy_nodes_.area_at(now_)};
  for (const Level& level : busy_by_type_) busy.gpus_by_type.push_back(level.area_at(now_));
  return busy;
}

}  // namespace muster
