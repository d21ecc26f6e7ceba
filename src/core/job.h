#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "base/archive.h"
#include "base/id.h"
#include "base/time.h"

namespace muster {

// What the user asked; never changes. A job of recorded duration d counts reference milliseconds as
// steps: total_steps = ceil(1000 d) at reference_steps_per_second = 1000.
struct JobSpec {
  ModelId model{};
  UserId user{};
  TenantId tenant{};
  RecordId record{};      // Its row of recorded per-type durations, if the trace has them.
  std::uint32_t row = 0;  // Its place in the trace: what a model's seeded noise hangs on.
  std::int32_t gpu_count = 1;
  std::int32_t gpu_count_min = 0;  // 0: gpu_count.
  std::int32_t gpu_count_max = 0;  // 0: gpu_count.
  std::int32_t copies_max = 1;     // > 1: may be forked; then a run may be smaller than the gang.
  std::int64_t total_steps = 1;
  double reference_steps_per_second =
      0;  // Of the whole gang on the reference GPU; 0: not recorded.
  double weight = 1;
  double tensor_skew_ratio = 0;  // Largest tensor / all tensors of the model; 0: not known.
  std::optional<Time> deadline{};
  std::uint64_t types_allowed = ~std::uint64_t{0};  // Bit i: GpuTypeId(i).
  std::int64_t cpus_milli = 0;                      // Of the whole gang; 0: none asked.
  std::int64_t memory_mib = 0;                      // Of the whole gang; 0: none asked.
  double gpu_memory_gib = 0;                        // Per GPU; 0: any.

  // What a placement of one run may count.
  std::int32_t gpu_min() const {
    if (copies_max > 1) return 1;
    return gpu_count_min > 0 ? gpu_count_min : gpu_count;
  }
  std::int32_t gpu_max() const { return gpu_count_max > 0 ? gpu_count_max : gpu_count; }
  bool allows(GpuTypeId type) const { return ((types_allowed >> type.index()) & 1U) != 0; }
  // What `gpus` of the gang's GPUs take of a node, rounded up: the shares of all nodes suffice.
  std::int64_t cpus_milli_for(std::int32_t gpus) const { return part(cpus_milli, gpus); }
  std::int64_t memory_mib_for(std::int32_t gpus) const { return part(memory_mib, gpus); }

 private:
  std::int64_t part(std::int64_t whole, std::int32_t gpus) const {
    return whole == 0 ? 0 : (whole * gpus + gpu_count - 1) / gpu_count;
  }
};

enum class JobState : std::uint8_t { active, held, cancelled, rejected, finished, failed };

// Why a job waits. Words only at the edge: to_text.
enum class Reason : std::uint8_t {
  queued,            // Not looked at yet.
  behind_others,     // A job before it in the order must start first.
  gpus_busy,         // Not enough free GPUs of a type that it may use.
  fragmented,        // Enough free GPUs, but not where the placement rule needs them.
  would_delay_head,  // Fits now, but would delay the job that has the reservation.
  share_used,        // Its tenant or its own share is used up.
  preempted,         // Its GPUs went to a job of higher priority.
  fits_nowhere,      // Never, on this cluster.
};
std::string_view to_text(Reason reason);

// One job as the engine knows it. Ended jobs stay in the table and cost nothing more.
struct Job {
  JobId id{};
  JobSpec spec{};
  JobState state = JobState::active;
  Time submitted_at{};
  Time ended_at{};
  std::int64_t steps_done = 0;    // Saved: survives whatever happens next.
  std::vector<RunId> runs{};      // Live, ascending.
  std::int32_t wanted_count = 0;  // Of its runs, those that are not stopping.
  std::int32_t run_count = 0;     // Begun so far.
  std::int32_t fail_count = 0;
  std::int32_t gpus_held = 0;
  Duration gpu_time{};  // Attained service (GPUs x time) up to settled_at.
  Time settled_at{};
  bool consolidating = false;
  std::vector<std::pair<RunId, std::int64_t>> copies{};  // Ended copies not yet averaged: steps.
  Reason reason = Reason::queued;
  std::int64_t reason_detail = 0;

  // Attained service: GPU-microseconds for which it has held GPUs.
  Duration gpu_time_at(Time now) const { return gpu_time + gpus_held * (now - settled_at); }
  bool has_ended() const { return state != JobState::active && state != JobState::held; }
  void transfer(Archive& archive);
};

}  // namespace muster
