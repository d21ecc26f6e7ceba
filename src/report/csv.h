#pragma once

#include <span>
#include <string>
#include <string_view>

#include "report/labels.h"
#include "report/outcome.h"
#include "report/recorder.h"

namespace muster {

// Report files as CSV: a header line, LF, times in seconds with no more decimals than needed, an
// empty field where there is no value.

// One row per job, by JobId.
std::string jobs_csv(std::span<const JobOutcome> outcomes, const JobLabels& labels);

// One row per run and pool, by start. End and steps are empty while a run goes on; a run's steps
// stand in its first row.
std::string schedule_csv(const Recorder& recorder, const JobLabels& labels);

// In double quotes where a comma, a quote or a line break makes that necessary.
std::string csv_field(std::string_view text);

}  // namespace muster
