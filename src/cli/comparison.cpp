#include "cli/comparison.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "base/text.h"
#include "policies/registry.h"
#include "report/csv.h"

namespace muster {
namespace {

struct Metric {
  std::string key;    // As in summary.json.
  std::string title;  // For people.
  int decimals = 0;
  double scale = 1;  // For people.
  std::optional<double> (*value)(const Summary& summary) = nullptr;
};

std::optional<double> count(std::int64_t number) { return static_cast<double>(number); }

const std::vector<Metric>& metrics() {
  using S = const Summary&;
  static const std::vector<Metric> all = {
      {"jct_mean_seconds", "mean JCT s", 1, 1, [](S s) { return s.jct_mean_seconds; }},
      {"jct_median_seconds", "median s", 1, 1, [](S s) { return s.jct_median_seconds; }},
      {"jct_p95_seconds", "p95 s", 1, 1, [](S s) { return s.jct_p95_seconds; }},
      {"jct_p99_seconds", "p99 s", 1, 1, [](S s) { return s.jct_p99_seconds; }},
      {"wait_mean_seconds", "mean wait s", 1, 1, [](S s) { return s.wait_mean_seconds; }},
      {"makespan_seconds", "makespan s", 1, 1, [](S s) { return s.makespan_seconds; }},
      {"gpu_utilization_ratio", "GPU use %", 1, 100, [](S s) { return s.gpu_utilization_ratio; }},
      {"preemptions_count", "preemptions", 0, 1, [](S s) { return count(s.preemptions_count); }},
      {"jobs_rejected", "rejected", 0, 1, [](S s) { return count(s.jobs_rejected); }},
      {"jobs_unfinished", "unfinished", 0, 1, [](S s) { return count(s.jobs_unfinished); }},
      {"wall_seconds", "wall s", 2, 1, [](S s) { return std::optional(s.run.wall_seconds); }},
  };
  return all;
}

// Over the runs that have the figure.
struct Average {
  double mean = 0;
  double deviation = 0;  // Of the sample; 0 for a single value.
};

std::optional<Average> average(const ComparisonRow& row, const Metric& metric) {
  std::vector<double> values;
  for (const Summary& run : row.runs) {
    if (const auto value = metric.value(run)) values.push_back(*value);
  }
  if (values.empty()) return std::nullopt;
  const auto size = static_cast<double>(values.size());
  Average average;
  for (const double value : values) average.mean += value / size;
  double squares = 0;
  for (const double value : values) {
    squares += (value - average.mean) * (value - average.mean);
  }
  if (values.size() > 1) average.deviation = std::sqrt(squares / (size - 1));
  return average;
}

std::optional<double> mean_jct(const ComparisonRow& row) {
  const auto jct = average(row, metrics().front());
  if (!jct) return std::nullopt;
  return jct->mean;
}

// Of the mean JCT to the best.
std::optional<double> relative_jct(const ComparisonRow& row, const ComparisonRow& best) {
  const auto own = mean_jct(row);
  const auto least = mean_jct(best);
  if (!own || !least || *least <= 0) return std::nullopt;
  return *own / *least;
}

std::string readable_cell(const ComparisonRow& row, const Metric& metric) {
  const auto value = average(row, metric);
  if (!value) return "-";
  const std::string text = format_fixed(value->mean * metric.scale, metric.decimals);
  const std::string deviation = format_fixed(value->deviation * metric.scale, metric.decimals);
  const bool is_zero = deviation.find_first_not_of("0.") == std::string::npos;
  return is_zero ? text : text + " ± " + deviation;
}

std::string readable_relative(const ComparisonRow& row, const ComparisonRow& best) {
  const auto ratio = relative_jct(row, best);
  if (!ratio) return "-";
  return format_fixed(*ratio, 2) + (&row == &best ? "" : " x");
}

std::vector<std::string> exact_titles(std::size_t seed_count) {
  std::vector<std::string> titles = {"policy", "seed", "seeds_count"};
  for (const Metric& metric : metrics()) {
    titles.push_back(metric.key);
    if (seed_count > 1) titles.push_back(metric.key + "_deviation");
  }
  titles.emplace_back("jct_mean_relative_ratio");
  return titles;
}

std::vector<std::string> exact_cells(const ComparisonRow& row, const ComparisonRow& best) {
  std::vector<std::string> cells = {row.policy, std::to_string(row.runs.front().run.seed),
                                    std::to_string(row.runs.size())};
  for (const Metric& metric : metrics()) {
    const auto value = average(row, metric);
    cells.push_back(value ? format_number(value->mean) : "");
    if (row.runs.size() > 1) cells.push_back(value ? format_number(value->deviation) : "");
  }
  const auto ratio = relative_jct(row, best);
  cells.push_back(ratio ? format_number(*ratio) : "");
  return cells;
}

// "a and b", "a, b and c", "a, b, c, d and 2 more". REQUIRES: at least two.
std::string enumeration(std::vector<std::string> names) {
  constexpr std::size_t named_max = 4;
  std::string last = names.back();
  if (names.size() > named_max) {
    last = std::to_string(names.size() - named_max) + " more";
    names.resize(named_max + 1);
  }
  names.pop_back();
  return join(names, ", ") + " and " + last;
}

void add_csv_line(const std::vector<std::string>& cells, std::string& text) {
  for (const std::string& cell : cells) {
    if (&cell != cells.data()) text += ',';
    text += csv_field(cell);
  }
  text += '\n';
}

}  // namespace

void rank(std::vector<ComparisonRow>& rows) {
  std::stable_sort(rows.begin(), rows.end(), [](const ComparisonRow& a, const ComparisonRow& b) {
    const auto first = mean_jct(a);
    const auto second = mean_jct(b);
    return first && (!second || *first < *second);
  });
}

Table readable_comparison(const std::vector<ComparisonRow>& rows) {
  std::vector<Column> columns = {{.title = "policy"}};
  for (const Metric& metric : metrics()) {
    columns.push_back({.title = metric.title, .align = Align::right});
  }
  columns.push_back({.title = "relative", .align = Align::right});
  Table table(std::move(columns));
  for (const ComparisonRow& row : rows) {
    std::vector<std::string> cells = {row.policy};
    for (const Metric& metric : metrics()) cells.push_back(readable_cell(row, metric));
    cells.push_back(readable_relative(row, rows.front()));
    table.add_row(std::move(cells));
  }
  return table;
}

Table exact_comparison(const std::vector<ComparisonRow>& rows) {
  std::vector<Column> columns;
  for (std::string& title : exact_titles(rows.front().runs.size())) {
    columns.push_back({.title = std::move(title)});
  }
  Table table(std::move(columns));
  for (const ComparisonRow& row : rows) table.add_row(exact_cells(row, rows.front()));
  return table;
}

std::string comparison_csv(const std::vector<ComparisonRow>& rows) {
  std::string text;
  add_csv_line(exact_titles(rows.front().runs.size()), text);
  for (const ComparisonRow& row : rows) add_csv_line(exact_cells(row, rows.front()), text);
  return text;
}

std::string comparison_json(const std::vector<ComparisonRow>& rows) {
  using Json = nlohmann::ordered_json;
  const auto or_null = [](std::optional<double> value) { return value ? Json(*value) : Json(); };
  const RunDescription& first = rows.front().runs.front().run;
  Json json;
  json["cluster"] = first.cluster;
  json["trace"] = first.trace;
  json["seed"] = first.seed;
  json["seeds_count"] = rows.front().runs.size();
  json["policies"] = Json::array();
  for (const ComparisonRow& row : rows) {
    Json policy;
    policy["policy"] = row.policy;
    policy["jct_mean_seconds"] = or_null(mean_jct(row));
    policy["jct_mean_relative_ratio"] = or_null(relative_jct(row, rows.front()));
    policy["runs"] = Json::array();
    for (const Summary& run : row.runs) policy["runs"].push_back(Json::parse(summary_json(run)));
    json["policies"].push_back(std::move(policy));
  }
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string advice(const std::vector<ComparisonRow>& rows) {
  if (rows.size() < 2) return {};
  const std::optional<double> best = mean_jct(rows.front());
  if (!best) return {};
  const auto info_of = [](const ComparisonRow& row) {
    return find_policy(std::string_view(row.policy).substr(0, row.policy.find(':'))).value();
  };
  // Those that share the first place.
  const auto end = std::find_if(rows.begin(), rows.end(),
                                [&](const ComparisonRow& row) { return mean_jct(row) != best; });
  const auto all_of_them = [&](bool PolicyInfo::* trait) {
    return std::all_of(rows.begin(), end,
                       [&](const ComparisonRow& row) { return info_of(row)->*trait; });
  };
  std::vector<std::string> tied;
  for (auto row = rows.begin(); row != end; ++row) tied.push_back(row->policy);
  std::string text = tied.size() == 1 ? "Pick by mean JCT: " + tied.front()
                                      : "No difference in mean JCT between " + enumeration(tied);
  const auto add_alternative = [&](bool matters, const std::string& without, auto suits) {
    if (!matters) return;
    const auto found = std::find_if(rows.begin(), rows.end(),
                                    [&](const ComparisonRow& row) { return suits(*info_of(row)); });
    const auto mean = found == rows.end() ? std::nullopt : mean_jct(*found);
    if (mean) {
      text += "; without " + without + ": " + found->policy + ", " +
              format_fixed(*mean / *best, 2) + " x";
    }
  };
  add_alternative(all_of_them(&PolicyInfo::needs_run_times), "run times",
                  [](const PolicyInfo& policy) { return !policy.needs_run_times; });
  add_alternative(all_of_them(&PolicyInfo::preempts), "stopping jobs",
                  [](const PolicyInfo& policy) { return !policy.preempts; });
  return text + ".\n";
}

}  // namespace muster
