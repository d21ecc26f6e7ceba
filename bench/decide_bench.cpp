// One decision of each policy with 1,000 to 100,000 jobs pending on 600 GPUs: the time of
// Policy::decide alone, averaged over the decisions of a simulation in which jobs end one by one.
#include <benchmark/benchmark.h>

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "base/rng.h"
#include "core/arrival.h"
#include "engine/engine.h"
#include "policies/registry.h"
#include "sim/sim_world.h"

namespace muster {
namespace {

// Every GPU alike, as recorded.
class RecordedModel final : public PerformanceModel {
 public:
  Rate rate(const JobSpec& job, const Setting& setting) const override {
    return {.steps_per_second =
                job.reference_steps_per_second * gpu_total(setting.placement) / job.gpu_count};
  }
};

class TimedPolicy final : public Policy {
 public:
  explicit TimedPolicy(std::unique_ptr<Policy> policy) : policy_(std::move(policy)) {}

  Plan decide(const Snapshot& snapshot) override {
    const auto begin = std::chrono::steady_clock::now();
    Plan plan = policy_->decide(snapshot);
    seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    return plan;
  }
  Traits traits() const override { return policy_->traits(); }

  double seconds = 0;

 private:
  std::unique_ptr<Policy> policy_;
};

Cluster make_cluster() {
  Cluster cluster;
  const GpuTypeId type = cluster.add_type({.name = "v100"});
  for (int node = 0; node < 75; ++node) {
    cluster.add_node({.name = "node-" + std::to_string(node)}, {{type, 8}});
  }
  return cluster;
}

// All submitted at once; 15 tenants; gangs of 1, 2, 4 and 8.
std::vector<Arrival> make_arrivals(std::int64_t count) {
  Rng rng{1};
  std::vector<Arrival> arrivals(static_cast<std::size_t>(count));
  for (Arrival& arrival : arrivals) {
    arrival.spec.gpu_count = 1 << (rng.uniform() < 0.7 ? 0 : rng.below(4));
    arrival.spec.tenant = TenantId(static_cast<std::size_t>(rng.below(15)));
    arrival.spec.total_steps = 1 + static_cast<std::int64_t>(rng.exponential(3.6e6));
    arrival.spec.reference_steps_per_second = 1000;
  }
  return arrivals;
}

void decide(benchmark::State& state, const std::string& policy_name) {
  const Cluster cluster = make_cluster();
  const RecordedModel model;
  const std::vector<Arrival> arrivals = make_arrivals(state.range(0));
  TimedPolicy policy(parse_policy(policy_name, nullptr)->make({}));
  Engine engine(cluster, model, policy);
  SimWorld world(cluster, model, arrivals);
  std::optional<Time> wake_at;
  const auto step = [&] {
    const std::optional<Batch> batch = world.next(wake_at);
    if (!batch) return false;
    const Engine::Step made = engine.step(batch->now, batch->events);
    world.execute(made.commands);
    wake_at = made.wake_at;
    return true;
  };
  step();  // Everybody comes.
  for (auto _ : state) {
    policy.seconds = 0;
    const std::int64_t decisions = engine.counters().decisions;
    while (engine.counters().decisions == decisions && step()) {
    }
    state.SetIterationTime(policy.seconds);
  }
  state.counters["pending"] = static_cast<double>(engine.snapshot().waiting.size());
}

void register_all() {
  for (const PolicyInfo& policy : all_policies()) {
    benchmark::RegisterBenchmark(
        ("decide/" + policy.name).c_str(),
        [name = policy.name](benchmark::State& state) { decide(state, name); })
        ->Arg(1000)
        ->Arg(10000)
        ->Arg(100000)
        ->UseManualTime()
        ->Unit(benchmark::kMicrosecond)
        ->Iterations(300);
  }
}

const bool is_registered = (register_all(), true);

}  // namespace
}  // namespace muster
