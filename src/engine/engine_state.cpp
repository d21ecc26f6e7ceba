// Saving, loading and checking the whole state of the engine.
#include <algorithm>
#include <cstring>
#include <string>

#include "engine/engine.h"

namespace muster {
namespace {

constexpr std::uint32_t archive_version = 1;

Result<void> broken(const std::string& what) { return failure("engine state: " + what); }

}  // namespace

void Engine::transfer(Archive& archive) {
  std::uint32_t version = archive_version;
  archive(version);
  if (version != archive_version) archive.fail();
  std::vector<NodeState> states;
  for (const Node& node : cluster_.nodes) states.push_back(node.state);
  archive(states);
  if (states.size() != cluster_.nodes.size()) {
    archive.fail();
    return;
  }
  for (std::size_t i = 0; i < states.size(); ++i) cluster_.nodes[i].state = states[i];
  archive(now_, jobs_, runs_, grants_, ledger_, waiting_, running_, unbegun_, changed_, next_run_,
          next_grant_, wake_at_, counters_, hash_);
  if (!archive.failed()) policy_->transfer(archive);
}

std::string Engine::save() {
  Archive archive = Archive::saver();
  transfer(archive);
  std::string bytes = archive.bytes();
  Fnv checksum;
  checksum.add(bytes);
  const std::uint64_t sum = checksum.value();
  bytes.append(sizeof sum, '\0');
  std::memcpy(bytes.data() + bytes.size() - sizeof sum, &sum, sizeof sum);
  return bytes;
}

Result<void> Engine::load(std::string bytes) {
  std::uint64_t sum = 0;
  if (bytes.size() < sizeof sum) return broken("damaged or of another version");
  std::memcpy(&sum, bytes.data() + bytes.size() - sizeof sum, sizeof sum);
  bytes.resize(bytes.size() - sizeof sum);
  Fnv checksum;
  checksum.add(bytes);
  if (checksum.value() != sum) return broken("damaged or of another version");
  Archive archive = Archive::loader(std::move(bytes));
  transfer(archive);
  if (!archive.is_complete()) return broken("damaged or of another version");
  return check_invariants();
}

Result<void> Engine::check_invariants() const {
  std::vector<std::int32_t> committed(cluster_.pools.size(), 0);
  std::vector<std::int32_t> held(cluster_.pools.size(), 0);
  std::size_t runs_in_grants = 0;
  for (const auto& [id, grant] : grants_) {
    std::int32_t wanted = 0;
    bool any_begun = false;
    for (const RunId run_id : grant.runs) {
      const auto found = runs_.find(run_id);
      if (found == runs_.end() || found->second.grant != id) return broken("a grant's run is lost");
      wanted += found->second.is_wanted() ? 1 : 0;
      any_begun = any_begun || found->second.has_begun();
      ++runs_in_grants;
    }
    if (grant.runs.empty()) return broken("an empty grant");
    if (wanted != grant.wanted_count) return broken("a grant's wanted runs");
    if (any_begun != grant.is_held()) return broken("a grant that should hold GPUs, or should not");
    std::size_t next = 0;
    for (const Slot& slot : grant.placement) {
      if (slot.pool.index() >= cluster_.pools.size()) return broken("a slot on an unknown pool");
      if (wanted > 0) committed[slot.pool.index()] += slot.gpu_count;
      if (!grant.is_held()) continue;
      held[slot.pool.index()] += slot.gpu_count;
      for (std::int32_t i = 0; i < slot.gpu_count; ++i, ++next) {
        if (next >= grant.gpu_indices.size() ||
            !ledger_.is_held(slot.pool, grant.gpu_indices[next])) {
          return broken("a GPU of a begun grant that is not held");
        }
      }
    }
  }
  if (runs_in_grants != runs_.size()) return broken("a run in no grant");
  std::int32_t free_total = 0;
  for (std::size_t pool = 0; pool < cluster_.pools.size(); ++pool) {
    const PoolId id(pool);
    if (committed[pool] != ledger_.committed(id)) return broken("the committed GPUs of a pool");
    const std::int32_t count = cluster_.pools[pool].gpu_count;
    if (committed[pool] > count || held[pool] > count) return broken("an overfull pool");
    std::int32_t bits = 0;
    for (std::int32_t gpu = 0; gpu < count; ++gpu) bits += ledger_.is_held(id, gpu) ? 1 : 0;
    if (bits != held[pool]) return broken("a GPU held by two grants, or by none");
    const std::int32_t free = cluster_.is_usable(id) ? count - committed[pool] : 0;
    if (free != ledger_.free()[pool]) return broken("the free GPUs of a pool");
    free_total += free;
  }
  if (free_total != ledger_.free_total()) return broken("the total of free GPUs");
  std::size_t runs_in_jobs = 0;
  for (const Job& job : jobs_) {
    runs_in_jobs += job.runs.size();
    std::int32_t wanted = 0;
    std::int64_t steps = job.steps_done;
    for (const RunId run_id : job.runs) {
      const auto found = runs_.find(run_id);
      if (found == runs_.end() || found->second.job != job.id) return broken("a job's run is lost");
      wanted += found->second.is_wanted() ? 1 : 0;
      if (found->second.has_begun()) steps += found->second.steps;
    }
    if (wanted != job.wanted_count) return broken("a job's wanted runs");
    if (steps > job.spec.total_steps) return broken("more steps than a job has");
    if (job.state == JobState::finished && job.steps_done != job.spec.total_steps) {
      return broken("a finished job with steps left");
    }
    const bool waits = std::binary_search(waiting_.begin(), waiting_.end(), job.id);
    const bool runs = std::binary_search(running_.begin(), running_.end(), job.id);
    const bool is_active = job.state == JobState::active;
    if (waits != (is_active && wanted == 0) || runs != (is_active && wanted > 0)) {
      return broken("a job in the wrong list");
    }
  }
  if (runs_in_jobs != runs_.size()) return broken("a run of no job");
  return {};
}

}  // namespace muster
