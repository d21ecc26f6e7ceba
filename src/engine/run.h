#pragma once

#include <functional>

#include "base/result.h"
#include "engine/engine.h"
#include "engine/world.h"

namespace muster {

// Called after each step, before its commands are carried out; false ends the run there.
using Observer = std::function<bool(const Batch& batch, const Engine::Step& step)>;

// The one loop: events in, commands out, until the world is over. A plan that was refused ends it
// with the policy's error.
Result<void> run(Engine& engine, World& world, const Observer& observer = {});

}  // namespace muster
