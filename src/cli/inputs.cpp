#include "cli/inputs.h"

#include <filesystem>
#include <utility>

#include "cli/data_directory.h"
#include "workload/catalogue.h"

namespace muster {
namespace {

template <class IdType>
std::string name_of(IdType id, const std::vector<std::string>& names) {
  return id.index() < names.size() ? names[id.index()] : std::string();
}

// Moves the ids out of the trace.
void take_labels(Trace& trace, bool writes_files, Inputs& inputs) {
  const Workload& workload = inputs.workload;
  for (std::size_t job = 0; job < workload.arrivals.size(); ++job) {
    const JobSpec& spec = workload.arrivals[job].spec;
    inputs.job_ids.push_back(std::move(trace.jobs[workload.trace_jobs[job]].id));
    if (!writes_files) continue;
    inputs.job_users.push_back(name_of(spec.user, trace.users));
    inputs.job_models.push_back(name_of(spec.model, workload.models));
  }
}

void add_warnings(const Trace& trace, Inputs& inputs) {
  inputs.warnings = trace.warnings;
  const std::pair<std::int64_t, std::string_view> counts[] = {
      {inputs.rows_skipped_count, " bad rows skipped"},
      {trace.cpu_only, " rows ask for no GPU and are left out"},
      {trace.never_ran, " rows have no usable run time and are left out"},
      {trace.fractional, " jobs asked for part of a GPU and get a whole one"},
  };
  for (const auto& [count, text] : counts) {
    if (count == 0) continue;
    inputs.warnings.push_back(trace.path + ": " + std::to_string(count) + std::string(text));
  }
  inputs.warnings.insert(inputs.warnings.end(), inputs.workload.warnings.begin(),
                         inputs.workload.warnings.end());
}

Result<void> check_window(const RunSettings& settings, const Inputs& inputs) {
  const auto job_count = static_cast<std::int64_t>(inputs.workload.arrivals.size());
  if (!settings.window || settings.window->second <= job_count) return {};
  return failure("--window: there are only " + std::to_string(job_count) + " jobs, got " +
                 std::to_string(settings.window->first) + ":" +
                 std::to_string(settings.window->second));
}

}  // namespace

Result<Inputs> load_inputs(const RunSettings& settings, const std::string& data_flag) {
  const auto data = find_data_directory(data_flag);
  if (!data) return tl::unexpected(data.error());
  const auto catalogue = read_catalogue((*data / "gpus.yaml").string());
  if (!catalogue) return tl::unexpected(catalogue.error());
  auto tables = read_perf_tables(data->string());
  if (!tables) return tl::unexpected(tables.error());
  auto cluster = load_cluster(settings.cluster, *data, *catalogue);
  if (!cluster) return tl::unexpected(cluster.error());
  auto trace = read_trace(settings.trace, settings.read);
  if (!trace) return tl::unexpected(trace.error());

  Inputs inputs{.trace_path = settings.trace};
  inputs.cluster = std::move(*cluster);
  inputs.tables = std::move(*tables);
  BindOptions bind = settings.bind;
  bind.tables = &inputs.tables;
  auto workload = bind_trace(*trace, inputs.cluster, *catalogue, bind);
  if (!workload) return tl::unexpected(workload.error());
  inputs.workload = std::move(*workload);
  inputs.rows_skipped_count = trace->rows_skipped + inputs.workload.rows_skipped_count;
  if (const auto fits = check_window(settings, inputs); !fits) return tl::unexpected(fits.error());
  inputs.truth_spec = bind.truth;
  inputs.truth = make_model(bind.truth, inputs.workload.context(inputs.cluster, &inputs.tables));
  add_warnings(*trace, inputs);
  take_labels(*trace, !settings.out.empty(), inputs);
  return inputs;
}

}  // namespace muster
