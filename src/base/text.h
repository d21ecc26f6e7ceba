#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace muster {

// Locale-free text helpers. Parsers accept the whole view or nothing.

std::string_view trim(std::string_view text);  // Without spaces, tabs, CR, LF at both ends.
std::vector<std::string_view> split(std::string_view text, char separator);  // "" has one field.
std::string join(std::span<const std::string> items, std::string_view separator);
std::string to_lower(std::string_view text);  // ASCII only.

std::optional<std::int64_t> parse_integer(std::string_view text);
std::optional<double> parse_number(std::string_view text);  // Finite only: no NaN, no infinity.

// The shortest decimal that reads back as the same double ("0.1", "1000", "1e+05").
std::string format_number(double value);
// Fixed, `decimals` places, locale-free.
std::string format_fixed(double value, int decimals);
// Microseconds as seconds with only the decimals needed: 1500000 -> "1.5".
std::string format_microseconds(std::int64_t microseconds);

// For messages: the text in quotes, control characters escaped, shortened when long.
std::string quoted(std::string_view text);

// The candidate with the smallest edit distance, if near enough to be a typo.
std::optional<std::string> nearest(std::string_view word, std::span<const std::string> candidates);

}  // namespace muster
