#include "cli/simulation.h"

#include <algorithm>
#include <chrono>
#include <memory>

#include "base/check.h"
#include "cli/isolated_rates.h"
#include "cli/rejections.h"
#include "cli/timed_policy.h"
#include "engine/engine.h"
#include "engine/run.h"
#include "perf/noisy_model.h"
#include "sim/sim_world.h"

namespace muster {
namespace {

constexpr std::int64_t steps_between_reports = 4096;

// Null: the truth itself.
std::unique_ptr<PerformanceModel> make_belief(const Inputs& inputs,
                                              const SimulationOptions& options) {
  if (!options.belief && options.noise_ratio <= 0) return nullptr;
  auto belief = make_model(options.belief.value_or(inputs.truth_spec),
                           inputs.workload.context(inputs.cluster, &inputs.tables));
  if (options.noise_ratio <= 0) return belief;
  return std::make_unique<NoisyModel>(std::move(belief),
                                      Noise{.ratio = options.noise_ratio, .seed = options.seed});
}

// Follows a run step by step and says when it is over.
class Watch {
 public:
  Watch(const Engine& engine, Recorder& recorder, std::int64_t job_count,
        const RecorderOptions& options, const OnProgress& on_progress)
      : engine_(engine),
        recorder_(recorder),
        on_progress_(on_progress),
        is_windowed_(options.window.has_value()),
        awaited_count_(is_windowed_ ? options.window->second - options.window->first : job_count) {}

  bool on_step(const Batch& batch, const Engine::Step& step) {
    recorder_.on_step(batch.now, batch.events, step.commands, step.ended, engine_.jobs());
    for (const JobId job : step.ended) ended_count_ += recorder_.is_counted(job) ? 1 : 0;
    if (on_progress_ && ++step_count_ % steps_between_reports == 0) report();
    // Where nobody else is of interest, runs that are still stopping may come to their end.
    return ended_count_ < awaited_count_ || (!is_windowed_ && !engine_.runs().empty());
  }

 private:
  void report() const {
    on_progress_(
        {.events_count = recorder_.event_count(),
         .ended_ratio = static_cast<double>(ended_count_) / static_cast<double>(awaited_count_)});
  }

  const Engine& engine_;
  Recorder& recorder_;
  const OnProgress& on_progress_;
  bool is_windowed_ = false;
  std::int64_t awaited_count_ = 0;
  std::int64_t ended_count_ = 0;
  std::int64_t step_count_ = 0;
};

std::string jobs_text(std::int64_t count) {
  return std::to_string(count) + (count == 1 ? " job" : " jobs");
}

// What must hold at the end of a run that nobody cut short, whatever the policy.
void check_end(const Engine& engine, const SimWorld& world, const Inputs& inputs) {
  CHECK(engine.jobs().size() == inputs.workload.arrivals.size());  // Nobody is lost on the way.
  CHECK(engine.runs().empty());
  CHECK(world.live_count() == 0);
}

}  // namespace

SimulationOptions SimulationOptions::from(const RunSettings& settings, std::uint64_t seed) {
  return {.belief = settings.belief,
          .noise_ratio = settings.noise_ratio,
          .round = settings.round,
          .world = settings.world,
          .seed = seed,
          .recorder = {.keep_schedule = !settings.out.empty(), .window = settings.window}};
}

Result<Simulation> simulate(const Inputs& inputs, const PolicyChoice& choice,
                            const SimulationOptions& options, const OnProgress& on_progress) {
  const std::unique_ptr<PerformanceModel> other_belief = make_belief(inputs, options);
  const PerformanceModel& belief = other_belief ? *other_belief : *inputs.truth;
  const std::unique_ptr<Policy> policy =
      choice.make({.seed = options.seed, .round = options.round});
  TimedPolicy timed(*policy);
  Engine engine(inputs.cluster, belief, timed);
  SimOptions world_options = options.world;
  world_options.seed = options.seed;
  SimWorld world(inputs.cluster, *inputs.truth, inputs.workload.arrivals, world_options);
  Recorder recorder(inputs.cluster, options.recorder);
  Watch watch(engine, recorder, static_cast<std::int64_t>(inputs.workload.arrivals.size()),
              options.recorder, on_progress);

  const auto begin = std::chrono::steady_clock::now();
  const Result<void> done = run(engine, world, [&](const Batch& batch, const Engine::Step& step) {
    return watch.on_step(batch, step);
  });
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;
  if (!done) return failure("policy " + choice.text() + ": " + done.error().message);
  if (world.is_hopeless()) {
    return failure("nodes fail faster than any job can save its work: " +
                       std::to_string(SimWorld::losses_max) + " runs in a row were lost",
                   "--failures mtbf=SECONDS is of each node; --checkpoint-seconds says how often "
                   "work is saved");
  }
  if (!options.recorder.window) check_end(engine, world, inputs);

  IsolatedRates isolated(inputs.cluster, *inputs.truth);
  Simulation simulation{.recorder = std::move(recorder)};
  simulation.outcomes =
      job_outcomes(simulation.recorder, engine.jobs(),
                   [&](const JobSpec& job, GpuTypeId type) { return isolated.rate(job, type); });
  simulation.summary = summarize(simulation.recorder, simulation.outcomes, timed.times(),
                                 {.policy = choice.info->name,
                                  .policy_options = choice.options_text,
                                  .cluster = inputs.cluster.name,
                                  .trace = inputs.trace_path,
                                  .seed = options.seed,
                                  .rows_skipped_count = inputs.rows_skipped_count,
                                  .wall_seconds = taken.count(),
                                  .schedule_hash = engine.schedule_hash()});
  simulation.rejections = rejection_warnings(engine.jobs(), inputs.labels(), inputs.cluster);
  simulation.failed_count =
      std::count_if(engine.jobs().begin(), engine.jobs().end(),
                    [](const Job& job) { return job.state == JobState::failed; });
  if (world.is_stuck()) {
    simulation.left_waiting_count = static_cast<std::int64_t>(engine.snapshot().waiting.size());
  }
  return simulation;
}

std::vector<std::string> warnings_of(const Simulation& simulation) {
  std::vector<std::string> warnings = simulation.rejections;
  if (simulation.failed_count > 0) {
    warnings.push_back(jobs_text(simulation.failed_count) +
                       " failed: the truth has no speed where the policy's belief has one");
  }
  if (simulation.left_waiting_count > 0) {
    warnings.push_back("policy '" + simulation.summary.run.policy + "' left " +
                       jobs_text(simulation.left_waiting_count) + " waiting on an idle cluster");
  }
  return warnings;
}

}  // namespace muster
