#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "core/arrival.h"
#include "engine/engine.h"
#include "policies/registry.h"
#include "sim/sim_world.h"

namespace {

using muster::Arrival;
using muster::Cluster;
using muster::Engine;
using muster::JobSpec;
using muster::PerformanceModel;
using muster::Policy;

class FlatModel final : public PerformanceModel {
 public:
  Rate rate(const JobSpec&, const Setting&) const override { return {.steps_per_second = 1}; }
};

Cluster small_cluster() {
  Cluster cluster;
  const auto fast = cluster.add_type({.name = "v100"});
  const auto slow = cluster.add_type({.name = "k80"});
  cluster.add_node({.name = "a"}, {{fast, 2}, {slow, 1}});
  cluster.add_node({.name = "b"}, {{fast, 2}});
  return cluster;
}

std::vector<Arrival> small_trace() {
  std::vector<Arrival> arrivals;
  for (std::int64_t i = 0; i < 12; ++i) {
    Arrival arrival{.at = muster::Time(std::chrono::seconds(3 * i))};
    arrival.spec.gpu_count = static_cast<std::int32_t>(1 + i % 4);
    arrival.spec.total_steps = 40 - 3 * i;
    arrivals.push_back(arrival);
  }
  return arrivals;
}

// The state of a simulation after `step_count` steps.
std::string state_after(int step_count, const muster::PolicyInfo& info) {
  const Cluster cluster = small_cluster();
  const std::vector<Arrival> arrivals = small_trace();
  const FlatModel model;
  const auto policy = muster::parse_policy(info.name, nullptr)->make({});
  Engine engine(cluster, model, *policy);
  muster::SimWorld world(cluster, model, arrivals);
  std::optional<muster::Time> wake_at;
  for (int i = 0; i < step_count; ++i) {
    const auto batch = world.next(wake_at);
    if (!batch) break;
    const Engine::Step step = engine.step(batch->now, batch->events);
    world.execute(step.commands);
    wake_at = step.wake_at;
  }
  return engine.save();
}

}  // namespace

// Damages a saved state and loads it: whatever the bytes, there is a state that keeps the engine's
// invariants, or an error. The input: policy, number of steps, then damage: place (two bytes) and
// what to change there; a change of 0 cuts the state off at the place. A first byte of 255 takes
// the rest of the input for the state.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  const auto policies = muster::all_policies();
  const muster::PolicyInfo& info = policies[data[0] % policies.size()];
  std::string bytes;
  if (data[0] == 255) {
    bytes.assign(reinterpret_cast<const char*>(data + 1), size - 1);
  } else {
    bytes = state_after(data[1] % 64, info);
    for (std::size_t i = 2; i + 3 <= size && !bytes.empty(); i += 3) {
      const std::size_t place = (data[i] * std::size_t{256} + data[i + 1]) % bytes.size();
      if (data[i + 2] == 0) bytes.resize(place);
      if (data[i + 2] != 0) bytes[place] = static_cast<char>(bytes[place] ^ data[i + 2]);
    }
  }
  const Cluster cluster = small_cluster();
  const FlatModel model;
  const auto policy = muster::parse_policy(info.name, nullptr)->make({});
  Engine engine(cluster, model, *policy);
  const auto loaded = engine.load(bytes);
  if (loaded && !engine.check_invariants()) std::abort();
  if (!loaded && loaded.error().message.empty()) std::abort();
  // An undamaged state loads.
  if (data[0] != 255 && size < 5 && !loaded) std::abort();
  return 0;
}
