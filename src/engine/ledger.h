#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "base/archive.h"
#include "core/cluster.h"
#include "core/job.h"
#include "core/placement.h"

namespace muster {

// Who may use what, and who holds it. Two books: *committed* is what wanted grants and runs take
// (the policy plans with the rest); *held* is what begun ones really have, which for a moment may
// be more, while stopped runs are still ending. Committed never exceeds what there is.
class Ledger {
 public:
  static constexpr std::int64_t unlimited = std::numeric_limits<std::int64_t>::max() / 4;

  explicit Ledger(const Cluster& cluster);

  // By pool, type, node: on usable nodes, not committed.
  std::span<const std::int32_t> free() const { return free_; }
  std::span<const std::int32_t> free_by_type() const { return free_by_type_; }
  std::int32_t free_total() const { return free_total_; }
  std::span<const std::int64_t> free_cpus_milli() const { return free_cpus_milli_; }
  std::span<const std::int64_t> free_memory_mib() const { return free_memory_mib_; }

  // The GPUs of a grant, and the CPUs and memory of each of its runs.
  void commit_gpus(const Placement& placement) { change_gpus(placement, 1); }
  void release_gpus(const Placement& placement) { change_gpus(placement, -1); }
  void commit_host(const JobSpec& job, const Placement& placement);
  void release_host(const JobSpec& job, const Placement& placement);

  // Call after a node's state has changed in the cluster.
  void update_node(NodeId node);

  // Holding: all or nothing, lowest indices first. Indices come slot by slot.
  bool can_hold_gpus(const Placement& placement) const;
  std::vector<std::int32_t> hold_gpus(const Placement& placement);
  void drop_gpus(const Placement& placement, std::span<const std::int32_t> gpu_indices);
  bool can_hold_host(const JobSpec& job, const Placement& placement) const;
  void hold_host(const JobSpec& job, const Placement& placement);
  void drop_host(const JobSpec& job, const Placement& placement);

  std::int32_t committed(PoolId pool) const { return committed_[pool.index()]; }
  bool is_held(PoolId pool, std::int32_t gpu_index) const;

  void transfer(Archive& archive);

 private:
  struct Host {
    std::int64_t cpus_milli = 0;
    std::int64_t memory_mib = 0;
  };

  void change_gpus(const Placement& placement, std::int32_t sign);
  void change_free(std::size_t pool, std::int32_t change);
  void refresh_host(NodeId node);
  template <class Change>
  void for_each_host(const JobSpec& job, const Placement& placement, Change change) const;
  std::uint64_t& word(std::size_t pool, std::int32_t index) {
    return held_[first_word_[pool] + static_cast<std::size_t>(index) / 64];
  }

  const Cluster* cluster_;
  std::vector<std::int32_t> committed_;
  std::vector<std::int32_t> free_;
  std::vector<std::int32_t> free_by_type_;
  std::int32_t free_total_ = 0;
  std::vector<Host> committed_host_;
  std::vector<Host> held_host_;
  std::vector<std::int64_t> free_cpus_milli_;
  std::vector<std::int64_t> free_memory_mib_;
  std::vector<std::int32_t> held_count_;  // By pool.
  std::vector<std::size_t> first_word_;   // By pool, into held_.
  std::vector<std::uint64_t> held_;       // One bit per GPU.
};

}  // namespace muster
