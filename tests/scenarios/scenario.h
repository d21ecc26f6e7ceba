#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "core/arrival.h"
#include "core/cluster.h"
#include "sim/sim_world.h"

namespace muster::testing {

// A small simulation as a text, with what is expected of it. One statement a line; `#` begins a
// comment. Times are numbers with a unit (`90s`, `1.5h`, `10m`, `250ms`) or 0.
//
//   policy NAME[:OPTIONS]
//   cluster 2 x 4 v100 [+ 1 x 8 p100] ...    nodes are node-0, node-1, ... in this order
//   speed p100 0.5                           of a type, relative to the work of the jobs; else 1
//   nodes cpus=16 memory=64                  of every node; else not limited
//   job NAME submit=T gpus=N work=T [tenant=] [type=A|B] [cpus=] [memory=] [skew=] [cancel=T]
//   option start-latency=T | stop-latency=T | restart=T | checkpoint=T
//   failure node=N at=T back=T
//   expect NAME runs 0..600s 900s..1h        from start to end of holding GPUs, run by run
//   expect NAME nodes 0,1 2                  of each run
//   expect NAME on v100 p100                 the GPU type of each run
//   expect NAME rejected | cancelled
//
// Every job needs an expectation. Jobs stand in the order of their submission; CPUs and memory
// (GiB) are those of the whole gang.
struct Scenario {
  struct Expectation {
    std::string job;
    std::string what;   // runs, nodes, on, rejected, cancelled
    std::string value;  // As it must come out.
    int line = 0;
  };

  std::string policy;
  Cluster cluster{};
  std::map<std::string, double, std::less<>> speeds{};  // By type name; absent: 1.
  std::vector<std::string> jobs{};                      // Names, by JobId.
  std::vector<Arrival> arrivals{};
  SimOptions options{};
  std::vector<Expectation> expectations{};
};

Result<Scenario> parse_scenario(std::string_view text);

// Runs it: one line for every expectation that is not met, empty when all are.
Result<std::vector<std::string>> run_scenario(const Scenario& scenario);

}  // namespace muster::testing
