#include "report/files.h"

#include <cerrno>
#include <cstdio>
#include <system_error>

namespace muster {
namespace {

// Whether all is on its way to the disk; errno says why not.
bool write_all(const std::filesystem::path& path, std::string_view text) {
  std::FILE* file = std::fopen(path.c_str(), "wb");
  if (file == nullptr) return false;
  const bool written = std::fwrite(text.data(), 1, text.size(), file) == text.size();
  const int write_error = errno;
  const bool closed = std::fclose(file) == 0;
  if (!written) errno = write_error;
  return written && closed;
}

}  // namespace

Result<void> write_file(const std::filesystem::path& path, std::string_view text) {
  std::filesystem::path partial = path;
  partial += ".partial";
  std::error_code error;
  if (!write_all(partial, text)) {
    error = std::error_code(errno, std::generic_category());
  } else {
    std::filesystem::rename(partial, path, error);
  }
  if (!error) return {};
  std::error_code ignored;
  std::filesystem::remove(partial, ignored);
  return failure(path.string() + ": cannot be written: " + error.message());
}

}  // namespace muster
