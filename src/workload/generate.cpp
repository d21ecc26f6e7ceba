#include "workload/generate.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <map>
#include <numeric>
#include <span>
#include <utility>

#include "base/rng.h"
#include "base/text.h"
#include "workload/generate_arrivals.h"
#include "workload/generate_tables.h"

namespace muster {
namespace {

constexpr std::int64_t jobs_max = 10'000'000;
constexpr double span_max_seconds = 1e10;

// What a stream of random numbers is for. Durations have one stream per gang class from the last
// value on.
enum class Stream : std::uint64_t { arrivals, gangs, models, durations };

std::uint64_t stream_seed(std::uint64_t seed, Stream stream, std::size_t index = 0) {
  return mix(seed, static_cast<std::uint64_t>(stream) + index);
}

// Uniform draws of which each 1,024 in a row fall once into every 1024th of [0, 1), in random
// order. Durations are so unequal that the mean of 50,000 independent draws is off by 3 %, and
// rare gangs as much; this way short traces have the shares and means of long ones.
class StratifiedUniform {
 public:
  explicit StratifiedUniform(std::uint64_t seed) : rng_{seed} {}

  double next() {
    if (strata_.empty()) {
      strata_.resize(strata_count);
      std::iota(strata_.begin(), strata_.end(), 0);
    }
    std::swap(strata_[rng_.below(strata_.size())], strata_.back());
    const double stratum = strata_.back();
    strata_.pop_back();
    return (stratum + rng_.uniform()) / static_cast<double>(strata_count);
  }

 private:
  static constexpr std::size_t strata_count = 1024;
  Rng rng_;
  std::vector<int> strata_;
};

double quantile_seconds(const DurationQuantiles& quantiles, double ratio) {
  const auto& [ratios, seconds] = quantiles;
  const auto after = std::upper_bound(ratios.begin() + 1, ratios.end() - 1, ratio);
  const auto i = static_cast<std::size_t>(after - ratios.begin());
  const double within = (ratio - ratios[i - 1]) / (ratios[i] - ratios[i - 1]);
  return seconds[i - 1] * std::pow(seconds[i] / seconds[i - 1], within);
}

// The class that holds the point `ratio` when the shares are laid end to end.
std::size_t class_at(std::span<const GangClass> gangs, double ratio) {
  double total = 0;
  for (const GangClass& gang : gangs) total += gang.share;
  double left = ratio * total;
  for (std::size_t i = 0; i + 1 < gangs.size(); ++i) {
    if (left < gangs[i].share) return i;
    left -= gangs[i].share;
  }
  return gangs.size() - 1;
}

// Logs tell no finer times, and a duration is a whole number of one-millisecond steps.
Duration whole_milliseconds(double seconds) {
  return std::chrono::round<std::chrono::milliseconds>(from_seconds(seconds));
}

// Draws models and gives them ids in the order in which they first appear.
class ModelDraw {
 public:
  ModelDraw(std::span<const ModelChoice> models, std::uint64_t seed) : rng_{seed} {
    for (const ModelChoice& model : models) {
      all_.push_back(model.name);
      if (model.is_distributed) distributed_.push_back(model.name);
    }
  }

  ModelId next(std::int32_t gpus, std::vector<std::string>& names) {
    if (all_.empty()) return {};
    const auto& choices = gpus > 1 ? distributed_ : all_;
    const double place = rng_.uniform() * static_cast<double>(choices.size());
    const std::string_view name = choices[static_cast<std::size_t>(place)];
    const auto [known, is_new] = ids_.try_emplace(name, ModelId(names.size()));
    if (is_new) names.emplace_back(name);
    return known->second;
  }

 private:
  Rng rng_;
  std::vector<std::string_view> all_;
  std::vector<std::string_view> distributed_;
  std::map<std::string_view, ModelId> ids_;
};

Trace draw_jobs(const TraceLike& like, const GenerateOptions& options) {
  Trace trace;
  trace.path = std::string(like.name);
  trace.format = "native";
  trace.rows_read = options.jobs;
  StratifiedUniform gang_draw(stream_seed(options.seed, Stream::gangs));
  ModelDraw model_draw(like.models, stream_seed(options.seed, Stream::models));
  std::vector<StratifiedUniform> duration_draws;
  for (std::size_t i = 0; i < like.gangs.size(); ++i) {
    duration_draws.emplace_back(stream_seed(options.seed, Stream::durations, i));
  }

  const auto count = static_cast<std::uint32_t>(options.jobs);
  trace.jobs.reserve(count);
  for (std::uint32_t row = 0; row < count; ++row) {
    const std::size_t drawn = class_at(like.gangs, gang_draw.next());
    const GangClass& gang = like.gangs[drawn];
    const double seconds = quantile_seconds(gang.durations, duration_draws[drawn].next());
    TraceJob job{.id = std::to_string(row), .row = row};
    job.gpus = options.max_gpus ? std::min(gang.gpus, *options.max_gpus) : gang.gpus;
    job.duration = whole_milliseconds(seconds * gang.duration_scale);
    job.model = model_draw.next(job.gpus, trace.models);
    trace.jobs.push_back(std::move(job));
  }
  return trace;
}

Result<void> check_load(const GenerateOptions& options, Arrivals arrivals) {
  if (!options.load) return {};
  if (!options.cluster_gpus || *options.cluster_gpus < 1) {
    return failure("load: needs a cluster with GPUs to be a load of");
  }
  if (!(*options.load > 0 && *options.load <= 1e6)) {
    return failure("load: expected a positive number, got '" + format_number(*options.load) + "'");
  }
  if (options.interarrival_seconds) {
    return failure("load: sets the time between arrivals, which is given as well",
                   "leave out one of the two");
  }
  if (arrivals == Arrivals::all_at_once) {
    return failure("load: static arrivals have no span that could be scaled",
                   "use poisson or diurnal arrivals");
  }
  if (options.jobs < 2) return failure("load: needs at least two jobs");
  return {};
}

Result<void> check_options(const GenerateOptions& options, Arrivals arrivals) {
  if (options.jobs < 1 || options.jobs > jobs_max) {
    return failure("jobs: expected 1 to " + std::to_string(jobs_max) + ", got '" +
                   std::to_string(options.jobs) + "'");
  }
  if (options.max_gpus && *options.max_gpus < 1) {
    return failure("max_gpus: expected a positive integer, got '" +
                   std::to_string(*options.max_gpus) + "'");
  }
  const double gap_seconds = options.interarrival_seconds.value_or(1);
  if (!(gap_seconds > 0)) {
    return failure("interarrival_seconds: expected a positive number, got '" +
                       format_number(gap_seconds) + "'",
                   "static arrivals put all jobs at time 0");
  }
  if (options.interarrival_seconds && arrivals == Arrivals::all_at_once) {
    return failure("interarrival_seconds: static arrivals have no gaps",
                   "use poisson or diurnal arrivals");
  }
  if (!(gap_seconds * static_cast<double>(options.jobs) <= span_max_seconds)) {
    return failure("interarrival_seconds: " + std::to_string(options.jobs) +
                   " jobs so far apart take over three hundred years");
  }
  return check_load(options, arrivals);
}

// The span in which the jobs are the load that was asked for.
double load_span_seconds(const Trace& trace, const GenerateOptions& options) {
  double gpu_seconds = 0;
  for (const TraceJob& job : trace.jobs) gpu_seconds += job.gpus * to_seconds(*job.duration);
  return gpu_seconds / (*options.cluster_gpus * *options.load);
}

std::vector<TraceLike> all_likes() {
  return {philly_like(), helios_like(), gavel_like(), uniform_like()};
}

Result<TraceLike> find_like(std::string_view name) {
  for (const TraceLike& like : all_likes()) {
    if (like.name == name) return like;
  }
  const std::vector<std::string> names = trace_like_names();
  const std::optional<std::string> near = nearest(name, names);
  return failure("like: no kind of trace is called " + quoted(name),
                 near ? "did you mean " + *near + "?" : "known: " + join(names, ", "));
}

}  // namespace

Result<Arrivals> parse_arrivals(std::string_view name) {
  if (name == "poisson") return Arrivals::poisson;
  if (name == "diurnal") return Arrivals::diurnal;
  if (name == "static") return Arrivals::all_at_once;
  return failure("arrivals: expected poisson, diurnal or static, got " + quoted(name));
}

std::vector<std::string> trace_like_names() {
  std::vector<std::string> names;
  for (const TraceLike& like : all_likes()) names.emplace_back(like.name);
  return names;
}

Result<Trace> generate_trace(const GenerateOptions& options) {
  const Result<TraceLike> like = find_like(options.like);
  if (!like) return tl::unexpected(like.error());
  const Arrivals arrivals = options.arrivals.value_or(like->arrivals);
  if (const auto checked = check_options(options, arrivals); !checked) {
    return tl::unexpected(checked.error());
  }

  Trace trace = draw_jobs(*like, options);
  ArrivalOptions process{.process = arrivals};
  process.interarrival_seconds = options.interarrival_seconds.value_or(like->interarrival_seconds);
  if (options.load) {
    process.span_seconds = load_span_seconds(trace, options);
    if (*process.span_seconds > span_max_seconds) {
      return failure("load: so little that the jobs take over three hundred years");
    }
  }
  const Rng rng{stream_seed(options.seed, Stream::arrivals)};
  const std::vector<double> times = arrival_seconds(process, options.jobs, rng);
  for (std::size_t i = 0; i < times.size(); ++i) {
    trace.jobs[i].submit = whole_milliseconds(times[i]);
  }
  return trace;
}

}  // namespace muster
