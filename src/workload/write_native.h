#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "workload/trace.h"

namespace muster {

// The trace as CSV in muster's own format: job_id, submit_seconds, gpus, and those of the other
// columns that some job uses. Numbers are exact, so reading it gives the same jobs.
std::string native_csv(const Trace& trace);

// What the trace tells and the format cannot hold; one sentence each, for stderr.
std::vector<std::string> native_losses(const Trace& trace);

// Writes native_csv(trace), whole or not at all.
Result<void> write_native(const Trace& trace, const std::string& path);

}  // namespace muster
