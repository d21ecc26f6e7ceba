#include "perf/model_facts.h"

#include <array>
#include <string>

#include "base/text.h"

namespace muster {
namespace {

struct TensorSizes {
  std::string_view prefix;  // Of the plain name.
  double largest_mb;
  double total_mb;  // Of the large tensors.
};

// From the tables of the Tiresias simulator (SymbioticLab/Tiresias, models.py, Apache-2.0). A size
// that was not measured takes the figures of the family's most common member; the first prefix that
// fits counts.
constexpr std::array<TensorSizes, 14> tensor_sizes = {{
    {"vgg19", 392.0, 547.1},
    {"vgg16", 392.0, 526.8},
    {"vgg11", 392.0, 506.5},
    {"vgg", 392.0, 526.8},
    {"alexnet", 144.0, 235.8},
    {"resnet152", 9.0, 149.6},
    {"resnet101", 9.0, 119.7},
    {"resnet50", 9.0, 80.6},
    {"resnet", 9.0, 80.6},
    {"inceptionv4", 5.9, 132.8},
    {"inception4", 5.9, 132.8},
    {"inceptionv3", 7.8, 56.6},
    {"inception3", 7.8, 56.6},
    {"inception", 7.8, 56.6},
}};

struct SpreadFamily {
  std::string_view prefix;
  std::string_view measured;
};

constexpr std::array<SpreadFamily, 6> spread_families = {{
    {"alexnet", "alexnet"},
    {"vgg", "vgg16"},
    {"resnet", "resnet101"},
    {"mobilenet", "mobilenet_v2"},
    {"inception", "inception_v3"},
    {"googlenet", "inception_v3"},
}};

std::string plain_name(std::string_view model) {
  std::string plain = to_lower(model);
  std::erase_if(plain, [](char c) { return c == '-' || c == '_' || c == ' '; });
  return plain;
}

}  // namespace

double tensor_skew_ratio(std::string_view model) {
  const std::string plain = plain_name(model);
  for (const TensorSizes& sizes : tensor_sizes) {
    if (plain.starts_with(sizes.prefix)) return sizes.largest_mb / sizes.total_mb;
  }
  return 0;
}

std::string_view spread_family(std::string_view model) {
  const std::string plain = plain_name(model);
  for (const SpreadFamily& family : spread_families) {
    if (plain.starts_with(family.prefix)) return family.measured;
  }
  return {};
}

}  // namespace muster
