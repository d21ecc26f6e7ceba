#include "core/job.h"

namespace muster {

std::string_view to_text(Reason reason) {
  switch (reason) {
    case Reason::queued: return "queued";
    case Reason::behind_others: return "behind other jobs";
    case Reason::gpus_busy: return "not enough free GPUs";
    case Reason::fragmented: return "free GPUs do not match the placement rule";
    case Reason::would_delay_head: return "would delay the job with the reservation";
    case Reason::share_used: return "share used up";
    case Reason::preempted: return "preempted";
    case Reason::fits_nowhere: return "fits nowhere on this cluster";
  }
  return "";
}

void Job::transfer(Archive& archive) {
  archive(id, spec, state, submitted_at, ended_at, steps_done, runs, wanted_count, run_count,
          fail_count, gpus_held, gpu_time, settled_at, consolidating, copies, reason,
          reason_detail);
}

}  // namespace muster
