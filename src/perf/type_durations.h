#pragma once

#include <string>
#include <utility>
#include <vector>

namespace muster {

// Recorded run times of one job, per GPU type name. A type that is missing does not run it.
struct TypeDurations {
  std::vector<std::pair<std::string, double>> seconds;
};

}  // namespace muster
