#pragma once

#include <cstdint>

namespace muster {

// SplitMix64 (Steele, Lea, Flood 2014): small, fast, and the same on every machine. The whole state
// is one number, so saving it saves the generator.
struct Rng {
  std::uint64_t state = 0;

  std::uint64_t next();
  double uniform();                          // In [0, 1), 53 bits.
  std::uint64_t below(std::uint64_t bound);  // In [0, bound), unbiased. REQUIRES: bound > 0.
  double exponential(double mean);
  double normal();  // Mean 0, deviation 1; draws two uniforms.
};

// A well-mixed number that depends on both: for draws that must not depend on their order.
std::uint64_t mix(std::uint64_t a, std::uint64_t b);

}  // namespace muster
