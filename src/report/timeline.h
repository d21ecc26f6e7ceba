#pragma once

#include <string>

#include "report/labels.h"
#include "report/recorder.h"
#include "report/summary.h"

namespace muster {

// The kept schedule as a Chrome trace (JSON object format; opens in Perfetto), in microseconds of
// run time: a process per node, a lane (thread) per GPU, and one more for each further job that
// shares a GPU at the same time. Runs of one job that follow each other in a lane without a gap are
// one slice; runs still going on end at the recorder's last step. Process 0 counts the pending jobs
// and the free GPUs per type. Thread ids are unique over all processes.
std::string timeline_json(const Recorder& recorder, const JobLabels& labels,
                          const RunDescription& description);

}  // namespace muster
