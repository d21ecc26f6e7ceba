#include "report/timeline.h"

#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <tuple>

#include "base/rng.h"
#include "unit/report/stage.h"

namespace muster {
namespace {

using nlohmann::json;
using testing::Stage;

json trace_of(const Stage& stage, const JobLabels& labels = {}) {
  return json::parse(timeline_json(stage.recorder(), labels, {.policy = "fifo", .seed = 3}));
}

std::vector<json> events_of(const json& trace, const std::string& phase) {
  std::vector<json> events;
  for (const json& event : trace["traceEvents"]) {
    if (event["ph"] == phase) events.push_back(event);
  }
  return events;
}

// Process, thread, job, start and length in seconds.
using Bar = std::tuple<int, int, std::string, int, int>;

std::vector<Bar> bars_of(const json& trace) {
  std::vector<Bar> bars;
  for (const json& event : events_of(trace, "X")) {
    bars.push_back({event["pid"], event["tid"], event["name"], event["ts"].get<int>() / 1000000,
                    event["dur"].get<int>() / 1000000});
  }
  return bars;
}

TEST(Timeline, a_slice_for_every_gpu_of_a_run) {
  Stage stage;
  testing::play_two_jobs(stage);
  const std::vector<std::string> ids = {"first", "sec\"ond"};
  const json trace = trace_of(stage, {.ids = ids});
  EXPECT_EQ(bars_of(trace),
            (std::vector<Bar>{
                {1, 1, "first", 0, 100}, {1, 2, "first", 0, 100}, {2, 3, "sec\"ond", 20, 50}}));
  EXPECT_EQ(trace["displayTimeUnit"], "ms");
  EXPECT_EQ(trace["otherData"]["policy"], "fifo");
  EXPECT_EQ(trace["otherData"]["seed"], 3);
}

TEST(Timeline, names_nodes_and_gpus) {
  Stage stage;
  std::vector<std::string> names;
  for (const json& event : events_of(trace_of(stage), "M")) {
    if (event["args"].contains("name")) names.push_back(event["args"]["name"]);
  }
  EXPECT_EQ(names, (std::vector<std::string>{"cluster", "a · 2×v100", "b · 1×v100 + 1×k80",
                                             "v100 0", "v100 1", "v100 0", "k80 0"}));
}

TEST(Timeline, runs_that_follow_each_other_on_a_gpu_are_one_slice) {
  Stage stage;
  const JobId job = stage.submit(0);
  const RunId first = stage.start(0, job, {{Stage::a_v100, 1}}, {1});
  stage.end(10, first, Cause::done);
  const RunId second = stage.start(10, job, {{Stage::a_v100, 1}}, {1});
  stage.end(20, second, Cause::done);
  const RunId moved = stage.start(20, job, {{Stage::a_v100, 1}}, {0});
  stage.end(30, moved, Cause::done);
  stage.start(35, job, {{Stage::a_v100, 1}}, {1});
  stage.submit(40);
  const json trace = trace_of(stage);
  EXPECT_EQ(bars_of(trace),
            (std::vector<Bar>{{1, 2, "0", 0, 20}, {1, 1, "0", 20, 10}, {1, 2, "0", 35, 5}}));
  EXPECT_EQ(events_of(trace, "X")[0]["args"]["runs"], 2);
}

TEST(Timeline, a_second_job_on_a_gpu_has_a_lane_of_its_own) {
  Stage stage;
  const JobId one = stage.submit(0);
  const JobId other = stage.submit(0);
  const RunId one_run = stage.start(0, one, {{Stage::a_v100, 1}}, {0});
  const RunId other_run = stage.start(5, other, {{Stage::a_v100, 1}}, {0}, one_run);
  stage.finish(10, one_run);
  stage.finish(20, other_run);
  const JobId third = stage.submit(20);
  stage.finish(30, stage.start(20, third, {{Stage::a_v100, 1}}, {0}));
  EXPECT_EQ(bars_of(trace_of(stage)),
            (std::vector<Bar>{{1, 1, "0", 0, 10}, {1, 2, "1", 5, 15}, {1, 1, "2", 20, 10}}));
}

TEST(Timeline, counters_change_only_when_the_count_does) {
  Stage stage;
  testing::play_two_jobs(stage);
  std::map<std::string, std::vector<std::pair<int, int>>> counters;
  for (const json& event : events_of(trace_of(stage), "C")) {
    EXPECT_EQ(event["pid"], 0);
    counters[event["name"]].push_back(
        {event["ts"].get<int>() / 1000000, event["args"]["count"].get<int>()});
  }
  using Points = std::vector<std::pair<int, int>>;
  EXPECT_EQ(counters.size(), 3U);
  EXPECT_EQ(counters["pending jobs"], (Points{{0, 0}, {10, 1}, {20, 0}}));
  EXPECT_EQ(counters["free v100"], (Points{{0, 1}, {20, 0}, {70, 1}, {100, 3}}));
  EXPECT_EQ(counters["free k80"], (Points{{0, 1}}));
}

TEST(Timeline, slices_of_a_lane_never_overlap) {
  Stage stage;
  Rng rng{11};
  for (int job = 0; job < 6; ++job) stage.submit(0);
  std::map<int, std::vector<RunId>> live;  // By GPU of node a.
  for (int now = 0; now < 300; ++now) {
    const int gpu = static_cast<int>(rng.below(2));
    std::vector<RunId>& runs = live[gpu];
    if (!runs.empty() && rng.below(2) == 0) {
      const auto victim = static_cast<std::ptrdiff_t>(rng.below(runs.size()));
      stage.end(now, *(runs.begin() + victim), Cause::stopped);
      runs.erase(runs.begin() + victim);
    } else {
      const std::optional<RunId> join = runs.empty() ? std::nullopt : std::optional(runs.front());
      runs.push_back(stage.start(now, JobId(rng.below(6)), {{Stage::a_v100, 1}}, {gpu}, join));
    }
  }
  const json trace = trace_of(stage);
  std::map<int, int> end_of_thread;
  int slice_count = 0;
  for (const Bar& bar : bars_of(trace)) {  // By start.
    const auto [process, thread, job, start, length] = bar;
    EXPECT_EQ(process, 1);
    EXPECT_GE(start, end_of_thread[thread]);
    end_of_thread[thread] = start + length;
    ++slice_count;
  }
  EXPECT_GT(slice_count, 100);
  std::set<int> threads;
  for (const json& event : events_of(trace, "M")) {
    if (event["name"] != "thread_name") continue;
    EXPECT_TRUE(threads.insert(event["tid"].get<int>()).second);
  }
  for (const auto& [thread, end] : end_of_thread) EXPECT_TRUE(threads.contains(thread));
}

}  // namespace
}  // namespace muster
