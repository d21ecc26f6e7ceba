#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "cli/inputs.h"
#include "policies/registry.h"
#include "report/outcome.h"
#include "report/recorder.h"
#include "report/summary.h"

namespace muster {

// What one run needs beside the inputs.
struct SimulationOptions {
  std::optional<ModelSpec> belief{};  // None: the truth.
  double noise_ratio = 0;
  Duration round{};
  SimOptions world{};  // Its seed is overridden by the next.
  std::uint64_t seed = 0;
  RecorderOptions recorder{};

  static SimulationOptions from(const RunSettings& settings, std::uint64_t seed);
};

struct SimulationProgress {
  std::int64_t events_count = 0;
  double ended_ratio = 0;  // Of the jobs that the run waits for.
};
using OnProgress = std::function<void(const SimulationProgress&)>;

// One policy on one trace, done.
struct Simulation {
  Summary summary{};
  std::vector<JobOutcome> outcomes{};  // By JobId.
  Recorder recorder;
  std::vector<std::string> rejections{};  // One line each.
  std::int64_t failed_count = 0;  // Jobs that could not run where the policy believed they could.
  std::int64_t left_waiting_count = 0;  // By a policy that did nothing on an idle cluster.
};

// Runs until all jobs have ended, or those of the window. A plan that cannot be carried out is an
// error that names the policy. `on_progress` is called every few thousand steps and may be null.
// Pure but for the wall times in the summary: the same inputs, policy and options give the same
// schedule.
Result<Simulation> simulate(const Inputs& inputs, const PolicyChoice& choice,
                            const SimulationOptions& options, const OnProgress& on_progress);

// What people should know of a run: one line each.
std::vector<std::string> warnings_of(const Simulation& simulation);

}  // namespace muster
