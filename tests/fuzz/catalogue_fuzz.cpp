#include <cstdint>
#include <cstdlib>

#include "workload/catalogue.h"

// Every type of a catalogue that was read is found under all of its names.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto catalogue = muster::read_catalogue_text(text, "fuzz.yaml");
  if (!catalogue) {
    if (catalogue.error().message.empty()) std::abort();
    return 0;
  }
  for (const auto& entry : catalogue->entries()) {
    const auto* found = catalogue->find(entry.type.name);
    if (found == nullptr || found->type.name != entry.type.name) std::abort();
    for (const std::string& alias : entry.aliases) {
      if (catalogue->find(alias) == nullptr) std::abort();
    }
  }
  return 0;
}
