#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <queue>
#include <span>
#include <vector>

#include "base/rng.h"
#include "core/arrival.h"
#include "core/cluster.h"
#include "core/pace.h"
#include "core/performance_model.h"
#include "engine/world.h"

namespace muster {

// One planned change of one node, beside the random failures.
struct NodeChange {
  Time at{};
  NodeId node{};
  bool joins = false;  // Else it is lost.
};

struct SimOptions {
  Duration start_latency{};
  Duration stop_latency{};
  Duration restart_cost{};        // When a job that has run before gets other GPUs than its last.
  Duration consolidation_cost{};  // Of averaging copies.
  Duration checkpoint_interval = std::chrono::seconds(1800);  // 0: every step is saved.
  Duration failure_mean{};  // Mean time between failures of one node; 0: none.
  Duration repair_mean = std::chrono::hours(1);
  std::uint64_t seed = 0;
  std::vector<NodeChange> node_changes{};  // By time.
};

// The simulated world: ends runs by the truth model, jumps the clock from event to event. A value:
// a copy is the same world going on. Events of one instant come in the order of their ranks, then
// in the order in which they were caused.
//
// Over when every job has come and is complete or cancelled; also when nothing runs, nothing is to
// come and the policy has let `idle_batches_max` batches in a row pass without starting anything,
// or when `losses_max` runs in a row were lost before they had saved a step.
//
// Cost: O(log live) per event, O(runs of the grant) per change of company; O(nodes) once.
class SimWorld final : public World {
 public:
  static constexpr int idle_batches_max = 10000;
  static constexpr int losses_max = 10000;

  // The cluster, the truth and the arrivals (by time) must outlive the world.
  SimWorld(const Cluster& cluster, const PerformanceModel& truth, std::span<const Arrival> arrivals,
           SimOptions options = {});

  std::optional<Batch> next(std::optional<Time> wake_at) override;
  void execute(std::span<const Command> commands) override;
  void forget(std::span<const JobId> ended) override;

  Time now() const { return now_; }
  // Runs that have begun and not ended.
  std::size_t live_count() const { return runs_.size(); }
  // The policy left jobs waiting on an idle cluster until the world gave up.
  bool is_stuck() const { return is_stuck_; }
  // Nodes failed faster than any job could save its work.
  bool is_hopeless() const { return loss_count_ >= losses_max; }

 private:
  // Of events at one instant.
  enum class Rank : std::uint8_t {
    node_lost,     // First, so that what ran there is lost and not done.
    run_ended,     // Before arrivals, so that a newcomer finds the GPUs free.
    consolidated,  // Lets the next copies start at this instant.
    node_joined,
    run_started,
    cancelled,
    submitted,
  };
  enum class What : std::uint8_t {
    node_lost,
    finish,
    stopped,
    failed,
    lost,
    consolidated,
    node_joined,
    started,
  };
  struct Entry {
    Time at{};
    Rank rank{};
    std::uint64_t sequence = 0;
    What what{};
    std::uint32_t subject = 0;  // Run, job or node.
    std::uint32_t version = 0;  // Stale when the run's or the node's has moved on.
    bool operator>(const Entry& other) const {
      if (at != other.at) return at > other.at;
      if (rank != other.rank) return rank > other.rank;
      return sequence > other.sequence;
    }
  };
  struct LiveRun {
    JobId job{};
    GrantId grant{};
    std::int64_t steps = 0;
    Pace pace{};
    Time started_at{};
    Time rate_changed_at{};
    std::int64_t saved_steps = 0;  // At the last checkpoint that was looked at.
    std::uint32_t version = 0;
    bool has_started = false;
    bool is_stopping = false;
  };
  struct LiveGrant {
    Placement placement;
    std::vector<RunId> runs;
  };
  struct JobTruth {
    std::int64_t steps_done = 0;
    Placement placement{};
    std::vector<std::int32_t> gpu_indices{};
    bool has_run = false;
    bool is_dropped = false;  // Cancelled, or the engine has ended it.
    bool is_complete = false;
    std::int32_t live_count = 0;  // Of its runs.
  };

  // The version of SimOptions::node_changes, which are never stale.
  static constexpr std::uint32_t planned_change = static_cast<std::uint32_t>(-1);

  void push(Time at, Rank rank, What what, std::uint32_t subject, std::uint32_t version = 0);
  bool is_stale(const Entry& entry) const;
  std::optional<Time> next_time();
  void emit(const Entry& entry);
  void emit_cancels();
  void emit_arrivals();
  void cancel(JobId id);
  void settle(JobId id);
  void lose_node(NodeId node);
  void begin_progress(RunId id);
  void end_run(RunId id, std::int64_t steps, Cause cause);
  void start(const StartRun& command);
  void stop(RunId id);
  void rerate(GrantId id);
  double true_rate(RunId id, const LiveRun& run) const;
  void plan_finish(RunId id, LiveRun& run);
  void plan_failure(NodeId node);
  void save_checkpoint(LiveRun& run) const;
  bool is_idle() const;

  const Cluster* cluster_;
  const PerformanceModel* truth_;
  std::span<const Arrival> arrivals_;
  SimOptions options_;

  Time now_{};
  std::size_t next_arrival_ = 0;
  std::vector<std::pair<Time, JobId>> cancels_;  // By time.
  std::size_t next_cancel_ = 0;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue_;
  std::uint64_t next_sequence_ = 0;
  std::map<RunId, LiveRun> runs_;
  std::map<GrantId, LiveGrant> grants_;
  std::vector<JobTruth> jobs_;
  std::vector<bool> is_node_up_;
  std::vector<std::uint32_t> node_versions_;
  std::vector<Rng> node_rngs_;      // One stream per node: failures do not depend on the schedule.
  std::size_t complete_count_ = 0;  // Jobs with all their steps done, or cancelled.
  std::size_t pending_count_ = 0;   // Queue entries that are not failures or repairs.
  int idle_batches_ = 0;
  int loss_count_ = 0;  // In a row, without a saved step in between.
  bool is_stuck_ = false;
  std::vector<Event> events_;
};

}  // namespace muster
