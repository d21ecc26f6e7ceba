#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "base/text.h"
#include "cli/data_directory.h"
#include "cli/facts.h"
#include "cli/subcommand.h"
#include "cli/values.h"
#include "report/table.h"
#include "workload/reader.h"
#include "workload/trace_info.h"

namespace muster {
namespace {

using Json = nlohmann::ordered_json;

template <class Number>
std::optional<double> to_double(const std::optional<Number>& value) {
  if (!value) return std::nullopt;
  return static_cast<double>(*value);
}

// Everything but the gangs.
std::vector<Fact> facts_of(const Trace& trace, const TraceInfo& info) {
  std::vector<Fact> facts = {
      text_fact("trace", "trace", trace.path),
      text_fact("format", "format", trace.format),
      count_fact("rows_count", "rows read", trace.rows_read),
      count_fact("rows_skipped_count", "bad rows skipped", trace.rows_skipped),
      count_fact("rows_cpu_only_count", "rows without GPUs", trace.cpu_only),
      count_fact("rows_never_ran_count", "rows without a run time", trace.never_ran),
      count_fact("jobs_fractional_count", "jobs that asked for part of a GPU", trace.fractional),
      count_fact("jobs_count", "jobs", info.jobs_count),
      count_fact("jobs_without_duration_count", "jobs without a duration",
                 info.jobs_without_duration_count),
      count_fact("users_count", "users", static_cast<std::int64_t>(info.users_count)),
      count_fact("tenants_count", "tenants", static_cast<std::int64_t>(info.tenants_count)),
      count_fact("models_count", "models", static_cast<std::int64_t>(info.models_count)),
      seconds_fact("span_seconds", "from first to last submit", to_seconds(info.span)),
      seconds_fact("interarrival_mean_seconds", "between submits, mean",
                   info.interarrival_mean_seconds),
      number_fact("gpu_hours", "GPU-hours", info.gpu_hours, 1),
  };
  const auto duration = [&](std::string key, std::string label, double TraceInfo::Durations::* at) {
    std::optional<double> seconds;
    if (info.durations) seconds = *info.durations.*at;
    facts.push_back(seconds_fact(std::move(key), std::move(label), seconds));
  };
  duration("duration_min_seconds", "duration, shortest", &TraceInfo::Durations::min_seconds);
  duration("duration_median_seconds", "duration, median", &TraceInfo::Durations::median_seconds);
  duration("duration_mean_seconds", "duration, mean", &TraceInfo::Durations::mean_seconds);
  duration("duration_p95_seconds", "duration, 95th percentile", &TraceInfo::Durations::p95_seconds);
  duration("duration_p99_seconds", "duration, 99th percentile", &TraceInfo::Durations::p99_seconds);
  duration("duration_max_seconds", "duration, longest", &TraceInfo::Durations::max_seconds);
  if (info.cluster_gpus) {
    facts.push_back(count_fact("cluster_gpus", "GPUs of the cluster", *info.cluster_gpus));
    facts.push_back(number_fact("offered_load_ratio", "offered load", info.offered_load, 3));
    facts.push_back(count_fact("jobs_too_large_count", "jobs larger than the cluster",
                               info.jobs_too_large_count));
  }
  return facts;
}

void add_gang_facts(const TraceInfo& info, std::vector<Fact>& facts) {
  for (const TraceInfo::Gang& gang : info.gangs) {
    const std::string prefix = "gang_" + std::to_string(gang.gpus) + "_";
    facts.push_back(count_fact(prefix + "jobs_count", "", gang.jobs_count));
    facts.push_back(number_fact(prefix + "jobs_ratio", "", gang.jobs_ratio, 4));
    facts.push_back(number_fact(prefix + "gpu_time_ratio", "", gang.gpu_time_ratio, 4));
  }
}

Table gang_table(const TraceInfo& info) {
  Table table({{.title = "GPUs", .align = Align::right},
               {.title = "jobs", .align = Align::right},
               {.title = "of all jobs", .align = Align::right},
               {.title = "of all GPU time", .align = Align::right}});
  const auto percent = [](double ratio) { return format_fixed(ratio * 100, 2) + " %"; };
  for (const TraceInfo::Gang& gang : info.gangs) {
    table.add_row({std::to_string(gang.gpus), readable_count(gang.jobs_count),
                   percent(gang.jobs_ratio),
                   gang.gpu_time_ratio ? percent(*gang.gpu_time_ratio) : ""});
  }
  return table;
}

std::string to_json(const std::vector<Fact>& facts, const TraceInfo& info) {
  Json json;
  for (const Fact& fact : facts) {
    const auto number = parse_number(fact.exact);
    const auto whole = parse_integer(fact.exact);
    const bool is_text = fact.key == "trace" || fact.key == "format";
    if (is_text) {
      json[fact.key] = fact.exact;
    } else if (whole) {
      json[fact.key] = *whole;
    } else {
      json[fact.key] = number ? Json(*number) : Json();
    }
  }
  json["gangs"] = Json::array();
  for (const TraceInfo::Gang& gang : info.gangs) {
    Json entry;
    entry["gpus"] = gang.gpus;
    entry["jobs_count"] = gang.jobs_count;
    entry["jobs_ratio"] = gang.jobs_ratio;
    entry["gpu_time_ratio"] = gang.gpu_time_ratio ? Json(*gang.gpu_time_ratio) : Json();
    json["gangs"].push_back(std::move(entry));
  }
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

class TraceInfoCommand final : public Subcommand {
 public:
  void declare(Flags& flags) override {
    flags.add_argument("TRACE", "the jobs", trace_);
    flags.add({.name = "--format", .value = "NAME", .help = "of the trace; guessed where absent"},
              format_);
    flags.add({.name = "--max-jobs", .value = "N", .help = "only the first N jobs"}, max_jobs_);
    flags.add_switch({.name = "--skip-bad-rows", .help = "count bad rows instead of stopping"},
                     options_.skip_bad_rows);
    flags.add({.name = "--cluster",
               .value = "FILE|NAME",
               .help = "say how much of this cluster the jobs ask for"},
              cluster_);
    flags.add_switch({.name = "--json", .help = "print one JSON object"}, is_json_);
  }

  Result<void> prepare() override {
    if (const auto given = require("TRACE", trace_); !given) return given;
    if (const auto known = check_format(format_); !known) return known;
    options_.format = format_;
    if (max_jobs_.empty()) return {};
    const auto jobs = parse_count("--max-jobs", max_jobs_);
    if (!jobs) return tl::unexpected(jobs.error());
    options_.jobs_max = *jobs;
    return {};
  }

  Result<void> execute(const CommandContext& context) override {
    Console& console = context.console;
    std::optional<std::int32_t> gpus;
    if (!cluster_.empty()) {
      const auto cluster = load_cluster(cluster_, context.data_flag);
      if (!cluster) return tl::unexpected(cluster.error());
      if (cluster->gpu_count() == 0) return failure(cluster_ + ": a cluster without GPUs");
      gpus = cluster->gpu_count();
    }
    const auto trace = read_trace(trace_, options_);
    if (!trace) return tl::unexpected(trace.error());
    for (const std::string& warning : trace->warnings) console.warn(warning);
    const TraceInfo info = trace_info(*trace, gpus);
    std::vector<Fact> facts = facts_of(*trace, info);
    if (is_json_) {
      console.print(to_json(facts, info));
    } else if (console.is_for_people()) {
      console.print(facts_text(facts, true) + "\n" + console.readable(gang_table(info)));
    } else {
      add_gang_facts(info, facts);
      console.print(facts_text(facts, false));
    }
    return {};
  }

 private:
  std::string trace_;
  std::string format_;
  std::string max_jobs_;
  std::string cluster_;
  bool is_json_ = false;
  ReadOptions options_;
};

}  // namespace

std::unique_ptr<Subcommand> trace_info_command() { return std::make_unique<TraceInfoCommand>(); }

}  // namespace muster
