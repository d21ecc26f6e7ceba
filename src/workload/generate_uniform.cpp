#include <array>

#include "workload/generate_tables.h"

namespace muster {
namespace {

// No log looks like this: every order of magnitude and every gang size is equally likely, which
// reaches the corners of a policy with few jobs.
constexpr std::array ratios = {0.0, 1.0};
constexpr std::array seconds = {60.0, 100000.0};

constexpr std::array<GangClass, 4> gangs = {{
    {.gpus = 1, .share = 0.25, .durations = {ratios, seconds}},
    {.gpus = 2, .share = 0.25, .durations = {ratios, seconds}},
    {.gpus = 4, .share = 0.25, .durations = {ratios, seconds}},
    {.gpus = 8, .share = 0.25, .durations = {ratios, seconds}},
}};

}  // namespace

TraceLike uniform_like() {
  return {.name = "uniform", .interarrival_seconds = 600, .gangs = gangs};
}

}  // namespace muster
