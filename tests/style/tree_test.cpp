#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "style/rules.h"

namespace muster::style {
namespace {

const std::vector<Source>& tree() {
  static const std::vector<Source> sources = read_tree(MUSTER_SOURCE_DIR);
  return sources;
}

std::string listed(const Violations& violations) {
  std::string text = std::to_string(violations.size()) + " violations";
  for (const std::string& line : violations) text += "\n" + line;
  return text;
}

void expect_none(Violations (*check)(const Source&)) {
  Violations found;
  for (const Source& source : tree()) {
    const Violations more = check(source);
    found.insert(found.end(), more.begin(), more.end());
  }
  EXPECT_TRUE(found.empty()) << listed(found);
}

const Source* header_of(const Source& source) {
  const std::string path = source.path.substr(0, source.path.rfind('.')) + ".h";
  const auto found = std::find_if(tree().begin(), tree().end(),
                                  [&](const Source& other) { return other.path == path; });
  return found == tree().end() ? nullptr : &*found;
}

TEST(Tree, is_read) {
  const auto has = [](std::string_view path) {
    return std::any_of(tree().begin(), tree().end(),
                       [&](const Source& source) { return source.path == path; });
  };
  EXPECT_TRUE(has("src/base/result.h"));
  EXPECT_TRUE(has("src/cli/main.cpp"));
  EXPECT_TRUE(has("tests/style/tree_test.cpp"));
  EXPECT_TRUE(has("CMakeLists.txt"));
  EXPECT_TRUE(has("scripts/install.sh"));
}

TEST(Tree, layout) { expect_none(check_layout); }
TEST(Tree, functions_fit_a_screen) { expect_none(check_function_lengths); }
TEST(Tree, words) { expect_none(check_words); }
TEST(Tree, notes_have_reasons) { expect_none(check_notes); }
TEST(Tree, no_machine_paths) { expect_none(check_machine_paths); }
TEST(Tree, includes_follow_the_arrows) { expect_none(check_includes); }

TEST(Tree, no_loops_over_unordered_containers) {
  for (const Source& source : tree()) {
    const Violations found = check_unordered_loops(source, header_of(source));
    EXPECT_TRUE(found.empty()) << listed(found);
  }
}

TEST(Tree, policies_are_registered) {
  const Violations found = check_policies(tree());
  EXPECT_TRUE(found.empty()) << listed(found);
}

}  // namespace
}  // namespace muster::style
