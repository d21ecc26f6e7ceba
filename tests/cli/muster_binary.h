#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <string>
#include <vector>

#include "unit/cli/temporary_folder.h"

namespace muster::testing {

struct Finished {
  int status = -1;  // -1: ended by a signal.
  std::string output{};
  std::string messages{};
};

// Runs the built program with its output and messages in files, so neither is a terminal.
inline Finished run_muster(const std::vector<std::string>& arguments) {
  const TemporaryFolder folder;
  const std::string output = folder.file("output");
  const std::string messages = folder.file("messages");
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  constexpr int flags = O_WRONLY | O_CREAT | O_TRUNC;
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, output.c_str(), flags, 0600);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, messages.c_str(), flags, 0600);

  std::vector<std::string> words = {MUSTER_BINARY};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  pid_t process = 0;
  const int fault =
      posix_spawn(&process, MUSTER_BINARY, &actions, nullptr, pointers.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  EXPECT_EQ(fault, 0) << MUSTER_BINARY;
  Finished finished;
  int status = 0;
  if (fault == 0 && waitpid(process, &status, 0) == process && WIFEXITED(status)) {
    finished.status = WEXITSTATUS(status);
  }
  finished.output = read_text(output);
  finished.messages = read_text(messages);
  return finished;
}

// REQUIRES: a table of keys and values. Empty where the key is missing.
inline std::string value_of(const Finished& finished, const std::string& key) {
  const std::size_t at = finished.output.find("\n" + key + "\t");
  if (at == std::string::npos) return "";
  const std::size_t begin = at + key.size() + 2;
  return finished.output.substr(begin, finished.output.find('\n', begin) - begin);
}

// A trace of 30 jobs that keeps 8 GPUs busy.
inline std::string busy_trace() {
  std::string text = "job_id,submit_seconds,gpus,duration_seconds,user\n";
  for (int job = 0; job < 30; ++job) {
    text += "job-" + std::to_string(job) + "," + std::to_string(11 * job) + "," +
            std::to_string(1 + job % 4) + "," + std::to_string(60 + (job * 29) % 200) + ",user-" +
            std::to_string(job % 3) + "\n";
  }
  return text;
}

}  // namespace muster::testing
