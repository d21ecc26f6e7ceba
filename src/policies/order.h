#pragma once

#include <compare>
#include <cstdint>
#include <set>
#include <vector>

#include "base/archive.h"
#include "base/id.h"
#include "policies/packing.h"

namespace muster {

// A job's place in a policy's order: smaller goes first. `stamp` settles equal keys; where it is
// drawn anew whenever a key changes, in the order of the pass before, equal keys keep that order
// and newcomers come last, as a stable sort of one list would have it.
struct Rank {
  std::int32_t level = 0;  // Of a queue; 0 is the highest.
  double key = 0;
  std::uint64_t stamp = 0;
  friend auto operator<=>(const Rank&, const Rank&) = default;
};

// The waiting jobs of a policy in its order, kept apart by shape: once a job of a shape does not
// fit, no other of that shape does in the same pass, so a pass costs O((starts + shapes) log), not
// O(waiting).
class ShapedQueue {
 public:
  struct Entry {
    Rank rank;
    JobId job;
    friend auto operator<=>(const Entry&, const Entry&) = default;
  };

  // Puts a job in, or moves it to its new place.
  void insert(JobId job, ShapeId shape, const Rank& rank);
  void erase(JobId job);  // Absent: nothing.
  bool contains(JobId job) const {
    return job.index() < places_.size() && places_[job.index()].shape.is_valid();
  }
  Rank rank(JobId job) const { return places_[job.index()].rank; }       // REQUIRES: contains.
  ShapeId shape(JobId job) const { return places_[job.index()].shape; }  // REQUIRES: contains.
  bool is_empty() const { return size_ == 0; }
  std::size_t size() const { return size_; }
  void transfer(Archive& archive) { archive(by_shape_, places_, size_); }

  // One walk in order. The queue must not change meanwhile.
  class Walk {
   public:
    explicit Walk(const ShapedQueue& queue);
    bool is_over() const { return heads_.empty(); }
    const Entry& entry() const { return *heads_.front().at; }
    ShapeId shape() const { return heads_.front().shape; }
    void advance();     // To the next job.
    void drop_shape();  // Leaves out the other jobs of this one's shape.

   private:
    struct Head {
      std::set<Entry>::const_iterator at;
      std::set<Entry>::const_iterator end;
      ShapeId shape;
    };
    static bool is_later(const Head& a, const Head& b) { return *b.at < *a.at; }
    std::vector<Head> heads_;  // A heap, the earliest in front.
  };

 private:
  struct Place {
    Rank rank{};
    ShapeId shape{};
  };
  std::vector<std::set<Entry>> by_shape_;
  std::vector<Place> places_;  // By JobId.
  std::size_t size_ = 0;
};

}  // namespace muster
