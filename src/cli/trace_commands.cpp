#include <optional>
#include <string>

#include "base/text.h"
#include "cli/data_directory.h"
#include "cli/facts.h"
#include "cli/subcommand.h"
#include "cli/values.h"
#include "workload/generate.h"
#include "workload/reader.h"
#include "workload/write_native.h"

namespace muster {
namespace {

// Into the file, or to the output where none is named.
Result<void> deliver(const Trace& trace, const std::string& path, Console& console) {
  for (const std::string& loss : native_losses(trace)) console.warn(loss);
  if (path.empty()) {
    console.print(native_csv(trace));
    return {};
  }
  if (const auto written = write_native(trace, path); !written) return written;
  const auto job_count = static_cast<std::int64_t>(trace.jobs.size());
  console.note(path + ": " + readable_count(job_count) + " jobs; next: `muster trace info " + path +
               "`");
  return {};
}

class TraceConvertCommand final : public Subcommand {
 public:
  void declare(Flags& flags) override {
    flags.add_argument("IN", "the trace to convert", input_);
    flags.add({.name = "--format", .value = "NAME", .help = "of the trace; guessed where absent"},
              options_.format);
    flags.add({.name = "--out", .value = "OUT", .help = "the native trace; absent: the output"},
              output_);
    flags.add_switch({.name = "--skip-bad-rows", .help = "count bad rows instead of stopping"},
                     options_.skip_bad_rows);
  }

  Result<void> prepare() override {
    if (const auto given = require("IN", input_); !given) return given;
    return check_format(options_.format);
  }

  Result<void> execute(const CommandContext& context) override {
    const auto trace = read_trace(input_, options_);
    if (!trace) return tl::unexpected(trace.error());
    for (const std::string& warning : trace->warnings) context.console.warn(warning);
    return deliver(*trace, output_, context.console);
  }

 private:
  std::string input_;
  std::string output_;
  ReadOptions options_;
};

class TraceGenerateCommand final : public Subcommand {
 public:
  void declare(Flags& flags) override {
    flags.add({.name = "--like", .value = "NAME", .help = join(trace_like_names(), ", ")}, like_);
    flags.add({.name = "--jobs", .value = "N", .help = "how many"}, jobs_);
    flags.add({.name = "--seed", .value = "N", .help = "same seed, same trace"}, seed_);
    flags.add({.name = "--interarrival-seconds",
               .value = "SECONDS",
               .help = "mean time between submits; absent: the published one"},
              interarrival_);
    flags.add({.name = "--arrivals",
               .value = "KIND",
               .help = "poisson, diurnal or static (all at time 0)"},
              arrivals_);
    flags.add({.name = "--max-gpus", .value = "N", .help = "larger jobs get this many"}, max_gpus_);
    flags.add({.name = "--cluster",
               .value = "FILE|NAME",
               .help = "with --load: the cluster that it is a load of"},
              cluster_);
    flags.add(
        {.name = "--load",
         .value = "RATIO",
         .help = "submit so fast that the GPU time asked / (GPUs x time from first to last submit) "
                 "is this; a long tail of jobs runs on after it"},
        load_);
    flags.add({.name = "--out", .value = "FILE", .help = "the trace; absent: the output"}, output_);
  }

  Result<void> prepare() override {
    if (const auto given = require("--like", like_); !given) return given;
    if (const auto given = require("--jobs", jobs_); !given) return given;
    if (const auto known = check_like(); !known) return known;
    options_.like = like_;
    if (const auto done = parse_counts(); !done) return done;
    if (!interarrival_.empty()) {
      const auto gap = parse_seconds("--interarrival-seconds", interarrival_);
      if (!gap) return tl::unexpected(gap.error());
      options_.interarrival_seconds = to_seconds(*gap);
    }
    if (!arrivals_.empty()) {
      const auto arrivals = parse_arrivals(arrivals_);
      if (!arrivals) return tl::unexpected(arrivals.error());
      options_.arrivals = *arrivals;
    }
    if (load_.empty() != cluster_.empty()) {
      return failure("--load and --cluster go together",
                     load_.empty() ? "add --load RATIO" : "add --cluster C");
    }
    if (load_.empty()) return {};
    const auto load = parse_number(load_);
    if (!load || *load <= 0) {
      return failure("--load: expected a number over 0, got " + muster::quoted(load_));
    }
    options_.load = load;
    return {};
  }

  Result<void> execute(const CommandContext& context) override {
    if (!cluster_.empty()) {
      const auto cluster = load_cluster(cluster_, context.data_flag);
      if (!cluster) return tl::unexpected(cluster.error());
      options_.cluster_gpus = cluster->gpu_count();
    }
    const auto trace = generate_trace(options_);
    if (!trace) return tl::unexpected(trace.error());
    context.console.note("seed " + std::to_string(options_.seed));
    return deliver(*trace, output_, context.console);
  }

 private:
  Result<void> check_like() const {
    const std::vector<std::string> names = trace_like_names();
    for (const std::string& name : names) {
      if (name == like_) return {};
    }
    const auto similar = nearest(like_, names);
    return failure("--like: unknown trace " + muster::quoted(like_),
                   similar ? "did you mean '" + *similar + "'?" : "known: " + join(names, ", "));
  }

  Result<void> parse_counts() {
    const auto jobs = parse_count("--jobs", jobs_);
    if (!jobs) return tl::unexpected(jobs.error());
    options_.jobs = *jobs;
    const auto seed = parse_seed("--seed", seed_);
    if (!seed) return tl::unexpected(seed.error());
    options_.seed = *seed;
    if (max_gpus_.empty()) return {};
    const auto gpus = parse_count("--max-gpus", max_gpus_, {.maximum = 1'000'000});
    if (!gpus) return tl::unexpected(gpus.error());
    options_.max_gpus = static_cast<std::int32_t>(*gpus);
    return {};
  }

  std::string like_;
  std::string jobs_;
  std::string seed_ = "0";
  std::string interarrival_;
  std::string arrivals_;
  std::string max_gpus_;
  std::string cluster_;
  std::string load_;
  std::string output_;
  GenerateOptions options_;
};

}  // namespace

std::unique_ptr<Subcommand> trace_convert_command() {
  return std::make_unique<TraceConvertCommand>();
}
std::unique_ptr<Subcommand> trace_generate_command() {
  return std::make_unique<TraceGenerateCommand>();
}

}  // namespace muster
