#pragma once

#include <cstdint>

#include "base/archive.h"
#include "core/plan.h"
#include "core/snapshot.h"

namespace muster {

// A scheduler: sees the snapshot, says what should change. It has no clock, no I/O, and no
// randomness but an Rng of its own; it never knows whether time is virtual.
class Policy {
 public:
  struct Traits {
    bool mixes_types = false;  // One run may sit on unlike GPUs; else the engine refuses that.
  };

  virtual ~Policy() = default;
  // Same snapshots in the same order, same plans.
  virtual Plan decide(const Snapshot& snapshot) = 0;
  virtual Traits traits() const { return {}; }
  // Decisions for which its solver had no answer and a simpler rule stood in.
  virtual std::int64_t solver_fallbacks_count() const { return 0; }
  // All memory that decisions depend on, Rng included; caches left out.
  virtual void transfer(Archive& archive) { static_cast<void>(archive); }
};

}  // namespace muster
