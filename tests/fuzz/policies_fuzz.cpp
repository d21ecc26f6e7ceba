#include <cstdint>
#include <cstdlib>
#include <memory>

#include "policies/registry.h"

// Policies that were read can be made, and their text means the same.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto choices = muster::parse_policies(text, nullptr);
  if (!choices) {
    if (choices.error().message.empty()) std::abort();
    return 0;
  }
  for (const muster::PolicyChoice& choice : *choices) {
    const std::unique_ptr<muster::Policy> policy = choice.make({});
    const auto again = muster::parse_policy(choice.text(), nullptr);
    if (policy == nullptr || !again || again->text() != choice.text()) std::abort();
  }
  return 0;
}
