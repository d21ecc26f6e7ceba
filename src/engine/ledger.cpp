#include "engine/ledger.h"

#include "base/check.h"

namespace muster {

Ledger::Ledger(const Cluster& cluster)
    : cluster_(&cluster),
      committed_(cluster.pools.size(), 0),
      free_(cluster.pools.size(), 0),
      free_by_type_(cluster.types.size(), 0),
      committed_host_(cluster.nodes.size()),
      held_host_(cluster.nodes.size()),
      free_cpus_milli_(cluster.nodes.size(), 0),
      free_memory_mib_(cluster.nodes.size(), 0),
      held_count_(cluster.pools.size(), 0) {
  std::size_t words = 0;
  for (const Pool& pool : cluster.pools) {
    first_word_.push_back(words);
    words += (static_cast<std::size_t>(pool.gpu_count) + 63) / 64;
  }
  held_.resize(words, 0);
  for (std::size_t node = 0; node < cluster.nodes.size(); ++node) update_node(NodeId(node));
}

void Ledger::change_free(std::size_t pool, std::int32_t change) {
  free_[pool] += change;
  free_by_type_[cluster_->pools[pool].type.index()] += change;
  free_total_ += change;
}

void Ledger::change_gpus(const Placement& placement, std::int32_t sign) {
  for (const Slot& slot : placement) {
    const std::size_t pool = slot.pool.index();
    committed_[pool] += sign * slot.gpu_count;
    CHECK(committed_[pool] >= 0 && committed_[pool] <= cluster_->pools[pool].gpu_count);
    if (cluster_->is_usable(slot.pool)) change_free(pool, -sign * slot.gpu_count);
  }
}

template <class Change>
void Ledger::for_each_host(const JobSpec& job, const Placement& placement, Change change) const {
  if (job.cpus_milli == 0 && job.memory_mib == 0) return;
  for (const Slot& slot : placement) {
    change(cluster_->pools[slot.pool.index()].node,
           Host{.cpus_milli = job.cpus_milli_for(slot.gpu_count),
                .memory_mib = job.memory_mib_for(slot.gpu_count)});
  }
}

void Ledger::refresh_host(NodeId node) {
  const Node& shape = cluster_->nodes[node.index()];
  const Host& used = committed_host_[node.index()];
  free_cpus_milli_[node.index()] =
      shape.cpus_milli > 0 ? shape.cpus_milli - used.cpus_milli : unlimited;
  free_memory_mib_[node.index()] =
      shape.memory_mib > 0 ? shape.memory_mib - used.memory_mib : unlimited;
}

void Ledger::commit_host(const JobSpec& job, const Placement& placement) {
  for_each_host(job, placement, [&](NodeId node, const Host& need) {
    committed_host_[node.index()].cpus_milli += need.cpus_milli;
    committed_host_[node.index()].memory_mib += need.memory_mib;
    refresh_host(node);
    CHECK(free_cpus_milli_[node.index()] >= 0 && free_memory_mib_[node.index()] >= 0);
  });
}

void Ledger::release_host(const JobSpec& job, const Placement& placement) {
  for_each_host(job, placement, [&](NodeId node, const Host& need) {
    committed_host_[node.index()].cpus_milli -= need.cpus_milli;
    committed_host_[node.index()].memory_mib -= need.memory_mib;
    refresh_host(node);
  });
}

void Ledger::update_node(NodeId node) {
  const Node& shape = cluster_->nodes[node.index()];
  for (std::uint32_t i = 0; i < shape.pool_count; ++i) {
    const std::size_t pool = shape.first_pool.index() + i;
    const std::int32_t free_now =
        shape.state == NodeState::up ? cluster_->pools[pool].gpu_count - committed_[pool] : 0;
    change_free(pool, free_now - free_[pool]);
  }
  refresh_host(node);
}

bool Ledger::can_hold_gpus(const Placement& placement) const {
  for (const Slot& slot : placement) {
    const Pool& pool = cluster_->pools[slot.pool.index()];
    if (!cluster_->is_usable(slot.pool)) return false;
    if (pool.gpu_count - held_count_[slot.pool.index()] < slot.gpu_count) return false;
  }
  return true;
}

std::vector<std::int32_t> Ledger::hold_gpus(const Placement& placement) {
  std::vector<std::int32_t> gpu_indices;
  for (const Slot& slot : placement) {
    const std::size_t pool = slot.pool.index();
    std::int32_t missing = slot.gpu_count;
    for (std::int32_t gpu = 0; gpu < cluster_->pools[pool].gpu_count && missing > 0; ++gpu) {
      const std::uint64_t bit = std::uint64_t{1} << (static_cast<std::uint32_t>(gpu) % 64);
      if ((word(pool, gpu) & bit) != 0) continue;
      word(pool, gpu) |= bit;
      gpu_indices.push_back(gpu);
      --missing;
    }
    CHECK(missing == 0);
    held_count_[pool] += slot.gpu_count;
  }
  return gpu_indices;
}

void Ledger::drop_gpus(const Placement& placement, std::span<const std::int32_t> gpu_indices) {
  std::size_t next = 0;
  for (const Slot& slot : placement) {
    const std::size_t pool = slot.pool.index();
    for (std::int32_t i = 0; i < slot.gpu_count; ++i) {
      const std::int32_t gpu = gpu_indices[next++];
      const std::uint64_t bit = std::uint64_t{1} << (static_cast<std::uint32_t>(gpu) % 64);
      CHECK((word(pool, gpu) & bit) != 0);
      word(pool, gpu) &= ~bit;
    }
    held_count_[pool] -= slot.gpu_count;
  }
}

bool Ledger::can_hold_host(const JobSpec& job, const Placement& placement) const {
  bool can = true;
  for_each_host(job, placement, [&](NodeId node, const Host& need) {
    const Node& shape = cluster_->nodes[node.index()];
    const Host& used = held_host_[node.index()];
    if (shape.cpus_milli > 0 && used.cpus_milli + need.cpus_milli > shape.cpus_milli) can = false;
    if (shape.memory_mib > 0 && used.memory_mib + need.memory_mib > shape.memory_mib) can = false;
  });
  return can;
}

void Ledger::hold_host(const JobSpec& job, const Placement& placement) {
  for_each_host(job, placement, [&](NodeId node, const Host& need) {
    held_host_[node.index()].cpus_milli += need.cpus_milli;
    held_host_[node.index()].memory_mib += need.memory_mib;
  });
}

void Ledger::drop_host(const JobSpec& job, const Placement& placement) {
  for_each_host(job, placement, [&](NodeId node, const Host& need) {
    held_host_[node.index()].cpus_milli -= need.cpus_milli;
    held_host_[node.index()].memory_mib -= need.memory_mib;
  });
}

bool Ledger::is_held(PoolId pool, std::int32_t gpu_index) const {
  if (gpu_index < 0 || gpu_index >= cluster_->pools[pool.index()].gpu_count) return false;
  const std::size_t at = first_word_[pool.index()] + static_cast<std::size_t>(gpu_index) / 64;
  return ((held_[at] >> (static_cast<std::uint32_t>(gpu_index) % 64)) & 1U) != 0;
}

void Ledger::transfer(Archive& archive) {
  const std::size_t words = held_.size();
  archive(committed_, free_, free_by_type_, free_total_, committed_host_, held_host_,
          free_cpus_milli_, free_memory_mib_, held_count_, held_);
  const bool fits = committed_.size() == cluster_->pools.size() &&
                    free_.size() == cluster_->pools.size() &&
                    free_by_type_.size() == cluster_->types.size() &&
                    committed_host_.size() == cluster_->nodes.size() &&
                    held_host_.size() == cluster_->nodes.size() &&
                    free_cpus_milli_.size() == cluster_->nodes.size() &&
                    free_memory_mib_.size() == cluster_->nodes.size() &&
                    held_count_.size() == cluster_->pools.size() && held_.size() == words;
  if (!fits) archive.fail();
}

}  // namespace muster
