#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/result.h"
#include "cli/inputs.h"
#include "cli/simulation.h"
#include "policies/registry.h"

namespace muster {

struct SweepOptions {
  std::size_t seed_count = 1;  // The first is that of the settings.
  std::size_t thread_count = 1;
};

// One run of a sweep: where it stands in the order of policies, then seeds.
struct SweepRun {
  std::size_t policy_index = 0;
  std::uint64_t seed = 0;
};

// What is kept of a run.
struct SweepResult {
  Summary summary{};
  std::vector<std::string> warnings{};
};

// The runs of all policies and seeds, in the order of the results.
std::vector<SweepRun> sweep_runs(std::size_t policy_count, std::size_t seed_count,
                                 std::uint64_t first_seed);

// Makes independent runs on several threads; they share the inputs and nothing else. `keep` stores
// a finished run; `on_done` is told how many are done. Both are called from the threads: `keep` at
// the same time for different runs, `on_done` one at a time. The results and, where runs fail, the
// error of the first of them do not depend on the number of threads.
using KeepRun = std::function<Result<void>(const SweepRun& run, const Simulation& simulation)>;
Result<std::vector<SweepResult>> sweep(const Inputs& inputs, const RunSettings& settings,
                                       const std::vector<PolicyChoice>& policies,
                                       const SweepOptions& options, const KeepRun& keep,
                                       const std::function<void(std::size_t)>& on_done);

}  // namespace muster
