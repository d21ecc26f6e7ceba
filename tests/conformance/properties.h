#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "conformance/stage.h"
#include "policies/packing.h"

namespace muster::testing {

// What every policy must do on every world. Each function runs `make`'s policy and describes the
// first violation; an empty text means that there was none. Policies that break a rule on purpose
// are checked by the same functions.

// No plan is refused, the engine's invariants hold after every step, and no GPU is in use twice.
std::string check_plans(const RandomWorld& world, const PolicyMaker& make);

// The simulation comes to its end; every job that the cluster can hold under `rule` finishes unless
// it is cancelled, and every other one is rejected.
std::string check_ends(const RandomWorld& world, const PolicyMaker& make, PlacementRule rule);

// Twice the same world, twice the same schedule.
std::string check_repeats(const RandomWorld& world, const PolicyMaker& make);

// Saved after some step and loaded into new objects, the rest of the schedule is the same.
// `at` picks the step.
std::string check_resumes(const RandomWorld& world, const PolicyMaker& make, std::uint64_t at);

// Asked again at an instant at which all is done, it wants no change.
std::string check_stable(const RandomWorld& world, const PolicyMaker& make);

// At such an instant no waiting job fits the free GPUs of a type that it may use.
std::string check_work_conserving(const RandomWorld& world, const PolicyMaker& make);

// Jobs end at the same times whatever their users, tenants and models are called; with
// `nodes_reversed` also in whatever order the nodes stand. REQUIRES: a plain world.
std::string check_names_ignored(const RandomWorld& world, const PolicyMaker& make,
                                bool nodes_reversed);

// Adds up what the reports say, apart from the engine: no step and no GPU time is lost or made up.
class Account {
 public:
  void on_step(const Batch& batch, std::span<const Command> commands);
  std::string check(const Engine& engine, Time now) const;

 private:
  struct LiveRun {
    JobId job{};
    std::int64_t steps_max = 0;
    std::int64_t gpus = 0;
    Time begun_at{};
  };
  std::map<RunId, LiveRun> runs_;
  std::map<JobId, std::int64_t> steps_;
  std::map<JobId, Duration> gpu_time_;
};

// The account of a whole simulation agrees with the engine's.
std::string check_account(const RandomWorld& world, const PolicyMaker& make);

}  // namespace muster::testing
