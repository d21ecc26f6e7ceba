#pragma once

#include "base/result.h"
#include "core/plan.h"
#include "core/policy.h"
#include "core/snapshot.h"

namespace muster {

// Whether `plan` can be carried out against `snapshot`: the whole of it or, with the first fault as
// the error, none. Also the oracle of policy tests. Checks, in this order:
// - stops: live, wanted, old enough, not twice;
// - rejects: waiting jobs, not twice, not started;
// - starts: active jobs; whole gangs; slots ascending on usable nodes, of one type unless the
// policy
//   mixes types; allowed types; believed rate > 0; a grant to join that stays;
// - jobs: no more wanted runs than copies_max; several runs have quotas that add up to at most the
//   saved steps that are left;
// - pools and nodes: free and released GPUs, CPUs and memory cover what the starts take;
// - wake_at later than now.
// Cost: O((stops + starts) log live).
Result<void> check_plan(const Snapshot& snapshot, const Plan& plan, Policy::Traits traits = {});

}  // namespace muster
