#include "workload/bind.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "base/check.h"
#include "base/rng.h"
#include "base/text.h"
#include "perf/model_facts.h"

namespace muster {
namespace {

constexpr double milliseconds_per_second = 1000;

std::string place(const Trace& trace, const TraceJob& job, std::string_view field) {
  const std::string line =
      job.line > 0 ? ":" + std::to_string(job.line) : ": job " + quoted(job.id);
  return trace.path + line + ": " + std::string(field) + ": ";
}

std::string did_you_mean(const std::optional<std::string>& suggestion, std::string otherwise) {
  return suggestion ? "did you mean '" + *suggestion + "'?" : std::move(otherwise);
}

// At least one step, so that every job does something.
std::int64_t steps_in_time(Duration span, double steps_per_second) {
  const double steps = std::ceil(to_seconds(span) * steps_per_second);
  return std::max<std::int64_t>(1, static_cast<std::int64_t>(std::min(steps, 9e18)));
}

// Exact: milliseconds, rounded up.
std::int64_t milliseconds_of(Duration span) {
  return std::max<std::int64_t>(1, (span.count() + 999) / 1000);
}

// What all jobs of one call share.
class Binder {
 public:
  Binder(const Trace& trace, const Cluster& cluster, const Catalogue& catalogue,
         const BindOptions& options)
      : trace_(trace),
        cluster_(cluster),
        catalogue_(catalogue),
        options_(options),
        throughputs_(options.tables == nullptr ? nullptr : &options.tables->throughputs) {}

  Result<Workload> bind() {
    if (const auto known = choose_reference(); !known) return tl::unexpected(known.error());
    workload_.models = trace_.models;
    bind_types();
    for (std::size_t i = 0; i < trace_.jobs.size(); ++i) {
      const TraceJob& job = trace_.jobs[i];
      if (job.submit < options_.from.value_or(Duration::min())) continue;
      if (job.submit >= options_.to.value_or(Duration::max())) continue;
      if (const auto added = add(job); !added) {
        if (!options_.skip_bad_rows) return tl::unexpected(added.error());
        ++workload_.rows_skipped_count;
        continue;
      }
      workload_.trace_jobs.push_back(static_cast<std::uint32_t>(i));
    }
    if (workload_.arrivals.empty() && workload_.rows_skipped_count > 0) {
      return failure(trace_.path + ": no usable job: all " +
                         std::to_string(workload_.rows_skipped_count) + " rows are bad",
                     "without --skip-bad-rows, the first is named");
    }
    if (workload_.arrivals.empty()) {
      return failure(trace_.path + ": no job is submitted in the window",
                     "--from and --to count seconds from the first submit");
    }
    warn_of_types();
    warn_of_models();
    return std::move(workload_);
  }

 private:
  // The table must have the reference where speeds on it turn durations into steps; elsewhere a
  // duration counts as it stands, and a known name will do.
  Result<void> choose_reference() {
    const bool needs_table = options_.truth.kind == ModelKind::table || options_.assign_models;
    if (needs_table && throughputs_ == nullptr) {
      return failure("no throughput table", "check --data DIR or MUSTER_DATA");
    }
    std::string& name = workload_.reference_gpu;
    if (options_.reference_gpu.empty()) {
      name = throughputs_ == nullptr ? "v100" : default_reference(*options_.tables);
    } else {
      name = catalogue_.canonical_name(options_.reference_gpu);
    }
    if (throughputs_ != nullptr) reference_ = throughputs_->find_gpu_type(name);
    if (reference_ || options_.reference_gpu.empty()) return {};
    if (needs_table) {
      CHECK(throughputs_ != nullptr);  // Or an earlier check would have refused.
      const std::vector<std::string> measured(throughputs_->gpu_types().begin(),
                                              throughputs_->gpu_types().end());
      return failure("no measured speeds for the reference GPU " + quoted(options_.reference_gpu),
                     "measured: " + join(measured, ", "));
    }
    if (catalogue_.find(name) != nullptr || cluster_.find_type(name)) return {};
    return failure("unknown reference GPU " + quoted(options_.reference_gpu),
                   did_you_mean(nearest(name, catalogue_.names()), "see the GPU catalogue"));
  }

  // Renames the types of records to those of the cluster, and turns sets of types into masks.
  void bind_types() {
    for (const GpuType& type : cluster_.types) {
      canonical_types_.push_back(catalogue_.canonical_name(type.name));
    }
    for (const TypeDurations& record : trace_.records) {
      TypeDurations bound;
      for (const auto& [name, seconds] : record.seconds) {
        const std::string canonical = catalogue_.canonical_name(name);
        for (std::size_t i = 0; i < canonical_types_.size(); ++i) {
          if (canonical_types_[i] == canonical) {
            bound.seconds.emplace_back(cluster_.types[i].name, seconds);
          }
        }
      }
      workload_.records.push_back(std::move(bound));
    }
  }

  std::uint64_t mask_of(std::string_view type_name) const {
    const std::string canonical = catalogue_.canonical_name(type_name);
    std::uint64_t mask = 0;
    for (std::size_t i = 0; i < canonical_types_.size(); ++i) {
      if (canonical_types_[i] == canonical) mask |= std::uint64_t{1} << i;
    }
    return mask;
  }

  // The mask of a job's own list of types; 0 where this cluster has none of them.
  Result<std::uint64_t> allowed_types(const TraceJob& job) {
    if (job.type_set == 0) return ~std::uint64_t{0};
    const auto known = set_masks_.find(job.type_set);
    if (known != set_masks_.end()) return known->second;
    std::uint64_t mask = 0;
    for (const std::string& name : trace_.type_sets[job.type_set]) {
      const std::uint64_t type_mask = mask_of(name);
      if (type_mask == 0 && catalogue_.find(name) == nullptr) {
        return failure(place(trace_, job, "gpu_type") + "unknown GPU type " + quoted(name),
                       did_you_mean(nearest(to_lower(name), catalogue_.names()),
                                    "define it under gpu_types of the cluster file"));
      }
      mask |= type_mask;
    }
    set_masks_.emplace(job.type_set, mask);
    return mask;
  }

  std::optional<ProfileId> profile_of(ModelId model) const {
    if (throughputs_ == nullptr || !model.is_valid()) return std::nullopt;
    return throughputs_->find_model(workload_.models[model.index()]);
  }

  ModelId model_named(const std::string& name) {
    std::vector<std::string>& names = workload_.models;
    const auto found = std::find(names.begin(), names.end(), name);
    const auto index = static_cast<std::size_t>(found - names.begin());
    if (found == names.end()) names.push_back(name);
    return ModelId(index);
  }

  // Models measured on the reference for the gang's size or, where no model was measured for that
  // size, for the nearest lower one.
  std::vector<ProfileId> candidates(std::int32_t gpus) const {
    std::int32_t size = throughputs_->gpu_counts().front();
    for (const std::int32_t count : throughputs_->gpu_counts()) {
      if (count <= gpus) size = count;
    }
    std::vector<ProfileId> found;
    for (std::size_t i = 0; i < throughputs_->models().size(); ++i) {
      const ProfileId model(i);
      if (throughputs_->is_measured(model, *reference_, size)) found.push_back(model);
    }
    return found;
  }

  // Depends on the seed and the job's row alone, not on which jobs the window leaves out.
  ModelId draw_model(const TraceJob& job) {
    const std::vector<ProfileId> models = candidates(job.gpus);
    if (models.empty()) return job.model;
    Rng rng{mix(*options_.assign_models, job.row)};
    return model_named(throughputs_->models()[models[rng.below(models.size())].index()]);
  }

  // Work and its reference speed, from what the log recorded.
  Result<void> set_work(const TraceJob& job, JobSpec& spec) {
    if (job.record.is_valid()) return set_recorded_work(job, spec);
    if (job.total_steps) return set_counted_work(job, spec);
    if (!job.duration) {
      return failure(place(trace_, job, "duration_seconds") + "expected a duration or total_steps");
    }
    const auto profile = profile_of(spec.model);
    if (options_.truth.kind == ModelKind::table && !profile) ++jobs_without_model_count_;
    if (options_.truth.kind == ModelKind::table && profile && reference_) {
      const double rate = throughputs_->rate(*profile, *reference_, job.gpus);
      if (rate > 0) {
        spec.total_steps = steps_in_time(*job.duration, rate);
        spec.reference_steps_per_second = rate;
        return {};
      }
    }
    spec.total_steps = milliseconds_of(*job.duration);
    spec.reference_steps_per_second = milliseconds_per_second;
    return {};
  }

  Result<void> set_recorded_work(const TraceJob& job, JobSpec& spec) {
    double longest_seconds = 0;
    double reference_seconds = 0;
    for (const auto& [name, seconds] : trace_.records[job.record.index()].seconds) {
      if (!(seconds > 0) || seconds > 1e11) {
        return failure(place(trace_, job, name) + "expected seconds over 0, got " +
                       format_number(seconds));
      }
      longest_seconds = std::max(longest_seconds, seconds);
      if (catalogue_.canonical_name(name) == workload_.reference_gpu) reference_seconds = seconds;
    }
    if (longest_seconds <= 0) {
      return failure(place(trace_, job, "duration_seconds") + "expected a duration on some type");
    }
    spec.total_steps = milliseconds_of(from_seconds(longest_seconds));
    spec.reference_steps_per_second = static_cast<double>(spec.total_steps) /
                                      (reference_seconds > 0 ? reference_seconds : longest_seconds);
    std::uint64_t recorded = 0;
    for (const auto& [name, seconds] : workload_.records[job.record.index()].seconds) {
      recorded |= std::uint64_t{1} << cluster_.find_type(name)->index();
    }
    spec.types_allowed &= recorded;
    return {};
  }

  Result<void> set_counted_work(const TraceJob& job, JobSpec& spec) const {
    if (!profile_of(spec.model)) {
      const std::string name = spec.model.is_valid() ? workload_.models[spec.model.index()] : "";
      std::optional<std::string> suggestion;
      if (throughputs_ != nullptr) suggestion = nearest(name, throughputs_->models());
      return failure(place(trace_, job, "model") +
                         "expected a model of the throughput table, got " + quoted(name),
                     did_you_mean(suggestion, "total_steps need a model with measured speeds"));
    }
    spec.total_steps = std::max<std::int64_t>(1, *job.total_steps);
    return {};
  }

  Result<void> add(const TraceJob& job) {
    JobSpec spec{.model = job.model,
                 .user = job.user,
                 .tenant = job.tenant,
                 .record = job.record,
                 .row = job.row,
                 .gpu_count = job.gpus,
                 .gpu_count_min = job.min_gpus,
                 .gpu_count_max = job.max_gpus,
                 .weight = job.weight,
                 .cpus_milli = job.cpus_milli,
                 .memory_mib = job.memory_mib,
                 .gpu_memory_gib = job.gpu_memory_gib};
    if (job.deadline) spec.deadline = Time(*job.deadline);
    const auto types = allowed_types(job);
    if (!types) return tl::unexpected(types.error());
    spec.types_allowed = *types;
    const bool wants_model = options_.assign_models && job.duration && !job.record.is_valid();
    if (wants_model && reference_ && !profile_of(job.model)) spec.model = draw_model(job);
    if (const auto work = set_work(job, spec); !work) return work;
    if (spec.model.is_valid()) {
      spec.tensor_skew_ratio = tensor_skew_ratio(workload_.models[spec.model.index()]);
    }
    workload_.arrivals.push_back({.at = Time(job.submit), .spec = spec});
    return {};
  }

  // Jobs that the table knows never run on types that it lacks; a silent surprise otherwise.
  void warn_of_types() {
    if (throughputs_ == nullptr) return;
    const bool uses_table = std::any_of(
        workload_.arrivals.begin(), workload_.arrivals.end(), [&](const Arrival& arrival) {
          const bool has_time = arrival.spec.reference_steps_per_second > 0;
          return profile_of(arrival.spec.model) &&
                 (options_.truth.kind == ModelKind::table || !has_time);
        });
    if (!uses_table) return;
    for (const GpuType& type : cluster_.types) {
      if (throughputs_->find_gpu_type(type.name)) continue;
      workload_.warnings.push_back("no measured speeds for GPU type '" + type.name +
                                   "': jobs of known models do not run there");
    }
  }

  void warn_of_models() {
    if (jobs_without_model_count_ == 0) return;
    const bool is_one = jobs_without_model_count_ == 1;
    workload_.warnings.push_back(
        std::to_string(jobs_without_model_count_) +
        (is_one
             ? " job has no model of the throughput table: its recorded run time is used"
             : " jobs have no model of the throughput table: their recorded run times are used"));
  }

  const Trace& trace_;
  const Cluster& cluster_;
  const Catalogue& catalogue_;
  const BindOptions& options_;
  const ThroughputTable* throughputs_;
  std::optional<ProfiledGpuId> reference_;
  std::vector<std::string> canonical_types_;          // By GpuTypeId.
  std::map<std::uint32_t, std::uint64_t> set_masks_;  // By type set.
  std::int64_t jobs_without_model_count_ = 0;         // That are timed, under a `table`.
  Workload workload_;
};

}  // namespace

Result<Workload> bind_trace(const Trace& trace, const Cluster& cluster, const Catalogue& catalogue,
                            const BindOptions& options) {
  return Binder(trace, cluster, catalogue, options).bind();
}

}  // namespace muster
