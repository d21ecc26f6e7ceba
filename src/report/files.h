#pragma once

#include <filesystem>
#include <string_view>

#include "base/result.h"

namespace muster {

// Writes `text` under a temporary name beside `path` and renames it: the file is there as a whole
// or, after an error, as it was before.
Result<void> write_file(const std::filesystem::path& path, std::string_view text);

}  // namespace muster
