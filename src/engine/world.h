#pragma once

#include <optional>
#include <span>

#include "base/time.h"
#include "core/command.h"
#include "core/event.h"

namespace muster {

// All events up to `now`, in total order; empty when `now` is the wake time that was asked for.
struct Batch {
  Time now{};
  std::span<const Event> events{};  // Valid until the next call of the world.
};

// The one port to everything outside the engine: time, events, effects.
class World {
 public:
  virtual ~World() = default;
  // The next batch, no later than `wake_at`; nothing when the world is over.
  virtual std::optional<Batch> next(std::optional<Time> wake_at) = 0;
  virtual void execute(std::span<const Command> commands) = 0;
  // Jobs that have ended, however: nothing more will be asked for them.
  virtual void forget(std::span<const JobId> ended) { static_cast<void>(ended); }
};

}  // namespace muster
