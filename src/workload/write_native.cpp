#include "workload/write_native.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string_view>
#include <utility>

#include "base/text.h"
#include "workload/trace_info.h"

namespace muster {
namespace {

// A column; the text is empty where the job says nothing about it, and unquoted.
struct Column {
  std::string_view name;
  bool is_required = false;
  std::string (*text)(const Trace& trace, const TraceJob& job) = nullptr;
};

template <class IdType>
std::string name_of(IdType id, const std::vector<std::string>& names) {
  return id.is_valid() ? names[id.index()] : std::string();
}

std::string seconds_text(std::optional<Duration> span) {
  return span ? format_microseconds(span->count()) : std::string();
}

std::string integer_unless_zero(std::int64_t value) {
  return value == 0 ? std::string() : std::to_string(value);
}

std::string number_unless(double usual, double value) {
  return value == usual ? std::string() : format_number(value);
}

// Thousandths have the three decimals that a decimal fraction can hold exactly.
std::string thousandths_text(std::int64_t milli) {
  return milli == 0 ? std::string() : format_microseconds(milli * 1000);
}

constexpr std::array<Column, 16> all_columns = {{
    {"job_id", true, [](const Trace&, const TraceJob& job) { return job.id; }},
    {"submit_seconds", true,
     [](const Trace&, const TraceJob& job) { return seconds_text(job.submit); }},
    {"gpus", true, [](const Trace&, const TraceJob& job) { return std::to_string(job.gpus); }},
    {"duration_seconds", false,
     [](const Trace& trace, const TraceJob& job) {
       return seconds_text(recorded_duration(trace, job));
     }},
    {"total_steps", false,
     [](const Trace& trace, const TraceJob& job) {
       const bool is_work = job.total_steps && !recorded_duration(trace, job);
       return is_work ? std::to_string(*job.total_steps) : std::string();
     }},
    {"user", false,
     [](const Trace& trace, const TraceJob& job) { return name_of(job.user, trace.users); }},
    {"tenant", false,
     [](const Trace& trace, const TraceJob& job) { return name_of(job.tenant, trace.tenants); }},
    {"model", false,
     [](const Trace& trace, const TraceJob& job) { return name_of(job.model, trace.models); }},
    {"gpu_type", false,
     [](const Trace& trace, const TraceJob& job) {
       return join(trace.type_sets[job.type_set], "|");
     }},
    {"min_gpus", false,
     [](const Trace&, const TraceJob& job) { return integer_unless_zero(job.min_gpus); }},
    {"max_gpus", false,
     [](const Trace&, const TraceJob& job) { return integer_unless_zero(job.max_gpus); }},
    {"weight", false,
     [](const Trace&, const TraceJob& job) { return number_unless(1, job.weight); }},
    {"deadline_seconds", false,
     [](const Trace&, const TraceJob& job) { return seconds_text(job.deadline); }},
    {"cpus", false,
     [](const Trace&, const TraceJob& job) { return thousandths_text(job.cpus_milli); }},
    {"memory_gib", false,
     [](const Trace&, const TraceJob& job) {
       return number_unless(0, static_cast<double>(job.memory_mib) / 1024);
     }},
    {"gpu_memory_gib", false,
     [](const Trace&, const TraceJob& job) { return number_unless(0, job.gpu_memory_gib); }},
}};

bool has_line_break(std::string_view text) {
  return text.find_first_of("\r\n") != std::string_view::npos;
}

// A field as it stands in the file. Fields end with their line, so breaks become spaces.
std::string field_text(std::string text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string field = "\"";
  for (const char c : text) {
    if (c == '"') field += '"';
    field += c == '\r' || c == '\n' ? ' ' : c;
  }
  return field + '"';
}

std::vector<Column> used_columns(const Trace& trace) {
  std::vector<Column> columns;
  for (const Column& column : all_columns) {
    const auto is_used = [&](const TraceJob& job) { return !column.text(trace, job).empty(); };
    if (column.is_required || std::any_of(trace.jobs.begin(), trace.jobs.end(), is_used)) {
      columns.push_back(column);
    }
  }
  return columns;
}

std::string reason(std::string_view path) {
  return std::string(path) + ": " + std::strerror(errno);
}

Result<void> write_bytes(const std::string& path, std::string_view bytes) {
  errno = 0;
  std::ofstream output(path, std::ios::binary | std::ios::trunc);
  if (!output) return failure("cannot write " + reason(path));
  output.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  output.close();
  if (!output) return failure("cannot write " + reason(path));
  return {};
}

}  // namespace

std::string native_csv(const Trace& trace) {
  const std::vector<Column> columns = used_columns(trace);
  std::string csv;
  for (const Column& column : columns) {
    if (!csv.empty()) csv += ',';
    csv += column.name;
  }
  csv += '\n';
  for (const TraceJob& job : trace.jobs) {
    for (std::size_t i = 0; i < columns.size(); ++i) {
      if (i > 0) csv += ',';
      csv += field_text(columns[i].text(trace, job));
    }
    csv += '\n';
  }
  return csv;
}

std::vector<std::string> native_losses(const Trace& trace) {
  std::int64_t per_type_count = 0;
  std::int64_t steps_count = 0;
  std::int64_t broken_count = 0;
  for (const TraceJob& job : trace.jobs) {
    if (job.record.is_valid() && trace.records[job.record.index()].seconds.size() > 1) {
      ++per_type_count;
    }
    if (job.total_steps && recorded_duration(trace, job)) ++steps_count;
    if (has_line_break(job.id)) ++broken_count;
  }
  std::vector<std::string> losses;
  if (per_type_count > 0) {
    losses.push_back(std::to_string(per_type_count) +
                     " jobs have a duration per GPU type; the native format keeps one of them");
  }
  if (steps_count > 0) {
    losses.push_back(std::to_string(steps_count) +
                     " jobs have a duration and steps; the native format keeps the duration");
  }
  if (broken_count > 0) {
    losses.push_back(std::to_string(broken_count) +
                     " job ids have line breaks; the native format has spaces there");
  }
  return losses;
}

Result<void> write_native(const Trace& trace, const std::string& path) {
  const std::string csv = native_csv(trace);
  std::error_code fault;
  const auto status = std::filesystem::status(path, fault);
  // A pipe or a terminal cannot be replaced by a file.
  if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status)) {
    return write_bytes(path, csv);
  }
  const std::string partial = path + ".partial";
  if (auto written = write_bytes(partial, csv); !written) {
    std::filesystem::remove(partial, fault);
    return written;
  }
  std::filesystem::rename(partial, path, fault);
  if (!fault) return {};
  const std::string problem = fault.message();
  std::filesystem::remove(partial, fault);
  return failure("cannot write " + path + ": " + problem);
}

}  // namespace muster
