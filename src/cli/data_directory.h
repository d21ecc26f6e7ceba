#pragma once

#include <filesystem>
#include <string>

#include "base/result.h"
#include "core/cluster.h"
#include "workload/catalogue.h"

namespace muster {

// The folder of facts that muster ships: --data, then MUSTER_DATA, then beside the binary, as it is
// installed or in a build folder, then the source tree.
Result<std::filesystem::path> find_data_directory(const std::string& data_flag);

// A cluster file, or the name of a shipped one ("philly-600").
Result<Cluster> load_cluster(const std::string& name, const std::filesystem::path& data,
                             const Catalogue& catalogue);
// The same, where nothing else of the data folder is needed.
Result<Cluster> load_cluster(const std::string& name, const std::string& data_flag);

}  // namespace muster
