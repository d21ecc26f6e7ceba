#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "base/text.h"
#include "cli/comparison.h"
#include "cli/facts.h"
#include "cli/progress_line.h"
#include "cli/results_folder.h"
#include "cli/run_flags.h"
#include "cli/subcommand.h"
#include "cli/sweep.h"
#include "cli/values.h"
#include "report/files.h"

namespace muster {
namespace {

constexpr std::int64_t seeds_max = 10'000;
constexpr std::int64_t threads_max = 1024;

// A policy with its options as part of a file name: "gavel-las:packing=true" to
// "gavel-las_packing-true". Long ones are cut: the number before them tells them apart.
std::string file_name(const std::string& policy) {
  constexpr std::size_t length_max = 80;
  std::string name;
  for (const char c : policy.substr(0, length_max)) {
    const bool is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                          (c >= '0' && c <= '9') || c == '.' || c == '_';
    name += is_plain ? c : (c == ':' ? '_' : '-');
  }
  return name;
}

// The same warning of several runs is one line that names their policies, or none if it is all.
void print_warnings(const std::vector<SweepResult>& results, Console& console) {
  std::vector<std::pair<std::string, std::vector<std::string>>> warnings;
  std::map<std::string, std::size_t> places;
  std::map<std::string, std::size_t> run_counts;
  for (const SweepResult& result : results) {
    for (const std::string& warning : result.warnings) {
      const auto [place, is_new] = places.try_emplace(warning, warnings.size());
      if (is_new) warnings.emplace_back(warning, std::vector<std::string>());
      std::vector<std::string>& policies = warnings[place->second].second;
      const std::string& policy = result.summary.run.policy;
      if (policies.empty() || policies.back() != policy) policies.push_back(policy);
      ++run_counts[warning];
    }
  }
  for (const auto& [warning, policies] : warnings) {
    const bool is_of_all = run_counts[warning] == results.size();
    console.warn(is_of_all ? warning : join(policies, ", ") + ": " + warning);
  }
}

class CompareCommand final : public Subcommand {
 public:
  void declare(Flags& flags) override {
    flags.begin_group("Policies");
    flags.add({.name = "--policies",
               .value = "P1,P2,...",
               .help = "each NAME or NAME:KEY=VALUE,...; see `muster policy list`"},
              policies_);
    flags.add({.name = "--seeds",
               .value = "N",
               .help = "runs of each policy, with the seeds from --seed on"},
              seeds_);
    flags.add({.name = "--parallel",
               .value = "N",
               .help = "runs at the same time; absent: as many as there are processors"},
              parallel_);
    declare_run_flags(flags, run_);
  }

  Result<void> prepare() override {
    if (const auto given =
            require("--policies", policies_, "for example --policies fifo,srtf,tiresias-l");
        !given) {
      return given;
    }
    auto choices = parse_policies(policies_, read_column_file);
    if (!choices) return tl::unexpected(choices.error());
    choices_ = std::move(*choices);
    auto settings = parse_run_flags(run_);
    if (!settings) return tl::unexpected(settings.error());
    settings_ = std::move(*settings);
    const auto seeds = parse_count("--seeds", seeds_, {.maximum = seeds_max});
    if (!seeds) return tl::unexpected(seeds.error());
    sweep_.seed_count = static_cast<std::size_t>(*seeds);
    sweep_.thread_count = std::max(1U, std::thread::hardware_concurrency());
    if (parallel_.empty()) return {};
    const auto threads = parse_count("--parallel", parallel_, {.maximum = threads_max});
    if (!threads) return tl::unexpected(threads.error());
    sweep_.thread_count = static_cast<std::size_t>(*threads);
    return {};
  }

  Result<void> execute(const CommandContext& context) override {
    Console& console = context.console;
    std::optional<ResultsFolder> folder;
    if (!settings_.out.empty()) {
      auto created = ResultsFolder::create(settings_.out);
      if (!created) return tl::unexpected(created.error());
      folder.emplace(std::move(*created));
    }
    const auto inputs = load_inputs(settings_, context.data_flag);
    if (!inputs) return tl::unexpected(inputs.error());
    for (const std::string& warning : inputs->warnings) console.warn(warning);
    auto results = run_all(*inputs, folder ? &*folder : nullptr, console);
    if (!results) return tl::unexpected(results.error());
    print_warnings(*results, console);
    const std::vector<ComparisonRow> rows = ranked_rows(*std::move(results));
    if (const auto written = write_tables(rows, folder ? &*folder : nullptr); !written) {
      return written;
    }
    print(rows, *inputs, console);
    return {};
  }

 private:
  Result<std::vector<SweepResult>> run_all(const Inputs& inputs, const ResultsFolder* folder,
                                           Console& console) const {
    ProgressLine line(console);
    const std::size_t run_count = choices_.size() * sweep_.seed_count;
    return sweep(
        inputs, settings_, choices_, sweep_,
        [&](const SweepRun& run, const Simulation& simulation) -> Result<void> {
          if (folder == nullptr) return {};
          return write_simulation(folder->partial() / folder_name(run), simulation, inputs,
                                  settings_.has_timeline);
        },
        [&](std::size_t done_count) {
          if (!line.is_due()) return;
          line.show(std::to_string(done_count) + " of " + std::to_string(run_count) +
                    " runs are done");
        });
  }

  std::string folder_name(const SweepRun& run) const {
    const std::string name =
        std::to_string(run.policy_index + 1) + "-" + file_name(choices_[run.policy_index].text());
    return sweep_.seed_count == 1 ? name : name + "-seed" + std::to_string(run.seed);
  }

  std::vector<ComparisonRow> ranked_rows(std::vector<SweepResult> results) const {
    std::vector<ComparisonRow> rows;
    for (std::size_t run = 0; run < results.size(); ++run) {
      if (run % sweep_.seed_count == 0) {
        rows.push_back({.policy = choices_[run / sweep_.seed_count].text()});
      }
      rows.back().runs.push_back(std::move(results[run].summary));
    }
    rank(rows);
    return rows;
  }

  Result<void> write_tables(const std::vector<ComparisonRow>& rows, ResultsFolder* folder) const {
    if (!settings_.markdown.empty()) {
      const auto written = write_file(settings_.markdown, readable_comparison(rows).markdown());
      if (!written) return written;
    }
    if (folder == nullptr) return {};
    const auto written = write_file(folder->partial() / "compare.csv", comparison_csv(rows));
    return written ? folder->commit() : written;
  }

  void print(const std::vector<ComparisonRow>& rows, const Inputs& inputs, Console& console) const {
    if (settings_.is_json) {
      console.print(comparison_json(rows));
    } else if (!console.is_for_people()) {
      console.print(exact_comparison(rows).tab_separated());
    } else {
      const auto job_count = static_cast<std::int64_t>(inputs.workload.arrivals.size());
      const std::uint64_t last_seed = settings_.seed + sweep_.seed_count - 1;
      console.print(readable_count(job_count) + " jobs of " + inputs.trace_path + " on " +
                    inputs.cluster.name + " (" + readable_count(inputs.cluster.gpu_count()) +
                    " GPUs), seed " + std::to_string(settings_.seed) +
                    (sweep_.seed_count == 1 ? "" : " to " + std::to_string(last_seed)) + "\n\n" +
                    console.readable(readable_comparison(rows)));
      const std::string pick = advice(rows);
      if (!pick.empty()) console.print("\n" + pick);
    }
  }

  std::string policies_;
  std::string seeds_ = "1";
  std::string parallel_;
  RunFlags run_;
  std::vector<PolicyChoice> choices_;
  RunSettings settings_;
  SweepOptions sweep_;
};

}  // namespace

std::unique_ptr<Subcommand> compare_command() { return std::make_unique<CompareCommand>(); }

}  // namespace muster
