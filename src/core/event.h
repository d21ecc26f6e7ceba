#pragma once

#include <cstdint>
#include <variant>

#include "core/job.h"

namespace muster {

struct Submitted {
  JobId job;
  JobSpec spec;
};
struct Cancelled {
  JobId job;
};
struct Held {
  JobId job;
};
struct Released {
  JobId job;
};
struct RunStarted {  // Steps count from now on.
  RunId run;
};
struct Progress {
  RunId run;
  std::int64_t steps = 0;  // Done so far in this run.
};

enum class Cause : std::uint8_t {
  done,       // It did its steps.
  completed,  // The program says that the job is complete, whatever was left.
  stopped,    // As commanded.
  failed,     // The program failed.
  lost,       // Its node is gone or the start was impossible: the last checkpoint counts.
};
struct RunEnded {
  RunId run;
  std::int64_t steps = 0;  // The ones saved.
  Cause cause = Cause::done;
};

struct Consolidated {
  JobId job;
};
struct NodeJoined {
  NodeId node;
};
struct NodeDrained {
  NodeId node;
};
struct NodeLost {
  NodeId node;
};

using Event = std::variant<Submitted, Cancelled, Held, Released, RunStarted, Progress, RunEnded,
                           Consolidated, NodeJoined, NodeDrained, NodeLost>;

}  // namespace muster
