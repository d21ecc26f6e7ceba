#pragma once

#include <vector>

#include "cli/facts.h"
#include "report/summary.h"

namespace muster {

// All keys of summary.json, in its order.
std::vector<Fact> summary_facts(const Summary& summary);

}  // namespace muster
