#include "cli/results_folder.h"

#include <gtest/gtest.h>

#include "unit/cli/temporary_folder.h"

namespace muster {
namespace {

using testing::read_text;
using testing::TemporaryFolder;

void write(const std::filesystem::path& path, const std::string& text) {
  std::filesystem::create_directories(path.parent_path());
  std::ofstream(path) << text;
}

TEST(ResultsFolder, files_appear_together_at_the_end) {
  const TemporaryFolder folder;
  const std::filesystem::path out = folder.path() / "new" / "out";
  {
    auto results = ResultsFolder::create(out);
    ASSERT_TRUE(results);
    write(results->partial() / "1-fifo" / "jobs.csv", "jobs");
    EXPECT_FALSE(std::filesystem::exists(out));
    ASSERT_TRUE(results->commit());
  }
  EXPECT_EQ(read_text(out / "1-fifo" / "jobs.csv"), "jobs");
  EXPECT_FALSE(std::filesystem::exists(out.string() + ".partial"));
}

TEST(ResultsFolder, a_run_that_fails_leaves_nothing) {
  const TemporaryFolder folder;
  {
    auto results = ResultsFolder::create(folder.path() / "out");
    ASSERT_TRUE(results);
    write(results->partial() / "jobs.csv", "jobs");
  }
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST(ResultsFolder, other_files_of_the_folder_stay) {
  const TemporaryFolder folder;
  write(folder.path() / "out" / "notes.txt", "mine");
  write(folder.path() / "out" / "jobs.csv", "old");
  auto results = ResultsFolder::create(folder.path() / "out/");
  ASSERT_TRUE(results);
  write(results->partial() / "jobs.csv", "new");
  ASSERT_TRUE(results->commit());
  EXPECT_EQ(read_text(folder.path() / "out" / "notes.txt"), "mine");
  EXPECT_EQ(read_text(folder.path() / "out" / "jobs.csv"), "new");
}

TEST(ResultsFolder, files_of_an_earlier_run_go) {
  const TemporaryFolder folder;
  const std::filesystem::path out = folder.path() / "out";
  for (const char* name : {"summary.json", "jobs.csv", "timeline.json", "notes.txt"}) {
    write(out / name, "old");
  }
  auto results = ResultsFolder::create(out);
  ASSERT_TRUE(results);
  write(results->partial() / "summary.json", "new");
  write(results->partial() / "jobs.csv", "new");
  ASSERT_TRUE(results->commit());
  EXPECT_EQ(read_text(out / "jobs.csv"), "new");
  EXPECT_FALSE(std::filesystem::exists(out / "timeline.json"));
  EXPECT_TRUE(std::filesystem::exists(out / "notes.txt"));
}

TEST(ResultsFolder, runs_of_an_earlier_comparison_go) {
  const TemporaryFolder folder;
  const std::filesystem::path out = folder.path() / "out";
  const std::string ours = "{\"schedule_hash\": \"00\"}";
  write(out / "1-fifo" / "timeline.json", "old");
  write(out / "2-srtf" / "summary.json", ours);
  write(out / "3-sjf" / "summary.json", ours);
  write(out / "3-sjf" / "notes.txt", "mine");
  write(out / "4-mine" / "summary.json", "{}");
  write(out / "mine" / "summary.json", ours);
  auto results = ResultsFolder::create(out);
  ASSERT_TRUE(results);
  write(results->partial() / "1-fifo" / "summary.json", ours);
  write(results->partial() / "compare.csv", "new");
  ASSERT_TRUE(results->commit());
  EXPECT_FALSE(std::filesystem::exists(out / "1-fifo" / "timeline.json"));
  EXPECT_FALSE(std::filesystem::exists(out / "2-srtf"));
  EXPECT_FALSE(std::filesystem::exists(out / "3-sjf" / "summary.json"));
  EXPECT_TRUE(std::filesystem::exists(out / "3-sjf" / "notes.txt"));
  EXPECT_TRUE(std::filesystem::exists(out / "4-mine" / "summary.json"));
  EXPECT_TRUE(std::filesystem::exists(out / "mine" / "summary.json"));
}

TEST(ResultsFolder, a_file_is_no_folder) {
  const TemporaryFolder folder;
  const std::string file = folder.write("out", "");
  const auto results = ResultsFolder::create(file);
  ASSERT_FALSE(results);
  EXPECT_EQ(results.error().message, file + ": is a file, expected a folder");
}

}  // namespace
}  // namespace muster
