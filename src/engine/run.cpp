#include "engine/run.h"

#include "base/text.h"

namespace muster {

Result<void> run(Engine& engine, World& world, const Observer& observer) {
  std::optional<Time> wake_at;
  while (const std::optional<Batch> batch = world.next(wake_at)) {
    const Engine::Step step = engine.step(batch->now, batch->events);
    if (step.refused) {
      return failure("wrong plan at " + format_microseconds(batch->now.time_since_epoch().count()) +
                     " s: " + step.refused->message);
    }
    if (observer && !observer(*batch, step)) return {};
    world.execute(step.commands);
    world.forget(step.ended);
    wake_at = step.wake_at;
  }
  return {};
}

}  // namespace muster
