#include <array>

#include "workload/generate_tables.h"

namespace muster {
namespace {

// Helios (Hu et al., SC 2021) publishes of Venus' 125,303 GPU jobs: a median run of 204 s, a mean
// of 13,040.6 s, 6.736 GPUs on average with a median of 1, and 98,526 GPU-seconds per job. No job
// list and no distribution came with them, so the shapes below are reconstructed: log-normal
// durations (deviation 2.99) cut at 1 s and 30 days, which grow as gpus^0.055. Median, deviation
// and exponent are the ones that give the published median, mean and GPU-seconds.
constexpr std::array ratios = {0.0, 0.01, 0.05, 0.1,  0.2,  0.3,  0.4,  0.5,   0.6,   0.7,
                               0.8, 0.85, 0.9,  0.95, 0.97, 0.98, 0.99, 0.995, 0.999, 1.0};
constexpr std::array<double, ratios.size()> seconds = {
    1,    1,    1,    4,     15,    40,    90,     193,    413,     930,
    2405, 4309, 8973, 26610, 53920, 90480, 204600, 431600, 2012000, 2592000};

// Powers of two that meet the mean and the median; more than half of the jobs have one GPU.
constexpr std::array<GangClass, 8> gangs = {{
    {.gpus = 1, .share = 0.5242, .durations = {ratios, seconds}},
    {.gpus = 2, .share = 0.1, .durations = {ratios, seconds}, .duration_scale = 1.039},
    {.gpus = 4, .share = 0.1, .durations = {ratios, seconds}, .duration_scale = 1.079},
    {.gpus = 8, .share = 0.155, .durations = {ratios, seconds}, .duration_scale = 1.121},
    {.gpus = 16, .share = 0.0533, .durations = {ratios, seconds}, .duration_scale = 1.165},
    {.gpus = 32, .share = 0.045, .durations = {ratios, seconds}, .duration_scale = 1.21},
    {.gpus = 64, .share = 0.0125, .durations = {ratios, seconds}, .duration_scale = 1.257},
    {.gpus = 128, .share = 0.01, .durations = {ratios, seconds}, .duration_scale = 1.306},
}};

}  // namespace

TraceLike helios_like() {
  // 125,303 jobs in the 183 days from April to September 2020.
  return {.name = "helios", .interarrival_seconds = 126.184, .gangs = gangs};
}

}  // namespace muster
