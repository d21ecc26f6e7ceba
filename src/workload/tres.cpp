#include "workload/tres.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "base/text.h"
#include "workload/log_fields.h"

namespace muster {
namespace {

// MiB in one unit of Slurm's memory suffixes.
std::optional<double> mib_per_unit(char suffix) {
  switch (suffix) {
    case 'K': return 1.0 / 1024;
    case 'M': return 1;
    case 'G': return 1024;
    case 'T': return 1024.0 * 1024;
    default: return std::nullopt;
  }
}

std::optional<std::int64_t> parse_memory(std::string_view text) {
  double unit = 1;  // Slurm counts in MiB where there is no suffix.
  if (const auto suffixed = text.empty() ? std::nullopt : mib_per_unit(text.back())) {
    unit = *suffixed;
    text.remove_suffix(1);
  }
  const std::optional<double> value = parse_number(text);
  if (!value || *value < 0 || *value * unit > static_cast<double>(memory_mib_max)) {
    return std::nullopt;
  }
  return std::llround(std::ceil(*value * unit));
}

std::optional<std::int64_t> parse_count(std::string_view text, std::int64_t maximum) {
  const std::optional<std::int64_t> count = parse_integer(text);
  if (!count || *count < 0 || *count > maximum) return std::nullopt;
  return count;
}

}  // namespace

Result<Tres> parse_tres(std::string_view text) {
  constexpr std::string_view typed_prefix = "gres/gpu:";
  Tres tres;
  std::int64_t untyped = 0;
  for (const std::string_view item : split(text, ',')) {
    if (trim(item).empty()) continue;
    const std::size_t equals = item.find('=');
    const std::string_view name = trim(item.substr(0, equals));
    const std::string_view amount =
        equals == std::string_view::npos ? std::string_view() : trim(item.substr(equals + 1));
    std::optional<std::int64_t> parsed = 0;
    if (name == "cpu") {
      parsed = parse_count(amount, cpus_max);
      tres.cpus_milli = 1000 * parsed.value_or(0);
    } else if (name == "mem") {
      parsed = parse_memory(amount);
      tres.memory_mib = parsed.value_or(0);
    } else if (name == "gres/gpu") {
      parsed = parse_count(amount, gpus_max);
      untyped = parsed.value_or(0);
    } else if (name.substr(0, typed_prefix.size()) == typed_prefix) {
      parsed = parse_count(amount, gpus_max);
      if (parsed.value_or(0) > 0) {
        tres.gpus += *parsed;
        tres.gpu_types.push_back(to_lower(name.substr(typed_prefix.size())));
      }
    }
    if (!parsed) {
      return failure("expected resources such as 'cpu=8,gres/gpu=2,mem=64G', got " + quoted(item));
    }
  }
  if (tres.gpus == 0) tres.gpus = untyped;
  if (tres.gpus > gpus_max) {
    return failure("expected at most " + std::to_string(gpus_max) + " GPUs, got " +
                   std::to_string(tres.gpus));
  }
  return tres;
}

Result<Duration> parse_slurm_span(std::string_view text) {
  constexpr std::int64_t days_max = 1'000'000;
  const auto fault = [&] { return failure("expected [DD-]HH:MM:SS, got " + quoted(text)); };
  std::string_view clock = text;
  std::int64_t days = 0;
  if (const std::size_t dash = text.find('-'); dash != std::string_view::npos) {
    const std::optional<std::int64_t> count = parse_count(text.substr(0, dash), days_max);
    if (!count) return fault();
    days = *count;
    clock.remove_prefix(dash + 1);
  }
  const std::vector<std::string_view> parts = split(clock, ':');
  if (parts.size() < 2 || parts.size() > 3) return fault();
  const bool has_hours = parts.size() == 3;
  const std::optional<std::int64_t> hours = parse_count(has_hours ? parts[0] : "0", 999);
  const std::optional<std::int64_t> minutes = parse_count(parts[parts.size() - 2], 59);
  if (!hours || !minutes) return fault();
  const std::optional<double> seconds = parse_number(parts.back());
  if (!seconds || *seconds < 0 || *seconds >= 60) return fault();
  const std::int64_t whole_minutes = (days * 24 + *hours) * 60 + *minutes;
  return from_seconds(static_cast<double>(whole_minutes) * 60 + *seconds);
}

}  // namespace muster
