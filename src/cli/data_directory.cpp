#include "cli/data_directory.h"

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <system_error>
#include <vector>

#include "base/text.h"
#include "workload/cluster_file.h"

namespace muster {
namespace {

namespace fs = std::filesystem;

bool is_file(const fs::path& path) {
  std::error_code ignored;
  return fs::exists(path, ignored) && !fs::is_directory(path, ignored);
}

bool is_data_directory(const fs::path& path) { return is_file(path / "gpus.yaml"); }

// What the user named must be right; it is no mere suggestion.
Result<fs::path> named_directory(const std::string& path, const std::string& source) {
  if (is_data_directory(path)) return fs::path(path);
  return failure(path + ": no data folder of muster: gpus.yaml is not there", "given by " + source);
}

std::vector<std::string> shipped_clusters(const fs::path& data) {
  std::vector<std::string> names;
  std::error_code fault;
  for (fs::directory_iterator entry(data / "clusters", fault), end; !fault && entry != end;
       entry.increment(fault)) {
    if (entry->path().extension() == ".yaml") names.push_back(entry->path().stem().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace

Result<fs::path> find_data_directory(const std::string& data_flag) {
  if (!data_flag.empty()) return named_directory(data_flag, "--data");
  const char* variable = std::getenv("MUSTER_DATA");
  if (variable != nullptr && *variable != '\0') return named_directory(variable, "MUSTER_DATA");
  std::vector<fs::path> candidates;
  std::error_code fault;
  const fs::path binary = fs::read_symlink("/proc/self/exe", fault);
  if (!fault) {
    const fs::path folder = binary.parent_path();
    candidates.push_back(folder / "data");
    candidates.push_back(folder / "../share/muster/data");
    candidates.push_back(folder / "../../data");  // From <source>/build/<preset>.
  }
  candidates.push_back(fs::path(MUSTER_SOURCE_DIR) / "data");
  for (const fs::path& candidate : candidates) {
    if (is_data_directory(candidate)) return candidate.lexically_normal();
  }
  return failure("the data folder was not found beside the program",
                 "give --data DIR or set MUSTER_DATA");
}

Result<Cluster> load_cluster(const std::string& name, const fs::path& data,
                             const Catalogue& catalogue) {
  if (is_file(name)) return read_cluster(name, catalogue);
  const bool is_bare = name.find('/') == std::string::npos;
  const fs::path shipped = data / "clusters" / (name + ".yaml");
  if (is_bare && is_file(shipped)) return read_cluster(shipped.string(), catalogue);
  const std::vector<std::string> names = shipped_clusters(data);
  const auto similar = is_bare ? nearest(name, names) : std::nullopt;
  return failure(
      "cluster " + muster::quoted(name) + ": no such file, and no shipped cluster of that name",
      similar ? "did you mean '" + *similar + "'?" : "shipped: " + join(names, ", "));
}

Result<Cluster> load_cluster(const std::string& name, const std::string& data_flag) {
  const auto data = find_data_directory(data_flag);
  if (!data) return tl::unexpected(data.error());
  const auto catalogue = read_catalogue((*data / "gpus.yaml").string());
  if (!catalogue) return tl::unexpected(catalogue.error());
  return load_cluster(name, *data, *catalogue);
}

}  // namespace muster
