#pragma once

#include <string>

#include "base/result.h"
#include "perf/spread_table.h"
#include "perf/throughput_table.h"

namespace muster {

// All measured speeds that the performance models use.
struct PerfTables {
  ThroughputTable throughputs{};
  SpreadTable spread{};
};

// Reads `<data_directory>/throughputs/{isolated,pairs,spread}.csv`.
Result<PerfTables> read_perf_tables(const std::string& data_directory);

}  // namespace muster
