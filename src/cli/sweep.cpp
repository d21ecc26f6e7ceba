#include "cli/sweep.h"

#include <algorithm>
#include <mutex>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>

namespace muster {
namespace {

// Hands out runs in order and takes their results; the only thing that the threads share and
// change.
class Queue {
 public:
  Queue(std::size_t run_count, const std::function<void(std::size_t)>& on_done)
      : results_(run_count), on_done_(on_done) {}

  // After an error no more runs begin; those before it have begun already.
  std::optional<std::size_t> take() {
    const std::scoped_lock lock(mutex_);
    if (has_failed_ || next_ == results_.size()) return std::nullopt;
    return next_++;
  }

  void put(std::size_t run, Result<SweepResult> result) {
    const std::scoped_lock lock(mutex_);
    has_failed_ = has_failed_ || !result;
    results_[run] = std::move(result);
    on_done_(++done_count_);
  }

  // REQUIRES: no thread is at work any more.
  Result<std::vector<SweepResult>> results() {
    std::vector<SweepResult> results;
    for (std::optional<Result<SweepResult>>& result : results_) {
      if (!result) continue;
      if (!*result) return tl::unexpected(result->error());
      results.push_back(std::move(**result));
    }
    return results;
  }

 private:
  std::mutex mutex_;
  std::size_t next_ = 0;
  std::size_t done_count_ = 0;
  bool has_failed_ = false;
  std::vector<std::optional<Result<SweepResult>>> results_;
  const std::function<void(std::size_t)>& on_done_;
};

// Fewer where the system gives no more threads: the caller works, too.
void start_helpers(std::size_t count, const std::function<void()>& work,
                   std::vector<std::jthread>& helpers) {
  bool has_threads = true;
  while (has_threads && helpers.size() < count) {
    try {
      helpers.emplace_back(work);
    } catch (const std::system_error&) {
      has_threads = false;
    }
  }
}

}  // namespace

std::vector<SweepRun> sweep_runs(std::size_t policy_count, std::size_t seed_count,
                                 std::uint64_t first_seed) {
  std::vector<SweepRun> runs;
  for (std::size_t policy = 0; policy < policy_count; ++policy) {
    for (std::size_t seed = 0; seed < seed_count; ++seed) {
      runs.push_back({.policy_index = policy, .seed = first_seed + seed});
    }
  }
  return runs;
}

Result<std::vector<SweepResult>> sweep(const Inputs& inputs, const RunSettings& settings,
                                       const std::vector<PolicyChoice>& policies,
                                       const SweepOptions& options, const KeepRun& keep,
                                       const std::function<void(std::size_t)>& on_done) {
  const auto runs = sweep_runs(policies.size(), options.seed_count, settings.seed);
  const auto make_run = [&](const SweepRun& run) -> Result<SweepResult> {
    auto simulation = simulate(inputs, policies[run.policy_index],
                               SimulationOptions::from(settings, run.seed), {});
    if (!simulation) return tl::unexpected(simulation.error());
    if (const auto kept = keep(run, *simulation); !kept) return tl::unexpected(kept.error());
    return SweepResult{.summary = std::move(simulation->summary),
                       .warnings = warnings_of(*simulation)};
  };
  Queue queue(runs.size(), on_done);
  const auto work = [&] {
    while (const auto run = queue.take()) queue.put(*run, make_run(runs[*run]));
  };
  {
    std::vector<std::jthread> helpers;
    start_helpers(std::min(options.thread_count, runs.size()) - 1, work, helpers);
    work();
  }
  return queue.results();
}

}  // namespace muster
