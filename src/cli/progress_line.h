#pragma once

#include <chrono>
#include <string>

#include "cli/console.h"

namespace muster {

// A live line on the terminal for work that takes over a second, a few times a second. Takes it
// away in the end.
class ProgressLine {
 public:
  explicit ProgressLine(Console& console) : console_(console) {}
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;
  ~ProgressLine() { console_.show_progress({}); }

  double elapsed_seconds() const {
    return std::chrono::duration<double>(Clock::now() - begin_).count();
  }
  // Is it time for another line?
  bool is_due() const { return console_.shows_progress() && Clock::now() >= next_; }
  void show(const std::string& text) {
    next_ = Clock::now() + interval;
    console_.show_progress(text);
  }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr std::chrono::milliseconds interval{200};

  Console& console_;
  Clock::time_point begin_ = Clock::now();
  Clock::time_point next_ = begin_ + std::chrono::seconds(1);
};

}  // namespace muster
