#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/time.h"

namespace muster {

// Slurm's trackable resources of a whole job, as in "cpu=8,gres/gpu:a100=2,gres/gpu=2,mem=64G".
struct Tres {
  std::int64_t gpus = 0;                 // The typed counts where there are any, else gres/gpu.
  std::vector<std::string> gpu_types{};  // Lower case, in the order of the text.
  std::int64_t cpus_milli = 0;
  std::int64_t memory_mib = 0;
};

// Resources that are not in Tres (billing, energy, node, gres/gpumem, ...) are passed over.
Result<Tres> parse_tres(std::string_view text);

// Slurm's [DD-[HH:]]MM:SS.
Result<Duration> parse_slurm_span(std::string_view text);

}  // namespace muster
