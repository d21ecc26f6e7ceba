#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "base/time.h"
#include "core/policy.h"
#include "policies/registry.h"
#include "policies/shares.h"

namespace muster {

// Time shares made real (Gavel, OSDI 2020, section 5): rounds in which the entries furthest behind
// their share run, and leases that let a run go on undisturbed.

struct RoundOptions {
  // True: the original's accounting (`rounds=gavel`). False: `rounds=prompt`, shares at every
  // arrival and completion, free GPUs used at once, stops at round boundaries only.
  bool gavel = false;
  // Under `gavel`: GPU types in another order each round, as the original does for policies whose
  // names hold neither Perf nor Packing.
  bool shuffles_types = false;
  bool packing = false;
  // FIFO: an entry of no priority does not run.
  bool skips_zero_priority = false;
  Duration round = std::chrono::seconds(360);
  std::uint64_t seed = 0;
};

std::unique_ptr<Policy> make_round_policy(std::unique_ptr<ShareRule> rule,
                                          const RoundOptions& options);

// The options that every policy made of a share rule accepts, before its own: aware, packing,
// rounds, tie_seed.
std::vector<OptionInfo> share_options(std::vector<OptionInfo> own = {});
ShareRuleOptions share_rule_options(const OptionValues& values, const PolicySettings& settings);
// `shuffles_types`: not aware and not packing.
RoundOptions round_options(const OptionValues& values, const PolicySettings& settings);

}  // namespace muster
