#include "policies/order.h"

#include <algorithm>

namespace muster {

void ShapedQueue::insert(JobId job, ShapeId shape, const Rank& rank) {
  erase(job);
  if (places_.size() <= job.index()) places_.resize(job.index() + 1);
  if (by_shape_.size() <= shape.index()) by_shape_.resize(shape.index() + 1);
  places_[job.index()] = {.rank = rank, .shape = shape};
  by_shape_[shape.index()].insert({.rank = rank, .job = job});
  ++size_;
}

void ShapedQueue::erase(JobId job) {
  if (!contains(job)) return;
  Place& place = places_[job.index()];
  by_shape_[place.shape.index()].erase({.rank = place.rank, .job = job});
  place = {};
  --size_;
}

ShapedQueue::Walk::Walk(const ShapedQueue& queue) {
  for (std::size_t shape = 0; shape < queue.by_shape_.size(); ++shape) {
    const std::set<Entry>& entries = queue.by_shape_[shape];
    if (entries.empty()) continue;
    heads_.push_back({.at = entries.begin(), .end = entries.end(), .shape = ShapeId(shape)});
  }
  std::make_heap(heads_.begin(), heads_.end(), is_later);
}

void ShapedQueue::Walk::advance() {
  std::pop_heap(heads_.begin(), heads_.end(), is_later);
  Head& head = heads_.back();
  ++head.at;
  if (head.at == head.end) {
    heads_.pop_back();
  } else {
    std::push_heap(heads_.begin(), heads_.end(), is_later);
  }
}

void ShapedQueue::Walk::drop_shape() {
  std::pop_heap(heads_.begin(), heads_.end(), is_later);
  heads_.pop_back();
}

}  // namespace muster
