#include "engine/check_plan.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>

namespace muster {
namespace {

std::string name(JobId id) { return "job " + std::to_string(id.value()); }
std::string name(RunId id) { return "run " + std::to_string(id.value()); }
std::string name(GrantId id) { return "grant " + std::to_string(id.value()); }
std::string name(PoolId id) { return "pool " + std::to_string(id.value()); }

// One pass over a plan; keeps what the plan changes beside the snapshot.
class Checker {
 public:
  Checker(const Snapshot& snapshot, const Plan& plan, Policy::Traits traits)
      : snapshot_(snapshot), plan_(plan), traits_(traits) {}

  Result<void> check() {
    for (const RunId stop : plan_.stops) {
      if (auto checked = check_stop(stop); !checked) return checked;
    }
    for (const Why& reject : plan_.rejects) {
      if (auto checked = check_reject(reject.job); !checked) return checked;
    }
    for (const Assignment& start : plan_.starts) {
      if (auto checked = check_start(start); !checked) return checked;
    }
    for (const auto& [job, parts] : started_) {
      if (auto checked = check_copies(job, parts); !checked) return checked;
    }
    return check_resources();
  }

 private:
  struct Parts {
    std::int32_t count = 0;
    std::int32_t with_quota = 0;
    std::int64_t quota_steps = 0;
  };
  struct HostChange {
    std::int64_t cpus_milli = 0;
    std::int64_t memory_mib = 0;
  };

  Result<void> check_stop(RunId id) {
    const auto found = snapshot_.runs.find(id);
    if (found == snapshot_.runs.end()) {
      return failure("stop of " + name(id) + ", which is not live");
    }
    const Run& run = found->second;
    if (!run.is_wanted()) return failure("stop of " + name(id) + ", which is stopping already");
    if (!snapshot_.may_stop(run)) {
      return failure("stop of " + name(id) + " before its minimum run time");
    }
    if (!stopped_.insert(id).second) return failure("two stops of " + name(id));
    ++stops_of_grant_[run.grant];
    ++stops_of_job_[run.job];
    const Grant& grant = snapshot_.grants.at(run.grant);
    add_host(snapshot_.job(run.job).spec, grant.placement, -1);
    if (stops_of_grant_[run.grant] == grant.wanted_count) add_gpus(grant.placement, -1);
    return {};
  }

  Result<void> check_reject(JobId id) {
    if (id.index() >= snapshot_.jobs.size()) return failure("rejection of an unknown job");
    const Job& job = snapshot_.job(id);
    if (job.state != JobState::active || job.run_count > 0 || job.wanted_count > 0) {
      return failure("rejection of " + name(id) + ", which is not a job that has never run");
    }
    if (!rejected_.insert(id).second) return failure("two rejections of " + name(id));
    return {};
  }

  Result<void> check_start(const Assignment& start) {
    if (start.parts.empty()) return failure("an assignment without jobs");
    const Placement* placement = &start.placement;
    std::vector<const JobSpec*> company;
    if (start.join) {
      if (auto checked = check_join(start, company); !checked) return checked;
      placement = &snapshot_.grants.at(*start.join).placement;
    } else if (auto checked = check_slots(*placement); !checked) {
      return checked;
    }
    for (const Assignment::Part& part : start.parts) {
      if (part.job.index() >= snapshot_.jobs.size()) return failure("start of an unknown job");
      company.push_back(&snapshot_.job(part.job).spec);
    }
    for (const Assignment::Part& part : start.parts) {
      if (auto checked = check_part(part, *placement, company); !checked) return checked;
    }
    if (!start.join) add_gpus(*placement, 1);
    return {};
  }

  // Puts those who go on in the grant into `company`.
  Result<void> check_join(const Assignment& start, std::vector<const JobSpec*>& company) const {
    const auto found = snapshot_.grants.find(*start.join);
    if (found == snapshot_.grants.end()) {
      return failure("join of " + name(*start.join) + ", which is not live");
    }
    const Grant& grant = found->second;
    const auto stops = stops_of_grant_.find(grant.id);
    const std::int32_t stopped = stops == stops_of_grant_.end() ? 0 : stops->second;
    if (grant.wanted_count == stopped) return failure("join of " + name(grant.id) + ", which ends");
    if (!start.placement.empty()) return failure("a join with a placement of its own");
    for (const Slot& slot : grant.placement) {
      if (auto checked = check_usable(slot.pool); !checked) return checked;
    }
    for (const RunId id : grant.runs) {
      const Run& run = snapshot_.runs.at(id);
      if (!run.is_wanted() || stopped_.count(id) != 0) continue;
      company.push_back(&snapshot_.job(run.job).spec);
    }
    return {};
  }

  Result<void> check_usable(PoolId pool) const {
    if (snapshot_.cluster.is_usable(pool)) return {};
    return failure("a start on " + name(pool) + ", whose node is not up");
  }

  Result<void> check_slots(const Placement& placement) const {
    if (placement.empty()) return failure("a start without GPUs");
    PoolId previous;
    for (const Slot& slot : placement) {
      if (slot.pool.index() >= snapshot_.cluster.pools.size()) {
        return failure("a start on an unknown pool");
      }
      if (slot.gpu_count <= 0) return failure("a start on no GPU of " + name(slot.pool));
      if (previous.is_valid() && !(previous < slot.pool)) {
        return failure("a placement whose pools do not ascend, at " + name(slot.pool));
      }
      if (auto checked = check_usable(slot.pool); !checked) return checked;
      previous = slot.pool;
    }
    if (!traits_.mixes_types && !is_one_type(placement, snapshot_.cluster)) {
      return failure("a placement that mixes GPU types, which this policy does not declare");
    }
    return {};
  }

  Result<void> check_part(const Assignment::Part& part, const Placement& placement,
                          const std::vector<const JobSpec*>& company) {
    const Job& job = snapshot_.job(part.job);
    if (job.state != JobState::active) {
      return failure("start of " + name(job.id) + ", which is not active");
    }
    if (rejected_.count(job.id) != 0) {
      return failure("start of " + name(job.id) + ", which is rejected");
    }
    if (part.quota && *part.quota <= 0) return failure("a quota of no steps for " + name(job.id));
    const std::int32_t gpus = gpu_total(placement);
    if (gpus < job.spec.gpu_min() || gpus > job.spec.gpu_max()) {
      return failure(name(job.id) + " on " + std::to_string(gpus) + " GPUs, but its gang is " +
                     std::to_string(job.spec.gpu_count));
    }
    for (const Slot& slot : placement) {
      if (!job.spec.allows(snapshot_.cluster.pools[slot.pool.index()].type)) {
        return failure(name(job.id) + " on a GPU type that it does not allow");
      }
    }
    std::vector<const JobSpec*> others;
    bool skipped_self = false;
    for (const JobSpec* spec : company) {
      if (spec == &job.spec && !skipped_self) {
        skipped_self = true;
      } else {
        others.push_back(spec);
      }
    }
    const auto rate = snapshot_.belief.rate(
        job.spec, {.cluster = snapshot_.cluster, .placement = placement, .co_runners = others});
    if (!(rate.steps_per_second > 0)) {
      return failure(name(job.id) + " where it is believed not to fit");
    }
    Parts& parts = started_[job.id];
    ++parts.count;
    if (part.quota) {
      ++parts.with_quota;
      const std::int64_t left = job.spec.total_steps - job.steps_done;
      if (*part.quota > left) return failure("a quota beyond the steps left of " + name(job.id));
      parts.quota_steps += *part.quota;
    }
    add_host(job.spec, placement, 1);
    return {};
  }

  Result<void> check_copies(JobId id, const Parts& parts) const {
    const Job& job = snapshot_.job(id);
    const auto stops = stops_of_job_.find(id);
    const std::int32_t stopped = stops == stops_of_job_.end() ? 0 : stops->second;
    const std::int32_t staying = job.wanted_count - stopped;
    if (staying + parts.count > job.spec.copies_max) {
      return failure("more runs of " + name(id) + " than it may have copies");
    }
    if (staying + parts.count < 2) return {};
    std::int64_t planned = parts.quota_steps;
    bool all_have_quotas = parts.with_quota == parts.count;
    for (const RunId run_id : job.runs) {
      const Run& run = snapshot_.runs.at(run_id);
      if (!run.is_wanted() || stopped_.count(run_id) != 0) continue;
      all_have_quotas = all_have_quotas && run.quota.has_value();
      planned += run.quota.value_or(0);
    }
    if (!all_have_quotas) return failure("a copy of " + name(id) + " without a quota");
    if (planned > job.spec.total_steps - job.steps_done) {
      return failure("quotas of " + name(id) + " that add up to more than its steps left");
    }
    return {};
  }

  void add_gpus(const Placement& placement, std::int32_t sign) {
    for (const Slot& slot : placement) taken_[slot.pool] += sign * slot.gpu_count;
  }

  void add_host(const JobSpec& spec, const Placement& placement, std::int64_t sign) {
    if (spec.cpus_milli == 0 && spec.memory_mib == 0) return;
    for (const Slot& slot : placement) {
      HostChange& change = host_[snapshot_.cluster.pools[slot.pool.index()].node];
      change.cpus_milli += sign * spec.cpus_milli_for(slot.gpu_count);
      change.memory_mib += sign * spec.memory_mib_for(slot.gpu_count);
    }
  }

  Result<void> check_resources() const {
    for (const auto& [pool, taken] : taken_) {
      // GPUs given back on a node that is not up are no gain: nothing may start there anyway.
      if (taken > 0 && taken > snapshot_.free[pool.index()]) {
        return failure(std::to_string(taken) + " GPUs of " + name(pool) + ", which has " +
                       std::to_string(snapshot_.free[pool.index()]) + " free");
      }
    }
    for (const auto& [node, change] : host_) {
      if (change.cpus_milli > 0 && change.cpus_milli > snapshot_.free_cpus_milli[node.index()]) {
        return failure("more CPUs than are free on node " + std::to_string(node.value()));
      }
      if (change.memory_mib > 0 && change.memory_mib > snapshot_.free_memory_mib[node.index()]) {
        return failure("more memory than is free on node " + std::to_string(node.value()));
      }
    }
    if (plan_.wake_at && *plan_.wake_at <= snapshot_.now) {
      return failure("a wake time that is not later than now");
    }
    for (const Why& why : plan_.reasons) {
      if (why.job.index() >= snapshot_.jobs.size()) return failure("a reason for an unknown job");
    }
    return {};
  }

  const Snapshot& snapshot_;
  const Plan& plan_;
  const Policy::Traits traits_;
  std::set<RunId> stopped_;
  std::set<JobId> rejected_;
  std::map<GrantId, std::int32_t> stops_of_grant_;
  std::map<JobId, std::int32_t> stops_of_job_;
  std::map<JobId, Parts> started_;
  std::map<PoolId, std::int32_t> taken_;
  std::map<NodeId, HostChange> host_;
};

}  // namespace

Result<void> check_plan(const Snapshot& snapshot, const Plan& plan, Policy::Traits traits) {
  if (plan.is_empty() && plan.reasons.empty() && !plan.wake_at) return {};
  return Checker(snapshot, plan, traits).check();
}

}  // namespace muster
