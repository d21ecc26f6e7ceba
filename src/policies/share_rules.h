#pragma once

#include <memory>
#include <string>

#include "policies/shares.h"

namespace muster {

// The rules behind the gavel-* policies and their kin, for tests and benchmarks. Each stands in its
// policy's own file, which documents it.
std::unique_ptr<ShareRule> gavel_las_rule(const ShareRuleOptions& options);
std::unique_ptr<ShareRule> gavel_ftf_rule(const ShareRuleOptions& options);

struct MakespanOptions {
  // The original's bisection: a feasible point within 5 % of the least makespan, from 100 s on.
  bool bisects = false;
};
std::unique_ptr<ShareRule> gavel_makespan_rule(const ShareRuleOptions& options,
                                               const MakespanOptions& makespan = {});

struct ThroughputOptions {
  bool per_cost = false;   // Steps per dollar.
  bool deadlines = false;  // Jobs with a deadline get at least the rate that meets it.
};
std::unique_ptr<ShareRule> gavel_throughput_rule(const ShareRuleOptions& options,
                                                 const ThroughputOptions& throughput = {});

enum class EntityRule : std::uint8_t { none, fairness, fifo };  // Within one tenant.
struct WaterfillOptions {
  // `none`: jobs stand alone, by weight. Else tenants share first, by tenant_weights.
  EntityRule within = EntityRule::none;
  // By TenantId; tenants beyond the lists have weight 1 and `within`.
  std::vector<double> tenant_weights{};
  std::vector<EntityRule> tenant_rules{};
};
std::unique_ptr<ShareRule> gavel_waterfill_rule(const ShareRuleOptions& options,
                                                const WaterfillOptions& waterfill = {});

std::unique_ptr<ShareRule> gavel_nash_rule(const ShareRuleOptions& options);
std::unique_ptr<ShareRule> gavel_fifo_rule(const ShareRuleOptions& options);
std::unique_ptr<ShareRule> gavel_isolated_rule(const ShareRuleOptions& options);
std::unique_ptr<ShareRule> gavel_proportional_rule(const ShareRuleOptions& options);
std::unique_ptr<ShareRule> gandiva_rule(const ShareRuleOptions& options);

struct AlloxOptions {
  double alpha_ratio = 1;  // Only the max(alpha x jobs, GPUs) oldest jobs enter the matching.
};
std::unique_ptr<ShareRule> allox_rule(const ShareRuleOptions& options,
                                      const AlloxOptions& allox = {});

}  // namespace muster
