#include <array>

#include "workload/generate_tables.h"

namespace muster {
namespace {

// Quantiles of the 82,247 Philly jobs (Jeon et al., ATC 2019; the list of ElasticFlow and Sia).
// Those above 0.98 are scaled by one factor per class (0.96 to 1.05; 1.18 and 1.38 for the rare
// ones), so that the mean of the class is that of the list although nothing is kept in between.
constexpr std::array ratios = {0.0,  0.01, 0.02, 0.05,  0.1,    0.15,  0.2,    0.25,
                               0.3,  0.35, 0.4,  0.45,  0.5,    0.55,  0.6,    0.65,
                               0.7,  0.75, 0.8,  0.85,  0.9,    0.925, 0.95,   0.96,
                               0.97, 0.98, 0.99, 0.995, 0.9975, 0.999, 0.9995, 1.0};
using Quantiles = std::array<double, ratios.size()>;

constexpr Quantiles one_gpu = {1,     30,    42,     52,     62,     69,     76,      122,
                               215,   385,   600,    855,    1117,   1446,   1728,    2054,
                               2464,  2716,  3754,   5342,   8512,   11170,  19140,   26420,
                               44230, 68250, 129600, 255500, 412400, 828700, 1386000, 3117000};
constexpr Quantiles two_gpus = {2,      5,      7,      9,      11,      13,      15,      16,
                                17,     18,     19,     20,     21,      23,      25,      28,
                                33,     76,     149,    22260,  72740,   124500,  197100,  232500,
                                267700, 343900, 548500, 847000, 1326000, 1545000, 1696000, 2707000};
constexpr Quantiles four_gpus = {
    3,      36,     45,     75,     138,    179,     405,     773,     1696,    4458,   7468,
    13090,  17410,  26250,  36290,  56850,  78660,   89390,   106300,  151400,  184400, 196500,
    274000, 357300, 449500, 533400, 937900, 1247000, 1764000, 2528000, 2738000, 2843000};
constexpr Quantiles eight_gpus = {
    1,      33,     67,     125,    216,     464,     785,     1876,    4011,    7266,   12380,
    16650,  23680,  36600,  65010,  105900,  140700,  173200,  203100,  242300,  352000, 408300,
    525600, 592800, 667800, 795200, 1090000, 2057000, 2268000, 2732000, 3097000, 4760000};
constexpr Quantiles sixteen_gpus = {
    2,      20,     30,     40,     54,      119,     273,     384,     716,     3283,   10740,
    22850,  52550,  62860,  82230,  101500,  146400,  165500,  188800,  242600,  341000, 440000,
    506200, 523600, 611600, 667200, 1362000, 1616000, 1815000, 1934000, 1974000, 2014000};
// 12, 24, 32, 64 and 128 GPUs together: 90 jobs.
constexpr Quantiles rare_sizes = {1,      2,      4,      6,      325,    419,    641,    824,
                                  928,    1194,   1315,   2126,   3118,   4316,   13430,  42460,
                                  47010,  48450,  53150,  55370,  58390,  66660,  75080,  89540,
                                  110000, 123300, 190700, 242600, 268400, 284000, 289100, 294400};

// Shares are the list's counts.
constexpr std::array<GangClass, 10> gangs = {{
    {.gpus = 1, .share = 76627, .durations = {ratios, one_gpu}},
    {.gpus = 2, .share = 1818, .durations = {ratios, two_gpus}},
    {.gpus = 4, .share = 1870, .durations = {ratios, four_gpus}},
    {.gpus = 8, .share = 1643, .durations = {ratios, eight_gpus}},
    {.gpus = 12, .share = 7, .durations = {ratios, rare_sizes}},
    {.gpus = 16, .share = 199, .durations = {ratios, sixteen_gpus}},
    {.gpus = 24, .share = 7, .durations = {ratios, rare_sizes}},
    {.gpus = 32, .share = 67, .durations = {ratios, rare_sizes}},
    {.gpus = 64, .share = 6, .durations = {ratios, rare_sizes}},
    {.gpus = 128, .share = 3, .durations = {ratios, rare_sizes}},
}};

}  // namespace

TraceLike philly_like() {
  // The list begins on 2017-09-04 at 10:30:41 and ends on 2017-12-22 at 08:02:11.
  return {.name = "philly", .interarrival_seconds = 114.397, .gangs = gangs};
}

}  // namespace muster
