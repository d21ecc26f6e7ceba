#pragma once

#include <span>

#include "style/source.h"

namespace muster::style {

// Tabs, trailing blanks, lines over 100 columns, files over 600 lines.
Violations check_layout(const Source& source);
// Functions over 80 lines. Reads clang-formatted text: a heuristic on braces, not a parser.
Violations check_function_lengths(const Source& source);
// Words that have no place in our C++, or only in some folders, each with what to write instead.
Violations check_words(const Source& source);
// A note about work to do gives its reason.
Violations check_notes(const Source& source);
// No path that exists on one machine only.
Violations check_machine_paths(const Source& source);

// The arrows between the modules, own header first, `#pragma once`, headers without third parties.
Violations check_includes(const Source& source);
// Loops over unordered containers. `header` is the file's own one, or null.
Violations check_unordered_loops(const Source& source, const Source* header);
// A policy whose source is in src/policies is in policies.def, and the other way round.
Violations check_policies(std::span<const Source> sources);

}  // namespace muster::style
