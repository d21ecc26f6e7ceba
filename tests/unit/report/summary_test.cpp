#include "report/summary.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "unit/report/stage.h"

namespace muster {
namespace {

using testing::at;
using testing::Stage;

constexpr GpuTypeId v100{0U};

Summary summary_of(const Stage& stage, const IsolatedRate& rate = {}) {
  const auto outcomes = stage.outcomes(rate);
  return summarize(stage.recorder(), outcomes, DurationHistogram(), {});
}

TEST(Summary, two_jobs_by_hand) {
  Stage stage;
  testing::play_two_jobs(stage);
  const Summary summary = summary_of(stage);
  EXPECT_EQ(summary.jobs_total, 2);
  EXPECT_EQ(summary.jobs_finished, 2);
  EXPECT_EQ(summary.jobs_unfinished, 0);
  EXPECT_EQ(summary.makespan_seconds, 100);
  EXPECT_EQ(summary.jct_mean_seconds, 80);
  EXPECT_EQ(summary.jct_median_seconds, 60);
  EXPECT_EQ(summary.jct_p95_seconds, 100);
  EXPECT_EQ(summary.wait_mean_seconds, 5);
  EXPECT_EQ(summary.pending_mean_seconds, 5);
  EXPECT_EQ(summary.gpu_utilization_ratio, 250.0 / 400);
  EXPECT_EQ(summary.node_utilization_ratio, 0.75);
  EXPECT_EQ(summary.ftf_mean_ratio, std::nullopt);
  EXPECT_EQ(summary.deadline_met_ratio, std::nullopt);
  EXPECT_EQ(summary.energy_joules, std::nullopt);
  EXPECT_EQ(summary.events_count, 4);
}

TEST(Summary, finish_time_fairness_by_hand) {
  Stage stage;
  testing::play_two_jobs(stage);
  // 10 steps/s on the V100s, none elsewhere. The three V100s and the K80 make X:
  // job 0: 3 / (1.6 x 2) = 0.9375 and 0.3125, scaled by 1.25: 0.75 of the time -> 1000 / 7.5 s;
  // job 1: 3 / 2 and 1 / 2, scaled by 2: 0.75 -> 500 / 7.5 s.
  const Summary summary =
      summary_of(stage, [](const JobSpec&, GpuTypeId type) { return type == v100 ? 10.0 : 0.0; });
  EXPECT_DOUBLE_EQ(*summary.ftf_max_ratio, 60 / (500 / 7.5));
  EXPECT_DOUBLE_EQ(*summary.ftf_mean_ratio, (100 / (1000 / 7.5) + 60 / (500 / 7.5)) / 2);
}

TEST(Summary, share_of_a_cluster_by_hand) {
  Cluster cluster;
  const GpuTypeId fast = cluster.add_type({.name = "fast"});
  const GpuTypeId slow = cluster.add_type({.name = "slow"});
  cluster.add_node({.name = "a"}, {{fast, 4}, {slow, 2}});
  const IsolatedRate rate = [&](const JobSpec&, GpuTypeId type) {
    return type == fast ? 10.0 : 2.0;
  };
  JobSpec job{.gpu_count = 2, .total_steps = 5500};
  // X = 4 / (4 x 2) = 0.5 and 0.25: 5.5 steps/s.
  EXPECT_DOUBLE_EQ(*share_seconds(job, cluster, 4, rate), 1000);
  // X = 2 and 1, scaled to 2/3 and 1/3: 22/3 steps/s.
  EXPECT_DOUBLE_EQ(*share_seconds(job, cluster, 1, rate), 750);
  // The slow type only: X = 0.25.
  job.types_allowed = std::uint64_t{1} << slow.index();
  EXPECT_DOUBLE_EQ(*share_seconds(job, cluster, 4, rate), 11000);
  job.types_allowed = 0;
  EXPECT_FALSE(share_seconds(job, cluster, 4, rate));
}

TEST(Summary, only_finished_jobs_have_a_fairness_ratio) {
  Stage stage;
  const JobId rejected = stage.submit(0);
  const JobId cancelled = stage.submit(0);
  stage.end_job(10, rejected, JobState::rejected);
  stage.end_job(10, cancelled, JobState::cancelled);
  const Summary summary = summary_of(stage, [](const JobSpec&, GpuTypeId) { return 1.0; });
  EXPECT_EQ(summary.jobs_rejected, 1);
  EXPECT_EQ(summary.jobs_cancelled, 1);
  EXPECT_EQ(summary.ftf_mean_ratio, std::nullopt);
  EXPECT_EQ(summary.makespan_seconds, std::nullopt);
  EXPECT_EQ(summary.jct_mean_seconds, std::nullopt);
  EXPECT_EQ(summary.wait_mean_seconds, std::nullopt);
  EXPECT_EQ(summary.gpu_utilization_ratio, std::nullopt);
}

TEST(Summary, deadlines_of_cancelled_jobs_do_not_count) {
  Stage stage;
  const JobId in_time = stage.submit(0, {.deadline = at(10)});
  const JobId late = stage.submit(0, {.deadline = at(9)});
  const JobId cancelled = stage.submit(0, {.deadline = at(5)});
  const JobId rejected = stage.submit(0, {.deadline = at(5)});
  stage.submit(0);
  const RunId first = stage.start(0, in_time, {{Stage::a_v100, 1}}, {0});
  const RunId second = stage.start(0, late, {{Stage::a_v100, 1}}, {1});
  stage.end_job(1, cancelled, JobState::cancelled);
  stage.end_job(1, rejected, JobState::rejected);
  stage.finish(10, first);
  stage.finish(10, second);
  EXPECT_DOUBLE_EQ(*summary_of(stage).deadline_met_ratio, 1.0 / 3);
}

TEST(Summary, energy_and_cost_need_the_figures_of_the_used_types_only) {
  Stage stage;
  stage.cluster().types[v100.index()].power_watts = 300;
  stage.cluster().types[v100.index()].price_dollars_per_hour = 3.6;
  testing::play_two_jobs(stage);
  EXPECT_DOUBLE_EQ(*summary_of(stage).energy_joules, 250 * 300);
  EXPECT_DOUBLE_EQ(*summary_of(stage).cost_dollars, 0.25);
  stage.cluster().types[v100.index()].power_watts = 0;
  EXPECT_EQ(summary_of(stage).energy_joules, std::nullopt);
}

TEST(Summary, a_window_counts_its_jobs_and_the_period_they_span) {
  // Jobs 0, 1, 2, each on a GPU of its own: 0..40 s, 10..20 s, 15..35 s.
  Stage stage({.window = std::pair<std::int64_t, std::int64_t>{1, 2}});
  const RunId zero = stage.start(0, stage.submit(0), {{Stage::a_v100, 1}}, {0});
  const RunId one = stage.start(10, stage.submit(10), {{Stage::a_v100, 1}}, {1});
  const RunId two = stage.start(15, stage.submit(15), {{Stage::b_v100, 1}}, {0});
  stage.finish(20, one);
  stage.finish(35, two);
  stage.finish(40, zero);
  const Summary summary = summary_of(stage);
  EXPECT_EQ(stage.outcomes().size(), 3U);
  EXPECT_EQ(summary.jobs_total, 1);
  EXPECT_EQ(summary.jct_mean_seconds, 10);
  EXPECT_EQ(summary.makespan_seconds, 10);
  // From 10 s to 20 s: job 0 and job 1 for 10 s, job 2 for 5 s, of 4 GPUs.
  EXPECT_DOUBLE_EQ(*summary.gpu_utilization_ratio, 25.0 / 40);
  EXPECT_DOUBLE_EQ(*summary.node_utilization_ratio, 15.0 / 20);
}

TEST(Summary, a_window_beyond_the_last_job_is_of_nothing) {
  Stage stage({.window = std::pair<std::int64_t, std::int64_t>{7, 9}});
  testing::play_two_jobs(stage);
  EXPECT_EQ(summary_of(stage).jobs_total, 0);
  EXPECT_EQ(summary_of(stage).makespan_seconds, std::nullopt);
}

TEST(Summary, nodes_without_gpus_are_left_out_of_the_utilization) {
  Cluster cluster;
  const GpuTypeId type = cluster.add_type({.name = "v100"});
  cluster.add_node({.name = "gpus"}, {{type, 1}});
  cluster.add_node({.name = "cpus"}, {});
  Recorder recorder(cluster);
  std::vector<Job> jobs = {{.id = JobId(0U)}};
  const std::vector<Event> submitted = {Submitted{.job = JobId(0U), .spec = {}}};
  const std::vector<Command> start = {StartRun{.run = RunId(0U),
                                               .job = JobId(0U),
                                               .grant = GrantId(0U),
                                               .steps = 1,
                                               .placement = {{PoolId(0U), 1}},
                                               .gpu_indices = {0}}};
  recorder.on_step(at(0), submitted, start, {}, jobs);
  jobs[0].state = JobState::finished;
  jobs[0].ended_at = at(8);
  const std::vector<Event> ended = {RunEnded{.run = RunId(0U), .steps = 1, .cause = Cause::done}};
  const std::vector<JobId> finished = {JobId(0U)};
  recorder.on_step(at(8), ended, {}, finished, jobs);
  const auto outcomes = job_outcomes(recorder, jobs, {});
  const Summary summary = summarize(recorder, outcomes, DurationHistogram(), {});
  EXPECT_EQ(summary.node_utilization_ratio, 1);
  EXPECT_EQ(summary.gpu_utilization_ratio, 1);
}

TEST(Summary, json_has_every_key_in_order_and_null_where_there_is_no_figure) {
  Stage stage;
  stage.submit(0);
  DurationHistogram decisions;
  const auto outcomes = stage.outcomes();
  const Summary summary =
      summarize(stage.recorder(), outcomes, decisions,
                {.policy = "fifo", .cluster = "caf\xE9", .seed = 7, .schedule_hash = 0x0123ABCDEF});
  const auto json = nlohmann::ordered_json::parse(summary_json(summary));
  std::vector<std::string> keys;
  for (const auto& [key, value] : json.items()) keys.push_back(key);
  EXPECT_EQ(keys, (std::vector<std::string>{"policy",
                                            "policy_options",
                                            "cluster",
                                            "trace",
                                            "seed",
                                            "jobs_total",
                                            "jobs_finished",
                                            "jobs_rejected",
                                            "jobs_cancelled",
                                            "jobs_unfinished",
                                            "rows_skipped_count",
                                            "makespan_seconds",
                                            "jct_mean_seconds",
                                            "jct_median_seconds",
                                            "jct_p95_seconds",
                                            "jct_p99_seconds",
                                            "wait_mean_seconds",
                                            "pending_mean_seconds",
                                            "gpu_utilization_ratio",
                                            "node_utilization_ratio",
                                            "ftf_mean_ratio",
                                            "ftf_max_ratio",
                                            "deadline_met_ratio",
                                            "preemptions_count",
                                            "energy_joules",
                                            "cost_dollars",
                                            "solver_fallbacks_count",
                                            "decisions_count",
                                            "decision_mean_seconds",
                                            "decision_p99_seconds",
                                            "decision_max_seconds",
                                            "events_count",
                                            "wall_seconds",
                                            "schedule_hash"}));
  EXPECT_EQ(json["policy"], "fifo");
  EXPECT_EQ(json["seed"], 7);
  EXPECT_EQ(json["jobs_unfinished"], 1);
  EXPECT_EQ(json["schedule_hash"], "0000000123abcdef");
  EXPECT_TRUE(json["makespan_seconds"].is_null());
  EXPECT_TRUE(json["decision_p99_seconds"].is_null());
}

TEST(Summary, json_numbers_read_back_exactly) {
  Summary summary;
  summary.jct_mean_seconds = 0.1 + 0.2;
  summary.makespan_seconds = 1e15 / 3;
  const auto json = nlohmann::json::parse(summary_json(summary));
  EXPECT_EQ(json["jct_mean_seconds"].get<double>(), 0.1 + 0.2);
  EXPECT_EQ(json["makespan_seconds"].get<double>(), 1e15 / 3);
}

TEST(Summary, percentiles_are_of_the_nearest_rank) {
  std::vector<double> values;
  EXPECT_FALSE(percentile(values, 50));
  for (int i = 1; i <= 700; ++i) values.push_back(i);
  EXPECT_EQ(percentile(values, 99), 693);
  EXPECT_EQ(percentile(values, 95), 665);
  EXPECT_EQ(percentile(values, 50), 350);
  EXPECT_EQ(percentile(values, 100), 700);
  EXPECT_EQ(percentile(values, 0.01), 1);
  EXPECT_EQ(percentile(std::vector<double>{3}, 1), 3);
}

}  // namespace
}  // namespace muster
