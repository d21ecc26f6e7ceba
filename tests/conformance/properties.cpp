#include "conformance/properties.h"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>
#include <variant>

namespace muster::testing {
namespace {

// Far more than any of these worlds needs.
constexpr int steps_max = 20000;

// A job that moves may lose the step under way: a microsecond each time.
constexpr Duration rounding_max = std::chrono::milliseconds(1);

std::string at_time(const Stage& stage) {
  return " at " + std::to_string(stage.now().time_since_epoch().count()) + " us";
}

std::string name(JobId job) { return "job " + std::to_string(job.value()); }

// Why the step that was just made is wrong; empty where it is not.
std::string fault_of(const Stage& stage) {
  if (stage.last_step().refused) return stage.last_step().refused->message + at_time(stage);
  if (stage.step_count() >= steps_max) return "no end after very many steps";
  return {};
}

// The hash at the end, or what went wrong.
std::string run_to_end(Stage& stage) {
  while (stage.next()) {
    stage.step();
    if (std::string fault = fault_of(stage); !fault.empty()) return fault;
  }
  return "schedule " + std::to_string(stage.engine().schedule_hash());
}

// Two grants that hold one GPU, from their own lists.
std::string check_gpus_apart(const Engine& engine) {
  std::set<std::pair<PoolId, std::int32_t>> used;
  for (const auto& [id, grant] : engine.grants()) {
    std::size_t next = 0;
    for (const Slot& slot : grant.placement) {
      if (!grant.is_held()) break;
      const std::int32_t count = engine.cluster().pools[slot.pool.index()].gpu_count;
      for (std::int32_t i = 0; i < slot.gpu_count; ++i) {
        const std::int32_t gpu = grant.gpu_indices[next++];
        if (gpu < 0 || gpu >= count) return "a GPU that does not exist";
        if (!used.emplace(slot.pool, gpu).second) return "a GPU that two grants hold";
      }
    }
  }
  return {};
}

// GPUs of `pool`, up to `free`, for which the node's `cpus` and `memory` suffice.
std::int32_t usable_gpus(const JobSpec& job, std::int32_t free, std::int64_t cpus_milli,
                         std::int64_t memory_mib) {
  std::int32_t gpus = std::min(free, job.gpu_count);
  while (gpus > 0 &&
         (job.cpus_milli_for(gpus) > cpus_milli || job.memory_mib_for(gpus) > memory_mib)) {
    --gpus;
  }
  return gpus;
}

bool runs_on(const RandomWorld& world, const JobSpec& job, GpuTypeId type) {
  const double memory_gib = world.cluster.types[type.index()].memory_gib;
  return job.allows(type) && (memory_gib <= 0 || job.gpu_memory_gib <= memory_gib);
}

// Could the idle, whole cluster hold the job? By the words of the rules, not by the policies' code.
bool is_feasible(const RandomWorld& world, const JobSpec& job, PlacementRule rule) {
  const Cluster& cluster = world.cluster;
  if (rule == PlacementRule::skew) {
    rule = job.tensor_skew_ratio > 0.5 ? PlacementRule::consolidated : PlacementRule::count;
  }
  for (std::size_t type = 0; type < cluster.types.size(); ++type) {
    if (!runs_on(world, job, GpuTypeId(type))) continue;
    std::int32_t largest = 0;
    std::vector<std::int32_t> usable;
    std::vector<std::int32_t> sizes;
    for (const PoolId id : cluster.pools_by_type[type]) {
      const Pool& pool = cluster.pools[id.index()];
      const Node& node = cluster.nodes[pool.node.index()];
      const std::int64_t cpus = node.cpus_milli > 0 ? node.cpus_milli : INT64_MAX;
      const std::int64_t memory = node.memory_mib > 0 ? node.memory_mib : INT64_MAX;
      usable.push_back(usable_gpus(job, pool.gpu_count, cpus, memory));
      sizes.push_back(pool.gpu_count);
      largest = std::max(largest, pool.gpu_count);
    }
    std::int32_t needed = job.gpu_count;
    if (rule != PlacementRule::consolidated) {
      for (const std::int32_t gpus : usable) needed -= gpus;
      if (needed <= 0) return true;
      continue;
    }
    if (largest == 0) continue;
    // Whole nodes of the largest size, then one more for the rest.
    const std::int32_t whole = needed <= largest ? 0 : needed / largest;
    const std::int32_t rest = needed - whole * largest;
    std::int32_t whole_found = 0;
    std::int32_t rest_found = 0;
    for (std::size_t i = 0; i < usable.size(); ++i) {
      const bool is_whole = sizes[i] == largest && usable[i] == largest;
      if (is_whole && whole_found < whole) {
        ++whole_found;
      } else if (usable[i] >= rest) {
        ++rest_found;
      }
    }
    if (whole_found == whole && (rest == 0 || rest_found > 0)) return true;
  }
  return false;
}

bool is_at_rest(const Engine& engine) {
  return std::all_of(engine.runs().begin(), engine.runs().end(), [](const auto& entry) {
    return entry.second.has_begun() && entry.second.is_wanted();
  });
}

bool fits_free(const RandomWorld& world, const Snapshot& snapshot, const JobSpec& job) {
  for (std::size_t type = 0; type < world.cluster.types.size(); ++type) {
    if (!runs_on(world, job, GpuTypeId(type))) continue;
    std::int32_t missing = job.gpu_count;
    for (const PoolId id : world.cluster.pools_by_type[type]) {
      const std::size_t node = world.cluster.pools[id.index()].node.index();
      missing -= usable_gpus(job, snapshot.free[id.index()], snapshot.free_cpus_milli[node],
                             snapshot.free_memory_mib[node]);
    }
    if (missing <= 0) return true;
  }
  return false;
}

std::string describe(const Plan& plan) {
  std::string text;
  for (const RunId run : plan.stops) text += " stop of run " + std::to_string(run.value());
  for (const Assignment& start : plan.starts) text += " start of " + name(start.parts.front().job);
  for (const Why& reject : plan.rejects) text += " rejection of " + name(reject.job);
  return text;
}

// Whether the stage's policy, as it stands, wants to change anything. Asks a copy.
std::string second_thought(Stage& stage) {
  std::string error;
  const std::unique_ptr<Stage> copy = stage.fork(error);
  if (!copy) return error;
  const Plan plan = copy->policy().decide(copy->engine().snapshot());
  return plan.is_empty() ? "" : "asked again it wants a" + describe(plan);
}

struct Ends {
  std::vector<std::pair<JobState, Time>> jobs;
  std::string fault;
};

Ends ends_of(const RandomWorld& world, const PolicyMaker& make) {
  Stage stage(world, make);
  Ends ends;
  while (stage.next()) {
    stage.step();
    ends.fault = fault_of(stage);
    if (!ends.fault.empty()) return ends;
  }
  for (const Job& job : stage.engine().jobs()) ends.jobs.emplace_back(job.state, job.ended_at);
  return ends;
}

void rename(RandomWorld& world) {
  for (Arrival& arrival : world.arrivals) {
    JobSpec& spec = arrival.spec;
    spec.user = UserId(std::uint32_t{11} - spec.user.value());
    spec.model = ModelId(std::uint32_t{7} - spec.model.value());
    if (spec.tenant.is_valid()) spec.tenant = TenantId(std::uint32_t{5} - spec.tenant.value());
  }
}

Cluster reversed(const Cluster& cluster) {
  Cluster result;
  for (const GpuType& type : cluster.types) result.add_type(type);
  for (std::size_t i = cluster.nodes.size(); i-- > 0;) {
    const Node& node = cluster.nodes[i];
    std::vector<std::pair<GpuTypeId, std::int32_t>> gpus;
    for (std::uint32_t k = 0; k < node.pool_count; ++k) {
      const Pool& pool = cluster.pools[node.first_pool.index() + k];
      gpus.emplace_back(pool.type, pool.gpu_count);
    }
    result.add_node({.name = node.name}, gpus);
  }
  return result;
}

}  // namespace

std::string check_plans(const RandomWorld& world, const PolicyMaker& make) {
  Stage stage(world, make);
  while (stage.next()) {
    stage.step();
    if (std::string fault = fault_of(stage); !fault.empty()) return fault;
    if (auto checked = stage.engine().check_invariants(); !checked) {
      return checked.error().message + at_time(stage);
    }
    if (std::string fault = check_gpus_apart(stage.engine()); !fault.empty()) {
      return fault + at_time(stage);
    }
  }
  return {};
}

std::string check_ends(const RandomWorld& world, const PolicyMaker& make, PlacementRule rule) {
  Stage stage(world, make);
  while (stage.next()) {
    stage.step();
    if (std::string fault = fault_of(stage); !fault.empty()) return fault;
  }
  if (stage.engine().jobs().size() != world.arrivals.size()) return "not every job has come";
  for (const Job& job : stage.engine().jobs()) {
    const bool may_be_cancelled = world.arrivals[job.id.index()].cancelled_at.has_value();
    if (!is_feasible(world, job.spec, rule)) {
      if (job.state == JobState::cancelled && may_be_cancelled) continue;
      if (job.state != JobState::rejected)
        return name(job.id) + " fits nowhere and is not rejected";
    } else if (job.state == JobState::rejected) {
      return name(job.id) + " is rejected and would fit";
    } else if (job.state == JobState::cancelled ? !may_be_cancelled
                                                : job.state != JobState::finished) {
      return name(job.id) + " has not finished";
    }
  }
  return {};
}

std::string check_repeats(const RandomWorld& world, const PolicyMaker& make) {
  Stage first(world, make);
  Stage second(world, make);
  const std::string schedule = run_to_end(first);
  const std::string again = run_to_end(second);
  return schedule == again ? "" : "first " + schedule + ", then " + again;
}

std::string check_resumes(const RandomWorld& world, const PolicyMaker& make, std::uint64_t at) {
  Stage whole(world, make);
  const std::string schedule = run_to_end(whole);
  const std::uint64_t cut = at % static_cast<std::uint64_t>(std::max(whole.step_count(), 1));
  Stage begun(world, make);
  for (std::uint64_t i = 0; i < cut && begun.next(); ++i) {
    begun.step();
    if (std::string fault = fault_of(begun); !fault.empty()) return fault;
  }
  std::string error;
  const std::unique_ptr<Stage> resumed = begun.fork(error);
  if (!resumed) return error;
  const std::string rest = run_to_end(*resumed);
  if (schedule == rest) return {};
  return "uninterrupted " + schedule + ", resumed after " + std::to_string(cut) + " steps " + rest;
}

std::string check_stable(const RandomWorld& world, const PolicyMaker& make) {
  Stage stage(world, make);
  while (stage.next()) {
    if (stage.was_settled() && stage.was_asked() && is_at_rest(stage.engine())) {
      if (std::string fault = second_thought(stage); !fault.empty()) return fault + at_time(stage);
    }
    stage.step();
    if (std::string fault = fault_of(stage); !fault.empty()) return fault;
  }
  return {};
}

std::string check_work_conserving(const RandomWorld& world, const PolicyMaker& make) {
  Stage stage(world, make);
  while (stage.next()) {
    const Engine& engine = stage.engine();
    if (stage.was_settled() && stage.was_asked() && is_at_rest(engine)) {
      const Snapshot snapshot = engine.snapshot();
      for (const JobId id : snapshot.waiting) {
        if (fits_free(world, snapshot, snapshot.job(id).spec)) {
          return name(id) + " waits for nothing" + at_time(stage);
        }
      }
    }
    stage.step();
    if (std::string fault = fault_of(stage); !fault.empty()) return fault;
  }
  return {};
}

std::string check_names_ignored(const RandomWorld& world, const PolicyMaker& make,
                                bool nodes_reversed) {
  RandomWorld other;
  other.cluster = nodes_reversed ? reversed(world.cluster) : world.cluster;
  other.arrivals = world.arrivals;
  rename(other);
  const Ends here = ends_of(world, make);
  const Ends there = ends_of(other, make);
  if (!here.fault.empty()) return here.fault;
  if (!there.fault.empty()) return there.fault;
  for (std::size_t i = 0; i < here.jobs.size(); ++i) {
    const auto& [state, end] = here.jobs[i];
    const auto& [state_there, end_there] = there.jobs[i];
    if (state != state_there || std::chrono::abs(end - end_there) > rounding_max) {
      return name(JobId(i)) + " ends at another time under other names";
    }
  }
  return {};
}

void Account::on_step(const Batch& batch, std::span<const Command> commands) {
  for (const Event& event : batch.events) {
    const auto* ended = std::get_if<RunEnded>(&event);
    if (ended == nullptr) continue;
    const auto found = runs_.find(ended->run);
    if (found == runs_.end()) continue;
    const LiveRun& run = found->second;
    steps_[run.job] += std::min(ended->steps, run.steps_max);
    gpu_time_[run.job] += run.gpus * (batch.now - run.begun_at);
    runs_.erase(found);
  }
  for (const Command& command : commands) {
    const auto* start = std::get_if<StartRun>(&command);
    if (start == nullptr) continue;
    runs_[start->run] = {.job = start->job,
                         .steps_max = start->steps,
                         .gpus = gpu_total(start->placement),
                         .begun_at = batch.now};
  }
}

std::string Account::check(const Engine& engine, Time now) const {
  if (!runs_.empty()) return "a run that has not ended";
  for (const Job& job : engine.jobs()) {
    const auto steps = steps_.find(job.id);
    const std::int64_t done = steps == steps_.end() ? 0 : steps->second;
    if (done != job.steps_done) return name(job.id) + " has other steps than its runs made";
    if (job.state == JobState::finished && done != job.spec.total_steps) {
      return name(job.id) + " has finished without all of its steps";
    }
    const auto held = gpu_time_.find(job.id);
    const Duration gpu_time = held == gpu_time_.end() ? Duration::zero() : held->second;
    if (gpu_time != job.gpu_time_at(now)) return name(job.id) + " has other GPU time than its runs";
  }
  return {};
}

std::string check_account(const RandomWorld& world, const PolicyMaker& make) {
  Stage stage(world, make);
  Account account;
  while (stage.next()) {
    stage.step();
    if (std::string fault = fault_of(stage); !fault.empty()) return fault;
    account.on_step(stage.batch(), stage.last_step().commands);
  }
  return account.check(stage.engine(), stage.now());
}

}  // namespace muster::testing
