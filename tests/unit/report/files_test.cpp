#include "report/files.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <string>

namespace muster {
namespace {

namespace fs = std::filesystem;

class WriteFile : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto* info = ::testing::UnitTest::GetInstance()->current_test_info();
    folder_ = fs::path(::testing::TempDir()) / (std::string("muster-files-") + info->name());
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  static std::string read(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  std::ptrdiff_t file_count() const {
    return std::distance(fs::directory_iterator(folder_), fs::directory_iterator());
  }

  fs::path folder_;
};

TEST_F(WriteFile, replaces_what_was_there) {
  const fs::path path = folder_ / "out.csv";
  ASSERT_TRUE(write_file(path, "old and longer\n"));
  ASSERT_TRUE(write_file(path, std::string("n\0w\r\n", 5)));
  EXPECT_EQ(read(path), std::string("n\0w\r\n", 5));
  EXPECT_EQ(file_count(), 1);
}

TEST_F(WriteFile, names_the_file_when_the_folder_is_missing) {
  const auto written = write_file(folder_ / "missing" / "out.csv", "text");
  ASSERT_FALSE(written);
  EXPECT_NE(written.error().message.find("out.csv: cannot be written: No such file"),
            std::string::npos)
      << written.error().message;
}

TEST_F(WriteFile, leaves_nothing_behind_on_failure) {
  // A folder cannot be replaced by a file.
  fs::create_directories(folder_ / "out.csv" / "inner");
  ASSERT_FALSE(write_file(folder_ / "out.csv", "text"));
  EXPECT_EQ(file_count(), 1);
  EXPECT_TRUE(fs::is_directory(folder_ / "out.csv"));
}

}  // namespace
}  // namespace muster
