// Tiresias-G: the queues of Tiresias-L; inside a queue the jobs go by the Gittins index of their
// attained service, from the distribution of past jobs' GPU time.
//
// Order:      queue, then Gittins index descending, then submission.
// Source:     Tiresias (NSDI'19); its simulator's `dlas-gpu-gittins`.
// Where ours differs: exact crossing times, as in tiresias-l; without a distribution the index is
//             learnt from the jobs that finish.
// Complexity: O(running + (starts + shapes) log waiting + starts x (running + pools)) per decision,
//             and O(log samples) for each job whose index changes.
#include <algorithm>
#include <optional>

#include "policies/gittins.h"
#include "policies/registry.h"
#include "policies/service_queues.h"

namespace muster {
namespace {

// As in the simulator: the first queue's span.
constexpr double quantum_gpu_seconds = 3250;

class TiresiasG final : public Policy {
 public:
  TiresiasG(ServiceQueues queues, std::vector<double> distribution, PlacementRule rule)
      : queues_(std::move(queues)),
        waiting_(rule),
        gittins_(quantum_gpu_seconds),
        learns_(distribution.empty()) {
    if (!learns_) gittins_.set_samples(std::move(distribution));
  }

  Plan decide(const Snapshot& snapshot) override {
    Plan plan;
    if (learns_) learn(snapshot);
    running_.update(snapshot, waiting_);
    queues_.update(snapshot, running_);
    for (RunningJob& running : running_.jobs()) {
      running.rank = rank(running.job, running.gpu_time_at(snapshot.now));
    }
    running_.sort();
    waiting_.update(snapshot, plan,
                    [&](const Job& job) { return rank(job.id, job.gpu_time_at(snapshot.now)); });
    for (const JobId job : queues_.moved()) rank_anew(snapshot, job);
    // With a stop latency, service grows on after the job has begun to wait.
    for (const JobId job : snapshot.changed) rank_anew(snapshot, job);
    place_in_order(snapshot, waiting_, running_, capacity_, plan);
    if (!waiting_.queue().is_empty()) waiting_.explain(snapshot, capacity_, plan);
    if (const auto crossing = queues_.next_crossing(snapshot, running_, plan)) {
      plan.wake_at = std::min(plan.wake_at.value_or(*crossing), *crossing);
    }
    return plan;
  }

  void transfer(Archive& archive) override {
    archive(queues_, waiting_, running_, gittins_, lookups_);
  }

 private:
  // When the index has followed, waiting jobs are ranked anew.
  void learn(const Snapshot& snapshot) {
    bool has_followed = false;
    for (const JobId id : snapshot.changed) {
      const Job& job = snapshot.job(id);
      if (job.state != JobState::finished) continue;
      has_followed = gittins_.learn(to_seconds(job.gpu_time_at(snapshot.now))) || has_followed;
    }
    if (!has_followed) return;
    lookups_.clear();
    for (const JobId id : snapshot.waiting) rank_anew(snapshot, id);
  }

  void rank_anew(const Snapshot& snapshot, JobId job) {
    if (!waiting_.queue().contains(job)) return;
    waiting_.queue().insert(job, waiting_.queue().shape(job),
                            rank(job, snapshot.job(job).gpu_time_at(snapshot.now)));
  }

  Rank rank(JobId job, Duration gpu_time) {
    if (lookups_.size() <= job.index()) lookups_.resize(job.index() + 1);
    GittinsIndex::Lookup& lookup = lookups_[job.index()];
    const double attained = queues_.attained_gpu_seconds(job, gpu_time);
    // Promotion sets the attained service back to 0: then the search begins anew.
    if (attained >= lookup.valid_below || attained <= 0) {
      lookup = gittins_.lookup(attained, attained > 0 ? lookup.sample : 0);
    }
    return {.level = queues_.level(job), .key = -lookup.index, .stamp = job.value()};
  }

  ServiceQueues queues_;
  WaitingJobs waiting_;
  RunningJobs running_;
  GittinsIndex gittins_;
  bool learns_;
  std::vector<GittinsIndex::Lookup> lookups_;  // By JobId.
  Capacity capacity_;
};

std::vector<OptionInfo> tiresias_g_options() {
  std::vector<OptionInfo> options = service_queue_options();
  options.push_back({.name = "distribution",
                     .kind = OptionKind::column_file,
                     .default_text = "",
                     .unit = "GPU-seconds",
                     .choices = {"duration"},
                     .help = "CSV file of past jobs' GPU time; absent: learnt from finished jobs"});
  return options;
}

}  // namespace

PolicyInfo tiresias_g_policy() {
  return {.name = "tiresias-g",
          .summary = "Gittins index of attained GPU time in discrete queues, preemptive",
          .source = "Tiresias (NSDI'19), 2D-Gittins",
          .options = tiresias_g_options(),
          .preempts = true,
          .is_work_conserving = true,
          .make = [](const OptionValues& options, const PolicySettings&) {
            return std::unique_ptr<Policy>(std::make_unique<TiresiasG>(
                ServiceQueues(options.numbers("thresholds"), options.number("promote")),
                options.numbers("distribution"), placement_rule(options)));
          }};
}

}  // namespace muster
