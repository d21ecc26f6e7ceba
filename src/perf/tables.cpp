#include "perf/tables.h"

#include <fstream>
#include <iterator>

namespace muster {
namespace {

Result<std::string> read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  if (!file.good() && !file.eof()) {
    return failure(path + ": cannot read the file", "check --data DIR or MUSTER_DATA");
  }
  return text;
}

}  // namespace

Result<PerfTables> read_perf_tables(const std::string& data_directory) {
  const std::string folder = data_directory + "/throughputs/";
  const std::string isolated_path = folder + "isolated.csv";
  const std::string pairs_path = folder + "pairs.csv";
  const std::string spread_path = folder + "spread.csv";
  const auto isolated = read_file(isolated_path);
  if (!isolated) return tl::unexpected(isolated.error());
  const auto pairs = read_file(pairs_path);
  if (!pairs) return tl::unexpected(pairs.error());
  const auto spread = read_file(spread_path);
  if (!spread) return tl::unexpected(spread.error());

  auto throughputs = ThroughputTable::parse({.text = *isolated, .path = isolated_path},
                                            {.text = *pairs, .path = pairs_path});
  if (!throughputs) return tl::unexpected(throughputs.error());
  auto curves = SpreadTable::parse({.text = *spread, .path = spread_path});
  if (!curves) return tl::unexpected(curves.error());
  return PerfTables{.throughputs = std::move(*throughputs), .spread = std::move(*curves)};
}

}  // namespace muster
