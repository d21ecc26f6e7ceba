#include "workload/write_native.h"

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "workload/generate.h"
#include "workload/reader.h"

namespace muster {
namespace {

using std::chrono::microseconds;
using std::chrono::seconds;

// A folder that is empty at first and gone at last.
class WriteNative : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::path(::testing::TempDir()) /
              (std::string("write_native_") +
               ::testing::UnitTest::GetInstance()->current_test_info()->name());
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::vector<std::string> files() const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder_)) {
      names.push_back(entry.path().filename().string());
    }
    return names;
  }

  std::filesystem::path folder_;
};

std::string content(const std::filesystem::path& path) {
  std::ifstream input(path, std::ios::binary);
  std::ostringstream text;
  text << input.rdbuf();
  return text.str();
}

TraceJob small_job() {
  TraceJob job;
  job.id = "a";
  job.duration = seconds(60);
  return job;
}

Trace rich_trace() {
  Trace trace;
  trace.models = {"ResNet-18 (batch size 64)"};
  trace.users = {"ann, the first", "bob"};
  trace.tenants = {"vc \"one\""};
  trace.type_sets = {{}, {"v100", "a100"}};
  TraceJob full = small_job();
  full.id = "job,1";
  full.gpus = 4;
  full.duration = microseconds(1'500'000);
  full.model = ModelId(0U);
  full.user = UserId(0U);
  full.tenant = TenantId(0U);
  full.type_set = 1;
  full.min_gpus = 2;
  full.max_gpus = 8;
  full.weight = 2.5;
  full.deadline = seconds(7200);
  full.cpus_milli = 1500;
  full.memory_mib = 1536;
  full.gpu_memory_gib = 10.1;
  TraceJob plain = small_job();
  plain.id = "2";
  plain.submit = microseconds(1);
  plain.duration.reset();
  plain.total_steps = 999'999'999'999'999;
  plain.model = ModelId(0U);
  plain.user = UserId(1U);
  trace.jobs = {full, plain};
  return trace;
}

void expect_same_jobs(const Trace& read, const Trace& written) {
  ASSERT_EQ(read.jobs.size(), written.jobs.size());
  EXPECT_EQ(read.models, written.models);
  EXPECT_EQ(read.users, written.users);
  EXPECT_EQ(read.tenants, written.tenants);
  for (std::size_t i = 0; i < read.jobs.size(); ++i) {
    const TraceJob& a = read.jobs[i];
    const TraceJob& b = written.jobs[i];
    ASSERT_EQ(a.id, b.id);
    ASSERT_EQ(a.submit, b.submit) << a.id;
    ASSERT_EQ(a.gpus, b.gpus) << a.id;
    ASSERT_EQ(a.duration, b.duration) << a.id;
    ASSERT_EQ(a.total_steps, b.total_steps) << a.id;
    ASSERT_EQ(a.model, b.model) << a.id;
    ASSERT_EQ(a.user, b.user) << a.id;
    ASSERT_EQ(a.tenant, b.tenant) << a.id;
    ASSERT_EQ(read.type_sets.at(a.type_set), written.type_sets.at(b.type_set)) << a.id;
    ASSERT_EQ(a.min_gpus, b.min_gpus) << a.id;
    ASSERT_EQ(a.max_gpus, b.max_gpus) << a.id;
    ASSERT_EQ(a.weight, b.weight) << a.id;
    ASSERT_EQ(a.deadline, b.deadline) << a.id;
    ASSERT_EQ(a.cpus_milli, b.cpus_milli) << a.id;
    ASSERT_EQ(a.memory_mib, b.memory_mib) << a.id;
    ASSERT_EQ(a.gpu_memory_gib, b.gpu_memory_gib) << a.id;
  }
}

TEST_F(WriteNative, has_only_the_columns_that_are_used) {
  Trace trace;
  trace.jobs = {small_job()};
  EXPECT_EQ(native_csv(trace), "job_id,submit_seconds,gpus,duration_seconds\na,0,1,60\n");
}

TEST_F(WriteNative, has_every_column_in_its_place) {
  EXPECT_EQ(native_csv(rich_trace()),
            "job_id,submit_seconds,gpus,duration_seconds,total_steps,user,tenant,model,gpu_type,"
            "min_gpus,max_gpus,weight,deadline_seconds,cpus,memory_gib,gpu_memory_gib\n"
            "\"job,1\",0,4,1.5,,\"ann, the first\",\"vc \"\"one\"\"\",ResNet-18 (batch size 64),"
            "v100|a100,2,8,2.5,7200,1.5,1.5,10.1\n"
            "2,0.000001,1,,999999999999999,bob,,ResNet-18 (batch size 64),,,,,,,,\n");
}

TEST_F(WriteNative, is_read_back_as_it_was) {
  const Trace written = rich_trace();
  const Result<Trace> read = read_trace_text(native_csv(written), "rich.csv", {.format = "native"});
  ASSERT_TRUE(read) << read.error().message;
  expect_same_jobs(*read, written);
}

TEST_F(WriteNative, generated_traces_are_read_back_as_they_were) {
  for (const std::string& like : trace_like_names()) {
    SCOPED_TRACE(like);
    const Result<Trace> made = generate_trace({.like = like, .jobs = 3000, .seed = 7});
    ASSERT_TRUE(made) << made.error().message;
    const Result<Trace> read = read_trace_text(native_csv(*made), like, {});
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(read->format, "native");
    expect_same_jobs(*read, *made);
  }
}

TEST_F(WriteNative, tells_what_it_cannot_hold) {
  Trace trace;
  trace.records = {TypeDurations{{{"a100", 100.5}, {"v100", 200}}}};
  TraceJob job = small_job();
  job.id = "two\nlines";
  job.duration.reset();
  job.record = RecordId(0U);
  job.total_steps = 7;
  trace.jobs = {job};
  EXPECT_EQ(native_csv(trace),
            "job_id,submit_seconds,gpus,duration_seconds\n\"two lines\",0,1,100.5\n");
  EXPECT_EQ(native_losses(trace).size(), 3U);
  EXPECT_TRUE(native_losses(rich_trace()).empty());
}

TEST_F(WriteNative, replaces_a_file_and_leaves_nothing_else) {
  Trace trace;
  trace.jobs = {small_job()};
  const std::filesystem::path path = folder_ / "jobs.csv";
  std::ofstream(path) << "what was there before";
  const Result<void> written = write_native(trace, path.string());
  ASSERT_TRUE(written) << written.error().message;
  EXPECT_EQ(content(path), native_csv(trace));
  EXPECT_EQ(files(), std::vector<std::string>{"jobs.csv"});
}

TEST_F(WriteNative, leaves_nothing_behind_when_it_fails) {
  Trace trace;
  trace.jobs = {small_job()};
  const Result<void> no_folder = write_native(trace, (folder_ / "absent" / "jobs.csv").string());
  ASSERT_FALSE(no_folder);
  EXPECT_NE(no_folder.error().message.find("jobs.csv"), std::string::npos);

  const std::filesystem::path taken = folder_ / "taken";
  std::filesystem::create_directory(taken);
  EXPECT_FALSE(write_native(trace, taken.string()));
  EXPECT_EQ(files(), std::vector<std::string>{"taken"});
}

TEST_F(WriteNative, writes_into_a_device_that_cannot_be_replaced) {
  Trace trace;
  trace.jobs = {small_job()};
  EXPECT_TRUE(write_native(trace, "/dev/null"));
  EXPECT_FALSE(write_native(trace, "/dev/full"));
  EXPECT_FALSE(std::filesystem::is_regular_file("/dev/null"));
}

}  // namespace
}  // namespace muster
