#pragma once

#include <cstdint>
#include <functional>
#include <istream>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "base/result.h"
#include "workload/trace.h"

namespace muster {

struct ReadOptions {
  std::string format{};                    // Empty: guess from the first bytes of the file.
  bool skip_bad_rows = false;              // Count bad rows instead of stopping at the first.
  std::optional<std::int64_t> jobs_max{};  // The first N by submit time, ties in file order.
};

// Lines of a stream, in bounded memory: without CR, LF and a leading byte-order mark. A line over
// line_bytes_max or with a NUL byte is an error; the call after it goes on with the next line.
class LineSource {
 public:
  static constexpr std::size_t line_bytes_max = std::size_t{1} << 20U;

  LineSource(std::istream& input, std::string path) : input_(input), path_(std::move(path)) {}
  // The next line; nothing at the end. The view is valid until the next call.
  Result<std::optional<std::string_view>> next();
  // The line that next() will return; an error moves past its line as that of next() does.
  Result<std::optional<std::string_view>> peek();
  // After an error: is it about one line, so that a reader can go on?
  bool can_go_on() const { return is_bad_line_; }
  std::uint32_t line() const { return line_; }  // One-based, of the line last returned.
  const std::string& path() const { return path_; }
  std::istream& stream() { return input_; }  // For formats that are not lines.

 private:
  Result<void> read_block();
  Result<void> pass_rest_of_line();
  tl::unexpected<Error> bad_line(std::string_view line, const std::string& problem);

  std::istream& input_;
  std::string path_;
  std::string buffer_;         // Read and not yet forgotten.
  std::size_t position_ = 0;   // In buffer_: where the next line begins.
  std::size_t begin_ = 0;      // In buffer_: where the line last returned begins.
  bool at_end_ = false;        // The stream has no more than buffer_ holds.
  bool is_bad_line_ = false;   // The last error is about a line.
  bool in_long_line_ = false;  // position_ is inside a line that was refused.
  std::uint32_t line_ = 0;
};

// Collects the jobs of one file. Readers call it; it checks what all formats share (id not seen
// before, gpus >= 1, times in range), keeps only the first jobs_max jobs, interns names. With
// jobs_max, memory does not grow with the jobs that are not kept: their ids are forgotten too.
class TraceBuilder {
 public:
  TraceBuilder(std::string path, std::string format, ReadOptions options);

  ModelId model(std::string_view name);  // An empty name gives the id that names nothing.
  UserId user(std::string_view name);
  TenantId tenant(std::string_view name);
  RecordId record(TypeDurations durations);
  std::uint32_t type_set(std::vector<std::string> alternatives);

  // Lines of the source, without those that are counted as bad rows when these are skipped.
  Result<std::optional<std::string_view>> next_line(LineSource& source);
  Result<std::optional<std::string_view>> peek_line(LineSource& source);
  // A data row begins: its zero-based number; also counts it.
  std::uint32_t begin_row();
  // `job.submit` and `job.deadline` on the file's own clock: finish() moves its zero to the first
  // submit. `line` for messages. A fault is returned, or counted when bad rows are skipped.
  Result<void> add(TraceJob job);
  // A row that cannot be used: the error itself, or a count when bad rows are skipped.
  Result<void> bad_row(std::uint32_t line, std::string_view field, std::string_view problem);
  void count_cpu_only() { ++trace_.cpu_only; }
  void count_never_ran() { ++trace_.never_ran; }
  void count_fractional() { ++trace_.fractional; }
  void warn(std::string warning);  // The same text is kept once.
  // "path:line: field: problem"
  std::string place(std::uint32_t line, std::string_view field, std::string_view problem) const;

  // Sorts, shifts time, and hands the trace over. No usable job at all is an error.
  Result<Trace> finish();

 private:
  template <class IdType>
  IdType intern(std::map<std::string, std::uint32_t, std::less<>>& index,
                std::vector<std::string>& names, std::string_view name);
  bool skips_line(const LineSource& source);
  void forget(const TraceJob& job);

  ReadOptions options_;
  Trace trace_;
  std::unordered_set<std::string> ids_;  // Of the jobs kept.
  std::vector<RecordId> free_records_;   // Of jobs not kept, to be used again.
  std::map<std::string, std::uint32_t, std::less<>> model_index_;
  std::map<std::string, std::uint32_t, std::less<>> user_index_;
  std::map<std::string, std::uint32_t, std::less<>> tenant_index_;
  std::map<std::string, std::uint32_t, std::less<>> type_set_index_;
  bool is_sorted_ = true;
  std::optional<Duration> last_submit_;
  std::optional<Duration> first_submit_;
};

// One file format. One .cpp per reader and one line in formats.def.
struct TraceFormat {
  std::string name;
  std::string summary;
  // Could a file that begins with `head` (up to 64 KiB; whole lines not promised) be of this kind?
  bool (*matches)(std::string_view head);
  Result<void> (*read)(LineSource& source, TraceBuilder& builder);
};

std::span<const TraceFormat> all_trace_formats();  // In the order in which guesses are tried.

// Reads a log. Errors name file, line and field, and say what was expected.
Result<Trace> read_trace(const std::string& path, const ReadOptions& options);
// The same from memory: what tests and fuzzers use.
Result<Trace> read_trace_text(std::string_view text, const std::string& path,
                              const ReadOptions& options);

}  // namespace muster
