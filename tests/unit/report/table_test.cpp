#include "report/table.h"

#include <gtest/gtest.h>

namespace muster {
namespace {

Table make_table() {
  Table table({{.title = "policy"}, {.title = "jct", .align = Align::right}, {.title = "note"}});
  table.add_row({"fifo", "1.5", ""});
  table.add_row({"h\xC3\xA4", "100", "a|b\tc"});
  return table;
}

TEST(Table, aligns_by_code_points_and_leaves_no_trailing_spaces) {
  EXPECT_EQ(make_table().aligned(),
            "policy  jct  note\n"
            "fifo    1.5\n"
            "h\xC3\xA4      100  a|b c\n");
}

TEST(Table, tab_separated_has_a_header_and_one_tab_per_column) {
  EXPECT_EQ(make_table().tab_separated(),
            "policy\tjct\tnote\n"
            "fifo\t1.5\t\n"
            "h\xC3\xA4\t100\ta|b c\n");
}

TEST(Table, markdown_escapes_pipes) {
  EXPECT_EQ(make_table().markdown(),
            "| policy | jct | note |\n"
            "|---|--:|---|\n"
            "| fifo | 1.5 |  |\n"
            "| h\xC3\xA4 | 100 | a\\|b c |\n");
}

}  // namespace
}  // namespace muster
