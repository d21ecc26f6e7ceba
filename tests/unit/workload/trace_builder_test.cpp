#include <gtest/gtest.h>

#include <chrono>
#include <string>

#include "unit/workload/reading.h"
#include "workload/reader.h"

namespace muster {
namespace {

using std::chrono::seconds;
using testing::ids_of;
using Ids = std::vector<std::string>;

Result<void> add(TraceBuilder& builder, std::string id, std::int64_t submit_seconds) {
  TraceJob job;
  job.id = std::move(id);
  job.submit = seconds(submit_seconds);
  job.duration = seconds(10);
  job.row = builder.begin_row();
  job.line = job.row + 2;
  return builder.add(std::move(job));
}

TEST(TraceBuilder, time_begins_with_the_first_submit) {
  TraceBuilder builder("jobs.csv", "native", {});
  TraceJob job;
  job.submit = seconds(100);
  job.deadline = seconds(150);
  job.duration = seconds(1);
  ASSERT_TRUE(builder.add(job).has_value());
  job.row = 1;
  job.submit = seconds(130);
  job.deadline = seconds(90);
  ASSERT_TRUE(builder.add(job).has_value());
  const Trace trace = builder.finish().value();
  EXPECT_EQ(trace.jobs[0].submit, seconds(0));
  EXPECT_EQ(trace.jobs[0].deadline, seconds(50));
  EXPECT_EQ(trace.jobs[1].submit, seconds(30));
  EXPECT_EQ(trace.jobs[1].deadline, seconds(-10));
  EXPECT_TRUE(trace.warnings.empty());
}

TEST(TraceBuilder, sorts_by_submit_and_keeps_file_order_of_ties_with_one_warning) {
  TraceBuilder builder("jobs.csv", "native", {});
  for (const auto& [id, submit] : {std::pair("a", 7), {"b", 5}, {"c", 7}, {"d", 5}, {"e", 6}}) {
    ASSERT_TRUE(add(builder, id, submit).has_value());
  }
  const Trace trace = builder.finish().value();
  EXPECT_EQ(ids_of(trace), (Ids{"b", "d", "e", "a", "c"}));
  EXPECT_EQ(trace.rows_read, 5);
  EXPECT_EQ(trace.warnings, Ids{"jobs.csv: rows are not in the order of submission; sorted"});
}

TEST(TraceBuilder, refuses_more_cpus_or_memory_than_any_cluster_has) {
  TraceBuilder builder("jobs.csv", "pai", {});
  TraceJob job;
  job.duration = seconds(1);
  job.line = 2;
  job.cpus_milli = 1'000'000'000'001;
  EXPECT_EQ(builder.add(job).error().message, "jobs.csv:2: cpus: expected 0 to 1e9 CPUs in all");
  job.cpus_milli = 0;
  job.memory_mib = std::int64_t{1} << 62U;
  EXPECT_EQ(builder.add(job).error().message, "jobs.csv:2: memory: expected 0 to 1e9 GiB in all");
}

TEST(TraceBuilder, a_bar_in_a_type_name_stands_between_alternatives) {
  TraceBuilder builder("jobs.csv", "native", {});
  const std::uint32_t set = builder.type_set({"a100|", " v100", "|"});
  EXPECT_EQ(set, builder.type_set({"a100", "v100"}));
  EXPECT_EQ(builder.type_set({"|"}), 0U);
}

TEST(TraceBuilder, keeps_the_first_jobs_by_submit) {
  // Every order of submits, every limit: the same as cutting the sorted trace.
  std::vector<int> submits = {1, 2, 2, 3, 5};
  do {
    TraceBuilder whole("jobs.csv", "native", {});
    for (const int submit : submits) ASSERT_TRUE(add(whole, "", submit).has_value());
    const Ids all = ids_of(whole.finish().value());
    for (std::int64_t jobs_max = 1; jobs_max <= 6; ++jobs_max) {
      TraceBuilder builder("jobs.csv", "native", {.jobs_max = jobs_max});
      for (const int submit : submits) ASSERT_TRUE(add(builder, "", submit).has_value());
      const Trace trace = builder.finish().value();
      const std::int64_t kept = std::min<std::int64_t>(jobs_max, 5);
      EXPECT_EQ(ids_of(trace), Ids(all.begin(), all.begin() + kept));
      EXPECT_EQ(trace.jobs.front().submit, seconds(0));
      EXPECT_EQ(trace.rows_read, 5);
    }
  } while (std::next_permutation(submits.begin(), submits.end()));
}

TEST(TraceBuilder, an_id_is_taken_once) {
  TraceBuilder builder("jobs.csv", "native", {});
  ASSERT_TRUE(add(builder, "a", 1).has_value());
  const Result<void> again = add(builder, "a", 2);
  ASSERT_FALSE(again.has_value());
  EXPECT_EQ(again.error().message, "jobs.csv:3: job_id: 'a' was used before");
  EXPECT_EQ(again.error().hint, "--skip-bad-rows leaves out bad rows and counts them");
}

TEST(TraceBuilder, counts_bad_rows_when_told_to) {
  TraceBuilder builder("jobs.csv", "native", {.skip_bad_rows = true});
  ASSERT_TRUE(add(builder, "a", 1).has_value());
  ASSERT_TRUE(add(builder, "a", 2).has_value());
  builder.begin_row();
  ASSERT_TRUE(builder.bad_row(4, "gpus", "odd").has_value());
  const Trace trace = builder.finish().value();
  EXPECT_EQ(ids_of(trace), Ids{"a"});
  EXPECT_EQ(trace.rows_read, 3);
  EXPECT_EQ(trace.rows_skipped, 2);
}

TEST(TraceBuilder, ids_and_records_of_jobs_that_are_not_kept_are_forgotten) {
  TraceBuilder builder("jobs.csv", "native", {.skip_bad_rows = true, .jobs_max = 2});
  const auto add_recorded = [&](const std::string& id, int submit, double recorded_seconds) {
    TraceJob job;
    job.id = id;
    job.submit = seconds(submit);
    job.duration = seconds(10);
    job.row = builder.begin_row();
    job.record = builder.record({{{"v100", recorded_seconds}}});
    ASSERT_TRUE(builder.add(std::move(job)).has_value());
  };
  for (int i = 100; i > 0; --i) add_recorded("job-" + std::to_string(i), i, i);
  add_recorded("job-100", 0, 0.5);  // Its first namesake was pushed out.
  add_recorded("job-100", 0, 0.7);  // This one was not.
  const Trace trace = builder.finish().value();
  EXPECT_EQ(ids_of(trace), (Ids{"job-100", "job-1"}));
  EXPECT_EQ(trace.rows_skipped, 1);
  EXPECT_LE(trace.records.size(), 3U);
  EXPECT_EQ(trace.records.at(trace.jobs[0].record.index()).seconds.at(0).second, 0.5);
  EXPECT_EQ(trace.records.at(trace.jobs[1].record.index()).seconds.at(0).second, 1);
}

TEST(TraceBuilder, a_job_without_an_id_is_named_by_its_row) {
  TraceBuilder builder("jobs.csv", "native", {});
  ASSERT_TRUE(add(builder, "", 5).has_value());
  ASSERT_TRUE(add(builder, "", 4).has_value());
  EXPECT_EQ(ids_of(builder.finish().value()), (Ids{"1", "0"}));
}

TEST(TraceBuilder, checks_what_readers_of_other_kinds_may_hand_over) {
  const auto message_for = [](const TraceJob& job) {
    TraceBuilder builder("jobs.json", "philly-log", {});
    const Result<void> added = builder.add(job);
    return added ? std::string() : added.error().message;
  };
  TraceJob job;
  job.duration = seconds(1);
  EXPECT_EQ(message_for(job), "");
  TraceJob none = job;
  none.gpus = 0;
  EXPECT_EQ(message_for(none),
            "jobs.json: gpus: expected a positive integer up to 1000000, got '0'");
  TraceJob backwards = job;
  backwards.duration = Duration(-1);
  EXPECT_EQ(message_for(backwards),
            "jobs.json: duration: expected 0 to 1e11 seconds, got '-0.000001'");
  TraceJob late = job;
  late.submit = seconds(100'000'000'001);
  EXPECT_EQ(message_for(late),
            "jobs.json: submit: expected a time within 1e11 seconds, got '100000000001'");
}

TEST(TraceBuilder, names_become_ids_in_the_order_of_their_first_use) {
  TraceBuilder builder("jobs.csv", "native", {});
  EXPECT_FALSE(builder.model("").is_valid());
  EXPECT_EQ(builder.model("b"), ModelId(0U));
  EXPECT_EQ(builder.model("a"), ModelId(1U));
  EXPECT_EQ(builder.model("b"), ModelId(0U));
  EXPECT_EQ(builder.user("u"), UserId(0U));
  EXPECT_EQ(builder.tenant("t"), TenantId(0U));
  EXPECT_EQ(builder.type_set({}), 0U);
  EXPECT_EQ(builder.type_set({"v100", "a100"}), 1U);
  EXPECT_EQ(builder.type_set({"v100"}), 2U);
  EXPECT_EQ(builder.type_set({"v100", "a100"}), 1U);
  EXPECT_EQ(builder.record({{{"v100", 2.5}}}), RecordId(0U));
  ASSERT_TRUE(add(builder, "x", 0).has_value());
  const Trace trace = builder.finish().value();
  EXPECT_EQ(trace.models, (Ids{"b", "a"}));
  EXPECT_EQ(trace.users, Ids{"u"});
  EXPECT_EQ(trace.tenants, Ids{"t"});
  EXPECT_EQ(trace.type_sets, (std::vector<Ids>{{}, {"v100", "a100"}, {"v100"}}));
  EXPECT_EQ(trace.records.at(0).seconds.at(0).second, 2.5);
}

TEST(TraceBuilder, the_same_warning_is_kept_once) {
  TraceBuilder builder("jobs.csv", "native", {});
  builder.warn("x");
  builder.warn("y");
  builder.warn("x");
  ASSERT_TRUE(add(builder, "a", 0).has_value());
  EXPECT_EQ(builder.finish().value().warnings, (Ids{"x", "y"}));
}

TEST(TraceBuilder, a_trace_needs_a_job) {
  TraceBuilder builder("jobs.csv", "native", {});
  builder.begin_row();
  const Result<Trace> trace = builder.finish();
  ASSERT_FALSE(trace.has_value());
  EXPECT_EQ(trace.error().message, "jobs.csv: no usable job in 1 data rows");
}

}  // namespace
}  // namespace muster
