#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/arrival.h"
#include "core/cluster.h"
#include "engine/engine.h"
#include "engine/run.h"
#include "policies/registry.h"
#include "sim/sim_world.h"

namespace muster::testing {

// A rate that every GPU type gives alike: the reference rate, in proportion to the GPUs; several
// runs on the same GPUs divide their time.
class PlainModel final : public PerformanceModel {
 public:
  Rate rate(const JobSpec& job, const Setting& setting) const override {
    const double gpus = gpu_total(setting.placement);
    return {.steps_per_second = job.reference_steps_per_second * gpus / job.gpu_count /
                                static_cast<double>(1 + setting.co_runners.size())};
  }
};

inline Cluster plain_cluster(int nodes, int gpus_per_node, const std::string& type = "v100") {
  Cluster cluster;
  cluster.name = "plain";
  const GpuTypeId id = cluster.add_type({.name = type});
  for (int node = 0; node < nodes; ++node) {
    cluster.add_node({.name = "node-" + std::to_string(node)}, {{id, gpus_per_node}});
  }
  return cluster;
}

// A job of recorded duration, as the traces give them.
inline Arrival plain_arrival(double submit_seconds, int gpus, double duration_seconds) {
  Arrival arrival;
  arrival.at = Time(from_seconds(submit_seconds));
  arrival.spec.gpu_count = gpus;
  arrival.spec.total_steps = from_seconds(duration_seconds).count() / 1000;
  arrival.spec.reference_steps_per_second = 1000;
  return arrival;
}

struct SimulatedJob {
  std::optional<Time> first_start{};
  std::optional<Time> end{};
  JobState state = JobState::active;
  int run_count = 0;
};

struct Simulated {
  std::vector<SimulatedJob> jobs{};  // By JobId.
  std::uint64_t schedule_hash = 0;
  Engine::Counters counters{};
  bool is_stuck = false;
  std::optional<Error> error{};
};

// Runs `policy` over `arrivals` (by time) to the end.
inline Simulated simulate(const Cluster& cluster, const std::vector<Arrival>& arrivals,
                          Policy& policy, const PerformanceModel& model,
                          const SimOptions& options = {}, const Observer& observer = {}) {
  Engine engine(cluster, model, policy);
  SimWorld world(cluster, model, arrivals, options);
  Simulated result;
  result.jobs.resize(arrivals.size());
  const Result<void> done = run(engine, world, [&](const Batch& batch, const Engine::Step& step) {
    for (const Command& command : step.commands) {
      if (const auto* start = std::get_if<StartRun>(&command)) {
        SimulatedJob& job = result.jobs[start->job.index()];
        if (!job.first_start) job.first_start = batch.now;
        ++job.run_count;
      }
    }
    for (const JobId id : step.ended) result.jobs[id.index()].end = batch.now;
    return !observer || observer(batch, step);
  });
  if (!done) result.error = done.error();
  for (const Job& job : engine.jobs()) result.jobs[job.id.index()].state = job.state;
  result.schedule_hash = engine.schedule_hash();
  result.counters = engine.counters();
  result.is_stuck = world.is_stuck();
  return result;
}

inline Simulated simulate(const Cluster& cluster, const std::vector<Arrival>& arrivals,
                          const std::string& policy_text, const SimOptions& options = {}) {
  const PlainModel model;
  Result<PolicyChoice> choice = parse_policy(policy_text, nullptr);
  if (!choice) return {.error = choice.error()};
  const std::unique_ptr<Policy> policy = choice->make({});
  return simulate(cluster, arrivals, *policy, model, options);
}

}  // namespace muster::testing
