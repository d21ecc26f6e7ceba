#include <cmath>
#include <cstdint>
#include <cstdlib>

#include "perf/spread_table.h"
#include "perf/throughput_table.h"

namespace {

// Speeds are finite and not negative, whatever is asked.
void check_rates(const muster::ThroughputTable& table) {
  for (std::size_t model = 0; model < table.models().size(); ++model) {
    for (std::size_t gpu = 0; gpu < table.gpu_types().size(); ++gpu) {
      for (const std::int32_t gpus : {1, 3, 8, 1000}) {
        const double rate = table.rate(muster::ProfileId(model), muster::ProfiledGpuId(gpu), gpus);
        if (!std::isfinite(rate) || rate < 0) std::abort();
      }
    }
  }
}

}  // namespace

// The isolated speeds, then a line of dashes and the pairs; and the whole as a table of spread
// placements.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  constexpr std::string_view cut = "---\n";
  const std::size_t at = text.find(cut);
  const std::string_view pairs =
      at == std::string_view::npos ? std::string_view() : text.substr(at + cut.size());
  const auto table = muster::ThroughputTable::parse({.text = text.substr(0, at), .path = "a.csv"},
                                                    {.text = pairs, .path = "b.csv"});
  if (table) {
    check_rates(*table);
  } else if (table.error().message.empty()) {
    std::abort();
  }
  const auto spread = muster::SpreadTable::parse({.text = text, .path = "c.csv"});
  if (!spread && spread.error().message.empty()) std::abort();
  return 0;
}
