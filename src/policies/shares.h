#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "base/archive.h"
#include "base/id.h"

namespace muster {

// Time shares as Gavel (Narayanan et al., OSDI 2020, section 3) has them: x[i][j] is the part of
// wall time that job i is to spend on GPU type j. Here: what a rule that computes them is given and
// gives back. No engine types beyond ids, so that rules are tested on tables of numbers.

// One job as a rule sees it.
struct ShareJob {
  JobId id{};
  std::int32_t gpus = 1;   // The gang, s_i.
  double weight = 1;       // w_i.
  double steps_left = 1;   // n_i.
  double age_seconds = 0;  // Since submission, t_i.
  TenantId tenant{};       // May name nothing.
  std::optional<double> seconds_to_deadline{};
};

// Two jobs of one gang size that would share their GPUs. The rates are by GPU type, in steps per
// second of the whole gang; 0: the pair does not fit there.
struct SharePair {
  std::size_t first = 0;  // Indices into ShareProblem::jobs, first < second.
  std::size_t second = 0;
  std::vector<double> first_rates;
  std::vector<double> second_rates;
};

struct ShareProblem {
  std::vector<ShareJob> jobs;      // Ascending by id.
  std::vector<double> rates;       // Isolated T_ij in steps per second: job by job, type by type.
  std::vector<double> gpu_counts;  // W_j by type; may be 0.
  std::vector<double> prices;      // Dollars per GPU-hour by type; empty: none known.
  std::vector<SharePair> pairs;    // Only under packing; ascending by (first, second).

  std::size_t type_count() const { return gpu_counts.size(); }
  double rate(std::size_t job, std::size_t type) const { return rates[job * type_count() + type]; }
};

// What came of a rule's optimisation.
enum class ShareStatus : std::uint8_t {
  optimal,
  inaccurate,  // A feasible answer, not proven to be within tolerance of the best.
  fallback,    // No answer: these are the isolated shares.
};

// 0 <= x <= 1. A job's shares, alone and in pairs, add up to at most 1.
struct Shares {
  struct Paired {
    std::size_t first = 0;  // As in SharePair.
    std::size_t second = 0;
    std::vector<double> by_type;
  };
  ShareStatus status = ShareStatus::optimal;
  double objective = 0;          // In the rule's own unit; 0 where it has none.
  std::vector<double> alone;     // Job by job, type by type.
  std::vector<Paired> paired{};  // Ascending; pairs whose shares are all 0 may be left out.
};

// Which variant of a rule; a rule ignores what it has no variant for.
struct ShareRuleOptions {
  bool aware = true;           // False: as if all GPU types were alike.
  bool packing = false;        // Use ShareProblem::pairs.
  std::uint64_t tie_seed = 0;  // Not 0: costs are disturbed by about 1e-9 of themselves.
  std::uint64_t seed = 0;      // Of rules that draw.
};

// An objective: from jobs and rates to shares. May remember (finish-time fairness, FIFO, AlloX and
// Gandiva do): problems are given in the order of time.
class ShareRule {
 public:
  virtual ~ShareRule() = default;
  virtual Shares solve(const ShareProblem& problem) = 0;
  virtual void transfer(Archive& archive) { static_cast<void>(archive); }
};

// The isolated share: x_ij = W_j / (m s_i), rows capped at 1 (Gavel's `isolated`). Also what a rule
// that has no answer falls back to.
Shares isolated_shares(const ShareProblem& problem);

}  // namespace muster
