// How events change the engine's state. Each returns whether the policy is to be asked.
#include <algorithm>
#include <variant>

#include "base/check.h"
#include "engine/engine.h"

namespace muster {
namespace {

constexpr std::uint64_t kind_end = 3;  // Beside those of engine.cpp, in the hash.

}  // namespace

bool Engine::apply(const Event& event) {
  return std::visit([&](const auto& what) { return apply_event(what); }, event);
}

bool Engine::late() {
  ++counters_.late_reports;
  return false;
}

bool Engine::apply_event(const Submitted& event) {
  if (event.job.index() != jobs_.size()) return late();
  CHECK(event.spec.gpu_count > 0 && event.spec.total_steps > 0);
  Job& job = jobs_.emplace_back();
  job.id = event.job;
  job.spec = event.spec;
  job.submitted_at = now_;
  job.settled_at = now_;
  if (!fits_somewhere(job.spec)) {
    job.reason = Reason::fits_nowhere;
    end(job, JobState::rejected);
    return false;
  }
  update_lists(job);
  mark_changed(job.id);
  return true;
}

// Whether the whole, idle, repaired cluster could run the job: enough GPUs of one type that it may
// use (of all of them together if the policy mixes types), with the CPUs and memory it needs.
bool Engine::fits_somewhere(const JobSpec& spec) const {
  const std::int32_t needed = std::max(spec.gpu_min(), 1);
  Placement placement;
  for (std::size_t type = 0; type < cluster_.types.size(); ++type) {
    if (!traits_.mixes_types) placement.clear();
    if (!spec.allows(GpuTypeId(type))) continue;
    add_idle_gpus(spec, GpuTypeId(type), needed, placement);
    if (gpu_total(placement) < needed) continue;
    std::sort(placement.begin(), placement.end(),
              [](const Slot& a, const Slot& b) { return a.pool < b.pool; });
    if (believed_rate(spec, placement) > 0) return true;
  }
  return false;
}

// Adds GPUs of one type, as if nothing ran anywhere, until there are `needed`; none of a type that
// does not run the job.
void Engine::add_idle_gpus(const JobSpec& spec, GpuTypeId type, std::int32_t needed,
                           Placement& placement) const {
  std::int32_t missing = needed - gpu_total(placement);
  for (const PoolId id : cluster_.pools_by_type[type.index()]) {
    const Pool& pool = cluster_.pools[id.index()];
    const Node& node = cluster_.nodes[pool.node.index()];
    std::int32_t gpus = std::min(pool.gpu_count, missing);
    while (gpus > 0 && ((node.cpus_milli > 0 && spec.cpus_milli_for(gpus) > node.cpus_milli) ||
                        (node.memory_mib > 0 && spec.memory_mib_for(gpus) > node.memory_mib))) {
      --gpus;
    }
    if (gpus == 0) continue;
    if (believed_rate(spec, {{id, gpus}}) <= 0) return;
    placement.push_back({.pool = id, .gpu_count = gpus});
    missing -= gpus;
    if (missing == 0) return;
  }
}

bool Engine::apply_event(const Cancelled& event) {
  if (event.job.index() >= jobs_.size()) return late();
  Job& job = jobs_[event.job.index()];
  if (job.has_ended()) return late();
  job.state = JobState::cancelled;
  stop_all(job);
  update_lists(job);
  mark_changed(job.id);
  settle(job);
  return true;
}

bool Engine::apply_event(const Held& event) {
  if (event.job.index() >= jobs_.size()) return late();
  Job& job = jobs_[event.job.index()];
  if (job.state != JobState::active) return late();
  job.state = JobState::held;
  stop_all(job);
  update_lists(job);
  mark_changed(job.id);
  return true;
}

bool Engine::apply_event(const Released& event) {
  if (event.job.index() >= jobs_.size()) return late();
  Job& job = jobs_[event.job.index()];
  if (job.state != JobState::held) return late();
  job.state = JobState::active;
  update_lists(job);
  mark_changed(job.id);
  return true;
}

bool Engine::apply_event(const RunStarted& event) {
  const auto found = runs_.find(event.run);
  if (found == runs_.end() || found->second.state != RunState::starting) return late();
  Run& run = found->second;
  run.state = RunState::running;
  run.pace.since = now_;
  run.pace.steps_before = 0;
  mark_changed(run.job);
  return false;
}

bool Engine::apply_event(const Progress& event) {
  const auto found = runs_.find(event.run);
  if (found == runs_.end() || found->second.state != RunState::running) return late();
  Run& run = found->second;
  run.pace.steps_before = std::clamp<std::int64_t>(event.steps, 0, run.steps);
  run.pace.since = now_;
  mark_changed(run.job);
  return false;
}

bool Engine::apply_event(const RunEnded& event) {
  const auto found = runs_.find(event.run);
  if (found == runs_.end() || !found->second.has_begun()) return late();
  const Run run = found->second;
  const std::int64_t steps = std::clamp<std::int64_t>(event.steps, 0, run.steps);
  Job& job = jobs_[run.job.index()];
  const Grant& grant = grants_.at(run.grant);
  hash_event(kind_end, run, steps);
  if (run.is_wanted()) release_wanted(found->second);
  ledger_.drop_host(job.spec, grant.placement);
  change_gpus_held(job, -gpu_total(grant.placement));
  unlink(run);
  job.steps_done = std::min(job.steps_done + steps, job.spec.total_steps);
  if (job.spec.copies_max > 1 && steps > 0) job.copies.emplace_back(run.id, steps);
  if (event.cause == Cause::completed) {
    job.steps_done = job.spec.total_steps;
    stop_all(job);
    for (const RunId id : job.runs) runs_.at(id).steps = 0;  // Nothing is left for other copies.
  }
  if (event.cause == Cause::failed && ++job.fail_count > options_.failures_max &&
      !job.has_ended()) {
    job.state = JobState::failed;
    stop_all(job);
    update_lists(job);
  }
  settle(job);
  return true;
}

// Once no run of the job holds GPUs: what its state and its steps say happens.
void Engine::settle(Job& job) {
  if (job.consolidating && !job.has_ended()) return;
  const bool any_begun = std::any_of(job.runs.begin(), job.runs.end(),
                                     [&](RunId id) { return runs_.at(id).has_begun(); });
  if (any_begun) return;
  if (job.state == JobState::cancelled || job.state == JobState::failed) {
    end(job, job.state);
    return;
  }
  if (job.copies.size() >= 2) {
    job.consolidating = true;
    consolidations_.emplace_back(Consolidate{.job = job.id, .copies = job.copies});
    job.copies.clear();
    return;
  }
  job.copies.clear();
  if (job.steps_done >= job.spec.total_steps) end(job, JobState::finished);
}

void Engine::end(Job& job, JobState state) {
  const std::vector<RunId> runs = job.runs;
  for (const RunId id : runs) drop(id);
  job.state = state;
  job.ended_at = now_;
  job.consolidating = false;
  job.copies.clear();
  job.runs.shrink_to_fit();
  update_lists(job);
  mark_changed(job.id);
  ended_.push_back(job.id);
}

bool Engine::apply_event(const Consolidated& event) {
  if (event.job.index() >= jobs_.size()) return late();
  Job& job = jobs_[event.job.index()];
  if (!job.consolidating) return late();
  job.consolidating = false;
  mark_changed(job.id);
  settle(job);
  return true;
}

bool Engine::set_node_state(NodeId node, NodeState state) {
  if (node.index() >= cluster_.nodes.size()) return late();
  NodeState& present = cluster_.nodes[node.index()].state;
  if (present == state) return late();
  present = state;
  ledger_.update_node(node);
  return true;
}

void Engine::drop_unbegun_on(NodeId node) {
  const std::vector<RunId> candidates = unbegun_;
  for (const RunId id : candidates) {
    const Placement& placement = grants_.at(runs_.at(id).grant).placement;
    const bool is_there = std::any_of(placement.begin(), placement.end(), [&](const Slot& slot) {
      return cluster_.pools[slot.pool.index()].node == node;
    });
    if (is_there) drop(id);
  }
}

bool Engine::apply_event(const NodeJoined& event) {
  return set_node_state(event.node, NodeState::up);
}

bool Engine::apply_event(const NodeDrained& event) {
  if (!set_node_state(event.node, NodeState::draining)) return false;
  drop_unbegun_on(event.node);
  return true;
}

bool Engine::apply_event(const NodeLost& event) {
  if (!set_node_state(event.node, NodeState::down)) return false;
  drop_unbegun_on(event.node);
  return true;
}

}  // namespace muster
