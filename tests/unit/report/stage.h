#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "report/outcome.h"
#include "report/recorder.h"

namespace muster::testing {

inline Time at(double seconds) { return Time(from_seconds(seconds)); }

// Plays a small schedule to a recorder, one event or command at a time, and keeps the table of jobs
// as the engine would. Node a has two V100s; node b has one V100 and one K80.
class Stage {
 public:
  // Pools of the cluster.
  static constexpr PoolId a_v100{0U};
  static constexpr PoolId b_v100{1U};
  static constexpr PoolId b_k80{2U};

  explicit Stage(RecorderOptions options = {.keep_schedule = true})
      : cluster_(make_cluster()), recorder_(cluster_, options) {}
  // The recorder looks at the cluster.
  Stage(const Stage&) = delete;
  Stage& operator=(const Stage&) = delete;

  JobId submit(double seconds, JobSpec spec = {}) {
    const JobId id(jobs_.size());
    jobs_.push_back({.id = id, .spec = spec, .submitted_at = at(seconds)});
    const std::vector<Event> events = {Submitted{.job = id, .spec = spec}};
    recorder_.on_step(at(seconds), events, {}, {}, jobs_);
    return id;
  }

  // On a new grant, or on the one of a run that goes on.
  RunId start(double seconds, JobId job, Placement placement, std::vector<std::int32_t> indices,
              std::optional<RunId> join = {}) {
    const RunId run(next_run_++);
    const GrantId grant = join ? grant_of_.at(*join) : GrantId(next_grant_++);
    grant_of_[run] = grant;
    job_of_[run] = job;
    const std::vector<Command> commands = {StartRun{.run = run,
                                                    .job = job,
                                                    .grant = grant,
                                                    .steps = 1000,
                                                    .placement = std::move(placement),
                                                    .gpu_indices = std::move(indices)}};
    recorder_.on_step(at(seconds), {}, commands, {}, jobs_);
    return run;
  }

  // The run ends; its job is left in `state`.
  void end(double seconds, RunId run, Cause cause, JobState state = JobState::active,
           std::int64_t steps = 0) {
    const std::vector<Event> events = {RunEnded{.run = run, .steps = steps, .cause = cause}};
    settle(seconds, events, job_of_.at(run), state);
  }
  void finish(double seconds, RunId run, std::int64_t steps = 1000) {
    end(seconds, run, Cause::done, JobState::finished, steps);
  }
  // A job without runs ends.
  void end_job(double seconds, JobId job, JobState state) { settle(seconds, {}, job, state); }

  void tell(double seconds, Event event) {
    const std::vector<Event> events = {std::move(event)};
    recorder_.on_step(at(seconds), events, {}, {}, jobs_);
  }

  const Recorder& recorder() const { return recorder_; }
  Cluster& cluster() { return cluster_; }
  std::vector<JobOutcome> outcomes(const IsolatedRate& rate = {}) const {
    return job_outcomes(recorder_, jobs_, rate);
  }

 private:
  static Cluster make_cluster() {
    Cluster cluster;
    cluster.name = "small";
    const GpuTypeId v100 = cluster.add_type({.name = "v100"});
    const GpuTypeId k80 = cluster.add_type({.name = "k80"});
    cluster.add_node({.name = "a"}, {{v100, 2}});
    cluster.add_node({.name = "b"}, {{v100, 1}, {k80, 1}});
    return cluster;
  }

  void settle(double seconds, const std::vector<Event>& events, JobId id, JobState state) {
    Job& job = jobs_[id.index()];
    job.state = state;
    std::vector<JobId> ended;
    if (job.has_ended()) {
      job.ended_at = at(seconds);
      ended.push_back(id);
    }
    recorder_.on_step(at(seconds), events, {}, ended, jobs_);
  }

  Cluster cluster_;
  Recorder recorder_;
  std::vector<Job> jobs_;
  std::map<RunId, GrantId> grant_of_;
  std::map<RunId, JobId> job_of_;
  std::size_t next_run_ = 0;
  std::size_t next_grant_ = 0;
};

// Job 0: two GPUs of node a for 100 s. Job 1: submitted at 10 s, the V100 of node b from 20 s to 70
// s.
inline void play_two_jobs(Stage& stage) {
  const JobId first = stage.submit(0, {.gpu_count = 2, .total_steps = 1000});
  const RunId first_run = stage.start(0, first, {{Stage::a_v100, 2}}, {0, 1});
  const JobId second = stage.submit(10, {.gpu_count = 1, .total_steps = 500});
  const RunId second_run = stage.start(20, second, {{Stage::b_v100, 1}}, {0});
  stage.finish(70, second_run, 500);
  stage.finish(100, first_run, 1000);
}

}  // namespace muster::testing
