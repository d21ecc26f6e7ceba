#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "base/text.h"
#include "cli/data_directory.h"
#include "cli/facts.h"
#include "cli/subcommand.h"
#include "cli/values.h"
#include "report/files.h"
#include "report/table.h"
#include "workload/cluster_file.h"
#include "workload/machine_list.h"

namespace muster {
namespace {

using Json = nlohmann::ordered_json;

struct TypeRow {
  const GpuType* type = nullptr;
  std::int64_t gpu_count = 0;
  std::int64_t node_count = 0;
};

std::vector<TypeRow> type_rows(const Cluster& cluster) {
  std::vector<TypeRow> rows;
  for (std::size_t type = 0; type < cluster.types.size(); ++type) {
    rows.push_back({.type = &cluster.types[type],
                    .gpu_count = cluster.gpu_count_by_type[type],
                    .node_count = static_cast<std::int64_t>(cluster.pools_by_type[type].size())});
  }
  return rows;
}

// An empty cell where the figure is not known.
std::string known(double figure) { return figure > 0 ? format_number(figure) : ""; }

Table type_table(const Cluster& cluster) {
  const auto number = [](std::string title) {
    return Column{.title = std::move(title), .align = Align::right};
  };
  Table table({{.title = "gpu_type"},
               number("gpus"),
               number("nodes"),
               number("memory_gib"),
               number("power_watts"),
               number("price_dollars_per_hour")});
  for (const TypeRow& row : type_rows(cluster)) {
    table.add_row({row.type->name, std::to_string(row.gpu_count), std::to_string(row.node_count),
                   known(row.type->memory_gib), known(row.type->power_watts),
                   known(row.type->price_dollars_per_hour)});
  }
  table.add_row({"total", std::to_string(cluster.gpu_count()), std::to_string(cluster.nodes.size()),
                 "", "", ""});
  return table;
}

Json to_json(const Cluster& cluster) {
  const auto or_null = [](double figure) { return figure > 0 ? Json(figure) : Json(); };
  Json json;
  json["name"] = cluster.name;
  json["nodes_count"] = cluster.nodes.size();
  json["gpus_count"] = cluster.gpu_count();
  json["gpu_types"] = Json::array();
  for (const TypeRow& row : type_rows(cluster)) {
    Json entry;
    entry["name"] = row.type->name;
    entry["gpus_count"] = row.gpu_count;
    entry["nodes_count"] = row.node_count;
    entry["memory_gib"] = or_null(row.type->memory_gib);
    entry["power_watts"] = or_null(row.type->power_watts);
    entry["price_dollars_per_hour"] = or_null(row.type->price_dollars_per_hour);
    json["gpu_types"].push_back(std::move(entry));
  }
  return json;
}

class ClusterShowCommand final : public Subcommand {
 public:
  void declare(Flags& flags) override {
    flags.add_argument("CLUSTER", "a cluster file, or the name of a shipped cluster", cluster_);
    flags.add_switch({.name = "--json", .help = "print one JSON object"}, is_json_);
    flags.add_switch({.name = "--yaml", .help = "print a cluster file"}, is_yaml_);
  }

  Result<void> prepare() override { return require("CLUSTER", cluster_); }

  Result<void> execute(const CommandContext& context) override {
    Console& console = context.console;
    const auto cluster = load_cluster(cluster_, context.data_flag);
    if (!cluster) return tl::unexpected(cluster.error());
    if (is_yaml_) {
      console.print(write_cluster_text(*cluster));
    } else if (is_json_) {
      console.print(to_json(*cluster).dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
    } else if (console.is_for_people()) {
      console.print(cluster->name + ": " + readable_count(cluster->gpu_count()) + " GPUs in " +
                    readable_count(static_cast<std::int64_t>(cluster->nodes.size())) +
                    " nodes\n\n" + console.readable(type_table(*cluster)));
    } else {
      console.print(type_table(*cluster).tab_separated());
    }
    return {};
  }

 private:
  std::string cluster_;
  bool is_json_ = false;
  bool is_yaml_ = false;
};

std::optional<MachineList> machine_list(const std::string& name) {
  if (name == "philly") return MachineList::philly;
  if (name == "openb") return MachineList::openb;
  if (name == "pai") return MachineList::pai;
  return std::nullopt;
}

class ClusterImportCommand final : public Subcommand {
 public:
  void declare(Flags& flags) override {
    flags.add_argument("FILE", "the machine list", file_);
    flags.add({.name = "--source", .value = "NAME", .help = "philly, openb or pai"}, source_);
    flags.add({.name = "--name", .value = "NAME", .help = "of the cluster"}, name_);
    flags.add({.name = "--out", .value = "FILE", .help = "the cluster file; absent: the output"},
              output_);
  }

  Result<void> prepare() override {
    if (const auto given = require("--source", source_); !given) return given;
    if (const auto given = require("FILE", file_); !given) return given;
    list_ = machine_list(source_);
    if (list_) return {};
    const std::vector<std::string> names = {"philly", "openb", "pai"};
    const auto similar = nearest(source_, names);
    return failure("--source: unknown machine list " + muster::quoted(source_),
                   similar ? "did you mean '" + *similar + "'?" : "known: " + join(names, ", "));
  }

  Result<void> execute(const CommandContext& context) override {
    const auto machines = read_machines(file_, *list_);
    if (!machines) return tl::unexpected(machines.error());
    const auto data = find_data_directory(context.data_flag);
    if (!data) return tl::unexpected(data.error());
    const auto catalogue = read_catalogue((*data / "gpus.yaml").string());
    if (!catalogue) return tl::unexpected(catalogue.error());
    Cluster cluster = with_catalogue_figures(*machines, *catalogue);
    if (!name_.empty()) cluster.name = name_;
    const std::string text = write_cluster_text(cluster);
    if (output_.empty()) {
      context.console.print(text);
      return {};
    }
    if (const auto written = write_file(output_, text); !written) return written;
    context.console.note(output_ + ": " + readable_count(cluster.gpu_count()) +
                         " GPUs; next: `muster cluster show " + output_ + "`");
    return {};
  }

 private:
  std::string file_;
  std::string source_;
  std::string name_;
  std::string output_;
  std::optional<MachineList> list_;
};

}  // namespace

std::unique_ptr<Subcommand> cluster_show_command() {
  return std::make_unique<ClusterShowCommand>();
}
std::unique_ptr<Subcommand> cluster_import_command() {
  return std::make_unique<ClusterImportCommand>();
}

}  // namespace muster
