#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "base/time.h"
#include "core/cluster.h"
#include "core/command.h"
#include "core/event.h"
#include "core/job.h"

namespace muster {

struct RecorderOptions {
  bool keep_schedule = false;  // What schedule.csv and timeline.json are made of.
  // The metrics count jobs first..second-1 by submit order; none: all jobs.
  std::optional<std::pair<std::int64_t, std::int64_t>> window{};
};

// A count that goes up and down, and the area under it.
struct Level {
  std::int64_t count = 0;
  Time since{};
  double area = 0;  // Count x microseconds, up to `since`.

  double area_at(Time now) const {
    return area + static_cast<double>(count) * static_cast<double>((now - since).count());
  }
  void change(Time now, std::int64_t by) {
    area = area_at(now);
    since = now;
    count += by;
  }
};

// What happened to one job. Times grow lazily: read them with the functions.
struct JobRecord {
  Time first_start = time_never;
  Time settled_at{};
  Duration run_time{};         // With at least one run on GPUs, up to settled_at.
  Duration gpu_time{};         // Summed over its runs, up to settled_at.
  double unfinished_area = 0;  // Under the number of unfinished jobs, at its submission.
  double contention = 0;       // Once ended: the average number of unfinished jobs over its life.
  std::int32_t run_count = 0;  // Holding GPUs now.
  std::int32_t gpu_count = 0;  // Held now; a GPU shared with others counts whole.
  std::int32_t preemption_count = 0;  // Runs stopped while the job goes on.
  std::int32_t loss_count = 0;        // Runs lost with their node.
  bool has_ended = false;

  bool is_pending() const { return !has_ended && run_count == 0; }
  Duration run_time_at(Time now) const {
    return run_count > 0 ? run_time + (now - settled_at) : run_time;
  }
  Duration gpu_time_at(Time now) const { return gpu_time + gpu_count * (now - settled_at); }
};

// One run in one pool. Rows of a run stand together, in the order of its slots.
struct ScheduleRow {
  JobId job{};
  RunId run{};
  PoolId pool{};
  std::int32_t gpu_count = 0;
  Time start{};
  Time end = time_never;    // time_never: still running.
  std::int64_t steps = -1;  // Those saved, on the run's first row; -1 elsewhere and while it runs.
  std::size_t first_index = 0;  // Of its gpu_count GPUs in Recorder::gpu_indices().
};

// From `at` on there are `count`.
struct CountChange {
  Time at{};
  std::int32_t count = 0;
};

// Time in use, in microseconds. A GPU counts once however many runs share it; a node counts while
// at least one of its GPUs is in use.
struct BusyTime {
  std::vector<double> gpus_by_type{};
  double nodes = 0;
};

// Keeps what the metrics and report files need of a run, step by step. A run holds its GPUs from
// its StartRun to its RunEnded; runs of one grant share them. As in the engine, late, repeated and
// unknown reports change nothing, and a run makes no more steps than it was given.
// Cost: O((events + commands + slots) log live runs) a step, nothing between steps; about 70 bytes
// a job, and with the schedule 48 bytes a row and 4 bytes a GPU of it.
class Recorder {
 public:
  // `cluster` must outlive the recorder. The node states that it has now are those at the start.
  explicit Recorder(const Cluster& cluster, RecorderOptions options = {});

  // After each step of the engine: `events` were applied at `now`, then `commands` were issued.
  // `ended`: the jobs that reached an ended state in this step. `jobs`: the table after the step.
  void on_step(Time now, std::span<const Event> events, std::span<const Command> commands,
               std::span<const JobId> ended, std::span<const Job> jobs);

  const Cluster& cluster() const { return *cluster_; }
  Time now() const { return now_; }  // Of the last step.
  std::int64_t event_count() const { return event_count_; }
  std::span<const JobRecord> jobs() const { return jobs_; }  // By JobId.
  // Whether the metrics count the job.
  bool is_counted(JobId job) const;
  // Between the first submission and the last finish of the counted jobs, by whatever jobs; empty
  // when none has finished.
  std::optional<BusyTime> busy_time() const;

  // Empty unless the schedule is kept. Rows ascend by start.
  std::span<const ScheduleRow> schedule() const { return schedule_; }
  std::span<const std::int32_t> gpu_indices() const { return gpu_indices_; }
  // Unfinished jobs without GPUs, and free GPUs on usable nodes by type: at changes only.
  std::span<const CountChange> pending_changes() const { return pending_changes_; }
  std::span<const CountChange> free_changes(GpuTypeId type) const {
    return free_changes_[type.index()];
  }

 private:
  struct LiveRun {
    JobId job;
    GrantId grant;
    std::int32_t gpu_count = 0;
    std::int64_t steps_max = 0;
    std::size_t first_row = 0;
    std::size_t row_count = 0;
  };
  struct LiveGrant {
    Placement placement;
    std::int32_t run_count = 0;
  };

  void apply(const Event& event, std::span<const Job> jobs);
  void submit(JobId id);
  void begin(const StartRun& start);
  void end(const RunEnded& ended, std::span<const Job> jobs);
  void end_job(const Job& ended);
  void change_runs(JobId id, std::int32_t runs, std::int32_t gpus);
  void take(const Placement& placement, std::int32_t sign);
  void set_usable(NodeId id, bool usable);
  void change_free(GpuTypeId type, std::int32_t by);
  void change_pending(bool was, bool is);
  void append_rows(const StartRun& start, LiveRun& run);
  BusyTime busy_until_now() const;

  const Cluster* cluster_;
  RecorderOptions options_;
  Time now_{};
  std::int64_t event_count_ = 0;
  std::vector<JobRecord> jobs_;
  std::map<RunId, LiveRun> runs_;
  std::map<GrantId, LiveGrant> grants_;
  Level unfinished_;
  std::vector<Level> busy_by_type_;
  Level busy_nodes_;
  std::vector<std::int32_t> busy_by_node_;  // GPUs in use.
  std::vector<std::int32_t> busy_by_pool_;
  std::vector<bool> is_usable_;  // By NodeId.
  std::vector<std::int32_t> free_by_type_;
  std::int32_t pending_count_ = 0;
  std::optional<BusyTime> busy_at_first_submit_;
  std::optional<BusyTime> busy_at_last_finish_;
  std::vector<ScheduleRow> schedule_;
  std::vector<std::int32_t> gpu_indices_;
  std::vector<CountChange> pending_changes_;
  std::vector<std::vector<CountChange>> free_changes_;  // By GpuTypeId.
};

}  // namespace muster
