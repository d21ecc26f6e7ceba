#include "perf/model_facts.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace muster {
namespace {

TEST(ModelFacts, skew_is_that_of_the_tensor_table) {
  const std::vector<std::pair<std::string, double>> published = {
      {"vgg19", 0.717},    {"vgg16", 0.744},      {"vgg11", 0.774},
      {"alexnet", 0.611},  {"resnet152", 0.060},  {"resnet101", 0.075},
      {"resnet50", 0.112}, {"inception4", 0.044}, {"inception3", 0.138}};
  for (const auto& [model, ratio] : published) {
    EXPECT_NEAR(tensor_skew_ratio(model), ratio, 0.0005) << model;
  }
}

TEST(ModelFacts, names_are_read_in_any_spelling) {
  EXPECT_EQ(tensor_skew_ratio("ResNet-50 (batch size 64)"), tensor_skew_ratio("resnet50"));
  EXPECT_EQ(tensor_skew_ratio("Inception_v4"), tensor_skew_ratio("inception4"));
  EXPECT_EQ(tensor_skew_ratio("ResNet-18"), tensor_skew_ratio("resnet50"));
  EXPECT_EQ(tensor_skew_ratio("VGG13"), tensor_skew_ratio("vgg16"));
}

TEST(ModelFacts, unknown_models_have_no_skew) {
  EXPECT_EQ(tensor_skew_ratio("LM (batch size 5)"), 0);
  EXPECT_EQ(tensor_skew_ratio(""), 0);
}

}  // namespace
}  // namespace muster
