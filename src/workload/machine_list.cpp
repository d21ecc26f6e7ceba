#include "workload/machine_list.h"

#include <cerrno>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <system_error>

#include "base/text.h"
#include "workload/log_fields.h"

namespace muster {
namespace {

constexpr std::int64_t machine_gpus_max = 1024;
constexpr double mib_per_gib = 1024;

struct Machine {
  std::string name{};
  std::string type{};  // Empty: none.
  std::int64_t gpus = 0;
  std::int64_t cpus_milli = 0;
  std::int64_t memory_mib = 0;
};

// Adds machines to a cluster and checks what all lists share.
class ClusterBuilder {
 public:
  explicit ClusterBuilder(std::string name) { cluster_.name = std::move(name); }

  void add(const Machine& machine, CsvRow& row, const CsvTable::Column& name,
           const CsvTable::Column& type) {
    if (!names_.insert(machine.name).second) {
      row.set_fault(name.name, muster::quoted(machine.name) + " was used before");
    }
    if (machine.gpus > 0 && machine.type.empty()) {
      row.set_fault(type.name, "expected the type of the machine's GPUs, got ''");
    }
    std::optional<GpuTypeId> id = cluster_.find_type(machine.type);
    if (machine.gpus > 0 && !id && cluster_.types.size() == gpu_types_max) {
      row.set_fault(type.name, "more than " + std::to_string(gpu_types_max) + " GPU types");
    }
    if (row.has_fault()) return;
    std::vector<std::pair<GpuTypeId, std::int32_t>> gpus;
    if (machine.gpus > 0) {
      if (!id) id = cluster_.add_type({.name = machine.type});
      gpus.emplace_back(*id, static_cast<std::int32_t>(machine.gpus));
    }
    cluster_.add_node(
        {.name = machine.name, .cpus_milli = machine.cpus_milli, .memory_mib = machine.memory_mib},
        gpus);
  }
  Result<Cluster> finish(const std::string& path) {
    if (cluster_.nodes.empty()) return failure(path + ": no machine in the list");
    return std::move(cluster_);
  }

 private:
  Cluster cluster_;
  std::set<std::string, std::less<>> names_;
};

struct Columns {
  CsvTable::Column name{}, type{};
};

// Adds the machine of every row; `machine_of(CsvRow&)` reads it.
template <class MachineOf>
Result<Cluster> read_rows(CsvTable& table, const std::string& path, ClusterBuilder cluster,
                          const Columns& columns, MachineOf machine_of) {
  TraceBuilder reporter(path, "machines", {});  // Says where a bad row is.
  for (;;) {
    const Result<bool> more = table.next(reporter);
    if (!more) return failure(more.error().message);
    if (!*more) return cluster.finish(path);
    CsvRow row(table);
    if (table.line() == 1 && row.text(columns.name) == columns.name.name) continue;
    const Machine machine = machine_of(row);
    cluster.add(machine, row, columns.name, columns.type);
    if (row.has_fault()) {
      return failure(reporter.place(table.line(), row.fault_field(), row.problem()));
    }
  }
}

Result<Cluster> read_philly(LineSource& source) {
  Result<CsvTable> table = CsvTable::open_with(source, {"machineId", "number of GPUs"});
  if (!table) return failure(table.error().message);
  const Columns columns = {.name = table->find("machineId"), .type = table->find("single GPU mem")};
  const CsvTable::Column gpus = table->find("number of GPUs");
  return read_rows(*table, source.path(), ClusterBuilder("philly"), columns, [&](CsvRow& row) {
    Machine machine;
    machine.name = row.id(columns.name);
    machine.gpus = row.integer(gpus, 0, machine_gpus_max);
    machine.type = "philly";
    if (columns.type.is_present()) machine.type += "-" + to_lower(row.id(columns.type));
    return machine;
  });
}

Result<Cluster> read_openb(LineSource& source) {
  Result<CsvTable> table =
      CsvTable::open_with(source, {"sn", "cpu_milli", "memory_mib", "gpu", "model"});
  if (!table) return failure(table.error().message);
  const Columns columns = {.name = table->find("sn"), .type = table->find("model")};
  const CsvTable::Column cpu_milli = table->find("cpu_milli");
  const CsvTable::Column memory_mib = table->find("memory_mib");
  const CsvTable::Column gpus = table->find("gpu");
  return read_rows(*table, source.path(), ClusterBuilder("openb"), columns, [&](CsvRow& row) {
    Machine machine;
    machine.name = row.id(columns.name);
    machine.type = to_lower(row.text(columns.type));
    machine.gpus = row.integer(gpus, 0, machine_gpus_max);
    machine.cpus_milli = row.integer(cpu_milli, 0, 1000 * cpus_max);
    machine.memory_mib = row.integer(memory_mib, 0, memory_mib_max);
    return machine;
  });
}

Result<Cluster> read_pai(LineSource& source) {
  CsvTable table =
      CsvTable::without_header(source, {"machine", "gpu_type", "cap_cpu", "cap_mem", "cap_gpu"});
  const Columns columns = {.name = table.find("machine"), .type = table.find("gpu_type")};
  const CsvTable::Column cores = table.find("cap_cpu");
  const CsvTable::Column memory_gib = table.find("cap_mem");
  const CsvTable::Column gpus = table.find("cap_gpu");
  return read_rows(table, source.path(), ClusterBuilder("pai"), columns, [&](CsvRow& row) {
    Machine machine;
    machine.name = row.id(columns.name);
    machine.type = to_lower(row.text(columns.type));
    machine.gpus = row.integer(gpus, 0, machine_gpus_max);
    machine.cpus_milli = 1000 * row.integer(cores, 0, cpus_max);
    constexpr double memory_gib_max = 1e6;
    machine.memory_mib = std::llround(row.number(memory_gib, 0, memory_gib_max) * mib_per_gib);
    return machine;
  });
}

Result<Cluster> read(std::istream& input, const std::string& path, MachineList kind) {
  LineSource source(input, path);
  switch (kind) {
    case MachineList::philly: return read_philly(source);
    case MachineList::openb: return read_openb(source);
    case MachineList::pai: return read_pai(source);
  }
  return failure(path + ": unknown kind of machine list");
}

}  // namespace

Result<Cluster> read_machines(const std::string& path, MachineList kind) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) return failure(path + ": is a directory");
  std::ifstream input(path, std::ios::binary);
  if (!input) {
    return failure(path + ": cannot be opened: " + std::generic_category().message(errno));
  }
  return read(input, path, kind);
}

Result<Cluster> read_machines_text(std::string_view text, const std::string& path,
                                   MachineList kind) {
  std::istringstream input{std::string(text)};
  return read(input, path, kind);
}

}  // namespace muster
