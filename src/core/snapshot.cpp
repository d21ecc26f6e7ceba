#include "core/snapshot.h"

namespace muster {

std::int64_t Snapshot::steps_left(const Job& job) const {
  std::int64_t left = job.spec.total_steps - job.steps_done;
  for (const RunId id : job.runs) left -= runs.at(id).steps_by(now);
  return left > 0 ? left : 0;
}

}  // namespace muster
