#include "cli/summary_facts.h"

#include <nlohmann/json.hpp>

namespace muster {
namespace {

// What people are shown, and as what. Figures that are not in this list, or absent, are left out.
enum class Kind { text, count, seconds, ratio, factor, joules, dollars };
struct Shown {
  std::string_view key;
  std::string_view label;
  Kind kind = Kind::text;
};
constexpr Shown shown[] = {
    {"policy", "policy", Kind::text},
    {"policy_options", "policy options", Kind::text},
    {"cluster", "cluster", Kind::text},
    {"trace", "trace", Kind::text},
    {"seed", "seed", Kind::count},
    {"jobs_total", "jobs", Kind::count},
    {"jobs_finished", "finished", Kind::count},
    {"jobs_rejected", "rejected", Kind::count},
    {"jobs_cancelled", "cancelled", Kind::count},
    {"jobs_unfinished", "unfinished", Kind::count},
    {"rows_skipped_count", "bad rows skipped", Kind::count},
    {"makespan_seconds", "makespan", Kind::seconds},
    {"jct_mean_seconds", "JCT mean", Kind::seconds},
    {"jct_median_seconds", "JCT median", Kind::seconds},
    {"jct_p95_seconds", "JCT 95th percentile", Kind::seconds},
    {"jct_p99_seconds", "JCT 99th percentile", Kind::seconds},
    {"wait_mean_seconds", "wait mean", Kind::seconds},
    {"pending_mean_seconds", "pending mean", Kind::seconds},
    {"gpu_utilization_ratio", "GPU utilisation", Kind::ratio},
    {"node_utilization_ratio", "node utilisation", Kind::ratio},
    {"ftf_mean_ratio", "finish-time fairness mean", Kind::factor},
    {"ftf_max_ratio", "finish-time fairness worst", Kind::factor},
    {"deadline_met_ratio", "deadlines met", Kind::ratio},
    {"preemptions_count", "preemptions", Kind::count},
    {"energy_joules", "energy", Kind::joules},
    {"cost_dollars", "cost", Kind::dollars},
    {"decisions_count", "decisions", Kind::count},
    {"decision_mean_seconds", "decision mean", Kind::seconds},
    {"decision_p99_seconds", "decision 99th percentile", Kind::seconds},
    {"decision_max_seconds", "decision slowest", Kind::seconds},
    {"events_count", "events", Kind::count},
    {"wall_seconds", "wall time", Kind::seconds},
    {"schedule_hash", "schedule hash", Kind::text},
};

std::string readable(Kind kind, const nlohmann::ordered_json& value) {
  constexpr double joules_per_kwh = 3.6e6;
  switch (kind) {
    case Kind::text: return value.get<std::string>();
    case Kind::count: return readable_count(value.get<std::int64_t>());
    case Kind::seconds: return readable_seconds(value.get<double>());
    case Kind::ratio: return ratio_fact("", "", value.get<double>()).readable;
    case Kind::factor: return number_fact("", "", value.get<double>(), 2).readable;
    case Kind::joules:
      return number_fact("", "", value.get<double>() / joules_per_kwh, 1).readable + " kWh";
    case Kind::dollars: return number_fact("", "", value.get<double>(), 2).readable + " dollars";
  }
  return {};
}

void add_words(const nlohmann::ordered_json& value, Fact& fact) {
  for (const Shown& figure : shown) {
    const bool is_empty =
        value.is_null() || (value.is_string() && value.get<std::string>().empty());
    if (figure.key != fact.key || is_empty) continue;
    const bool is_idle_count = figure.kind == Kind::count && value == 0 &&
                               (fact.key == "jobs_cancelled" || fact.key == "rows_skipped_count");
    if (is_idle_count) continue;
    fact.label = figure.label;
    fact.readable = readable(figure.kind, value);
  }
}

}  // namespace

std::vector<Fact> summary_facts(const Summary& summary) {
  std::vector<Fact> facts;
  const auto json = nlohmann::ordered_json::parse(summary_json(summary));
  for (const auto& [key, value] : json.items()) {
    Fact fact{.key = key};
    if (!value.is_null()) fact.exact = value.is_string() ? value.get<std::string>() : value.dump();
    add_words(value, fact);
    facts.push_back(std::move(fact));
  }
  return facts;
}

}  // namespace muster
