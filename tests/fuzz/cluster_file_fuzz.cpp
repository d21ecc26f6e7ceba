#include <cstdint>
#include <cstdlib>

#include "workload/cluster_file.h"

// A cluster that was read is written and reads back as the same text.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using muster::Cluster;
  using muster::Result;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const muster::Catalogue catalogue;
  const Result<Cluster> cluster = muster::read_cluster_text(text, "fuzz.yaml", catalogue);
  if (!cluster) {
    if (cluster.error().message.empty()) std::abort();
    return 0;
  }
  const std::string written = muster::write_cluster_text(*cluster);
  const Result<Cluster> again = muster::read_cluster_text(written, "again.yaml", catalogue);
  if (!again || again->pools.size() != cluster->pools.size()) std::abort();
  if (muster::write_cluster_text(*again) != written) std::abort();
  return 0;
}
