#include <string>
#include <vector>

#include "cli/program.h"

int main(int argument_count, char** arguments) {
  const int name_count = argument_count > 0 ? 1 : 0;
  const std::vector<std::string> words(arguments + name_count, arguments + argument_count);
  return static_cast<int>(muster::run_program(words, muster::Console::standard()));
}
