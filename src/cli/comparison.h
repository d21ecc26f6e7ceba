#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "report/summary.h"
#include "report/table.h"

namespace muster {

// The runs of one policy, one per seed.
struct ComparisonRow {
  std::string policy{};  // With its options.
  std::vector<Summary> runs{};
};

// Best first: by mean JCT over all seeds; rows without one come last, equal ones keep their order.
void rank(std::vector<ComparisonRow>& rows);

// For the functions below. REQUIRES: ranked; as many runs in each row, at least one.

// For people: rounded, mean ± deviation where there are several seeds; the last column is the mean
// JCT relative to the best ("1.00", "4.31 x").
Table readable_comparison(const std::vector<ComparisonRow>& rows);
// For programs: exact, units in the titles; each mean has its sample deviation beside it where
// there are several seeds.
Table exact_comparison(const std::vector<ComparisonRow>& rows);
std::string comparison_csv(const std::vector<ComparisonRow>& rows);
// One object: cluster, trace, seed, seeds_count and, best first, policies with the summaries of
// their runs.
std::string comparison_json(const std::vector<ComparisonRow>& rows);
// What to pick, or what is equally good, and what doing without run times or without stopping jobs
// would cost. Empty for fewer than two policies.
std::string advice(const std::vector<ComparisonRow>& rows);

}  // namespace muster
