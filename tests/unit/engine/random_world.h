#pragma once

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/rng.h"
#include "engine/engine.h"
#include "sim/sim_world.h"
#include "support/test_policies.h"

namespace muster::testing {

// Everything that one seed decides: cluster, jobs, latencies, failures, and how wrong the belief
// is.
struct RandomScene {
  Cluster cluster{};
  std::vector<Arrival> arrivals{};
  SimOptions sim{};
  EngineOptions engine{};
  Policy::Traits traits{};
  std::vector<double> belief{};  // Factors by GPU type.
  std::vector<double> truth{};
};

inline std::int64_t random_between(Rng& rng, std::int64_t low, std::int64_t high) {
  return low + static_cast<std::int64_t>(rng.below(static_cast<std::uint64_t>(high - low + 1)));
}

// Zero in half of the cases, so that plain and difficult worlds mix.
inline Duration random_span(Rng& rng, std::int64_t seconds_max) {
  if (rng.below(2) == 0) return {};
  return Duration(random_between(rng, 1, seconds_max * 1'000'000));
}

inline Cluster random_cluster(Rng& rng) {
  Cluster cluster;
  const std::int64_t types = random_between(rng, 1, 3);
  for (std::int64_t i = 0; i < types; ++i) cluster.add_type({.name = std::to_string(i)});
  for (std::int64_t node = random_between(rng, 1, 4); node > 0; --node) {
    std::vector<std::pair<GpuTypeId, std::int32_t>> gpus;
    for (std::int64_t type = 0; type < types; ++type) {
      if (rng.below(2) == 0) continue;
      gpus.emplace_back(GpuTypeId(static_cast<std::size_t>(type)),
                        static_cast<std::int32_t>(random_between(rng, 1, 4)));
    }
    const bool has_limits = rng.below(3) == 0;
    cluster.add_node({.name = "node-" + std::to_string(node),
                      .cpus_milli = has_limits ? 16000 : 0,
                      .memory_mib = has_limits ? 65536 : 0},
                     gpus);
  }
  return cluster;
}

inline JobSpec random_job(Rng& rng) {
  JobSpec spec;
  spec.gpu_count = static_cast<std::int32_t>(random_between(rng, 1, 4));
  if (rng.below(4) == 0) spec.gpu_count_min = 1;
  if (rng.below(4) == 0) spec.copies_max = static_cast<std::int32_t>(random_between(rng, 2, 4));
  spec.total_steps = random_between(rng, 1, 600);
  spec.reference_steps_per_second = 0.5 + 10 * rng.uniform();
  if (rng.below(4) == 0) spec.types_allowed = 1 + rng.below(7);
  if (rng.below(3) == 0) spec.cpus_milli = random_between(rng, 1, 12000);
  if (rng.below(3) == 0) spec.memory_mib = random_between(rng, 1, 40000);
  return spec;
}

inline RandomScene random_scene(std::uint64_t seed) {
  Rng rng{mix(seed, 1)};
  RandomScene scene;
  scene.cluster = random_cluster(rng);
  Time submit{};
  for (std::int64_t job = random_between(rng, 1, 14); job > 0; --job) {
    submit += random_span(rng, 60);
    Arrival arrival{.at = submit, .spec = random_job(rng)};
    if (rng.below(8) == 0) arrival.cancelled_at = submit + random_span(rng, 100);
    scene.arrivals.push_back(arrival);
  }
  scene.sim = {.start_latency = random_span(rng, 3),
               .stop_latency = random_span(rng, 3),
               .restart_cost = random_span(rng, 3),
               .consolidation_cost = random_span(rng, 3),
               .checkpoint_interval = random_span(rng, 20),
               .failure_mean = rng.below(2) == 0 ? Duration{} : std::chrono::seconds(300),
               .repair_mean = std::chrono::seconds(20),
               .seed = seed};
  scene.engine.minimum_run_time = random_span(rng, 5);
  scene.traits.mixes_types = rng.below(2) == 0;
  for (std::size_t type = 0; type < scene.cluster.types.size(); ++type) {
    const double factor = 0.25 + 2 * rng.uniform();
    scene.belief.push_back(rng.below(10) == 0 ? 0 : factor);
    scene.truth.push_back(rng.below(10) == 0 ? 0 : factor * (0.5 + rng.uniform()));
  }
  return scene;
}

// Watches the commands from outside: which GPUs are in use, and by whom.
class GpuWatch {
 public:
  explicit GpuWatch(const Cluster& cluster) : cluster_(&cluster) {}

  // "" where all is well.
  std::string on_step(std::span<const Event> events, std::span<const Command> commands) {
    std::set<RunId> ended_now;
    for (const Event& event : events) {
      if (const auto* ended = std::get_if<RunEnded>(&event)) {
        if (live_.erase(ended->run) > 0) ended_now.insert(ended->run);
      }
      if (const auto* done = std::get_if<Consolidated>(&event)) averaging_.erase(done->job);
      if (const auto* done = std::get_if<Cancelled>(&event)) averaging_.erase(done->job);
    }
    for (const Event& event : events) {
      const auto* lost = std::get_if<NodeLost>(&event);
      if (lost != nullptr && is_used(lost->node)) return "a run that outlives its node";
    }
    for (const Command& command : commands) {
      if (const auto* stop = std::get_if<StopRun>(&command)) {
        // A stop may cross the end of its run at one instant.
        if (ended_now.count(stop->run) != 0) continue;
        if (live_.count(stop->run) == 0) return "a stop of a run that is not live";
        live_[stop->run].is_stopping = true;
      } else if (const auto* average = std::get_if<Consolidate>(&command)) {
        averaging_.insert(average->job);
      } else if (std::string fault = on_start(std::get<StartRun>(command)); !fault.empty()) {
        return fault;
      }
    }
    return "";
  }
  bool is_idle() const { return live_.empty(); }

 private:
  struct Live {
    StartRun start{};
    bool is_stopping = false;
  };
  using Gpus = std::set<std::pair<PoolId, std::int32_t>>;

  bool is_used(NodeId node) const {
    return std::any_of(live_.begin(), live_.end(), [&](const auto& entry) {
      const Placement& placement = entry.second.start.placement;
      return std::any_of(placement.begin(), placement.end(), [&](const Slot& slot) {
        return cluster_->pools[slot.pool.index()].node == node;
      });
    });
  }

  static Gpus gpus_of(const StartRun& start) {
    Gpus gpus;
    std::size_t next = 0;
    for (const Slot& slot : start.placement) {
      for (std::int32_t i = 0; i < slot.gpu_count; ++i) {
        gpus.emplace(slot.pool, start.gpu_indices.at(next++));
      }
    }
    return gpus;
  }

  std::string on_start(const StartRun& start) {
    if (averaging_.count(start.job) != 0) return "a start while copies are averaged";
    const Gpus gpus = gpus_of(start);
    if (gpus.size() != start.gpu_indices.size()) return "one GPU twice";
    if (start.steps <= 0) return "a run of no steps";
    for (const auto& [id, other] : live_) {
      if (other.start.job == start.job && other.is_stopping) return "a start beside a stop";
      const Gpus taken = gpus_of(other.start);
      if (other.start.grant == start.grant) {
        if (taken != gpus) return "two places of one grant";
        continue;
      }
      for (const auto& gpu : gpus) {
        if (taken.count(gpu) != 0) return "a GPU with two grants";
      }
    }
    live_[start.run] = {.start = start};
    return "";
  }

  const Cluster* cluster_;
  std::map<RunId, Live> live_;
  std::set<JobId> averaging_;
};

struct PlayOptions {
  bool repeats_reports = false;  // Late, repeated and unknown ones.
  bool reloads = false;          // Engine and policy are saved and loaded after every step.
};

struct Played {
  std::uint64_t schedule_hash = 0;
  std::int64_t late_reports = 0;
  std::int64_t starts = 0;
  std::int64_t joins = 0;
  std::int64_t consolidations = 0;
  int steps = 0;
  bool all_ended = false;
  std::string fault{};  // The first; "" where all is well.
};

// Plays a scene under the random policy until every job has ended, with holds, releases, drains and
// resumptions at random.
class RandomPlay {
 public:
  RandomPlay(const RandomScene& scene, std::uint64_t seed, PlayOptions options)
      : scene_(scene),
        seed_(seed),
        options_(options),
        belief_(scene.belief),
        truth_(scene.truth),
        world_(scene_.cluster, truth_, scene_.arrivals, scene_.sim) {
    make_engine();
  }

  Played play() {
    std::optional<Time> wake_at;
    while (played_.fault.empty() && !played_.all_ended && played_.steps < steps_max) {
      const std::optional<Batch> batch = world_.next(wake_at);
      if (!batch) break;
      ++played_.steps;
      std::vector<Event> events(batch->events.begin(), batch->events.end());
      add_control(events);
      if (options_.repeats_reports) add_repeats(events);
      const Engine::Step step = engine_->step(batch->now, events);
      wake_at = step.wake_at;
      inspect(events, step);
      world_.execute(step.commands);
      if (options_.reloads) reload();
    }
    played_.schedule_hash = engine_->schedule_hash();
    played_.late_reports = engine_->counters().late_reports;
    return played_;
  }

 private:
  static constexpr int steps_max = 20000;

  void make_engine() {
    policy_ = std::make_unique<RandomPolicy>(mix(seed_, 2), scene_.traits);
    engine_ = std::make_unique<Engine>(scene_.cluster, belief_, *policy_, scene_.engine);
  }

  void reload() {
    const std::string bytes = engine_->save();
    make_engine();
    const Result<void> loaded = engine_->load(bytes);
    if (!loaded) played_.fault = loaded.error().message;
  }

  void add_control(std::vector<Event>& events) {
    for (const Job& job : engine_->jobs()) {
      if (job.state == JobState::held && control_.below(4) == 0) {
        events.emplace_back(Released{job.id});
      } else if (job.state == JobState::active && control_.below(100) == 0) {
        events.emplace_back(Held{job.id});
      }
    }
    for (std::size_t node = 0; node < scene_.cluster.nodes.size(); ++node) {
      const NodeState state = engine_->cluster().nodes[node].state;
      if (state == NodeState::draining && control_.below(10) == 0) {
        events.emplace_back(NodeJoined{NodeId(node)});
      } else if (state == NodeState::up && control_.below(100) == 0) {
        events.emplace_back(NodeDrained{NodeId(node)});
      }
    }
  }

  void add_repeats(std::vector<Event>& events) {
    const std::vector<Event> true_ones = events;
    for (const Event& event : true_ones) {
      if (std::holds_alternative<RunEnded>(event)) reported_.push_back(event);
    }
    // At the end, when they are late for sure.
    for (std::uint64_t repeats = noise_.below(3); repeats > 0 && !reported_.empty(); --repeats) {
      events.push_back(reported_[noise_.below(reported_.size())]);
    }
    const RunId unknown(1000000U + static_cast<std::uint32_t>(noise_.below(100)));
    events.emplace_back(RunStarted{unknown});
    events.emplace_back(RunEnded{.run = unknown, .steps = 5, .cause = Cause::completed});
    events.emplace_back(Progress{.run = unknown, .steps = 5});
  }

  void inspect(std::span<const Event> events, const Engine::Step& step) {
    if (step.refused) played_.fault = "refused: " + step.refused->message;
    if (const Result<void> checked = engine_->check_invariants(); !checked) {
      played_.fault = checked.error().message;
    }
    if (std::string fault = watch_.on_step(events, step.commands); !fault.empty()) {
      played_.fault = fault;
    }
    for (const Command& command : step.commands) {
      if (const auto* start = std::get_if<StartRun>(&command)) {
        ++played_.starts;
        played_.joins += engine_->grants().at(start->grant).runs.size() > 1 ? 1 : 0;
      }
      played_.consolidations += std::holds_alternative<Consolidate>(command) ? 1 : 0;
    }
    const auto jobs = engine_->jobs();
    played_.all_ended = jobs.size() == scene_.arrivals.size() &&
                        std::all_of(jobs.begin(), jobs.end(), [](const Job& job) {
                          return job.has_ended() && job.runs.empty();
                        });
    if (played_.all_ended && !watch_.is_idle()) played_.fault = "a run without a job";
  }

  const RandomScene& scene_;
  std::uint64_t seed_;
  PlayOptions options_;
  TypedModel belief_;
  TypedModel truth_;
  SimWorld world_;
  std::unique_ptr<RandomPolicy> policy_;
  std::unique_ptr<Engine> engine_;
  GpuWatch watch_{scene_.cluster};
  Rng control_{mix(seed_, 3)};
  Rng noise_{mix(seed_, 4)};
  std::vector<Event> reported_;
  Played played_;
};

inline Played play(const RandomScene& scene, std::uint64_t seed, PlayOptions options = {}) {
  return RandomPlay(scene, seed, options).play();
}

}  // namespace muster::testing
