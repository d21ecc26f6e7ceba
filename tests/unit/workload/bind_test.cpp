#include "workload/bind.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "support/shared_data.h"
#include "workload/cluster_file.h"
#include "workload/reader.h"

namespace muster {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

const std::string data_directory = std::string(MUSTER_SOURCE_DIR) + "/data";
const std::string resnet = "ResNet-50 (batch size 64)";

class Bind : public ::testing::Test {
 protected:
  void SetUp() override {
    auto read = read_catalogue(data_directory + "/gpus.yaml");
    ASSERT_TRUE(read) << read.error().message;
    catalogue = *std::move(read);
    auto read_tables = read_perf_tables(data_directory);
    ASSERT_TRUE(read_tables) << read_tables.error().message;
    tables = *std::move(read_tables);
    use_cluster("nodes: [{count: 2, gpus: {v100: 8}}, {count: 2, gpus: {k80: 8}}]");
    trace.path = "jobs.csv";
    trace.models = {resnet, "vgg16", "ResNet-50"};
    options.tables = &tables;
  }

  void use_cluster(const std::string& text) {
    auto read = read_cluster_text(text, "cluster.yaml", catalogue);
    ASSERT_TRUE(read) << read.error().message;
    cluster = *std::move(read);
  }

  TraceJob& add_job(Duration submit, std::int32_t gpus = 1) {
    const auto row = static_cast<std::uint32_t>(trace.jobs.size());
    trace.jobs.push_back(
        {.id = std::to_string(row), .submit = submit, .gpus = gpus, .row = row, .line = row + 2});
    return trace.jobs.back();
  }
  TraceJob& add_timed_job(Duration duration, std::int32_t gpus = 1) {
    TraceJob& job = add_job(Duration::zero(), gpus);
    job.duration = duration;
    return job;
  }
  std::uint32_t add_type_set(std::vector<std::string> names) {
    trace.type_sets.push_back(std::move(names));
    return static_cast<std::uint32_t>(trace.type_sets.size() - 1);
  }

  Result<Workload> bind() const { return bind_trace(trace, cluster, catalogue, options); }
  Workload bound() const {
    auto workload = bind();
    EXPECT_TRUE(workload) << workload.error().message;
    return workload ? *std::move(workload) : Workload();
  }
  // How long the only job takes alone on as many GPUs as it asks for.
  Duration time_on(std::uint32_t pool) const {
    const Workload workload = bound();
    const JobSpec& job = workload.arrivals.at(0).spec;
    const auto model = make_model(options.truth, workload.context(cluster, &tables));
    const Placement placement = {{PoolId(pool), job.gpu_count}};
    const auto rate = model->rate(job, {.cluster = cluster, .placement = placement});
    return time_for(job.total_steps, rate.steps_per_second);
  }

  Catalogue catalogue;
  PerfTables tables;
  Cluster cluster;
  Trace trace;
  BindOptions options;
};

TEST_F(Bind, a_job_on_its_reference_takes_exactly_its_duration) {
  for (const Duration duration :
       {Duration(milliseconds(1)), Duration(seconds(359)), Duration(milliseconds(4628226123))}) {
    trace.jobs.clear();
    add_timed_job(duration, 4);
    EXPECT_EQ(time_on(0), duration);
    EXPECT_EQ(time_on(2), duration) << "equally fast on every type";
  }
}

TEST_F(Bind, durations_are_rounded_up_to_a_millisecond_and_never_nothing) {
  add_timed_job(Duration(1500001));
  add_timed_job(Duration::zero());
  const Workload workload = bound();
  EXPECT_EQ(workload.arrivals[0].spec.total_steps, 1501);
  EXPECT_EQ(workload.arrivals[1].spec.total_steps, 1);
  EXPECT_EQ(workload.arrivals[0].spec.reference_steps_per_second, 1000);
}

TEST_F(Bind, under_table_a_duration_becomes_steps_of_its_model) {
  options.truth.kind = ModelKind::table;
  add_timed_job(seconds(1000), 4).model = ModelId(0U);
  const Workload workload = bound();
  const JobSpec& job = workload.arrivals[0].spec;
  EXPECT_NEAR(job.reference_steps_per_second, 9.452, 0.0005);
  EXPECT_EQ(job.total_steps,
            static_cast<std::int64_t>(std::ceil(1000 * job.reference_steps_per_second)));
  const double step_seconds = 1 / job.reference_steps_per_second;
  EXPECT_GE(time_on(0), seconds(1000));
  EXPECT_LE(to_seconds(time_on(0)), 1000 + step_seconds);
  EXPECT_NEAR(to_seconds(time_on(2)), 1000 * 9.452 / 2.412, 0.5);
}

TEST_F(Bind, under_table_a_duration_without_a_known_model_stays) {
  options.truth.kind = ModelKind::table;
  add_timed_job(seconds(1000)).model = ModelId(1U);
  EXPECT_EQ(time_on(0), seconds(1000));
  EXPECT_EQ(time_on(2), seconds(1000));
}

TEST_F(Bind, the_reference_gpu_may_be_named) {
  options.truth.kind = ModelKind::table;
  options.reference_gpu = "K80";
  add_timed_job(seconds(1000)).model = ModelId(0U);
  EXPECT_NEAR(to_seconds(time_on(2)), 1000, 2);
  EXPECT_NEAR(to_seconds(time_on(0)), 1000 * 0.619 / 4.395, 1);
}

TEST_F(Bind, an_unknown_reference_gpu_is_an_error) {
  add_timed_job(seconds(1));
  options.reference_gpu = "v10";
  const auto unknown = bind();
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().message, "unknown reference GPU 'v10'");
  EXPECT_EQ(unknown.error().hint, "did you mean 'v100'?");
  options.reference_gpu = "a100";
  EXPECT_TRUE(bind()) << "as recorded, any known name will do";
  options.truth.kind = ModelKind::table;
  const auto unmeasured = bind();
  ASSERT_FALSE(unmeasured);
  EXPECT_EQ(unmeasured.error().message, "no measured speeds for the reference GPU 'a100'");
}

TEST_F(Bind, counted_steps_need_a_known_model) {
  TraceJob& job = add_job(Duration::zero());
  job.total_steps = 500;
  job.model = ModelId(0U);
  const Workload workload = bound();
  EXPECT_EQ(workload.arrivals[0].spec.total_steps, 500);
  EXPECT_EQ(workload.arrivals[0].spec.reference_steps_per_second, 0);

  trace.models[0] = "ResNet-50 (batch size 65)";
  const auto unknown = bind();
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().message,
            "jobs.csv:2: model: expected a model of the throughput table, got "
            "'ResNet-50 (batch size 65)'");
  EXPECT_EQ(unknown.error().hint, "did you mean 'ResNet-50 (batch size 64)'?");
}

TEST_F(Bind, recorded_times_per_type_are_kept) {
  use_cluster(
      "nodes: [{gpus: {a100: 4}}, {gpus: {v100: 4}}, {gpus: {gtx2080ti: 4}}, "
      "{gpus: {k80: 4}}]");
  trace.records = {{.seconds = {{"A100", 1000.5}, {"V100", 2000}, {"GTX2080Ti", 2500.25}}}};
  add_timed_job(milliseconds(1000500)).record = RecordId(0U);
  const Workload workload = bound();
  EXPECT_EQ(workload.arrivals[0].spec.total_steps, 2500250);
  EXPECT_EQ(workload.arrivals[0].spec.types_allowed, 0b111U);
  EXPECT_EQ(time_on(0), milliseconds(1000500));
  EXPECT_EQ(time_on(1), seconds(2000));
  EXPECT_EQ(time_on(2), milliseconds(2500250));
  EXPECT_EQ(time_on(3), Duration::max());
}

TEST_F(Bind, gpu_types_become_a_mask) {
  add_timed_job(seconds(1));
  add_timed_job(seconds(1)).type_set = add_type_set({"K80"});
  add_timed_job(seconds(1)).type_set = add_type_set({"v100", "k80"});
  add_timed_job(seconds(1)).type_set = add_type_set({"T4"});
  const Workload workload = bound();
  EXPECT_EQ(workload.arrivals[0].spec.types_allowed, ~std::uint64_t{0});
  EXPECT_EQ(workload.arrivals[1].spec.types_allowed, 2U);
  EXPECT_EQ(workload.arrivals[2].spec.types_allowed, 3U);
  EXPECT_EQ(workload.arrivals[3].spec.types_allowed, 0U) << "known, but not here";
}

TEST_F(Bind, an_unknown_gpu_type_is_an_error) {
  add_timed_job(seconds(1)).type_set = add_type_set({"k80", "k8"});
  const auto workload = bind();
  ASSERT_FALSE(workload);
  EXPECT_EQ(workload.error().message, "jobs.csv:2: gpu_type: unknown GPU type 'k8'");
  EXPECT_EQ(workload.error().hint, "did you mean 'k80'?");
}

TEST_F(Bind, the_window_keeps_times_and_leaves_out_the_rest) {
  for (const int submit : {0, 100, 200, 300}) add_job(seconds(submit)).duration = seconds(1);
  options.from = seconds(100);
  options.to = seconds(300);
  const Workload workload = bound();
  ASSERT_EQ(workload.arrivals.size(), 2U);
  EXPECT_EQ(workload.arrivals[0].at, Time(seconds(100)));
  EXPECT_EQ(workload.arrivals[0].spec.row, 1U);
  EXPECT_EQ(workload.trace_jobs, (std::vector<std::uint32_t>{1, 2}));
}

TEST_F(Bind, an_empty_window_is_an_error) {
  add_timed_job(seconds(1));
  options.from = seconds(1);
  const auto workload = bind();
  ASSERT_FALSE(workload);
  EXPECT_EQ(workload.error().message, "jobs.csv: no job is submitted in the window");
}

TEST_F(Bind, all_other_fields_are_carried_over) {
  TraceJob& job = add_job(seconds(5), 4);
  job.duration = seconds(10);
  job.model = ModelId(1U);
  job.user = UserId(7U);
  job.tenant = TenantId(3U);
  job.min_gpus = 2;
  job.max_gpus = 8;
  job.weight = 2.5;
  job.deadline = seconds(99);
  job.cpus_milli = 12000;
  job.memory_mib = 4096;
  job.gpu_memory_gib = 10;
  const JobSpec spec = bound().arrivals.at(0).spec;
  EXPECT_EQ(spec.model, ModelId(1U));
  EXPECT_EQ(spec.user, UserId(7U));
  EXPECT_EQ(spec.tenant, TenantId(3U));
  EXPECT_EQ(spec.gpu_count, 4);
  EXPECT_EQ(spec.gpu_min(), 2);
  EXPECT_EQ(spec.gpu_max(), 8);
  EXPECT_EQ(spec.weight, 2.5);
  EXPECT_EQ(spec.deadline, Time(seconds(99)));
  EXPECT_EQ(spec.cpus_milli, 12000);
  EXPECT_EQ(spec.memory_mib, 4096);
  EXPECT_EQ(spec.gpu_memory_gib, 10);
  EXPECT_NEAR(spec.tensor_skew_ratio, 0.744, 0.0005);
}

TEST_F(Bind, assigned_models_were_measured_for_the_size_of_the_gang) {
  for (int i = 0; i < 1000; ++i) add_timed_job(seconds(60), 1 + i % 20);
  options.assign_models = 3;
  options.truth.kind = ModelKind::table;
  const Workload workload = bound();
  const ThroughputTable& table = tables.throughputs;
  const ProfiledGpuId v100 = *table.find_gpu_type("v100");
  std::set<std::string> single, distributed;
  for (const Arrival& arrival : workload.arrivals) {
    const std::string& name = workload.models.at(arrival.spec.model.index());
    const auto model = table.find_model(name);
    ASSERT_TRUE(model) << name;
    const std::int32_t gpus = arrival.spec.gpu_count;
    const std::int32_t size = gpus >= 8 ? 8 : gpus >= 4 ? 4 : gpus >= 2 ? 2 : 1;
    EXPECT_TRUE(table.is_measured(*model, v100, size)) << name << " on " << gpus;
    (gpus == 1 ? single : distributed).insert(name);
  }
  EXPECT_GT(single.size(), 15U);
  EXPECT_EQ(distributed.size(), 19U) << "all that Gavel measured on several GPUs";
}

TEST_F(Bind, assigned_models_hang_on_seed_and_row_alone) {
  for (int i = 0; i < 50; ++i) add_job(seconds(i)).duration = seconds(60);
  options.assign_models = 3;
  const Workload all = bound();
  options.from = seconds(20);
  const Workload later = bound();
  for (std::size_t i = 0; i < later.arrivals.size(); ++i) {
    EXPECT_EQ(later.models[later.arrivals[i].spec.model.index()],
              all.models[all.arrivals[i + 20].spec.model.index()]);
  }
  options.from.reset();
  options.assign_models = 4;
  const Workload other = bound();
  int differing = 0;
  for (std::size_t i = 0; i < all.arrivals.size(); ++i) {
    if (all.models[all.arrivals[i].spec.model.index()] !=
        other.models[other.arrivals[i].spec.model.index()]) {
      ++differing;
    }
  }
  EXPECT_GT(differing, 30);
}

TEST_F(Bind, known_models_are_not_replaced) {
  add_timed_job(seconds(60)).model = ModelId(0U);
  options.assign_models = 3;
  EXPECT_EQ(bound().arrivals.at(0).spec.model, ModelId(0U));
}

TEST_F(Bind, warns_of_types_without_measured_speeds) {
  use_cluster("nodes: [{gpus: {v100: 4}}, {gpus: {t4: 4}}]");
  add_timed_job(seconds(60)).model = ModelId(0U);
  EXPECT_TRUE(bound().warnings.empty());
  options.truth.kind = ModelKind::table;
  const std::vector<std::string> expected = {
      "no measured speeds for GPU type 't4': jobs of known models do not run there"};
  EXPECT_EQ(bound().warnings, expected);
}

TEST_F(Bind, bad_rows_may_be_skipped) {
  add_timed_job(seconds(60)).type_set = add_type_set({"v10"});
  EXPECT_FALSE(bind());
  options.skip_bad_rows = true;
  EXPECT_EQ(bind().error().message, "jobs.csv: no usable job: all 1 rows are bad");
  add_timed_job(seconds(60));
  add_job(seconds(0)).total_steps = 100;
  const Workload workload = bound();
  EXPECT_EQ(workload.rows_skipped_count, 2);
  EXPECT_EQ(workload.arrivals.size(), 1U);
  EXPECT_EQ(workload.trace_jobs, std::vector<std::uint32_t>{1});
}

TEST_F(Bind, warns_of_timed_jobs_whose_model_the_table_lacks) {
  add_timed_job(seconds(60));
  add_timed_job(seconds(60)).model = ModelId(0U);
  EXPECT_TRUE(bound().warnings.empty()) << "models do not matter here";
  options.truth.kind = ModelKind::table;
  EXPECT_EQ(bound().warnings,
            std::vector<std::string>{
                "1 job has no model of the throughput table: its recorded run time is used"});
  add_timed_job(seconds(60)).model = ModelId(1U);
  EXPECT_EQ(bound().warnings,
            std::vector<std::string>{
                "2 jobs have no model of the throughput table: their recorded run times are used"});
  options.assign_models = 3;
  EXPECT_TRUE(bound().warnings.empty());
}

TEST_F(Bind, hydra_jobs_take_their_recorded_time_on_every_type) {
  MUSTER_NEED_SHARED(path, "data/hydra/20_ddl.csv");
  auto read = read_trace(path.string(), {});
  ASSERT_TRUE(read) << read.error().message;
  trace = *std::move(read);
  use_cluster("nodes: [{gpus: {a100: 4}}, {gpus: {v100: 4}}, {gpus: {rtx2080ti: 4}}]");
  const Workload workload = bound();
  ASSERT_EQ(workload.arrivals.size(), 5000U);
  const auto model = make_model(options.truth, workload.context(cluster, &tables));
  int checked = 0;
  for (std::size_t i = 0; i < workload.arrivals.size(); ++i) {
    const JobSpec& job = workload.arrivals[i].spec;
    const TypeDurations& recorded =
        trace.records.at(trace.jobs[workload.trace_jobs[i]].record.index());
    for (const auto& [name, duration_seconds] : recorded.seconds) {
      const auto type = cluster.find_type(catalogue.canonical_name(name));
      ASSERT_TRUE(type) << name;
      const Placement placement = {{PoolId(type->value()), 1}};
      const auto rate = model->rate(job, {.cluster = cluster, .placement = placement});
      EXPECT_EQ(time_for(job.total_steps, rate.steps_per_second), from_seconds(duration_seconds));
      ++checked;
    }
  }
  EXPECT_EQ(checked, 15000);
  testing::count_oracle_cases(checked);
}

TEST_F(Bind, table_needs_a_table) {
  add_timed_job(seconds(60));
  options.tables = nullptr;
  EXPECT_TRUE(bind());
  options.truth.kind = ModelKind::table;
  EXPECT_FALSE(bind());
}

}  // namespace
}  // namespace muster
