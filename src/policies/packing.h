#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "core/placement.h"
#include "core/snapshot.h"
#include "policies/registry.h"

namespace muster {

// Where a gang may sit. A gang stays on one GPU type.
enum class PlacementRule : std::uint8_t {
  count,         // Anywhere: only the number of free GPUs matters.
  consolidated,  // The first node that holds it; a larger gang takes floor(g/P) idle nodes of the
                 // largest size P and the first other node with the remainder.
  spread,        // Over as many nodes as possible.
  skew,          // Tiresias: consolidated if the model's largest tensor dominates, else count.
};

OptionInfo placement_option(std::string default_text = "count");
PlacementRule placement_rule(const OptionValues& options);

// What one job needs of a placement; jobs of one shape fit or do not fit together.
struct Shape {
  std::int32_t gpu_count = 1;
  std::uint64_t types = 0;  // That it may use and that are believed to run it.
  PlacementRule rule = PlacementRule::count;
  std::int64_t cpus_milli = 0;
  std::int64_t memory_mib = 0;
  friend auto operator<=>(const Shape&, const Shape&) = default;
};

// What a pass has left to give. Starts as the snapshot's free GPUs, CPUs and memory, or as the idle
// cluster; policies take from it what they plan, and may give back what they stop.
class Capacity {
 public:
  // Cost: O(pools), a copy; the object may be reused so that nothing is allocated.
  void reset(const Snapshot& snapshot);
  // Everything, whatever runs and whatever is down: what could ever fit.
  void reset_idle(const Cluster& cluster);

  std::int32_t free_total() const { return free_total_; }
  std::int32_t free(GpuTypeId type) const { return free_by_type_[type.index()]; }
  std::int32_t free(PoolId pool) const { return free_[pool.index()]; }

  // GPUs for one job of `shape`, on the first type in cluster order that has them. Nothing is
  // taken. Cost: O(pools of the types tried).
  std::optional<Placement> find(const Shape& shape) const;
  // The same on one type only.
  std::optional<Placement> find_on(const Shape& shape, GpuTypeId type) const;
  bool holds(const Shape& shape, const Placement& placement) const;
  void take(const Shape& shape, const Placement& placement) { change(shape, placement, -1); }
  void give(const Shape& shape, const Placement& placement) { change(shape, placement, 1); }
  // Leaves of everything no more than `other` has.
  void limit_to(const Capacity& other);

 private:
  void change(const Shape& shape, const Placement& placement, std::int32_t sign);
  // GPUs of `pool`, up to `wanted`, that the node's CPUs and memory allow.
  std::int32_t usable(const Shape& shape, PoolId pool, std::int32_t wanted) const;
  std::optional<Placement> find_count(const Shape& shape, GpuTypeId type) const;
  std::optional<Placement> find_consolidated(const Shape& shape, GpuTypeId type) const;
  std::optional<Placement> find_spread(const Shape& shape, GpuTypeId type) const;

  const Cluster* cluster_ = nullptr;
  std::vector<std::int32_t> free_;
  std::vector<std::int32_t> free_by_type_;
  std::int32_t free_total_ = 0;
  std::vector<std::int64_t> free_cpus_milli_;
  std::vector<std::int64_t> free_memory_mib_;
};

using ShapeId = Id<struct ShapeTag>;

// The shapes met so far, numbered in order of appearance. A policy's memory.
class ShapeTable {
 public:
  explicit ShapeTable(PlacementRule rule) : rule_(rule) {}

  // The shape of a job. Cost: a rate per GPU type.
  ShapeId shape_of(const Snapshot& snapshot, const JobSpec& spec);
  const Shape& operator[](ShapeId id) const { return shapes_[id.index()].shape; }
  // Whether the idle cluster holds one such job under the rule.
  bool ever_fits(ShapeId id) const { return shapes_[id.index()].ever_fits; }
  std::size_t size() const { return shapes_.size(); }
  void transfer(Archive& archive);

 private:
  struct Known {
    Shape shape;
    bool ever_fits = false;
  };
  PlacementRule rule_;
  std::vector<Known> shapes_;
  std::map<Shape, std::uint32_t> index_;
};

// Steps per second of the whole gang on each GPU type alone, consolidated as far as the type's
// nodes allow; 0 where it does not run. By GpuTypeId.
std::vector<double> isolated_rates(const Snapshot& snapshot, const JobSpec& spec);

}  // namespace muster
