#include "base/rng.h"

#include <cmath>
#include <numbers>

#include "base/check.h"

namespace muster {

std::uint64_t Rng::next() {
  std::uint64_t z = (state += 0x9E3779B97F4A7C15ULL);
  z = (z ^ (z >> 30U)) * 0xBF58476D1CE4E5B9ULL;
  z = (z ^ (z >> 27U)) * 0x94D049BB133111EBULL;
  return z ^ (z >> 31U);
}

double Rng::uniform() { return static_cast<double>(next() >> 11U) * 0x1.0p-53; }

std::uint64_t Rng::below(std::uint64_t bound) {
  CHECK(bound > 0);
  // Numbers below the remainder of 2^64 are drawn again, so every result has equally many sources.
  const std::uint64_t refused = (0 - bound) % bound;
  std::uint64_t drawn = next();
  while (drawn < refused) drawn = next();
  return drawn % bound;
}

double Rng::exponential(double mean) { return -std::log1p(-uniform()) * mean; }

double Rng::normal() {
  const double radius = std::sqrt(-2 * std::log1p(-uniform()));
  return radius * std::cos(2 * std::numbers::pi * uniform());
}

std::uint64_t mix(std::uint64_t a, std::uint64_t b) {
  Rng first{a};
  Rng second{first.next() ^ b};
  return second.next();
}

}  // namespace muster
