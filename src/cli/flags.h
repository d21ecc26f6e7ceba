#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"

namespace CLI {  // NOLINT(readability-identifier-naming): the library's own.
class App;
}

namespace muster {

struct FlagText {
  std::string name;     // "--seed"
  std::string value{};  // What stands for the value in help: "N".
  std::string help;
};

// The flags and arguments of one command, and the only place that knows the parser library. Values
// stay text: the command makes sense of them, with our own messages.
class Flags {
 public:
  // `command` as typed, with the program's name: "muster policy list".
  Flags(const std::string& command, const std::string& summary);
  ~Flags();
  Flags(const Flags&) = delete;
  Flags& operator=(const Flags&) = delete;

  // Headline in the help, for the flags that follow.
  void begin_group(const std::string& title) { group_ = title; }
  // Keeps its value where the flag is absent; a value that is not empty is shown as the default.
  void add(const FlagText& flag, std::string& value);
  void add_switch(const FlagText& flag, bool& value);
  // By position; keeps its value where it is absent.
  void add_argument(const std::string& name, const std::string& help, std::string& value);

  std::string help() const;
  // Fills in the variables. False: help was asked for instead.
  Result<bool> parse(std::span<const std::string> words);

 private:
  std::string command_;
  std::unique_ptr<CLI::App> app_;
  std::string group_ = "Flags";
  std::vector<std::string> names_{"--help"};
};

}  // namespace muster
