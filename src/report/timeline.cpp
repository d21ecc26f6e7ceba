#include "report/timeline.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string_view>
#include <vector>

namespace muster {
namespace {

// Some runs of one job, one after the other on one GPU.
struct Slice {
  JobId job{};
  RunId first_run{};
  std::int32_t run_count = 1;
  Time start{};
  Time end{};
  std::size_t gpu = 0;   // Numbered pool by pool.
  std::size_t lane = 0;  // Of the GPU; 0 unless it is shared.
};

struct Lanes {
  std::vector<Slice> slices{};                   // By start.
  std::vector<std::vector<std::size_t>> last{};  // By GPU and lane: the last slice there.
};

// Slices in one lane must not overlap, so a job that comes to a GPU in use gets another lane.
void add_slice(Lanes& lanes, Slice slice) {
  std::vector<std::size_t>& last = lanes.last[slice.gpu];
  for (const std::size_t index : last) {
    Slice& before = lanes.slices[index];
    if (before.job == slice.job && before.end == slice.start) {
      before.end = slice.end;
      ++before.run_count;
      return;
    }
  }
  const auto idle = std::find_if(last.begin(), last.end(), [&](std::size_t index) {
    return lanes.slices[index].end <= slice.start;
  });
  slice.lane = static_cast<std::size_t>(idle - last.begin());
  if (idle == last.end()) {
    last.push_back(lanes.slices.size());
  } else {
    *idle = lanes.slices.size();
  }
  lanes.slices.push_back(slice);
}

// By PoolId: the number of GPUs in the pools before it; one more entry for all.
std::vector<std::size_t> gpus_before(const Cluster& cluster) {
  std::vector<std::size_t> before = {0};
  for (const Pool& pool : cluster.pools) {
    before.push_back(before.back() + static_cast<std::size_t>(pool.gpu_count));
  }
  return before;
}

Lanes lay_out(const Recorder& recorder, const std::vector<std::size_t>& first_gpu) {
  Lanes lanes;
  lanes.last.resize(first_gpu.back());
  for (const ScheduleRow& row : recorder.schedule()) {
    const Time end = row.end == time_never ? recorder.now() : row.end;
    if (end == row.start) continue;
    const auto indices =
        recorder.gpu_indices().subspan(row.first_index, static_cast<std::size_t>(row.gpu_count));
    for (const std::int32_t index : indices) {
      add_slice(lanes, {.job = row.job,
                        .first_run = row.run,
                        .start = row.start,
                        .end = end,
                        .gpu = first_gpu[row.pool.index()] + static_cast<std::size_t>(index)});
    }
  }
  return lanes;
}

// By GPU: the thread id of its first lane. Ids follow the order of nodes, GPUs and lanes; 0 is left
// to the counters.
std::vector<std::size_t> first_threads(const Lanes& lanes) {
  std::vector<std::size_t> first;
  std::size_t next = 1;
  for (const std::vector<std::size_t>& last : lanes.last) {
    first.push_back(next);
    next += std::max<std::size_t>(last.size(), 1);
  }
  return first;
}

// Names from files may hold anything: what is not UTF-8 is replaced.
std::string json_text(std::string_view text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

// Writes the events, one a line.
class Writer {
 public:
  explicit Writer(const RunDescription& run) {
    text_ = R"({"displayTimeUnit":"ms","otherData":{"policy":)" + json_text(run.policy) +
            R"(,"policy_options":)" + json_text(run.policy_options) + R"(,"cluster":)" +
            json_text(run.cluster) + R"(,"trace":)" + json_text(run.trace) + R"(,"seed":)" +
            std::to_string(run.seed) + R"(},"traceEvents":[)";
  }

  void name_process(std::size_t process, std::string_view name) {
    const std::string head = R"({"ph":"M","pid":)" + std::to_string(process);
    add(head + R"(,"name":"process_name","args":{"name":)" + json_text(name) + "}}");
    add(head + R"(,"name":"process_sort_index","args":{"sort_index":)" + std::to_string(process) +
        "}}");
  }

  void name_thread(std::size_t process, std::size_t thread, std::string_view name) {
    const std::string head =
        R"({"ph":"M","pid":)" + std::to_string(process) + R"(,"tid":)" + std::to_string(thread);
    add(head + R"(,"name":"thread_name","args":{"name":)" + json_text(name) + "}}");
    add(head + R"(,"name":"thread_sort_index","args":{"sort_index":)" + std::to_string(thread) +
        "}}");
  }

  void count(std::string_view name, std::span<const CountChange> changes) {
    const std::string head = R"({"ph":"C","pid":0,"tid":0,"name":)" + json_text(name) + R"(,"ts":)";
    for (const CountChange& change : changes) {
      add(head + std::to_string(change.at.time_since_epoch().count()) + R"(,"args":{"count":)" +
          std::to_string(change.count) + "}}");
    }
  }

  void add_slice(std::size_t process, std::size_t thread, const Slice& slice,
                 const JobLabels& labels) {
    add(R"({"ph":"X","pid":)" + std::to_string(process) + R"(,"tid":)" + std::to_string(thread) +
        R"(,"name":)" + json_text(labels.id(slice.job)) + R"(,"cat":"run","ts":)" +
        std::to_string(slice.start.time_since_epoch().count()) + R"(,"dur":)" +
        std::to_string((slice.end - slice.start).count()) + R"(,"args":{"run":)" +
        std::to_string(slice.first_run.value()) + R"(,"runs":)" + std::to_string(slice.run_count) +
        R"(,"user":)" + json_text(labels.user(slice.job)) + R"(,"model":)" +
        json_text(labels.model(slice.job)) + "}}");
  }

  std::string finish() { return std::move(text_) + "\n]}\n"; }

 private:
  void add(std::string_view event) {
    text_ += is_first_ ? "\n" : ",\n";
    text_ += event;
    is_first_ = false;
  }

  std::string text_;
  bool is_first_ = true;
};

// Process 0 is the counters'.
std::size_t process_of(NodeId node) { return node.index() + 1; }

// "node-3 · 4×v100 + 2×k80"
std::string node_title(const Cluster& cluster, const Node& node) {
  std::string title = node.name;
  for (std::size_t i = 0; i < node.pool_count; ++i) {
    const Pool& pool = cluster.pools[node.first_pool.index() + i];
    title += i == 0 ? " · " : " + ";
    title += std::to_string(pool.gpu_count) + "×" + cluster.types[pool.type.index()].name;
  }
  return title;
}

void name_lanes(Writer& writer, const Cluster& cluster, const Lanes& lanes,
                const std::vector<std::size_t>& first_gpu,
                const std::vector<std::size_t>& threads) {
  for (std::size_t i = 0; i < cluster.nodes.size(); ++i) {
    writer.name_process(process_of(NodeId(i)), node_title(cluster, cluster.nodes[i]));
  }
  for (std::size_t i = 0; i < cluster.pools.size(); ++i) {
    const Pool& pool = cluster.pools[i];
    const std::string& type = cluster.types[pool.type.index()].name;
    for (std::size_t gpu = first_gpu[i]; gpu < first_gpu[i + 1]; ++gpu) {
      const std::string name = type + " " + std::to_string(gpu - first_gpu[i]);
      writer.name_thread(process_of(pool.node), threads[gpu], name);
      for (std::size_t lane = 1; lane < lanes.last[gpu].size(); ++lane) {
        writer.name_thread(process_of(pool.node), threads[gpu] + lane,
                           name + " (shared " + std::to_string(lane) + ")");
      }
    }
  }
}

}  // namespace

std::string timeline_json(const Recorder& recorder, const JobLabels& labels,
                          const RunDescription& description) {
  const Cluster& cluster = recorder.cluster();
  const std::vector<std::size_t> first_gpu = gpus_before(cluster);
  const Lanes lanes = lay_out(recorder, first_gpu);
  const std::vector<std::size_t> threads = first_threads(lanes);

  std::vector<std::size_t> process_of_gpu;
  for (const Pool& pool : cluster.pools) {
    process_of_gpu.insert(process_of_gpu.end(), static_cast<std::size_t>(pool.gpu_count),
                          process_of(pool.node));
  }

  Writer writer(description);
  writer.name_process(0, "cluster");
  name_lanes(writer, cluster, lanes, first_gpu, threads);
  writer.count("pending jobs", recorder.pending_changes());
  for (std::size_t type = 0; type < cluster.types.size(); ++type) {
    writer.count("free " + cluster.types[type].name, recorder.free_changes(GpuTypeId(type)));
  }
  for (const Slice& slice : lanes.slices) {
    writer.add_slice(process_of_gpu[slice.gpu], threads[slice.gpu] + slice.lane, slice, labels);
  }
  return writer.finish();
}

}  // namespace muster
