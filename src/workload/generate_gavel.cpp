#include <array>

#include "workload/generate_tables.h"

namespace muster {
namespace {

// Gavel (Narayanan et al., OSDI 2020) draws minutes: 10^U(1.5, 3) for four jobs in five and
// 10^U(3, 4) for the fifth, on V100s. That is log-linear between three quantiles.
constexpr std::array ratios = {0.0, 0.8, 1.0};
constexpr std::array seconds = {60 * 31.622776601683793, 60 * 1000.0, 60 * 10000.0};

constexpr std::array<GangClass, 4> gangs = {{
    {.gpus = 1, .share = 0.7, .durations = {ratios, seconds}},
    {.gpus = 2, .share = 0.1, .durations = {ratios, seconds}},
    {.gpus = 4, .share = 0.15, .durations = {ratios, seconds}},
    {.gpus = 8, .share = 0.05, .durations = {ratios, seconds}},
}};

// The rows of Gavel's throughput tables. Only distributed ones are trained by gangs.
constexpr std::array<ModelChoice, 26> models = {{
    {"ResNet-18 (batch size 16)", true},
    {"ResNet-18 (batch size 32)", true},
    {"ResNet-18 (batch size 64)", true},
    {"ResNet-18 (batch size 128)", true},
    {"ResNet-18 (batch size 256)", true},
    {"ResNet-50 (batch size 16)", true},
    {"ResNet-50 (batch size 32)", true},
    {"ResNet-50 (batch size 64)", true},
    {"ResNet-50 (batch size 128)", true},
    {"Transformer (batch size 16)", true},
    {"Transformer (batch size 32)", true},
    {"Transformer (batch size 64)", true},
    {"Transformer (batch size 128)", true},
    {"Transformer (batch size 256)", true},
    {"LM (batch size 5)", true},
    {"LM (batch size 10)", true},
    {"LM (batch size 20)", true},
    {"LM (batch size 40)", true},
    {"LM (batch size 80)", true},
    {"Recommendation (batch size 512)", false},
    {"Recommendation (batch size 1024)", false},
    {"Recommendation (batch size 2048)", false},
    {"Recommendation (batch size 4096)", false},
    {"Recommendation (batch size 8192)", false},
    {"A3C", false},
    {"CycleGAN", false},
}};

}  // namespace

TraceLike gavel_like() {
  // Two jobs per hour: a point that both of the published sweeps, single and multi, have.
  return {.name = "gavel", .interarrival_seconds = 1800, .gangs = gangs, .models = models};
}

}  // namespace muster
