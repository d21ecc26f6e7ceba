#include "workload/reader.h"

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <system_error>

#include "base/text.h"
#include "workload/csv.h"

namespace muster {

#define TRACE_FORMAT(name) TraceFormat name##_format();
#include "workload/formats.def"
#undef TRACE_FORMAT

namespace {

constexpr std::size_t head_bytes_max = std::size_t{1} << 16U;
constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

std::vector<std::string> format_names() {
  std::vector<std::string> names;
  for (const TraceFormat& format : all_trace_formats()) names.push_back(format.name);
  return names;
}

Result<const TraceFormat*> format_named(std::string_view name) {
  for (const TraceFormat& format : all_trace_formats()) {
    if (format.name == name) return &format;
  }
  const std::vector<std::string> names = format_names();
  std::string message = "unknown trace format " + quoted(name);
  if (const std::optional<std::string> near = nearest(name, names)) {
    message += "; did you mean '" + *near + "'?";
  }
  return failure(std::move(message), "formats: " + join(names, ", "));
}

// Looks at the beginning and goes back to it.
Result<const TraceFormat*> guess_format(std::istream& input, const std::string& path) {
  std::string head(head_bytes_max, '\0');
  input.read(head.data(), static_cast<std::streamsize>(head.size()));
  head.resize(static_cast<std::size_t>(input.gcount()));
  input.clear();
  if (!input.seekg(0)) {
    return failure(path + ": the format cannot be guessed from a pipe", "give --format NAME");
  }
  std::string_view text = head;
  if (text.substr(0, byte_order_mark.size()) == byte_order_mark) {
    text.remove_prefix(byte_order_mark.size());
  }
  for (const TraceFormat& format : all_trace_formats()) {
    if (format.matches(text)) return &format;
  }
  if (head.find('\0') != std::string::npos) {
    return failure(path + ": a NUL byte: not a text file",
                   "a trace is a text file; unpack it first if it is compressed");
  }
  return failure(path + ": unknown trace format; the file begins with " + quoted(first_line(text)),
                 "--format NAME overrides the guess; formats: " + join(format_names(), ", "));
}

Result<Trace> read_stream(std::istream& input, const std::string& path,
                          const ReadOptions& options) {
  const bool is_empty = input.peek() == std::istream::traits_type::eof();
  if (input.bad()) return failure(path + ": cannot be read");
  if (is_empty) return failure(path + ": the file is empty");
  const Result<const TraceFormat*> format =
      options.format.empty() ? guess_format(input, path) : format_named(options.format);
  if (!format) return tl::unexpected<Error>(format.error());
  LineSource source(input, path);
  TraceBuilder builder(path, (*format)->name, options);
  const Result<void> read = (*format)->read(source, builder);
  if (!read) return tl::unexpected<Error>(read.error());
  return builder.finish();
}

}  // namespace

std::span<const TraceFormat> all_trace_formats() {
  static const std::vector<TraceFormat> formats = {
#define TRACE_FORMAT(name) name##_format(),
#include "workload/formats.def"
#undef TRACE_FORMAT
  };
  return formats;
}

Result<Trace> read_trace(const std::string& path, const ReadOptions& options) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) return failure(path + ": is a directory");
  std::ifstream input(path, std::ios::binary);
  if (!input) {
    return failure(path + ": cannot be opened: " + std::generic_category().message(errno));
  }
  return read_stream(input, path, options);
}

Result<Trace> read_trace_text(std::string_view text, const std::string& path,
                              const ReadOptions& options) {
  std::istringstream input{std::string(text)};
  return read_stream(input, path, options);
}

}  // namespace muster
