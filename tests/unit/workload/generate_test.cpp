#include "workload/generate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <map>
#include <set>
#include <string>

#include "base/text.h"
#include "support/shared_data.h"
#include "workload/trace_info.h"
#include "workload/write_native.h"

namespace muster {
namespace {

constexpr std::array<std::uint64_t, 3> seeds = {1, 2, 3};

Trace generate(const GenerateOptions& options) {
  Result<Trace> trace = generate_trace(options);
  EXPECT_TRUE(trace) << trace.error().message;
  return trace ? *std::move(trace) : Trace{};
}

std::string generate_error(const GenerateOptions& options) {
  const Result<Trace> trace = generate_trace(options);
  return trace ? "" : trace.error().message;
}

double mean_gpus(const TraceInfo& info) {
  double sum = 0;
  for (const TraceInfo::Gang& gang : info.gangs) sum += gang.gpus * gang.jobs_ratio;
  return sum;
}

std::map<std::int32_t, double> shares(const TraceInfo& info) {
  std::map<std::int32_t, double> shares;
  for (const TraceInfo::Gang& gang : info.gangs) shares[gang.gpus] = gang.jobs_ratio;
  return shares;
}

// The real Philly list, read without the trace readers: timestamp,duration,num_gpus,...
Trace real_philly(const std::filesystem::path& path) {
  Trace trace;
  std::ifstream input(path);
  std::string line;
  std::getline(input, line);
  while (std::getline(input, line)) {
    const auto fields = split(line, ',');
    if (fields.size() < 3) continue;
    TraceJob job;
    job.duration = from_seconds(parse_number(fields[1]).value());
    job.gpus = static_cast<std::int32_t>(parse_number(fields[2]).value());
    trace.jobs.push_back(job);
  }
  return trace;
}

MATCHER_P2(IsWithinPercent, percent, expected, "") {
  return std::abs(arg - expected) <= expected * percent / 100;
}

TEST(Generate, philly_like_has_the_durations_and_gangs_of_the_real_list) {
  MUSTER_NEED_SHARED(path, "data/philly_sia/philly.csv");
  const TraceInfo real = trace_info(real_philly(path));
  ASSERT_EQ(real.jobs_count, 82247);
  const auto real_shares = shares(real);
  int checked = 0;
  for (const std::uint64_t seed : seeds) {
    SCOPED_TRACE(seed);
    const TraceInfo info = trace_info(generate({.like = "philly", .jobs = 50000, .seed = seed}));
    EXPECT_THAT(info.durations->median_seconds, IsWithinPercent(5, real.durations->median_seconds));
    EXPECT_THAT(info.durations->mean_seconds, IsWithinPercent(5, real.durations->mean_seconds));
    EXPECT_THAT(info.durations->p95_seconds, IsWithinPercent(5, real.durations->p95_seconds));
    EXPECT_THAT(mean_gpus(info), IsWithinPercent(5, mean_gpus(real)));
    checked += 4;
    for (const auto& [gpus, share] : real_shares) {
      if (share <= 0.005) continue;
      EXPECT_THAT(shares(info)[gpus], IsWithinPercent(5, share)) << gpus << " GPUs";
      ++checked;
    }
  }
  EXPECT_EQ(checked, 24);
  testing::count_oracle_cases(checked);
}

TEST(Generate, helios_like_meets_the_published_summary_of_venus) {
  MUSTER_NEED_SHARED(path, "data/helios/helios_cluster_summary.csv");
  std::ifstream input(path);
  std::string header;
  std::string row;
  std::getline(input, header);
  std::getline(input, row);
  std::map<std::string_view, double> published;
  const auto names = split(header, ',');
  const auto values = split(row, ',');
  ASSERT_EQ(values.at(0), "Venus");
  for (std::size_t i = 1; i < names.size(); ++i) {
    published[trim(names[i])] = parse_number(trim(values.at(i))).value();
  }
  const double gpu_hours_per_job =
      (published["complete_gpu_time"] + published["cancel_gpu_time"] + published["fail_gpu_time"]) /
      published["gpu_job_num"] / 3600;

  for (const std::uint64_t seed : seeds) {
    SCOPED_TRACE(seed);
    const Trace trace = generate({.like = "helios", .jobs = 50000, .seed = seed});
    const TraceInfo info = trace_info(trace);
    EXPECT_THAT(info.durations->median_seconds, IsWithinPercent(5, published["med_run_time_gpu"]));
    EXPECT_THAT(info.durations->mean_seconds, IsWithinPercent(5, published["avg_run_time_gpu"]));
    EXPECT_THAT(mean_gpus(info), IsWithinPercent(5, published["avg_gpu_num"]));
    EXPECT_GT(shares(info)[1], 0.5);  // So the median is 1, as published.
    EXPECT_EQ(published["med_gpu_num"], 1);
    EXPECT_THAT(*info.interarrival_mean_seconds,
                IsWithinPercent(5, 183 * 86400 / published["gpu_job_num"]));
  }
  // GPU time is so unequal that its mean takes more jobs to settle.
  const TraceInfo large = trace_info(generate({.like = "helios", .jobs = 500000, .seed = 1}));
  EXPECT_THAT(large.gpu_hours.value() / 500000, IsWithinPercent(5, gpu_hours_per_job));
  testing::count_oracle_cases(16);
}

TEST(Generate, gavel_like_follows_its_distributions) {
  // Minutes: 10^U(1.5, 3) with probability 0.8, 10^U(3, 4) with 0.2.
  const double mean_seconds =
      60 * (0.8 * (1000 - std::pow(10, 1.5)) / (1.5 * std::log(10)) + 0.2 * 9000 / std::log(10));
  EXPECT_NEAR(mean_seconds / 3600, 16.8, 0.05);  // The figure of the spec.
  const double median_seconds = 60 * std::pow(10, 1.5 + 1.5 * 0.5 / 0.8);
  const double p95_seconds = 60 * std::pow(10, 3.75);
  const std::map<std::int32_t, double> expected = {{1, 0.7}, {2, 0.1}, {4, 0.15}, {8, 0.05}};
  for (const std::uint64_t seed : seeds) {
    SCOPED_TRACE(seed);
    const TraceInfo info = trace_info(generate({.like = "gavel", .jobs = 50000, .seed = seed}));
    EXPECT_THAT(info.durations->mean_seconds, IsWithinPercent(5, mean_seconds));
    EXPECT_THAT(info.durations->median_seconds, IsWithinPercent(5, median_seconds));
    EXPECT_THAT(info.durations->p95_seconds, IsWithinPercent(5, p95_seconds));
    EXPECT_THAT(mean_gpus(info), IsWithinPercent(5, 1.9));
    for (const auto& [gpus, share] : expected) {
      EXPECT_THAT(shares(info)[gpus], IsWithinPercent(5, share)) << gpus << " GPUs";
    }
    EXPECT_EQ(info.gangs.size(), expected.size());
  }
  testing::count_oracle_cases(24);
}

TEST(Generate, gavel_models_are_the_rows_of_the_throughput_table) {
  MUSTER_NEED_SHARED(path, "data/throughputs/gavel_isolated_throughputs.csv");
  std::set<std::string> single;
  std::set<std::string> distributed;
  std::ifstream input(path);
  std::string line;
  std::getline(input, line);
  while (std::getline(input, line)) {
    const auto fields = split(trim(line), ',');  // table,gpu,consolidated,model,batch_size,num_gpus
    ASSERT_GE(fields.size(), 6U);
    std::string name(fields[3]);
    if (!fields[4].empty()) name += " (batch size " + std::string(fields[4]) + ")";
    (fields[5] == "1" ? single : distributed).insert(name);
  }
  const Trace trace = generate({.like = "gavel", .jobs = 20000, .seed = 5});
  std::map<std::string, int> one_gpu_count;
  std::map<std::string, int> gang_count;
  for (const TraceJob& job : trace.jobs) {
    const std::string& model = trace.models.at(job.model.index());
    ++(job.gpus == 1 ? one_gpu_count : gang_count)[model];
  }
  EXPECT_EQ(one_gpu_count.size(), 26U);
  EXPECT_EQ(gang_count.size(), 19U);
  // About 14,000 jobs over 26 models: 538 each, with a deviation of 23.
  for (const auto& [model, count] : one_gpu_count) {
    EXPECT_TRUE(single.contains(model)) << model;
    EXPECT_NEAR(count, 538, 115) << model;
  }
  for (const auto& [model, count] : gang_count) {
    EXPECT_TRUE(distributed.contains(model)) << model;
    EXPECT_NEAR(count, 316, 90) << model;
  }
}

TEST(Generate, same_seed_gives_same_bytes) {
  for (const std::string& like : trace_like_names()) {
    SCOPED_TRACE(like);
    for (const Arrivals arrivals : {Arrivals::poisson, Arrivals::diurnal, Arrivals::all_at_once}) {
      const GenerateOptions options{.like = like, .jobs = 2000, .seed = 9, .arrivals = arrivals};
      const std::string once = native_csv(generate(options));
      EXPECT_EQ(once, native_csv(generate(options)));
      GenerateOptions other = options;
      other.seed = 10;
      EXPECT_NE(once, native_csv(generate(other)));
    }
  }
}

TEST(Generate, a_longer_trace_begins_like_a_shorter_one) {
  const Trace brief = generate({.like = "philly", .jobs = 1500, .seed = 4});
  const Trace longer = generate({.like = "philly", .jobs = 3000, .seed = 4});
  for (std::size_t i = 0; i < brief.jobs.size(); ++i) {
    ASSERT_EQ(brief.jobs[i].duration, longer.jobs[i].duration);
    ASSERT_EQ(brief.jobs[i].submit, longer.jobs[i].submit);
    ASSERT_EQ(brief.jobs[i].gpus, longer.jobs[i].gpus);
  }
}

TEST(Generate, gang_limit_changes_nothing_but_the_larger_gangs) {
  const Trace all = generate({.like = "gavel", .jobs = 3000, .seed = 4});
  const Trace single = generate({.like = "gavel", .jobs = 3000, .seed = 4, .max_gpus = 1});
  for (std::size_t i = 0; i < all.jobs.size(); ++i) {
    ASSERT_EQ(single.jobs[i].gpus, 1);
    ASSERT_EQ(all.jobs[i].duration, single.jobs[i].duration);
    ASSERT_EQ(all.jobs[i].submit, single.jobs[i].submit);
    if (all.jobs[i].gpus > 1) continue;
    ASSERT_EQ(all.models.at(all.jobs[i].model.index()),
              single.models.at(single.jobs[i].model.index()));
  }
}

TEST(Generate, arrivals_change_nothing_but_submits) {
  const Trace spread = generate({.like = "helios", .jobs = 3000, .seed = 4});
  const Trace together =
      generate({.like = "helios", .jobs = 3000, .seed = 4, .arrivals = Arrivals::all_at_once});
  for (std::size_t i = 0; i < spread.jobs.size(); ++i) {
    ASSERT_EQ(together.jobs[i].submit, Duration::zero());
    ASSERT_EQ(spread.jobs[i].duration, together.jobs[i].duration);
    ASSERT_EQ(spread.jobs[i].gpus, together.jobs[i].gpus);
  }
}

TEST(Generate, poisson_gaps_have_the_mean_and_deviation_that_was_asked_for) {
  for (const std::uint64_t seed : seeds) {
    const Trace trace =
        generate({.like = "uniform", .jobs = 50000, .seed = seed, .interarrival_seconds = 250});
    double squares = 0;
    for (std::size_t i = 1; i < trace.jobs.size(); ++i) {
      const double gap = to_seconds(trace.jobs[i].submit - trace.jobs[i - 1].submit);
      ASSERT_GE(gap, 0);
      squares += gap * gap;
    }
    EXPECT_EQ(trace.jobs.front().submit, Duration::zero());
    // The mean of 50,000 exponential gaps deviates by 0.45 %, that of their squares by 1 %.
    EXPECT_THAT(*trace_info(trace).interarrival_mean_seconds, IsWithinPercent(2, 250));
    EXPECT_THAT(squares / 49999, IsWithinPercent(5, 2 * 250.0 * 250.0));
  }
}

TEST(Generate, diurnal_arrivals_keep_the_rate_and_follow_the_day) {
  const Trace trace = generate({.like = "uniform",
                                .jobs = 50000,
                                .seed = 1,
                                .arrivals = Arrivals::diurnal,
                                .interarrival_seconds = 120});
  EXPECT_THAT(*trace_info(trace).interarrival_mean_seconds, IsWithinPercent(2, 120));
  int night = 0;
  int afternoon = 0;
  int working_days = 0;
  int weekends = 0;
  constexpr double week_seconds = 7 * 86400;
  for (const TraceJob& job : trace.jobs) {
    const double seconds = to_seconds(job.submit);
    if (seconds >= 9 * week_seconds) break;  // Whole weeks.
    const int hour = static_cast<int>(std::fmod(seconds, 86400.0) / 3600);
    const bool is_weekend = std::fmod(seconds, week_seconds) >= 5 * 86400;
    ++(is_weekend ? weekends : working_days);
    if (hour >= 2 && hour < 6) ++night;
    if (hour >= 14 && hour < 18) ++afternoon;
  }
  // Weights 0.5, 0.45, 0.45, 0.45 against 1.55, 1.65, 1.6, 1.5; a weekend is two days at 0.52.
  EXPECT_NEAR(afternoon / static_cast<double>(night), 6.3 / 1.85, 0.2);
  EXPECT_NEAR(weekends / static_cast<double>(working_days), 2 * 0.52 / 5, 0.01);
}

TEST(Generate, load_is_met) {
  for (const std::string& like : trace_like_names()) {
    for (const Arrivals arrivals : {Arrivals::poisson, Arrivals::diurnal}) {
      for (const double load : {0.5, 0.9, 1.4}) {
        const Trace trace = generate({.like = like,
                                      .jobs = 5000,
                                      .seed = 3,
                                      .arrivals = arrivals,
                                      .cluster_gpus = 600,
                                      .load = load});
        EXPECT_THAT(*trace_info(trace, 600).offered_load, IsWithinPercent(0.01, load)) << like;
      }
    }
  }
}

TEST(Generate, uniform_like_spreads_over_every_order_of_magnitude) {
  const TraceInfo info = trace_info(generate({.like = "uniform", .jobs = 20000, .seed = 2}));
  EXPECT_GE(info.durations->min_seconds, 60);
  EXPECT_LE(info.durations->max_seconds, 100000);
  EXPECT_THAT(info.durations->median_seconds, IsWithinPercent(5, std::sqrt(60 * 100000.0)));
  EXPECT_THAT(shares(info),
              ::testing::ElementsAre(::testing::Pair(1, ::testing::DoubleNear(0.25, 0.005)),
                                     ::testing::Pair(2, ::testing::DoubleNear(0.25, 0.005)),
                                     ::testing::Pair(4, ::testing::DoubleNear(0.25, 0.005)),
                                     ::testing::Pair(8, ::testing::DoubleNear(0.25, 0.005))));
}

TEST(Generate, refuses_what_makes_no_sense) {
  EXPECT_EQ(generate_error({.like = "phily", .jobs = 1}),
            "like: no kind of trace is called 'phily'");
  EXPECT_EQ(generate_trace({.like = "phily", .jobs = 1}).error().hint, "did you mean philly?");
  EXPECT_EQ(generate_error({.like = "gavel"}), "jobs: expected 1 to 10000000, got '0'");
  EXPECT_EQ(generate_error({.like = "gavel", .jobs = 5, .max_gpus = 0}),
            "max_gpus: expected a positive integer, got '0'");
  EXPECT_EQ(generate_error({.like = "gavel", .jobs = 5, .interarrival_seconds = 0}),
            "interarrival_seconds: expected a positive number, got '0'");
  EXPECT_NE(generate_error({.like = "gavel", .jobs = 5, .interarrival_seconds = 1e300}), "");
  EXPECT_NE(generate_error({.like = "gavel", .jobs = 5, .interarrival_seconds = std::nan("")}), "");
  EXPECT_NE(generate_error({.like = "gavel", .jobs = 5, .load = 1}), "");
  EXPECT_NE(generate_error({.like = "gavel", .jobs = 5, .cluster_gpus = 8, .load = -1}), "");
  EXPECT_NE(generate_error({.like = "gavel", .jobs = 5, .cluster_gpus = 8, .load = 1e-300}), "");
  EXPECT_NE(generate_error({.like = "gavel", .jobs = 1, .cluster_gpus = 8, .load = 1}), "");
  EXPECT_NE(
      generate_error(
          {.like = "gavel", .jobs = 5, .interarrival_seconds = 10, .cluster_gpus = 8, .load = 1}),
      "");
  EXPECT_NE(generate_error({.like = "gavel",
                            .jobs = 5,
                            .arrivals = Arrivals::all_at_once,
                            .cluster_gpus = 8,
                            .load = 1}),
            "");
}

TEST(Generate, one_job_is_a_trace) {
  for (const std::string& like : trace_like_names()) {
    const Trace trace =
        generate({.like = like, .jobs = 1, .seed = 1, .arrivals = Arrivals::diurnal});
    ASSERT_EQ(trace.jobs.size(), 1U);
    EXPECT_EQ(trace.jobs[0].submit, Duration::zero());
    EXPECT_GT(trace.jobs[0].duration, Duration::zero());
  }
}

TEST(Generate, arrivals_are_named_as_on_the_command_line) {
  EXPECT_EQ(parse_arrivals("poisson").value(), Arrivals::poisson);
  EXPECT_EQ(parse_arrivals("diurnal").value(), Arrivals::diurnal);
  EXPECT_EQ(parse_arrivals("static").value(), Arrivals::all_at_once);
  EXPECT_FALSE(parse_arrivals("Poisson"));
}

}  // namespace
}  // namespace muster
