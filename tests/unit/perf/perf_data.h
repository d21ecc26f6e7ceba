#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "base/text.h"
#include "core/cluster.h"
#include "perf/tables.h"

namespace muster::testing {

inline std::string data_directory() { return std::string(MUSTER_SOURCE_DIR) + "/data"; }

// The shipped tables; a failure to read them fails the test that asks.
inline PerfTables shipped_tables() {
  auto tables = read_perf_tables(data_directory());
  EXPECT_TRUE(tables) << tables.error().message;
  return tables ? *std::move(tables) : PerfTables{};
}

// The data rows of a plain CSV file, split at commas.
inline std::vector<std::vector<std::string>> read_rows(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::vector<std::vector<std::string>> rows;
  std::string line;
  std::getline(file, line);
  while (std::getline(file, line)) {
    std::vector<std::string> row;
    for (const std::string_view field : split(trim(line), ',')) row.emplace_back(field);
    rows.push_back(std::move(row));
  }
  return rows;
}

// One node per entry: so many GPUs of a type.
inline Cluster cluster_of(const std::vector<std::pair<std::string, int>>& nodes) {
  Cluster cluster;
  for (const auto& [type_name, gpus] : nodes) {
    auto type = cluster.find_type(type_name);
    if (!type) type = cluster.add_type({.name = type_name});
    cluster.add_node({.name = "node-" + std::to_string(cluster.nodes.size())}, {{*type, gpus}});
  }
  return cluster;
}

}  // namespace muster::testing
