#pragma once

#include <span>
#include <string>

#include "cli/console.h"

namespace muster {

enum class ExitStatus { ok = 0, failed = 1, usage = 2 };

// The whole program but for the process around it: `arguments` without the program's name.
ExitStatus run_program(std::span<const std::string> arguments, Console::Options options);

}  // namespace muster
