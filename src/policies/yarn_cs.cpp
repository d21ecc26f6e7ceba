// YARN-CS: the capacity scheduler. Every tenant has a queue with a share of the cluster, first come
// first served inside; idle capacity may be borrowed, and nothing is preempted.
//
// Order:      the tenant with the least (GPUs in use / share) whose head fits, then submission. A
//             head that does not fit holds up its own queue only.
// Source:     Apache Hadoop YARN's CapacityScheduler as deep-learning clusters use it: the baseline
//             of Tiresias (NSDI'19), and of the Philly study (ATC'19).
// Where ours differs: shares are equal unless given; a gang larger than its tenant may ever use
// runs
//             when the tenant has nothing else running, instead of never.
// Complexity: O(starts x (tenants + pools)) per decision.
#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "policies/packing.h"
#include "policies/registry.h"

namespace muster {
namespace {

class YarnCs final : public Policy {
 public:
  YarnCs(std::vector<double> capacities, double borrow_ratio, PlacementRule rule)
      : capacities_(std::move(capacities)), borrow_ratio_(borrow_ratio), shapes_(rule) {}

  Plan decide(const Snapshot& snapshot) override {
    Plan plan;
    for (const JobId id : snapshot.changed) update(snapshot, id, plan);
    if (waiting_count_ == 0) return plan;
    capacity_.reset(snapshot);
    turns_.clear();
    for (const Tenant& tenant : tenants_) {
      turns_.push_back({.head = tenant.waiting.begin(), .gpus_used = tenant.gpus_used});
    }
    while (const std::optional<std::size_t> tenant = neediest(snapshot.cluster)) {
      start_head(snapshot, *tenant, plan);
    }
    explain(snapshot, plan);
    return plan;
  }

  void transfer(Archive& archive) override {
    archive(shapes_, tenants_, tenant_count_, jobs_, waiting_count_);
  }

 private:
  struct Tenant {
    std::set<JobId> waiting;
    std::int32_t gpus_used = 0;  // Of wanted runs.
    bool has_come = false;       // With a first job.
    void transfer(Archive& archive) { archive(waiting, gpus_used, has_come); }
  };
  // A tenant in the present decision: what is planned counts as used.
  struct Turn {
    std::set<JobId>::const_iterator head{};  // The first waiting job that is not started yet.
    std::int32_t gpus_used = 0;
    std::optional<Reason> blocked{};  // Why its head cannot start.
  };
  struct Known {
    ShapeId shape{};
    std::int32_t gpus_used = 0;
  };

  static std::size_t tenant_of(const JobSpec& spec) {
    return spec.tenant.is_valid() ? spec.tenant.index() + 1 : 0;  // 0: jobs without a tenant.
  }

  void update(const Snapshot& snapshot, JobId id, Plan& plan) {
    const Job& job = snapshot.job(id);
    const std::size_t index = tenant_of(job.spec);
    if (tenants_.size() <= index) tenants_.resize(index + 1);
    if (jobs_.size() <= id.index()) jobs_.resize(id.index() + 1);
    Tenant& tenant = tenants_[index];
    if (index > 0 && !tenant.has_come) ++tenant_count_;
    tenant.has_come = true;
    Known& known = jobs_[id.index()];
    const bool is_active = job.state == JobState::active;
    const std::int32_t used = is_active && job.wanted_count > 0 ? job.spec.gpu_count : 0;
    tenant.gpus_used += used - known.gpus_used;
    known.gpus_used = used;
    if (!is_active || job.wanted_count > 0) {
      waiting_count_ -= tenant.waiting.erase(id);
      return;
    }
    if (!known.shape.is_valid()) known.shape = shapes_.shape_of(snapshot, job.spec);
    if (job.run_count == 0 && !shapes_.ever_fits(known.shape)) {
      plan.rejects.push_back({.job = id, .reason = Reason::fits_nowhere});
    } else if (tenant.waiting.insert(id).second) {
      ++waiting_count_;
    }
  }

  double share(std::size_t tenant) const {
    if (tenant > 0 && tenant <= capacities_.size()) return capacities_[tenant - 1];
    if (!capacities_.empty()) return 0;
    return 1.0 / static_cast<double>(std::max<std::size_t>(tenant_count_, 1));
  }

  // Of several equally needy tenants, the one whose head was submitted first.
  std::optional<std::size_t> neediest(const Cluster& cluster) const {
    std::optional<std::size_t> best;
    std::pair<double, JobId> best_rank;
    for (std::size_t i = 0; i < tenants_.size(); ++i) {
      const Turn& turn = turns_[i];
      if (turn.blocked || turn.head == tenants_[i].waiting.end()) continue;
      const double gpus = std::max(share(i), 1e-9) * cluster.gpu_count();
      const std::pair<double, JobId> rank(turn.gpus_used / gpus, *turn.head);
      if (!best || rank < best_rank) {
        best = i;
        best_rank = rank;
      }
    }
    return best;
  }

  void start_head(const Snapshot& snapshot, std::size_t index, Plan& plan) {
    Turn& turn = turns_[index];
    const JobId head = *turn.head;
    const Shape& shape = shapes_[jobs_[head.index()].shape];
    // A share that is a whole number of GPUs but for rounding is that number.
    const double limit =
        std::min(1.0, share(index) + borrow_ratio_) * snapshot.cluster.gpu_count() + 1e-6;
    if (turn.gpus_used > 0 && turn.gpus_used + shape.gpu_count > limit) {
      turn.blocked = Reason::share_used;
      return;
    }
    auto placement = capacity_.find(shape);
    if (!placement) {
      turn.blocked =
          capacity_.free_total() >= shape.gpu_count ? Reason::fragmented : Reason::gpus_busy;
      return;
    }
    capacity_.take(shape, *placement);
    plan.start(head, std::move(*placement));
    turn.gpus_used += shape.gpu_count;
    ++turn.head;
  }

  void explain(const Snapshot& snapshot, Plan& plan) const {
    for (const JobId id : snapshot.changed) {
      const std::size_t index = tenant_of(snapshot.job(id).spec);
      const Turn& turn = turns_[index];
      if (tenants_[index].waiting.count(id) == 0) continue;
      if (turn.head == tenants_[index].waiting.end() || id < *turn.head) continue;  // It starts.
      const bool is_head = *turn.head == id;
      plan.reasons.push_back(
          {.job = id, .reason = is_head ? *turn.blocked : Reason::behind_others});
    }
  }

  std::vector<double> capacities_;  // By tenant in order of appearance; empty: equal.
  double borrow_ratio_;
  ShapeTable shapes_;
  std::vector<Tenant> tenants_;
  std::size_t tenant_count_ = 0;  // Of tenants that have come.
  std::vector<Known> jobs_;       // By JobId.
  std::size_t waiting_count_ = 0;
  std::vector<Turn> turns_;  // By tenant.
  Capacity capacity_;
};

}  // namespace

PolicyInfo yarn_cs_policy() {
  return {.name = "yarn-cs",
          .summary = "capacity scheduler: tenant queues with shares and borrowing, no preemption",
          .source = "Apache YARN CapacityScheduler; Philly (ATC'19)",
          .options = {{.name = "capacities",
                       .kind = OptionKind::number_list,
                       .default_text = "",
                       .unit = "share of the cluster",
                       .minimum = 0,
                       .maximum = 1,
                       .help = "of the tenants in order of appearance; empty: equal shares"},
                      {.name = "borrow",
                       .kind = OptionKind::number,
                       .default_text = "1",
                       .unit = "share of the cluster",
                       .maximum = 1,
                       .help = "how much idle capacity a tenant may use beyond its own share"},
                      placement_option("consolidated")},
          .make = [](const OptionValues& options, const PolicySettings&) {
            return std::unique_ptr<Policy>(std::make_unique<YarnCs>(
                options.numbers("capacities"), options.number("borrow"), placement_rule(options)));
          }};
}

}  // namespace muster
