#include "cli/run_flags.h"

#include "base/text.h"
#include "cli/values.h"

namespace muster {
namespace {

void declare_input_flags(Flags& flags, RunFlags& run) {
  flags.begin_group("Input");
  flags.add({.name = "--cluster", .value = "FILE|NAME", .help = "a cluster file or a shipped one"},
            run.cluster);
  flags.add({.name = "--trace", .value = "FILE", .help = "the jobs"}, run.trace);
  flags.add({.name = "--format", .value = "NAME", .help = "of the trace; guessed where absent"},
            run.format);
  flags.add({.name = "--max-jobs", .value = "N", .help = "only the first N jobs"}, run.max_jobs);
  flags.add({.name = "--from",
             .value = "S",
             .help = "leave out jobs before this time since the first submit"},
            run.from);
  flags.add({.name = "--to", .value = "S", .help = "leave out jobs from this time on"}, run.to);
  flags.add({.name = "--window",
             .value = "A:B",
             .help = "count only jobs A to B-1 by submit order, and end with them"},
            run.window);
  flags.add_switch({.name = "--skip-bad-rows", .help = "count bad rows instead of stopping"},
                   run.skip_bad_rows);
  flags.add({.name = "--assign-models",
             .value = "SEED",
             .help = "give jobs without a known model one at random"},
            run.assign_models);
  flags.add({.name = "--reference-gpu",
             .value = "TYPE",
             .help = "what the durations of the trace were measured on; absent: v100"},
            run.reference_gpu);
}

void declare_world_flags(Flags& flags, RunFlags& run) {
  flags.begin_group("Simulation");
  flags.add({.name = "--round-seconds", .value = "S", .help = "of policies that work in rounds"},
            run.round_seconds);
  flags.add({.name = "--restart-seconds", .value = "S", .help = "cost when a job's GPUs change"},
            run.restart_seconds);
  flags.add({.name = "--checkpoint-seconds",
             .value = "S",
             .help = "between checkpoints; a node failure loses what came after"},
            run.checkpoint_seconds);
  flags.add({.name = "--truth",
             .value = "MODEL",
             .help = "how fast jobs are: trace or table, each with +locality"},
            run.truth);
  flags.add({.name = "--belief",
             .value = "MODEL",
             .help = "how fast the policy thinks they are; absent: the truth"},
            run.belief);
  flags.add({.name = "--noise", .value = "RATIO", .help = "largest relative error of the belief"},
            run.noise);
  flags.add({.name = "--failures",
             .value = "mtbf=S,mttr=S",
             .help = "mean seconds of a node between failures, to repair (mttr: 3600)"},
            run.failures);
  flags.add({.name = "--seed", .value = "N", .help = "of failures, noise and policies"}, run.seed);
}

void declare_output_flags(Flags& flags, RunFlags& run) {
  flags.begin_group("Output");
  flags.add({.name = "--out",
             .value = "DIR",
             .help = "write summary.json, jobs.csv and schedule.csv there"},
            run.out);
  flags.add_switch({.name = "--timeline", .help = "with --out: timeline.json, for Perfetto"},
                   run.timeline);
  flags.add_switch({.name = "--json", .help = "print one JSON object"}, run.json);
  flags.add({.name = "--export-markdown", .value = "FILE", .help = "write the table as Markdown"},
            run.export_markdown);
}

// Flags that parse on their own into one setting each; a chain that stops at the first error.
class Parser {
 public:
  // Keeps the setting where the text is empty.
  template <class Setting, class Value>
  Parser& set(Setting& setting, const std::string& text, const Result<Value>& value) {
    if (text.empty() || !done_) return *this;
    if (value) {
      setting = *value;
    } else {
      done_ = tl::unexpected(value.error());
    }
    return *this;
  }
  Parser& check(const Result<void>& result) {
    if (done_) done_ = result;
    return *this;
  }
  const Result<void>& done() const { return done_; }

 private:
  Result<void> done_;
};

}  // namespace

void declare_run_flags(Flags& flags, RunFlags& run) {
  declare_input_flags(flags, run);
  declare_world_flags(flags, run);
  declare_output_flags(flags, run);
}

Result<RunSettings> parse_run_flags(const RunFlags& run) {
  RunSettings settings{.cluster = run.cluster, .trace = run.trace};
  settings.read.format = run.format;
  settings.read.skip_bad_rows = run.skip_bad_rows;
  settings.bind.skip_bad_rows = run.skip_bad_rows;
  settings.bind.reference_gpu = run.reference_gpu;
  settings.has_timeline = run.timeline;
  settings.out = run.out;
  settings.is_json = run.json;
  settings.markdown = run.export_markdown;
  Failures failures;
  Parser parser;
  parser.check(require("--cluster", run.cluster, "for example --cluster gavel-36"))
      .check(require("--trace", run.trace,
                     "for example --trace jobs.csv; `muster trace generate` makes one"))
      .check(check_format(run.format))
      .set(settings.read.jobs_max, run.max_jobs, parse_count("--max-jobs", run.max_jobs))
      .set(settings.bind.from, run.from, parse_seconds("--from", run.from))
      .set(settings.bind.to, run.to, parse_seconds("--to", run.to))
      .set(settings.window, run.window, parse_window(run.window))
      .set(settings.bind.assign_models, run.assign_models,
           parse_seed("--assign-models", run.assign_models))
      .set(settings.round, run.round_seconds, parse_seconds("--round-seconds", run.round_seconds))
      .set(settings.world.restart_cost, run.restart_seconds,
           parse_seconds("--restart-seconds", run.restart_seconds))
      .set(settings.world.checkpoint_interval, run.checkpoint_seconds,
           parse_seconds("--checkpoint-seconds", run.checkpoint_seconds))
      .set(settings.bind.truth, run.truth, parse_model(run.truth))
      .set(settings.belief, run.belief, parse_model(run.belief))
      .set(settings.noise_ratio, run.noise, parse_ratio("--noise", run.noise))
      .set(failures, run.failures, parse_failures(run.failures))
      .set(settings.seed, run.seed, parse_seed("--seed", run.seed));
  if (!parser.done()) return tl::unexpected(parser.done().error());
  settings.world.failure_mean = failures.failure_mean;
  settings.world.repair_mean = failures.repair_mean;
  if (settings.round <= Duration::zero()) {
    return failure("--round-seconds: expected seconds over 0, got " + quoted(run.round_seconds));
  }
  if (settings.has_timeline && settings.out.empty()) {
    return failure("--timeline writes a file", "add --out DIR");
  }
  return settings;
}

}  // namespace muster
