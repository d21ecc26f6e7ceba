#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"
#include "core/cluster.h"

namespace muster {

// The machine lists that come with public traces.
enum class MachineList : std::uint8_t {
  philly,  // cluster_machine_list, or revised_machine_list.csv, which knows no memory sizes.
  openb,   // Alibaba's openb_node_list_*.csv.
  pai,     // Alibaba's pai_machine_spec.csv, with or without a header line.
};

// A cluster of one node per machine, in the order of the file, machines without GPUs included.
// Types come in the order in which they first appear and have only a name, in lower case. Philly
// does not say which GPUs it had: they are called by their memory ("philly-24gb"), or "philly".
Result<Cluster> read_machines(const std::string& path, MachineList kind);
// The same from memory.
Result<Cluster> read_machines_text(std::string_view text, const std::string& path,
                                   MachineList kind);

}  // namespace muster
