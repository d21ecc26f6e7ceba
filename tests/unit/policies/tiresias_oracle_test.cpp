// The recorded runs of the Tiresias simulator: fifo, first-fit, srtf and srsf must give every job
// the same start and end; the queues of Tiresias the same mean within the effect of its late
// crossings.
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <numeric>

#include "base/text.h"
#include "support/shared_data.h"
#include "support/simulation.h"
#include "workload/reader.h"

namespace muster::testing {
namespace {

struct Recorded {
  std::int64_t start_seconds = 0;
  std::int64_t end_seconds = 0;
};

// By job id.
std::map<std::string, Recorded> read_recorded(const std::filesystem::path& path) {
  std::map<std::string, Recorded> jobs;
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  while (std::getline(file, line)) {
    const std::vector<std::string_view> fields = split(trim(line), ',');
    jobs[std::string(fields[1])] = {.start_seconds = parse_integer(fields[4]).value(),
                                    .end_seconds = parse_integer(fields[5]).value()};
  }
  return jobs;
}

std::vector<Arrival> read_arrivals(const std::filesystem::path& path,
                                   std::vector<std::string>& ids) {
  const Result<Trace> trace = read_trace(path.string(), {.format = "tiresias"});
  EXPECT_TRUE(trace) << trace.error().message;
  std::vector<Arrival> arrivals;
  if (!trace) return arrivals;
  for (const TraceJob& job : trace->jobs) {
    arrivals.push_back(
        plain_arrival(to_seconds(job.submit), job.gpus, to_seconds(job.duration.value())));
    ids.push_back(job.id);
  }
  return arrivals;
}

Cluster oracle_cluster(const std::string& name) {
  if (name == "n2g4") return plain_cluster(2, 4);
  if (name == "n4g4") return plain_cluster(4, 4);
  if (name == "n24g4") return plain_cluster(24, 4);
  return plain_cluster(16, 4);  // cluster_spec
}

struct Case {
  std::string trace;
  std::string cluster;
  std::string schedule;
  std::string scheme;
  std::string policy;
};

void PrintTo(const Case& c, std::ostream* out) {
  *out << c.trace << "__" << c.cluster << "__" << c.schedule << "__" << c.scheme;
}

std::string case_name(const ::testing::TestParamInfo<Case>& info) {
  std::string name = info.param.trace + "_" + info.param.cluster + "_" + info.param.schedule + "_" +
                     info.param.scheme;
  for (char& c : name) {
    if (c == '-') c = '_';
  }
  return name;
}

class TiresiasExact : public ::testing::TestWithParam<Case> {};

TEST_P(TiresiasExact, every_job_starts_and_ends_as_recorded) {
  const Case& c = GetParam();
  MUSTER_NEED_SHARED(trace, "oracles/tiresias/inputs/" + c.trace + ".csv");
  MUSTER_NEED_SHARED(oracle, "oracles/tiresias/" + c.trace + "__" + c.cluster + "__" + c.schedule +
                                 "__" + c.scheme + ".csv");
  std::vector<std::string> ids;
  const std::vector<Arrival> arrivals = read_arrivals(trace, ids);
  const std::map<std::string, Recorded> recorded = read_recorded(oracle);
  ASSERT_EQ(arrivals.size(), recorded.size());
  const Simulated simulated = simulate(oracle_cluster(c.cluster), arrivals, c.policy);
  ASSERT_FALSE(simulated.error) << simulated.error->message;
  int wrong = 0;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    const Recorded& expected = recorded.at(ids[i]);
    const SimulatedJob& job = simulated.jobs[i];
    ASSERT_TRUE(job.first_start && job.end) << "job " << ids[i];
    const bool is_equal = *job.first_start == Time(std::chrono::seconds(expected.start_seconds)) &&
                          *job.end == Time(std::chrono::seconds(expected.end_seconds));
    if (!is_equal && ++wrong <= 5) {
      ADD_FAILURE() << "job " << ids[i] << " ran " << to_seconds(*job.first_start) << ".."
                    << to_seconds(*job.end) << ", recorded " << expected.start_seconds << ".."
                    << expected.end_seconds;
    }
  }
  EXPECT_EQ(wrong, 0);
  count_oracle_cases(static_cast<int>(ids.size()));
}

std::vector<Case> exact_cases() {
  std::vector<Case> cases;
  const std::vector<std::pair<std::string, std::string>> policies = {
      {"fifo", "fifo"}, {"fjf", "first-fit"}, {"shortest", "srtf"}, {"shortest-gpu", "srsf"}};
  const std::vector<std::pair<std::string, std::string>> clusters = {
      {"60_job", "n4g4"}, {"60_job", "n2g4"}, {"syn480", "n24g4"}, {"syn480", "cluster_spec"}};
  for (const auto& [trace, cluster] : clusters) {
    for (const auto& [schedule, policy] : policies) {
      cases.push_back({trace, cluster, schedule, "count", policy});
      if (policy == "fifo" || policy == "first-fit") {
        cases.push_back({trace, cluster, schedule, "yarn", policy + ":placement=consolidated"});
      }
    }
  }
  return cases;
}

INSTANTIATE_TEST_SUITE_P(Recorded, TiresiasExact, ::testing::ValuesIn(exact_cases()), case_name);

double mean_jct_seconds(const std::vector<Arrival>& arrivals, const Simulated& simulated) {
  double sum = 0;
  for (std::size_t i = 0; i < arrivals.size(); ++i) {
    sum += to_seconds(simulated.jobs[i].end.value() - arrivals[i].at);
  }
  return sum / static_cast<double>(arrivals.size());
}

Result<std::vector<double>> read_distribution(const std::string& path, const std::string&) {
  std::vector<double> values;
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  while (std::getline(file, line)) {
    if (const auto value = parse_number(trim(line))) values.push_back(*value);
  }
  return values;
}

class TiresiasQueues : public ::testing::TestWithParam<Case> {};

TEST_P(TiresiasQueues, mean_jct_is_near_the_recording) {
  const Case& c = GetParam();
  MUSTER_NEED_SHARED(trace, "oracles/tiresias/inputs/" + c.trace + ".csv");
  MUSTER_NEED_SHARED(
      oracle, "oracles/tiresias/" + c.trace + "__" + c.cluster + "__" + c.schedule + "__count.csv");
  MUSTER_NEED_SHARED(distribution, "oracles/tiresias/inputs/yarn-gput1000.csv");
  std::vector<std::string> ids;
  const std::vector<Arrival> arrivals = read_arrivals(trace, ids);
  const std::map<std::string, Recorded> recorded = read_recorded(oracle);
  double recorded_mean = 0;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    recorded_mean +=
        static_cast<double>(recorded.at(ids[i]).end_seconds) - to_seconds(arrivals[i].at);
  }
  recorded_mean /= static_cast<double>(ids.size());
  const PlainModel model;
  const std::string policy_text =
      c.policy + (c.policy == "tiresias-g" ? ":distribution=" + distribution.string() : "");
  Result<PolicyChoice> choice = parse_policy(policy_text, read_distribution);
  ASSERT_TRUE(choice) << choice.error().message;
  const std::unique_ptr<Policy> policy = choice->make({});
  const Cluster cluster = oracle_cluster(c.cluster);
  const Simulated simulated = simulate(cluster, arrivals, *policy, model);
  ASSERT_FALSE(simulated.error) << simulated.error->message;
  const double mean = mean_jct_seconds(arrivals, simulated);
  std::printf("%s on %s: mean JCT %.3f s, recorded %.3f s (%+.2f %%)\n", c.policy.c_str(),
              c.cluster.c_str(), mean, recorded_mean, 100 * (mean / recorded_mean - 1));
  EXPECT_NEAR(mean / recorded_mean, 1, 0.015);
  count_oracle_cases(1);
  const bool promotes = c.policy.find("promote") != std::string::npos;
  if (c.cluster == "cluster_spec" && !promotes) {
    const Simulated first_fit = simulate(cluster, arrivals, "first-fit");
    EXPECT_LE(mean, 0.92 * mean_jct_seconds(arrivals, first_fit));
  }
}

INSTANTIATE_TEST_SUITE_P(
    Recorded, TiresiasQueues,
    ::testing::Values(Case{"syn480", "n24g4", "dlas-gpu", "count", "tiresias-l"},
                      Case{"syn480", "cluster_spec", "dlas-gpu", "count", "tiresias-l"},
                      Case{"syn480", "n24g4", "dlas-gpu-1", "count", "tiresias-l:promote=1"},
                      Case{"syn480", "cluster_spec", "dlas-gpu-1", "count", "tiresias-l:promote=1"},
                      Case{"syn480", "n24g4", "dlas-gpu-8", "count", "tiresias-l:promote=8"},
                      Case{"syn480", "cluster_spec", "dlas-gpu-8", "count", "tiresias-l:promote=8"},
                      Case{"syn480", "n24g4", "dlas-gpu-gittins", "count", "tiresias-g"},
                      Case{"syn480", "cluster_spec", "dlas-gpu-gittins", "count", "tiresias-g"}),
    case_name);

}  // namespace
}  // namespace muster::testing
