#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace muster {

// One figure about a thing: `key` and `exact` for programs, `label` and `readable` for people.
struct Fact {
  std::string key{};
  std::string exact{};
  std::string label{};  // Empty: not shown to people.
  std::string readable{};
};

Fact text_fact(std::string key, std::string label, const std::string& text);
Fact count_fact(std::string key, std::string label, std::int64_t count);
// An absent figure is an empty field for programs and a dash for people.
Fact seconds_fact(std::string key, std::string label, std::optional<double> seconds);
Fact ratio_fact(std::string key, std::string label, std::optional<double> ratio);
Fact number_fact(std::string key, std::string label, std::optional<double> number, int decimals);

// "label  readable" in columns, or with tabs "key, value" under that header.
std::string facts_text(const std::vector<Fact>& facts, bool is_for_people);

// For people: "12.3 s", "3.4 h (12,345.0 s)".
std::string readable_seconds(double seconds);
std::string readable_count(std::int64_t count);  // "82,247"

}  // namespace muster
