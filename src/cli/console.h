#pragma once

#include <cstdio>
#include <string>
#include <string_view>

#include "base/result.h"
#include "report/table.h"

namespace muster {

// Where the words of a command go: its result to the output; errors, warnings, hints and the live
// progress line to the messages. People at a terminal get aligned tables and colour, programs get
// tab-separated text with exact numbers.
class Console {
 public:
  struct Options {
    std::FILE* output = nullptr;
    std::FILE* messages = nullptr;
    bool output_is_terminal = false;
    bool messages_is_terminal = false;
    bool has_color = false;         // On the messages.
    bool output_has_color = false;  // On tables for people.
    bool is_quiet = false;          // Errors only.
  };

  explicit Console(Options options) : options_(options) {}

  // The process's own, as the environment wants it (NO_COLOR, TERM).
  static Options standard();

  bool is_for_people() const { return options_.output_is_terminal; }
  bool shows_progress() const { return options_.messages_is_terminal && !options_.is_quiet; }

  void print(std::string_view text);
  // For people: aligned, the titles bold where there is colour.
  std::string readable(const Table& table) const;
  void warn(std::string_view text);
  void note(std::string_view text);
  void report(const Error& error);
  // Replaces the progress line; an empty text takes it away. Only where progress is shown.
  void show_progress(std::string_view text);
  // Whether all of the output has arrived.
  bool flush();

 private:
  void message(std::string_view label, std::string_view color, std::string_view text);

  Options options_;
  bool has_progress_line_ = false;
};

}  // namespace muster
