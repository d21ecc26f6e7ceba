// Slices of public traces under several policies: jobs.csv as it was when last looked at, byte for
// byte. MUSTER_UPDATE_GOLDEN=1 writes the files anew; look at the difference before committing it.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string_view>

#include "engine/run.h"
#include "perf/models.h"
#include "policies/registry.h"
#include "report/csv.h"
#include "report/files.h"
#include "sim/sim_world.h"
#include "support/simulation.h"
#include "workload/bind.h"
#include "workload/reader.h"

namespace muster::testing {
namespace {

struct Case {
  std::string trace;  // Of data/<trace>.csv.
  int nodes = 0;
  int gpus_per_node = 0;
  std::string policy;
};

void PrintTo(const Case& c, std::ostream* out) { *out << c.trace << " under " << c.policy; }

std::string case_name(const ::testing::TestParamInfo<Case>& info) {
  std::string name = info.param.trace + "_" + info.param.policy;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

std::filesystem::path folder() {
  return std::filesystem::path(MUSTER_SOURCE_DIR) / "tests" / "golden" / "data";
}

std::string read_text(const std::filesystem::path& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

// The jobs.csv of a whole run.
Result<std::string> run_case(const Case& c) {
  const Cluster cluster = plain_cluster(c.nodes, c.gpus_per_node);
  const Result<Trace> trace = read_trace((folder() / (c.trace + ".csv")).string(), {});
  if (!trace) return tl::unexpected<Error>(trace.error());
  const Result<Workload> workload = bind_trace(*trace, cluster, Catalogue(), {});
  if (!workload) return tl::unexpected<Error>(workload.error());
  const auto model = make_model(ModelSpec(), workload->context(cluster, nullptr));
  const Result<PolicyChoice> choice = parse_policy(c.policy, nullptr);
  if (!choice) return tl::unexpected<Error>(choice.error());
  const std::unique_ptr<Policy> policy = choice->make({});

  Engine engine(cluster, *model, *policy);
  SimWorld world(cluster, *model, workload->arrivals);
  Recorder recorder(cluster);
  const Result<void> done = run(engine, world, [&](const Batch& batch, const Engine::Step& step) {
    recorder.on_step(batch.now, batch.events, step.commands, step.ended, engine.jobs());
    return true;
  });
  if (!done) return tl::unexpected<Error>(done.error());
  std::vector<std::string> ids;
  for (const std::uint32_t index : workload->trace_jobs) ids.push_back(trace->jobs[index].id);
  return jobs_csv(job_outcomes(recorder, engine.jobs(), {}), {.ids = ids});
}

class Golden : public ::testing::TestWithParam<Case> {};

TEST_P(Golden, jobs_csv_is_the_same) {
  const Case& c = GetParam();
  const Result<std::string> jobs = run_case(c);
  ASSERT_TRUE(jobs) << jobs.error().message;
  const std::filesystem::path path = folder() / (c.trace + "-" + c.policy + ".jobs.csv");
  const char* update = std::getenv("MUSTER_UPDATE_GOLDEN");
  if (update != nullptr && std::string_view(update) == "1") {
    const Result<void> written = write_file(path, *jobs);
    ASSERT_TRUE(written) << written.error().message;
  }
  const std::string expected = read_text(path);
  ASSERT_FALSE(expected.empty()) << path << " is missing";
  if (*jobs == expected) return;
  // The first line that differs tells more than two whole files.
  const auto [here, there] =
      std::mismatch(jobs->begin(), jobs->end(), expected.begin(), expected.end());
  const auto line = std::count(jobs->begin(), here, '\n') + 1;
  FAIL() << path << " differs from line " << line << " on";
}

std::vector<Case> cases() {
  std::vector<Case> all;
  for (const char* policy : {"fifo", "easy", "srtf", "tiresias-l"}) {
    all.push_back({.trace = "itp", .nodes = 10, .gpus_per_node = 8, .policy = policy});
    all.push_back({.trace = "philly", .nodes = 6, .gpus_per_node = 4, .policy = policy});
  }
  return all;
}

INSTANTIATE_TEST_SUITE_P(Traces, Golden, ::testing::ValuesIn(cases()), case_name);

}  // namespace
}  // namespace muster::testing
