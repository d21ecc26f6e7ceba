// Whole simulations, as jobs per second. The traces lie outside the tree (MUSTER_SHARED); a
// benchmark whose trace is absent says so.
#include <benchmark/benchmark.h>

#include <cstdlib>
#include <filesystem>
#include <map>
#include <memory>
#include <string>

#include "engine/engine.h"
#include "engine/run.h"
#include "policies/registry.h"
#include "sim/sim_world.h"
#include "workload/bind.h"
#include "workload/cluster_file.h"
#include "workload/reader.h"

namespace muster {
namespace {

std::string shared_path(const std::string& relative) {
  const char* set = std::getenv("MUSTER_SHARED");
  const std::filesystem::path root =
      set != nullptr && *set != '\0'
          ? std::filesystem::path(set)
          : std::filesystem::path(MUSTER_SOURCE_DIR).parent_path() / "shared";
  return (root / relative).string();
}

struct Setup {
  Cluster cluster;
  Workload workload;
};

// Read once per (trace, cluster); null where the trace is absent.
const Setup* setup(const std::string& trace_path, const std::string& cluster_name) {
  static std::map<std::string, std::unique_ptr<Setup>> known;
  const std::string key = trace_path + " " + cluster_name;
  if (known.count(key) != 0) return known[key].get();
  const std::string data = std::string(MUSTER_SOURCE_DIR) + "/data/";
  const auto catalogue = read_catalogue(data + "gpus.yaml");
  const auto cluster = read_cluster(data + "clusters/" + cluster_name + ".yaml", *catalogue);
  const auto trace = read_trace(trace_path, {});
  if (!cluster || !trace) return nullptr;
  auto workload = bind_trace(*trace, *cluster, *catalogue, {});
  if (!workload) return nullptr;
  known[key] = std::make_unique<Setup>(Setup{*cluster, std::move(*workload)});
  return known[key].get();
}

void simulate(benchmark::State& state, const std::string& trace, const std::string& cluster,
              const std::string& policy_name) {
  const Setup* ready = setup(shared_path(trace), cluster);
  if (ready == nullptr) {
    state.SkipWithError("the trace is absent");
    return;
  }
  const auto model = make_model(ModelSpec{}, ready->workload.context(ready->cluster, nullptr));
  const auto choice = parse_policy(policy_name, nullptr);
  std::uint64_t hash = 0;
  std::int64_t decisions = 0;
  double jct_seconds = 0;
  double makespan_seconds = 0;
  for (auto _ : state) {
    const std::unique_ptr<Policy> policy = choice->make({});
    Engine engine(ready->cluster, *model, *policy);
    SimWorld world(ready->cluster, *model, ready->workload.arrivals);
    if (!run(engine, world)) state.SkipWithError("the policy's plan was refused");
    hash = engine.schedule_hash();
    decisions = engine.counters().decisions;
    jct_seconds = 0;
    for (const Job& job : engine.jobs()) {
      jct_seconds += to_seconds(job.ended_at - job.submitted_at);
      makespan_seconds = std::max(makespan_seconds, to_seconds(job.ended_at));
    }
  }
  const auto jobs = static_cast<double>(ready->workload.arrivals.size());
  state.counters["jobs/s"] =
      benchmark::Counter(jobs, benchmark::Counter::kIsIterationInvariantRate);
  state.counters["decisions"] = static_cast<double>(decisions);
  state.counters["mean_jct_s"] = jct_seconds / jobs;
  state.counters["makespan_s"] = makespan_seconds;
  benchmark::DoNotOptimize(hash);
}

void register_all() {
  const std::string syn = "oracles/tiresias/inputs/syn10000.csv";
  const std::string philly = "data/philly_sia/philly.csv";
  for (const PolicyInfo& policy : all_policies()) {
    for (const auto& [trace, cluster] :
         {std::pair{syn, std::string("tiresias-n32g4")}, std::pair{philly, std::string("philly")},
          std::pair{philly, std::string("philly-600")}}) {
      const std::string name =
          std::filesystem::path(trace).stem().string() + "/" + cluster + "/" + policy.name;
      benchmark::RegisterBenchmark(
          name.c_str(),
          [trace = trace, cluster = cluster, policy_name = policy.name](benchmark::State& state) {
            simulate(state, trace, cluster, policy_name);
          })
          ->Unit(benchmark::kMillisecond)
          ->Iterations(1);
    }
  }
}

const bool is_registered = (register_all(), true);

}  // namespace
}  // namespace muster
