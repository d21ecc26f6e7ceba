#include <string>
#include <vector>

#include "cli/program.h"

int main(int argument_count, char** arguments) {
  const std::vector<std::string> words(arguments + 1, arguments + argument_count);
  return static_cast<int>(muster::run_program(words, muster::Console::standard()));
}
