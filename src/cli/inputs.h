#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "cli/run_flags.h"
#include "core/cluster.h"
#include "core/performance_model.h"
#include "perf/tables.h"
#include "report/labels.h"
#include "workload/bind.h"

namespace muster {

// All that runs read; shared by the runs of one comparison, and never changed by them.
struct Inputs {
  std::string trace_path{};
  std::int64_t rows_skipped_count = 0;
  Cluster cluster{};
  PerfTables tables{};
  Workload workload{};
  ModelSpec truth_spec{};
  std::unique_ptr<PerformanceModel> truth{};
  std::vector<std::string> job_ids{};     // By JobId.
  std::vector<std::string> job_users{};   // By JobId, like the next; empty when no files are to be
  std::vector<std::string> job_models{};  // written.
  std::vector<std::string> warnings{};    // One line each.

  JobLabels labels() const { return {.ids = job_ids, .users = job_users, .models = job_models}; }
};

// REQUIRES: what parse_run_flags has passed. Errors name the file.
Result<Inputs> load_inputs(const RunSettings& settings, const std::string& data_flag);

}  // namespace muster
