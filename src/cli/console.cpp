#include "cli/console.h"

#include <unistd.h>

#include <cstdlib>

namespace muster {
namespace {

constexpr std::string_view red = "\x1b[1;31m";
constexpr std::string_view yellow = "\x1b[1;33m";
constexpr std::string_view cyan = "\x1b[1;36m";
constexpr std::string_view bold = "\x1b[1m";
constexpr std::string_view plain = "\x1b[0m";
constexpr std::string_view erase_line = "\r\x1b[K";

void write(std::FILE* file, std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), file);
}

bool environment_wants_color() {
  const char* no_color = std::getenv("NO_COLOR");
  if (no_color != nullptr && *no_color != '\0') return false;
  const char* terminal = std::getenv("TERM");
  return terminal != nullptr && std::string_view(terminal) != "dumb";
}

}  // namespace

Console::Options Console::standard() {
  Options options{.output = stdout, .messages = stderr};
  options.output_is_terminal = isatty(STDOUT_FILENO) == 1;
  options.messages_is_terminal = isatty(STDERR_FILENO) == 1;
  options.has_color = options.messages_is_terminal && environment_wants_color();
  options.output_has_color = options.output_is_terminal && environment_wants_color();
  return options;
}

void Console::print(std::string_view text) {
  show_progress({});
  write(options_.output, text);
}

std::string Console::readable(const Table& table) const {
  std::string text = table.aligned();
  if (options_.output_has_color) {
    text.insert(text.find('\n'), plain);
    text.insert(0, bold);
  }
  return text;
}

void Console::warn(std::string_view text) {
  if (!options_.is_quiet) message("warning: ", yellow, text);
}

void Console::note(std::string_view text) {
  if (!options_.is_quiet) message("", plain, text);
}

void Console::report(const Error& error) {
  message("error: ", red, error.message);
  if (!error.hint.empty()) message("hint: ", cyan, error.hint);
}

void Console::show_progress(std::string_view text) {
  if (!shows_progress() || (text.empty() && !has_progress_line_)) return;
  write(options_.messages, erase_line);
  write(options_.messages, text);
  std::fflush(options_.messages);
  has_progress_line_ = !text.empty();
}

bool Console::flush() {
  return std::fflush(options_.output) == 0 && std::ferror(options_.output) == 0;
}

void Console::message(std::string_view label, std::string_view color, std::string_view text) {
  show_progress({});
  std::string line;
  if (options_.has_color && !label.empty()) {
    line.append(color).append(label).append(plain);
  } else {
    line.append(label);
  }
  line.append(text).append("\n");
  write(options_.messages, line);
}

}  // namespace muster
