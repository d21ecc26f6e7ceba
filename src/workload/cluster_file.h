#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "core/cluster.h"
#include "workload/catalogue.h"

namespace muster {

// Reads a cluster file (YAML): `name`, `nodes` and, optionally, `gpu_types`. Each entry of `nodes`
// is a group of equal nodes: `gpus` (a map of type to count), `count`, `name`, `cpus`,
// `memory_gib`, `rack`. GPU types are numbered in order of first appearance.
//
// Nodes are called <name>-0, <name>-1, ... and go on counting in later groups of that name; the
// default name is the GPU type, or `node` where a node has none or several. An entry with a name
// and no count is one node of exactly that name. A cluster without any GPU is an error.
Result<Cluster> read_cluster(const std::string& path, const Catalogue& catalogue);
// The same from memory: what tests and fuzzers use.
Result<Cluster> read_cluster_text(std::string_view text, const std::string& path,
                                  const Catalogue& catalogue);

// A cluster file that reads back as the same cluster; figures that are not known are left to the
// catalogue. Consecutive equal nodes share an entry. The states of nodes are not kept.
std::string write_cluster_text(const Cluster& cluster);

// Takes the figures of types of which none is known from the catalogue, where it has the name.
Cluster with_catalogue_figures(Cluster cluster, const Catalogue& catalogue);

}  // namespace muster
