#include "style/rules.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace muster::style {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::string repeated(const std::string& text, int count) {
  std::string all;
  for (int i = 0; i < count; ++i) all += text;
  return all;
}

Source cpp(std::string text) { return make_source("src/core/a.cpp", std::move(text)); }

TEST(Splitter, keeps_code_apart_from_comments_and_literals) {
  const Source source =
      cpp("int a = 1'000;  // one\nf(\"two\", 'c', R\"x(th\"ree)x\"); /* four */");
  EXPECT_EQ(source.code, "int a = 1'000;        \nf(     ,    ,              );           ");
  EXPECT_EQ(source.comments, "                // one\n                              /* four */");
}

TEST(Splitter, understands_escapes_and_directives) {
  const Source source = cpp("f(\"a\\\"b\");g();\n#define M(x) \\\n  h(x)\n#if 0  // why\ni();\n");
  EXPECT_EQ(lines_of(source.code)[0], "f(      );g();");
  EXPECT_EQ(source.code.find('h'), std::string::npos);
  EXPECT_EQ(lines_of(source.comments)[3], "       // why");
  EXPECT_EQ(lines_of(source.code)[4], "i();");
}

TEST(Layout, finds_tabs_blanks_and_long_lines) {
  const std::string wide = repeated("x", 101) + "\n";
  EXPECT_THAT(check_layout(cpp("a\tb\nc \n" + wide)),
              ElementsAre("src/core/a.cpp:1: tab", "src/core/a.cpp:2: trailing blank",
                          "src/core/a.cpp:3: over 100 columns"));
  EXPECT_THAT(check_layout(cpp("a")), ElementsAre("src/core/a.cpp:1: no newline at the end"));
  EXPECT_THAT(check_layout(cpp("a\r\n")), ElementsAre("src/core/a.cpp:1: trailing blank"));
}

TEST(Layout, counts_characters_not_bytes) {
  EXPECT_THAT(check_layout(cpp("// " + repeated("\u00e4", 97) + "\n")), IsEmpty());
}

TEST(Layout, a_makefile_has_tabs_and_a_document_long_lines) {
  EXPECT_THAT(check_layout(make_source("Makefile", "a:\n\tb\n")), IsEmpty());
  EXPECT_THAT(check_layout(make_source("README.md", repeated("x", 200) + "\n")), IsEmpty());
}

TEST(Layout, finds_long_files) {
  EXPECT_THAT(check_layout(cpp(repeated("int a;\n", 600))), IsEmpty());
  EXPECT_THAT(check_layout(cpp(repeated("int a;\n", 601))),
              ElementsAre("src/core/a.cpp:601: file over 600 lines"));
}

TEST(Functions, finds_a_long_one) {
  const auto function = [](const std::string& head, int lines) {
    return "namespace a {\n\n" + head + " {\n" + repeated("  g();\n", lines - 2) + "}\n\n}\n";
  };
  for (const char* head :
       {"int f()", "void A::f(int a = 0, B b = {}) const", "template <class T = int>\nvoid f(T a)",
        "bool operator==(A a, B b)", "TEST(A, b)", "auto f() -> int", "A::A(int a)\n    : a_(a)"}) {
    const int first = std::string(head).find('\n') == std::string::npos ? 0 : 1;
    EXPECT_THAT(check_function_lengths(cpp(function(head, 80 - first))), IsEmpty()) << head;
    EXPECT_THAT(check_function_lengths(cpp(function(head, 81 - first))),
                ElementsAre("src/core/a.cpp:3: function of 81 lines, over 80"))
        << head;
  }
}

TEST(Functions, counts_a_lambda_to_the_function_around_it) {
  const std::string body = "  sort(a, [](int b) {\n" + repeated("    g();\n", 76) + "  });\n";
  EXPECT_THAT(check_function_lengths(cpp("int f() {\n" + body + "}\n")), IsEmpty());
  EXPECT_THAT(check_function_lengths(cpp("int f() {\n  h();\n" + body + "}\n")),
              ElementsAre("src/core/a.cpp:1: function of 81 lines, over 80"));
}

TEST(Functions, a_class_or_a_table_may_be_long) {
  EXPECT_THAT(check_function_lengths(cpp("class A : public B {\n" +
                                         repeated("  int f() const { return 1; }\n", 90) + "};\n")),
              IsEmpty());
  EXPECT_THAT(check_function_lengths(
                  cpp("const std::array table = {\n" + repeated("    row(1),\n", 90) + "};\n")),
              IsEmpty());
}

TEST(Words, finds_what_is_banned) {
  EXPECT_THAT(check_words(cpp("int f() {\n  throw 1;\n}\n")),
              ElementsAre("src/core/a.cpp:2: throw: return a Result"));
  EXPECT_THAT(check_words(cpp("using namespace std;\n")),
              ElementsAre("src/core/a.cpp:1: using namespace: name what you use"));
  EXPECT_EQ(check_words(cpp("auto* b = dynamic_cast<B*>(a);\nstd::rand();\n")).size(), 2U);
}

TEST(Words, leaves_comments_literals_and_longer_words_alone) {
  EXPECT_THAT(check_words(cpp("// throw\nf(\"throw\");\nrethrow();\nthrow_away();\n")), IsEmpty());
}

TEST(Words, some_are_right_in_some_folders) {
  const std::string clock = "auto now = std::chrono::steady_clock::now();\n";
  EXPECT_EQ(check_words(make_source("src/engine/a.cpp", clock)).size(), 1U);
  EXPECT_THAT(check_words(make_source("src/cli/a.cpp", clock)), IsEmpty());
  EXPECT_THAT(check_words(make_source("tests/unit/a.cpp", clock)), IsEmpty());
}

TEST(Notes, need_a_reason) {
  EXPECT_THAT(check_notes(cpp("// TODO\n// FIXME: why this is so\n// TODO: faster\n")),
              ElementsAre("src/core/a.cpp:1: note without `TODO: <reason>`",
                          "src/core/a.cpp:3: note without `TODO: <reason>`",
                          "src/core/a.cpp:2: note without `TODO: <reason>`"));
  EXPECT_THAT(check_notes(cpp("// TODO: one heap once a trace has a million jobs.\n")), IsEmpty());
  EXPECT_THAT(check_notes(cpp("f(\"TODO\");\n")), IsEmpty());
}

TEST(MachinePaths, are_found) {
  for (const std::string folder : {"tmp", "root", "home"}) {
    const std::string line = "open(\"/" + folder + "/a\");\n";
    EXPECT_THAT(check_machine_paths(cpp(line)),
                ElementsAre("src/core/a.cpp:1: path of one machine"))
        << line;
  }
  EXPECT_THAT(check_machine_paths(cpp("// a/tmp/b, ${x}/tmp, https://a.b/home/c\n")), IsEmpty());
}

TEST(Includes, follow_the_arrows) {
  const auto check = [](const std::string& path, const std::string& target) {
    return check_includes(make_source(path, "#include \"" + target + "/x.h\"\n"));
  };
  EXPECT_THAT(check("src/policies/a.cpp", "engine"),
              ElementsAre("src/policies/a.cpp:1: policies may not include engine"));
  EXPECT_THAT(check("src/engine/a.cpp", "policies"),
              ElementsAre("src/engine/a.cpp:1: engine may not include policies"));
  EXPECT_THAT(check("src/base/a.cpp", "core"),
              ElementsAre("src/base/a.cpp:1: base may not include core"));
  EXPECT_THAT(check("src/policies/a.cpp", "base"), IsEmpty());
  EXPECT_THAT(check("src/sim/a.cpp", "core"), IsEmpty());
  EXPECT_THAT(check("src/cli/a.cpp", "workload"), IsEmpty());
  EXPECT_THAT(check("tests/unit/a.cpp", "cli"), IsEmpty());
  EXPECT_EQ(check("src/other/a.cpp", "base").size(), 1U);
}

TEST(Includes, own_header_comes_first) {
  EXPECT_THAT(check_includes(cpp("#include <vector>\n\n#include \"core/a.h\"\n")),
              ElementsAre("src/core/a.cpp:3: own header first"));
  EXPECT_THAT(check_includes(cpp("#include \"core/a.h\"\n\n#include <vector>\n")), IsEmpty());
}

TEST(Includes, headers_are_guarded_and_free_of_third_parties) {
  EXPECT_THAT(check_includes(make_source("src/core/a.h", "#include <yaml-cpp/yaml.h>\n")),
              ElementsAre("src/core/a.h:1: a header with a third party's include",
                          "src/core/a.h:1: a header begins with #pragma once"));
  EXPECT_THAT(check_includes(make_source("src/core/a.h", "#pragma once\n\n#include <vector>\n")),
              IsEmpty());
  EXPECT_THAT(check_includes(cpp("#include <yaml-cpp/yaml.h>\n")), IsEmpty());
}

TEST(UnorderedLoops, are_found) {
  const Source header = make_source("src/core/a.h", "  std::unordered_map<A, B<C>> jobs_;\n");
  EXPECT_THAT(check_unordered_loops(cpp("for (const auto& [a, b] : jobs_) {\n"), &header),
              ElementsAre("src/core/a.cpp:1: loop over unordered jobs_: its order differs"));
  EXPECT_EQ(
      check_unordered_loops(cpp("std::unordered_set<int> s;\nsort(s.begin());\n"), nullptr).size(),
      1U);
  EXPECT_THAT(check_unordered_loops(cpp("for (auto& a : b) c(jobs_.find(a));\n"), &header),
              IsEmpty());
}

TEST(UnorderedLoops, are_not_seen_in_an_ordered_container_of_the_same_name) {
  const Source header = make_source("src/core/a.h", "  std::vector<int> keys;\n");
  EXPECT_THAT(check_unordered_loops(
                  cpp("std::unordered_set<int> keys{};\nfor (int key : keys) f(key);\n"), &header),
              IsEmpty());
}

TEST(Policies, are_in_the_list) {
  const std::string code = "class A : public Policy {};\nPolicyInfo a() {\n  return {};\n}\n";
  const Source policy = make_source("src/policies/a.cpp", code);
  const Source list = make_source("src/policies/policies.def", "POLICY(a)\n");
  const Source empty_list = make_source("src/policies/policies.def", "");
  EXPECT_THAT(check_policies(std::vector{policy, list}), IsEmpty());
  EXPECT_THAT(check_policies(std::vector{policy, empty_list}),
              ElementsAre("src/policies/a.cpp:2: a is not in policies.def"));
  EXPECT_THAT(check_policies(std::vector{list}),
              ElementsAre("src/policies/policies.def:1: a has no source in src/policies"));
  EXPECT_THAT(check_policies(
                  std::vector{make_source("src/policies/b.cpp", "class B : public Policy {};\n")}),
              ElementsAre("src/policies/b.cpp:1: a policy without its PolicyInfo"));
}

}  // namespace
}  // namespace muster::style
