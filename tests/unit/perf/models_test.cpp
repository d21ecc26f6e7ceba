#include "perf/models.h"

#include <gtest/gtest.h>

#include "unit/perf/perf_data.h"

namespace muster {
namespace {

using testing::cluster_of;
using testing::shipped_tables;

const std::string resnet = "ResNet-50 (batch size 64)";
const std::string language = "LM (batch size 20)";
const std::string large_resnet = "ResNet-50 (batch size 128)";

// Two nodes of each type: pools 0-1 v100, 2-3 p100, 4-5 k80, 6 t4.
class Models : public ::testing::Test {
 protected:
  std::unique_ptr<PerformanceModel> make(std::string_view text) const {
    auto model = make_model(text, context());
    EXPECT_TRUE(model);
    return *std::move(model);
  }
  ModelContext context() const {
    return {.cluster = cluster, .models = models, .records = records, .tables = &tables};
  }
  double rate(std::string_view model, const JobSpec& job, const Placement& placement,
              std::vector<const JobSpec*> co_runners = {}) const {
    return make(model)
        ->rate(job, {.cluster = cluster, .placement = placement, .co_runners = co_runners})
        .steps_per_second;
  }
  static Placement on(std::uint32_t pool, std::int32_t gpus) { return {{PoolId(pool), gpus}}; }

  Cluster cluster = cluster_of(
      {{"v100", 8}, {"v100", 8}, {"p100", 8}, {"p100", 8}, {"k80", 8}, {"k80", 8}, {"t4", 8}});
  PerfTables tables = shipped_tables();
  std::vector<std::string> models = {resnet, language, large_resnet, "vgg16", "A3C"};
  std::vector<TypeDurations> records = {{.seconds = {{"v100", 12.345}, {"p100", 30.5}}},
                                        {.seconds = {{"v100", 0.7}, {"k80", 1e6 / 3}}}};
  const ModelId resnet_id{0U}, language_id{1U}, large_resnet_id{2U}, vgg_id{3U}, a3c_id{4U};
};

JobSpec timed_job(std::int32_t gpus, std::int64_t milliseconds) {
  return {.gpu_count = gpus, .total_steps = milliseconds, .reference_steps_per_second = 1000};
}

TEST_F(Models, recorded_time_counts_on_every_type) {
  for (const std::int64_t milliseconds : std::vector<std::int64_t>{1, 17, 359999, 4628226000}) {
    const JobSpec job = timed_job(4, milliseconds);
    for (const std::uint32_t pool : {0U, 2U, 4U, 6U}) {
      const double speed = rate("trace", job, on(pool, 4));
      EXPECT_EQ(time_for(job.total_steps, speed), std::chrono::milliseconds(milliseconds));
    }
  }
}

TEST_F(Models, recorded_time_scales_with_the_gpus_of_the_run) {
  const JobSpec job = timed_job(4, 1000);
  EXPECT_EQ(rate("trace", job, on(0, 2)), 500);
  EXPECT_EQ(rate("trace", job, on(0, 8)), 2000);
  EXPECT_EQ(rate("trace", job, {{PoolId(0U), 2}, {PoolId(4U), 2}}), 1000);
}

TEST_F(Models, recorded_times_per_type_are_exact_to_the_microsecond) {
  int checked = 0;
  for (std::uint32_t record = 0; record < records.size(); ++record) {
    const JobSpec job{.record = RecordId(record), .total_steps = 333333334};
    for (std::uint32_t pool = 0; pool < cluster.pools.size(); ++pool) {
      const std::string& type = cluster.types[cluster.pools[pool].type.index()].name;
      const double speed = rate("trace", job, on(pool, 1));
      EXPECT_EQ(rate("table", job, on(pool, 1)), speed);
      double recorded = 0;
      for (const auto& [name, seconds] : records[record].seconds) {
        if (name == type) recorded = seconds;
      }
      if (recorded == 0) {
        EXPECT_EQ(speed, 0);
        continue;
      }
      EXPECT_LE(time_for(job.total_steps, speed) - from_seconds(recorded), Duration(1));
      EXPECT_GE(time_for(job.total_steps, speed), from_seconds(recorded));
      ++checked;
    }
  }
  EXPECT_EQ(checked, 8);
}

TEST_F(Models, mixed_records_go_at_the_slowest_worker) {
  const JobSpec job{.record = RecordId(0U), .gpu_count = 2, .total_steps = 30500};
  EXPECT_EQ(rate("trace", job, {{PoolId(0U), 1}, {PoolId(2U), 1}}), rate("trace", job, on(2, 2)));
  EXPECT_EQ(rate("trace", job, {{PoolId(0U), 1}, {PoolId(4U), 1}}), 0);
}

TEST_F(Models, counted_steps_go_at_the_measured_speed_under_both_models) {
  const JobSpec job{.model = resnet_id, .gpu_count = 4, .total_steps = 100};
  for (const std::string_view model : {"trace", "table"}) {
    EXPECT_NEAR(rate(model, job, on(0, 4)), 9.452, 0.0005);
    EXPECT_NEAR(rate(model, job, on(2, 4)), 10.365, 0.0005);
    EXPECT_NEAR(rate(model, job, on(4, 4)), 2.412, 0.0005);
    EXPECT_EQ(rate(model, job, on(6, 4)), 0) << "never measured on t4";
  }
}

TEST_F(Models, table_ignores_where_the_gpus_are) {
  const JobSpec job{.model = resnet_id, .gpu_count = 4, .total_steps = 100};
  EXPECT_EQ(rate("table", job, {{PoolId(0U), 2}, {PoolId(1U), 2}}), rate("table", job, on(0, 4)));
}

TEST_F(Models, mixed_types_go_at_the_slowest_worker) {
  const JobSpec job{.model = resnet_id, .gpu_count = 4, .total_steps = 100};
  EXPECT_EQ(rate("table", job, {{PoolId(0U), 3}, {PoolId(4U), 1}}), rate("table", job, on(4, 4)));
  EXPECT_EQ(rate("table", job, {{PoolId(0U), 3}, {PoolId(6U), 1}}), 0);
}

TEST_F(Models, table_scales_recorded_times_by_the_measured_ratio) {
  JobSpec job = timed_job(1, 60000);
  job.model = resnet_id;
  EXPECT_EQ(rate("table", job, on(0, 1)), 1000) << "exact on the reference";
  const JobSpec counted{.model = resnet_id};
  EXPECT_DOUBLE_EQ(rate("table", job, on(4, 1)),
                   1000 * rate("table", counted, on(4, 1)) / rate("table", counted, on(0, 1)));
  EXPECT_EQ(rate("trace", job, on(4, 1)), 1000);
}

TEST_F(Models, a_job_in_the_models_own_steps_goes_exactly_at_the_tables_speed) {
  const JobSpec counted{.model = language_id, .gpu_count = 2};
  JobSpec timed = counted;
  timed.reference_steps_per_second = rate("table", counted, on(0, 2));
  for (const std::uint32_t pool : {0U, 2U, 4U}) {
    EXPECT_EQ(rate("table", timed, on(pool, 2)), rate("table", counted, on(pool, 2)));
  }
}

TEST_F(Models, table_falls_back_to_recorded_time_without_a_known_model) {
  JobSpec job = timed_job(2, 1000);
  EXPECT_EQ(rate("table", job, on(6, 2)), 1000);
  job.model = vgg_id;
  EXPECT_EQ(rate("table", job, on(6, 2)), 1000);
}

TEST_F(Models, a_model_that_does_not_fit_has_no_speed) {
  const JobSpec job{.model = large_resnet_id, .gpu_count = 2};
  EXPECT_EQ(rate("table", job, on(4, 2)), 0);
  EXPECT_GT(rate("table", job, on(0, 2)), 0);
}

TEST_F(Models, gpu_memory_decides_for_every_model) {
  cluster.types[0].memory_gib = 16;
  JobSpec counted{.model = resnet_id};
  JobSpec timed = timed_job(1, 1000);
  for (const std::string_view model : {"trace", "table", "trace+locality", "table+locality"}) {
    for (JobSpec* job : {&counted, &timed}) {
      job->gpu_memory_gib = 16;
      EXPECT_GT(rate(model, *job, on(0, 1)), 0);
      job->gpu_memory_gib = 16.5;
      EXPECT_EQ(rate(model, *job, on(0, 1)), 0);
      EXPECT_GT(rate(model, *job, on(2, 1)), 0) << "memory not known";
    }
  }
}

TEST_F(Models, pairs_go_at_their_measured_speed) {
  const JobSpec first{.model = resnet_id};
  const JobSpec second{.model = language_id};
  const ThroughputTable& table = tables.throughputs;
  EXPECT_EQ(rate("table", first, on(0, 1), {&second}),
            table.pair_rate(*table.find_gpu_type("v100"), *table.find_model(resnet),
                            *table.find_model(language)));
  EXPECT_LT(rate("table", first, on(0, 1), {&second}), rate("table", first, on(0, 1)));
}

TEST_F(Models, pairs_that_do_not_fit_have_no_speed) {
  const JobSpec small{.model = resnet_id};
  const JobSpec large{.model = large_resnet_id};
  EXPECT_EQ(rate("table", small, on(4, 1), {&large}), 0);
  EXPECT_EQ(rate("table", large, on(4, 1), {&small}), 0);
  EXPECT_EQ(rate("table", small, on(4, 2), {&large}), 0);
}

TEST_F(Models, unmeasured_company_divides_the_time) {
  const JobSpec known{.model = resnet_id, .gpu_count = 2};
  const JobSpec unknown = timed_job(2, 1000);
  EXPECT_EQ(rate("table", known, on(0, 2), {&unknown}), rate("table", known, on(0, 2)) / 2);
  EXPECT_EQ(rate("trace", unknown, on(0, 2), {&known}), 500);
  EXPECT_DOUBLE_EQ(rate("trace", unknown, on(0, 2), {&known, &known}), 1000.0 / 3);
}

TEST_F(Models, locality_slows_spread_placements_by_the_measured_ratio) {
  JobSpec job = timed_job(4, 1000);
  job.model = vgg_id;
  const Placement two_nodes = {{PoolId(0U), 2}, {PoolId(1U), 2}};
  EXPECT_EQ(rate("trace+locality", job, on(0, 4)), 1000);
  EXPECT_DOUBLE_EQ(rate("trace+locality", job, two_nodes), 576.428);
  EXPECT_EQ(rate("trace", job, two_nodes), 1000);
  job.model = language_id;
  EXPECT_EQ(rate("trace+locality", job, two_nodes), 1000) << "no curve for its family";
}

TEST_F(Models, more_nodes_are_never_faster_at_the_measured_counts) {
  Cluster many = cluster_of({{"v100", 8}, {"v100", 8}, {"v100", 8}, {"v100", 8}});
  models = {"vgg16", "alexnet", "resnet101", "mobilenet_v2", "inception_v3"};
  const auto model =
      make_model("trace+locality", {.cluster = many, .models = models, .tables = &tables});
  ASSERT_TRUE(model);
  for (std::uint32_t id = 0; id < models.size(); ++id) {
    for (const std::int32_t gpus : {4, 8}) {
      JobSpec job = timed_job(gpus, 1000);
      job.model = ModelId(id);
      double previous = 1000;
      for (const std::int32_t nodes : {1, 2, 4}) {
        Placement placement;
        for (std::uint32_t i = 0; i < static_cast<std::uint32_t>(nodes); ++i) {
          placement.push_back({PoolId(i), gpus / nodes});
        }
        const double speed =
            (*model)->rate(job, {.cluster = many, .placement = placement}).steps_per_second;
        EXPECT_LE(speed, previous) << models[id] << " " << gpus << " on " << nodes;
        EXPECT_GT(speed, 0);
        previous = speed;
      }
    }
  }
}

TEST_F(Models, nothing_is_known_without_tables) {
  const auto model = make_model("table+locality", {.cluster = cluster, .models = models});
  ASSERT_TRUE(model);
  const Placement placement = on(0, 1);
  const JobSpec counted{.model = resnet_id};
  const JobSpec timed = timed_job(1, 1000);
  EXPECT_EQ((*model)->rate(counted, {.cluster = cluster, .placement = placement}).steps_per_second,
            0);
  EXPECT_EQ((*model)->rate(timed, {.cluster = cluster, .placement = placement}).steps_per_second,
            1000);
}

TEST_F(Models, unknown_names_get_a_suggestion) {
  const auto model = make_model("tabl", context());
  ASSERT_FALSE(model);
  EXPECT_EQ(model.error().message, "unknown performance model 'tabl'");
  EXPECT_EQ(model.error().hint, "did you mean 'table'?");
  EXPECT_FALSE(make_model("trace+locality+locality", context()));
  EXPECT_FALSE(make_model("", context()));
}

TEST_F(Models, the_reference_is_v100_unless_another_is_named) {
  EXPECT_EQ(default_reference(tables), "v100");
  ModelContext other = context();
  other.reference_gpu = "k80";
  const auto model = make_model("table", other);
  ASSERT_TRUE(model);
  JobSpec job = timed_job(1, 1000);
  job.model = resnet_id;
  const Placement k80 = on(4, 1);
  const Placement v100 = on(0, 1);
  EXPECT_EQ((*model)->rate(job, {.cluster = cluster, .placement = k80}).steps_per_second, 1000);
  EXPECT_GT((*model)->rate(job, {.cluster = cluster, .placement = v100}).steps_per_second, 5000);
}

}  // namespace
}  // namespace muster
