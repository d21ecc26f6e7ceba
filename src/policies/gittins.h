#pragma once

#include <cstdint>
#include <vector>

#include "base/archive.h"

namespace muster {

// The Gittins index of attained service a, with the service quantum of Tiresias:
//   G(a) = P(S - a <= delta | S > a) / E[min(S - a, delta) | S > a],  in 1e-6 / GPU-second,
// over the empirical distribution S of past jobs' service, evaluated as in Tiresias' simulator: one
// value per sample d, at a = d - 1, with sizes inside the quantum counted whole, the expectation
// rounded down and P to five places. Larger is better; 0 beyond the largest sample.
class GittinsIndex {
 public:
  struct Lookup {
    double index = 0;
    double valid_below = 0;  // The same index holds for attained service up to here.
    std::size_t sample = 0;  // The first sample above the attained service.
  };

  explicit GittinsIndex(double quantum_gpu_seconds) : quantum_(quantum_gpu_seconds) {}

  // Replaces the distribution. Cost: O(n log n).
  void set_samples(std::vector<double> gpu_seconds);
  // Adds one past job; the table follows when samples have grown by a sixteenth, so that learning
  // from n jobs costs O(n log n) in all. True when it has just followed.
  bool learn(double gpu_seconds);
  // `from`: the sample of a lookup with no more attained service. Cost: O(log (samples passed)).
  Lookup lookup(double attained_gpu_seconds, std::size_t from = 0) const;
  std::size_t sample_count() const { return samples_.size(); }
  void transfer(Archive& archive) { archive(samples_, indices_, learned_); }

 private:
  void build();

  double quantum_;
  std::vector<double> samples_;  // Ascending.
  std::vector<double> indices_;  // By sample.
  std::vector<double> learned_;  // Not in samples_ yet.
};

}  // namespace muster
