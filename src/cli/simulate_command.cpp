#include <optional>
#include <string>

#include "base/text.h"
#include "cli/progress_line.h"
#include "cli/results_folder.h"
#include "cli/run_flags.h"
#include "cli/simulation.h"
#include "cli/subcommand.h"
#include "cli/summary_facts.h"
#include "cli/values.h"
#include "report/files.h"
#include "report/table.h"

namespace muster {
namespace {

std::string progress_text(const SimulationProgress& progress, double seconds) {
  const auto rate = static_cast<std::int64_t>(static_cast<double>(progress.events_count) / seconds);
  return format_fixed(progress.ended_ratio * 100, 1) + " % of the jobs have ended, " +
         readable_count(rate) + " events/s";
}

std::string markdown(const Summary& summary) {
  Table table({{.title = "figure"}, {.title = "value", .align = Align::right}});
  for (const Fact& fact : summary_facts(summary)) {
    if (!fact.label.empty()) table.add_row({fact.label, fact.readable});
  }
  return table.markdown();
}

class SimulateCommand final : public Subcommand {
 public:
  void declare(Flags& flags) override {
    flags.begin_group("Policy");
    flags.add(
        {.name = "--policy", .value = "NAME[:KEY=VALUE,...]", .help = "see `muster policy list`"},
        policy_);
    declare_run_flags(flags, run_);
  }

  Result<void> prepare() override {
    if (const auto given = require("--policy", policy_, "for example --policy tiresias-l");
        !given) {
      return given;
    }
    auto choice = parse_policy(policy_, read_column_file);
    if (!choice) return tl::unexpected(choice.error());
    choice_ = std::move(*choice);
    auto settings = parse_run_flags(run_);
    if (!settings) return tl::unexpected(settings.error());
    settings_ = std::move(*settings);
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
    const auto simulation = run_once(*inputs, console);
    if (!simulation) return tl::unexpected(simulation.error());
    for (const std::string& warning : warnings_of(*simulation)) console.warn(warning);
    if (folder) {
      const auto written =
          write_simulation(folder->partial(), *simulation, *inputs, settings_.has_timeline);
      if (!written) return written;
    }
    const Summary& summary = simulation->summary;
    if (!settings_.markdown.empty()) {
      const auto written = write_file(settings_.markdown, markdown(summary));
      if (!written) return written;
    }
    if (folder) {
      if (const auto moved = folder->commit(); !moved) return moved;
    }
    console.print(settings_.is_json ? summary_json(summary)
                                    : facts_text(summary_facts(summary), console.is_for_people()));
    return {};
  }

 private:
  Result<Simulation> run_once(const Inputs& inputs, Console& console) const {
    ProgressLine line(console);
    return simulate(inputs, choice_, SimulationOptions::from(settings_, settings_.seed),
                    [&](const SimulationProgress& at) {
                      if (!line.is_due()) return;
                      line.show(progress_text(at, line.elapsed_seconds()));
                    });
  }

  std::string policy_;
  RunFlags run_;
  PolicyChoice choice_;
  RunSettings settings_;
};

}  // namespace

std::unique_ptr<Subcommand> simulate_command() { return std::make_unique<SimulateCommand>(); }

}  // namespace muster
