#include "scenarios/scenario.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <variant>

#include "base/text.h"
#include "engine/engine.h"
#include "engine/run.h"
#include "policies/registry.h"

namespace muster::testing {
namespace {

using Words = std::vector<std::string_view>;

Words words_of(std::string_view line) {
  Words words;
  for (const std::string_view word : split(line.substr(0, line.find('#')), ' ')) {
    if (!trim(word).empty()) words.push_back(trim(word));
  }
  return words;
}

std::optional<Duration> time_of(std::string_view text) {
  if (text == "0") return Duration::zero();
  constexpr std::pair<std::string_view, double> units[] = {
      {"ms", 1e-3}, {"s", 1}, {"m", 60}, {"h", 3600}};
  for (const auto& [unit, seconds] : units) {
    if (!text.ends_with(unit)) continue;
    const auto number = parse_number(text.substr(0, text.size() - unit.size()));
    if (number && *number >= 0) return from_seconds(*number * seconds);
    return std::nullopt;
  }
  return std::nullopt;
}

std::string text_of(Duration span) { return format_microseconds(span.count()) + "s"; }

// Fills a scenario line by line.
class Parser {
 public:
  Result<Scenario> parse(std::string_view text) {
    for (const std::string_view line : split(text, '\n')) {
      ++line_;
      const Words words = words_of(line);
      if (words.empty()) continue;
      if (auto read = read_line(words); !read) {
        return failure("line " + std::to_string(line_) + ": " + read.error().message);
      }
    }
    return finish();
  }

 private:
  Result<void> read_line(const Words& words) {
    const std::span<const std::string_view> rest(words.data() + 1, words.size() - 1);
    if (rest.empty()) return failure("nothing after " + quoted(words.front()));
    if (words.front() == "policy") {
      scenario_.policy = std::string(rest.front());
      return {};
    }
    if (words.front() == "cluster") return read_cluster(rest);
    if (words.front() == "speed") return read_speed(rest);
    if (words.front() == "nodes") return read_pairs(rest, &Parser::set_node);
    if (words.front() == "option") return read_pairs(rest, &Parser::set_option);
    if (words.front() == "job") return read_job(rest);
    if (words.front() == "failure") return read_failure(rest);
    if (words.front() == "expect") return read_expectation(rest);
    return failure("unknown statement " + quoted(words.front()));
  }

  // Calls (this->*set)(key, value) for each key=value.
  Result<void> read_pairs(std::span<const std::string_view> words,
                          bool (Parser::*set)(std::string_view, std::string_view)) {
    for (const std::string_view word : words) {
      const std::size_t equals = word.find('=');
      if (equals == std::string_view::npos ||
          !(this->*set)(word.substr(0, equals), word.substr(equals + 1))) {
        return failure("cannot use " + quoted(word));
      }
    }
    return {};
  }

  // "2 x 4 v100 + 1 x 8 p100"
  Result<void> read_cluster(std::span<const std::string_view> words) {
    for (std::size_t i = 0; i < words.size(); i += 5) {
      if (words.size() - i < 4 || words[i + 1] != "x" || (i > 0 && words[i - 1] != "+")) {
        return failure("expected NODES x GPUS TYPE + ...");
      }
      const auto nodes = parse_integer(words[i]);
      const auto gpus = parse_integer(words[i + 2]);
      if (!nodes || !gpus || *gpus < 1) return failure("expected counts of nodes and GPUs");
      const std::string type(words[i + 3]);
      auto id = scenario_.cluster.find_type(type);
      if (!id) id = scenario_.cluster.add_type({.name = type});
      for (std::int64_t node = 0; node < *nodes; ++node) {
        const std::string name = "node-" + std::to_string(scenario_.cluster.nodes.size());
        scenario_.cluster.add_node({.name = name}, {{*id, static_cast<std::int32_t>(*gpus)}});
      }
    }
    return {};
  }

  Result<void> read_speed(std::span<const std::string_view> words) {
    const auto speed = parse_number(words.back());
    if (words.size() != 2 || !speed || *speed <= 0) return failure("expected TYPE SPEED");
    scenario_.speeds[std::string(words.front())] = *speed;
    return {};
  }

  bool set_node(std::string_view key, std::string_view value) {
    const auto number = parse_integer(value);
    if (!number) return false;
    for (Node& node : scenario_.cluster.nodes) {
      if (key == "cpus") node.cpus_milli = *number * 1000;
      if (key == "memory") node.memory_mib = *number * 1024;
    }
    return key == "cpus" || key == "memory";
  }

  bool set_option(std::string_view key, std::string_view value) {
    const auto span = time_of(value);
    if (!span) return false;
    if (key == "start-latency")
      scenario_.options.start_latency = *span;
    else if (key == "stop-latency")
      scenario_.options.stop_latency = *span;
    else if (key == "restart")
      scenario_.options.restart_cost = *span;
    else if (key == "checkpoint")
      scenario_.options.checkpoint_interval = *span;
    else
      return false;
    return true;
  }

  Result<void> read_job(std::span<const std::string_view> words) {
    scenario_.jobs.emplace_back(words.front());
    Arrival& arrival = scenario_.arrivals.emplace_back();
    arrival.spec.row = static_cast<std::uint32_t>(scenario_.arrivals.size());
    arrival.spec.total_steps = 0;
    arrival.spec.reference_steps_per_second = 1000;
    if (auto read = read_pairs(words.subspan(1), &Parser::set_job); !read) return read;
    if (arrival.spec.total_steps == 0) return failure("a job without work");
    if (scenario_.arrivals.size() < 2) return {};
    const bool is_in_order = scenario_.arrivals[scenario_.arrivals.size() - 2].at <= arrival.at;
    return is_in_order ? Result<void>() : failure("submitted before the job above");
  }

  bool set_job(std::string_view key, std::string_view value) {
    Arrival& arrival = scenario_.arrivals.back();
    JobSpec& spec = arrival.spec;
    const auto span = time_of(value);
    const auto number = parse_number(value);
    if (key == "submit" && span)
      arrival.at = Time(*span);
    else if (key == "work" && span)
      spec.total_steps = span->count() / 1000;
    else if (key == "cancel" && span)
      arrival.cancelled_at = Time(*span);
    else if (key == "gpus" && number)
      spec.gpu_count = static_cast<std::int32_t>(*number);
    else if (key == "cpus" && number)
      spec.cpus_milli = std::llround(*number * 1000);
    else if (key == "memory" && number)
      spec.memory_mib = std::llround(*number * 1024);
    else if (key == "skew" && number)
      spec.tensor_skew_ratio = *number;
    else if (key == "tenant")
      spec.tenant = tenant_of(value);
    else if (key == "type")
      return set_types(value, spec);
    else
      return false;
    return true;
  }

  TenantId tenant_of(std::string_view name) {
    const auto found = std::find(tenants_.begin(), tenants_.end(), name);
    const auto index = static_cast<std::size_t>(found - tenants_.begin());
    if (found == tenants_.end()) tenants_.emplace_back(name);
    return TenantId(index);
  }

  bool set_types(std::string_view names, JobSpec& spec) const {
    spec.types_allowed = 0;
    for (const std::string_view name : split(names, '|')) {
      const auto type = scenario_.cluster.find_type(name);
      if (type) spec.types_allowed |= std::uint64_t{1} << type->index();
    }
    return true;
  }

  Result<void> read_failure(std::span<const std::string_view> words) {
    NodeChange lost;
    NodeChange joins{.joins = true};
    for (const std::string_view word : words) {
      const std::string_view value = word.substr(word.find('=') + 1);
      const auto node = parse_integer(value);
      const auto span = time_of(value);
      if (word.starts_with("node=") && node) {
        lost.node = joins.node = NodeId(static_cast<std::uint32_t>(*node));
      } else if (word.starts_with("at=") && span) {
        lost.at = Time(*span);
      } else if (word.starts_with("back=") && span) {
        joins.at = Time(*span);
      } else {
        return failure("cannot use " + quoted(word));
      }
    }
    if (lost.node.index() >= scenario_.cluster.nodes.size() || joins.at <= lost.at) {
      return failure("expected node=N at=T back=T");
    }
    scenario_.options.node_changes.push_back(lost);
    scenario_.options.node_changes.push_back(joins);
    return {};
  }

  // Times are brought into one form, so that "1h" is "3600s".
  Result<void> read_expectation(std::span<const std::string_view> words) {
    if (words.size() < 2) return failure("expected NAME WHAT ...");
    std::vector<std::string> values;
    for (const std::string_view word : words.subspan(2)) {
      if (words[1] != "runs") {
        values.emplace_back(word);
        continue;
      }
      const std::size_t dots = word.find("..");
      const auto from = time_of(word.substr(0, dots));
      const auto to =
          dots == std::string_view::npos ? std::nullopt : time_of(word.substr(dots + 2));
      if (!from || !to) return failure("expected FROM..TO, got " + quoted(word));
      values.push_back(text_of(*from) + ".." + text_of(*to));
    }
    scenario_.expectations.push_back({.job = std::string(words[0]),
                                      .what = std::string(words[1]),
                                      .value = join(values, " "),
                                      .line = line_});
    return {};
  }

  Result<Scenario> finish() {
    if (scenario_.policy.empty() || scenario_.jobs.empty()) return failure("no policy, or no jobs");
    for (const std::string& job : scenario_.jobs) {
      const bool is_expected = std::any_of(
          scenario_.expectations.begin(), scenario_.expectations.end(),
          [&](const Scenario::Expectation& expectation) { return expectation.job == job; });
      if (!is_expected) return failure("nothing is expected of job " + job);
    }
    return std::move(scenario_);
  }

  Scenario scenario_;
  std::vector<std::string> tenants_;
  int line_ = 0;
};

// Speed by type; several runs on the same GPUs divide their time.
class SpeedModel final : public PerformanceModel {
 public:
  explicit SpeedModel(const Scenario& scenario) {
    for (const GpuType& type : scenario.cluster.types) {
      const auto found = scenario.speeds.find(type.name);
      speeds_.push_back(found == scenario.speeds.end() ? 1 : found->second);
    }
  }

  Rate rate(const JobSpec& job, const Setting& setting) const override {
    double speed = 1e9;
    for (const Slot& slot : setting.placement) {
      speed = std::min(speed, speeds_[setting.cluster.pools[slot.pool.index()].type.index()]);
    }
    return {.steps_per_second = job.reference_steps_per_second * speed *
                                gpu_total(setting.placement) / job.gpu_count /
                                static_cast<double>(1 + setting.co_runners.size())};
  }

 private:
  std::vector<double> speeds_;
};

// What happened to one job, in the words of the expectations.
struct JobStory {
  std::vector<std::string> runs;
  std::vector<std::string> nodes;
  std::vector<std::string> types;
  std::string state;
};

class Storyteller {
 public:
  explicit Storyteller(const Scenario& scenario)
      : cluster_(scenario.cluster), stories_(scenario.jobs.size()) {}

  void on_step(const Batch& batch, const Engine::Step& step) {
    for (const Event& event : batch.events) {
      const auto* ended = std::get_if<RunEnded>(&event);
      if (ended == nullptr) continue;
      const auto& [job, run] = places_.at(ended->run);
      stories_[job].runs[run] += text_of(batch.now.time_since_epoch());
    }
    for (const Command& command : step.commands) {
      const auto* start = std::get_if<StartRun>(&command);
      if (start == nullptr) continue;
      JobStory& story = stories_[start->job.index()];
      places_[start->run] = {start->job.index(), story.runs.size()};
      story.runs.push_back(text_of(batch.now.time_since_epoch()) + "..");
      std::vector<std::string> nodes;
      for (const Slot& slot : start->placement) {
        nodes.push_back(std::to_string(cluster_.pools[slot.pool.index()].node.value()));
      }
      story.nodes.push_back(join(nodes, ","));
      const Pool& pool = cluster_.pools[start->placement.front().pool.index()];
      story.types.push_back(cluster_.types[pool.type.index()].name);
    }
  }

  std::vector<JobStory> finish(std::span<const Job> jobs) {
    for (const Job& job : jobs) {
      if (job.state == JobState::rejected) stories_[job.id.index()].state = "rejected";
      if (job.state == JobState::cancelled) stories_[job.id.index()].state = "cancelled";
    }
    return std::move(stories_);
  }

 private:
  const Cluster& cluster_;
  std::vector<JobStory> stories_;
  std::map<RunId, std::pair<std::size_t, std::size_t>> places_;  // Job and place in its runs.
};

// What came out under the word `what`; nothing where there is no such word.
std::optional<std::string> outcome(const JobStory& story, const std::string& what) {
  if (what == "runs") return join(story.runs, " ");
  if (what == "nodes") return join(story.nodes, " ");
  if (what == "on") return join(story.types, " ");
  if (what == "rejected" || what == "cancelled") return story.state == what ? "" : "not " + what;
  return std::nullopt;
}

}  // namespace

Result<Scenario> parse_scenario(std::string_view text) { return Parser().parse(text); }

Result<std::vector<std::string>> run_scenario(const Scenario& scenario) {
  Result<PolicyChoice> choice = parse_policy(scenario.policy, nullptr);
  if (!choice) return tl::unexpected<Error>(choice.error());
  const std::unique_ptr<Policy> policy = choice->make({});
  const SpeedModel model(scenario);
  Engine engine(scenario.cluster, model, *policy);
  SimWorld world(scenario.cluster, model, scenario.arrivals, scenario.options);
  Storyteller storyteller(scenario);
  Result<void> broken;
  const auto observe = [&](const Batch& batch, const Engine::Step& step) {
    storyteller.on_step(batch, step);
    broken = engine.check_invariants();
    return broken.has_value();
  };
  if (auto done = run(engine, world, observe); !done) return tl::unexpected<Error>(done.error());
  if (!broken) return tl::unexpected<Error>(broken.error());

  const std::vector<JobStory> stories = storyteller.finish(engine.jobs());
  std::vector<std::string> unmet;
  for (const Scenario::Expectation& expected : scenario.expectations) {
    const auto job = std::find(scenario.jobs.begin(), scenario.jobs.end(), expected.job);
    if (job == scenario.jobs.end()) return failure("expectation of unknown job " + expected.job);
    const JobStory& story = stories[static_cast<std::size_t>(job - scenario.jobs.begin())];
    const std::optional<std::string> actual = outcome(story, expected.what);
    if (!actual) return failure("unknown expectation " + quoted(expected.what));
    if (*actual == expected.value) continue;
    unmet.push_back("line " + std::to_string(expected.line) + ": " + expected.job + " " +
                    expected.what + " " + expected.value + ", but got " + *actual);
  }
  return unmet;
}

}  // namespace muster::testing
