#pragma once

#include <string_view>

namespace muster {

// What is known of a model by its name, in whatever case and with whatever dashes it is written
// ("ResNet-50 (batch size 64)", "inception_v3").

// The largest tensor of the model as a share of all its large tensors; 0 where not known.
double tensor_skew_ratio(std::string_view model);

// The measured model whose slowdown on spread GPUs stands for this one's; empty where none does.
std::string_view spread_family(std::string_view model);

}  // namespace muster
