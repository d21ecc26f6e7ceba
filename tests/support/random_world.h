#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/rng.h"
#include "core/arrival.h"
#include "core/cluster.h"
#include "core/performance_model.h"
#include "engine/engine.h"
#include "sim/sim_world.h"

namespace muster::testing {

// Speeds that differ by GPU type, types with too little memory, shared GPUs that divide their time.
// As a belief it may be wrong by a factor that hangs on the job alone.
class TypedModel final : public PerformanceModel {
 public:
  explicit TypedModel(double error_ratio = 0) : error_ratio_(error_ratio) {}

  Rate rate(const JobSpec& job, const Setting& setting) const override {
    double speed = speeds.front();
    for (const Slot& slot : setting.placement) {
      const std::size_t type = setting.cluster.pools[slot.pool.index()].type.index();
      const double memory_gib = setting.cluster.types[type].memory_gib;
      if (memory_gib > 0 && job.gpu_memory_gib > memory_gib) return {};
      speed = std::min(speed, speeds[type % speeds.size()]);
    }
    const double error = 2 * Rng{mix(7, job.row)}.uniform() - 1;
    return {.steps_per_second = job.reference_steps_per_second * speed *
                                (1 + error_ratio_ * error) * gpu_total(setting.placement) /
                                job.gpu_count / static_cast<double>(1 + setting.co_runners.size())};
  }

 private:
  // By GpuTypeId. Whole numbers: with a million steps a second no step is cut by a stop.
  static constexpr std::array<double, 4> speeds = {4, 2, 1, 1};
  double error_ratio_;
};

// A small cluster and a short trace; with its models all that one simulation needs. Stays where it
// is: simulations look at it.
struct RandomWorld {
  RandomWorld() = default;
  RandomWorld(const RandomWorld&) = delete;
  RandomWorld& operator=(const RandomWorld&) = delete;

  Cluster cluster{};
  std::vector<Arrival> arrivals{};
  SimOptions options{};
  EngineOptions engine_options{};
  TypedModel truth{};
  TypedModel belief{};
};

// Draws worlds, each with some features and not others, so that combinations meet.
class WorldMaker {
 public:
  explicit WorldMaker(std::uint64_t seed) : rng_{mix(seed, 0)} { options_.seed = seed; }

  // Anything that the engine and the simulator know.
  std::unique_ptr<RandomWorld> any() { return with_hosts(maybe(0.4)); }
  // The same, but CPUs and memory are not limited.
  std::unique_ptr<RandomWorld> without_hosts() { return with_hosts(false); }

  // One type, nothing but jobs whose times are all different: ids and node order have no say. With
  // a step per microsecond a stop costs nothing.
  std::unique_ptr<RandomWorld> plain() {
    auto world = std::make_unique<RandomWorld>();
    make_cluster(*world, 1, false);
    const std::uint64_t count = 2 + below(30);
    Time at{};
    for (std::uint64_t i = 0; i < count; ++i) {
      at += from_seconds(1 + rng_.exponential(400));
      Arrival arrival = arrival_at(at, *world, i);
      arrival.spec.reference_steps_per_second = 1e6;
      arrival.spec.total_steps = 1'000'000 + static_cast<std::int64_t>(rng_.exponential(4e9));
      world->arrivals.push_back(std::move(arrival));
    }
    return world;
  }

 private:
  std::unique_ptr<RandomWorld> with_hosts(bool has_hosts) {
    auto world = std::make_unique<RandomWorld>();
    make_cluster(*world, 1 + below(4), has_hosts);
    make_jobs(*world);
    make_latencies(*world);
    make_failures(*world);
    if (maybe(0.3)) world->belief = TypedModel(0.5);
    if (maybe(0.2)) world->engine_options.minimum_run_time = seconds(1 + below(600));
    world->options = std::move(options_);
    return world;
  }

  bool maybe(double probability) { return rng_.uniform() < probability; }
  std::uint64_t below(std::uint64_t bound) { return rng_.below(bound); }
  std::int32_t gpus_below(std::int32_t bound) {
    return static_cast<std::int32_t>(below(static_cast<std::uint64_t>(bound)));
  }
  static Duration seconds(std::uint64_t count) {
    return std::chrono::seconds(static_cast<std::int64_t>(count));
  }

  void make_cluster(RandomWorld& world, std::uint64_t type_count, bool has_hosts) {
    for (std::uint64_t type = 0; type < type_count; ++type) {
      world.cluster.add_type(
          {.name = "type-" + std::to_string(type), .memory_gib = maybe(0.3) ? 16.0 : 32.0});
    }
    const std::uint64_t node_count = 1 + below(6);
    for (std::uint64_t i = 0; i < node_count; ++i) {
      Node node{.name = "node-" + std::to_string(i)};
      if (has_hosts && maybe(0.8))
        node.cpus_milli = 1000 * static_cast<std::int64_t>(2 + below(30));
      if (has_hosts && maybe(0.5))
        node.memory_mib = 1024 * static_cast<std::int64_t>(8 + below(99));
      std::vector<std::pair<GpuTypeId, std::int32_t>> gpus;
      for (std::uint64_t type = 0; type < type_count; ++type) {
        const bool is_last_chance = gpus.empty() && type + 1 == type_count;
        if (!is_last_chance && maybe(0.5)) continue;
        gpus.emplace_back(GpuTypeId(static_cast<std::size_t>(type)), 1 + gpus_below(8));
      }
      world.cluster.add_node(std::move(node), gpus);
    }
    has_hosts_ = has_hosts;
  }

  Arrival arrival_at(Time at, const RandomWorld& world, std::uint64_t index) {
    Arrival arrival{.at = at};
    JobSpec& spec = arrival.spec;
    spec.row = static_cast<std::uint32_t>(index);
    // Small gangs and whole clusters; now and then one GPU too many.
    const std::int32_t all = world.cluster.gpu_count();
    spec.gpu_count = maybe(0.7) ? 1 + gpus_below(std::min(all, 4)) : 1 + gpus_below(all);
    spec.user = UserId(static_cast<std::size_t>(below(4)));
    spec.model = ModelId(static_cast<std::size_t>(below(4)));
    if (maybe(0.9)) spec.tenant = TenantId(static_cast<std::size_t>(below(3)));
    return arrival;
  }

  void make_jobs(RandomWorld& world) {
    const bool has_ties = maybe(0.5);
    const bool has_types = maybe(0.4);
    const bool has_cancels = maybe(0.2);
    const std::uint64_t count = 1 + below(40);
    const double gap_seconds = maybe(0.3) ? 5 : 300;
    Time at{};
    for (std::uint64_t i = 0; i < count; ++i) {
      if (has_ties) {
        at += seconds(60 * below(3));
      } else {
        at += from_seconds(rng_.exponential(gap_seconds));
      }
      Arrival arrival = arrival_at(at, world, i);
      JobSpec& spec = arrival.spec;
      if (maybe(0.05)) spec.gpu_count = world.cluster.gpu_count() + 1;
      spec.reference_steps_per_second = 1000;
      const std::int64_t work_seconds = static_cast<std::int64_t>(
          has_ties ? 60 * (1 + below(5)) : std::uint64_t(1) + below(1U << below(13)));
      spec.total_steps = 1000 * work_seconds;
      if (has_types && maybe(0.6)) spec.types_allowed = 1 + below(15);
      if (maybe(0.2)) spec.gpu_memory_gib = 20;
      spec.tensor_skew_ratio = rng_.uniform();
      if (has_hosts_) spec.cpus_milli = static_cast<std::int64_t>(1000 * below(8)) * spec.gpu_count;
      if (has_hosts_)
        spec.memory_mib = static_cast<std::int64_t>(1024 * below(16)) * spec.gpu_count;
      if (has_cancels && maybe(0.3)) arrival.cancelled_at = at + seconds(below(2000));
      world.arrivals.push_back(std::move(arrival));
    }
  }

  void make_latencies(RandomWorld&) {
    if (maybe(0.4)) options_.start_latency = seconds(below(10));
    if (maybe(0.4)) options_.stop_latency = seconds(below(10));
    if (maybe(0.4)) options_.restart_cost = seconds(below(20));
    options_.checkpoint_interval = maybe(0.3) ? Duration::zero() : seconds(1 + below(1800));
  }

  // Every node that goes comes back.
  void make_failures(const RandomWorld& world) {
    if (maybe(0.2)) options_.failure_mean = seconds(7200 + below(36000));
    options_.repair_mean = seconds(60 + below(3600));
    if (!maybe(0.4)) return;
    const std::uint64_t count = 1 + below(4);
    Time at{};
    for (std::uint64_t i = 0; i < count; ++i) {
      at += seconds(60 * below(20));
      const NodeId node(static_cast<std::size_t>(below(world.cluster.nodes.size())));
      options_.node_changes.push_back({.at = at, .node = node});
      at += seconds(60 * (1 + below(20)));
      options_.node_changes.push_back({.at = at, .node = node, .joins = true});
    }
  }

  Rng rng_;
  SimOptions options_{};
  bool has_hosts_ = false;
};

}  // namespace muster::testing
