#include "cli/facts.h"

#include <algorithm>
#include <utility>

#include "base/text.h"

namespace muster {
namespace {

// Commas between groups of three digits of the whole part.
std::string grouped(std::string number) {
  const std::size_t point = std::min(number.find('.'), number.size());
  const std::size_t first = number.starts_with("-") ? 1 : 0;
  for (std::size_t at = point; at > first + 3;) {
    at -= 3;
    number.insert(at, ",");
  }
  return number;
}

}  // namespace

std::string readable_count(std::int64_t count) { return grouped(std::to_string(count)); }

std::string readable_seconds(double seconds) {
  constexpr double minute = 60;
  constexpr double hour = 60 * minute;
  constexpr double day = 24 * hour;
  if (seconds > 0 && seconds < 0.1) return format_fixed(seconds * 1e3, 3) + " ms";
  std::string plain = grouped(format_fixed(seconds, 1)) + " s";
  if (seconds < 10 * minute) return plain;
  if (seconds < 2 * hour) return plain + " (" + format_fixed(seconds / minute, 1) + " min)";
  if (seconds < 2 * day) return plain + " (" + format_fixed(seconds / hour, 1) + " h)";
  return plain + " (" + grouped(format_fixed(seconds / day, 1)) + " d)";
}

Fact text_fact(std::string key, std::string label, const std::string& text) {
  return {std::move(key), text, std::move(label), text};
}

Fact count_fact(std::string key, std::string label, std::int64_t count) {
  return {std::move(key), std::to_string(count), std::move(label), readable_count(count)};
}

Fact seconds_fact(std::string key, std::string label, std::optional<double> seconds) {
  return {std::move(key), seconds ? format_number(*seconds) : "", std::move(label),
          seconds ? readable_seconds(*seconds) : "-"};
}

Fact ratio_fact(std::string key, std::string label, std::optional<double> ratio) {
  return {std::move(key), ratio ? format_number(*ratio) : "", std::move(label),
          ratio ? format_fixed(*ratio * 100, 1) + " %" : "-"};
}

Fact number_fact(std::string key, std::string label, std::optional<double> number, int decimals) {
  return {std::move(key), number ? format_number(*number) : "", std::move(label),
          number ? grouped(format_fixed(*number, decimals)) : "-"};
}

std::string facts_text(const std::vector<Fact>& facts, bool is_for_people) {
  std::string text = is_for_people ? "" : "key\tvalue\n";
  std::size_t width = 0;
  for (const Fact& fact : facts) width = std::max(width, fact.label.size());
  for (const Fact& fact : facts) {
    if (!is_for_people) {
      std::string value = fact.exact;
      std::replace_if(
          value.begin(), value.end(), [](char c) { return c == '\t' || c == '\n' || c == '\r'; },
          ' ');
      text += fact.key + "\t" + value + "\n";
    } else if (!fact.label.empty()) {
      text += fact.label + std::string(width - fact.label.size() + 2, ' ') + fact.readable + "\n";
    }
  }
  return text;
}

}  // namespace muster
