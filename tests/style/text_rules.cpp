#include <algorithm>
#include <array>
#include <regex>

#include "style/rules.h"

namespace muster::style {
namespace {

constexpr std::size_t file_lines_max = 600;
constexpr std::size_t columns_max = 100;

// Characters, not bytes: continuation bytes of UTF-8 are not counted.
std::size_t columns_of(std::string_view line) {
  return static_cast<std::size_t>(std::count_if(line.begin(), line.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
  }));
}

bool has_free_columns(const Source& source) {
  return source.path.ends_with(".md") || source.path.ends_with(".scenario");
}

struct Ban {
  std::string_view word;
  std::string_view instead;
  std::string_view folder{};                    // Where it is banned; "": everywhere.
  std::array<std::string_view, 3> except = {};  // Folders or files where it is right.
};

constexpr std::array bans = {
    Ban{"using namespace", "name what you use"},
    Ban{"throw", "return a Result"},
    Ban{"dynamic_cast", "use a virtual function or a variant"},
    Ban{"typeid", "use a virtual function or a variant"},
    Ban{"const_cast", "pass it as what it is"},
    Ban{"goto", "return early"},
    Ban{"std::rand", "use Rng"},
    Ban{"std::random_device", "use Rng with a seed"},
    Ban{"std::mt19937", "use Rng: the same on every machine"},
    Ban{"std::mt19937_64", "use Rng: the same on every machine"},
    Ban{"std::shuffle", "use Rng: the same on every machine"},
    Ban{"std::uniform_int_distribution", "use Rng: the same on every machine"},
    Ban{"std::uniform_real_distribution", "use Rng: the same on every machine"},
    Ban{"std::normal_distribution", "use Rng: the same on every machine"},
    Ban{"std::exponential_distribution", "use Rng: the same on every machine"},
    Ban{"setlocale", "use base/text.h"},
    Ban{"std::locale", "use base/text.h"},
    Ban{"std::stoi", "use parse_integer"},
    Ban{"std::stol", "use parse_integer"},
    Ban{"std::stoll", "use parse_integer"},
    Ban{"std::stod", "use parse_number"},
    Ban{"std::atoi", "use parse_integer"},
    Ban{"std::strtod", "use parse_number"},
    Ban{"std::strtol", "use parse_integer"},
    Ban{"assert", "use CHECK", "src/"},
    Ban{"std::shared_ptr", "say who owns it", "src/", {"src/live/"}},
    Ban{"std::cout", "return text; the command line prints it", "src/", {"src/cli/"}},
    Ban{"std::cerr", "return an Error; the command line prints it", "src/", {"src/cli/"}},
    Ban{"std::getenv", "pass it down as an option", "src/", {"src/cli/", "src/live/"}},
    Ban{"system_clock", "only worlds know the time", "src/", {"src/cli/", "src/live/"}},
    Ban{"steady_clock", "only worlds know the time", "src/", {"src/cli/", "src/live/"}},
    Ban{"std::thread",
        "the engine has no threads",
        "src/",
        {"src/cli/", "src/live/", "src/learn/"}},
    Ban{"std::jthread",
        "the engine has no threads",
        "src/",
        {"src/cli/", "src/live/", "src/learn/"}},
    Ban{"std::mutex", "the engine has no threads", "src/", {"src/cli/", "src/live/", "src/learn/"}},
};

bool applies(const Ban& ban, const Source& source) {
  if (!source.is_below(ban.folder)) return false;
  return std::none_of(ban.except.begin(), ban.except.end(), [&](std::string_view folder) {
    return !folder.empty() && source.is_below(folder);
  });
}

}  // namespace

Violations check_layout(const Source& source) {
  Violations found;
  const auto lines = lines_of(source.text);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::string_view line = lines[i];
    if (line.find('\t') != std::string_view::npos && !source.path.ends_with("Makefile")) {
      found.push_back(violation(source, i + 1, "tab"));
    }
    if (line.ends_with(' ') || line.ends_with('\r')) {
      found.push_back(violation(source, i + 1, "trailing blank"));
    }
    if (!has_free_columns(source) && columns_of(line) > columns_max) {
      found.push_back(violation(source, i + 1, "over 100 columns"));
    }
  }
  if (!source.text.empty() && !source.text.ends_with('\n')) {
    found.push_back(violation(source, lines.size(), "no newline at the end"));
  }
  if (source.is_cpp() && lines.size() > file_lines_max) {
    found.push_back(violation(source, lines.size(), "file over 600 lines"));
  }
  return found;
}

Violations check_words(const Source& source) {
  Violations found;
  for (const Ban& ban : bans) {
    if (!applies(ban, source)) continue;
    for (std::size_t at = find_word(source.code, ban.word); at != std::string::npos;
         at = find_word(source.code, ban.word, at + 1)) {
      found.push_back(violation(source, line_at(source.code, at),
                                std::string(ban.word) + ": " + std::string(ban.instead)));
    }
  }
  return found;
}

Violations check_notes(const Source& source) {
  // A reason is a sentence of at least four words.
  static const std::regex reasoned(R"(^TODO: \S+ \S+ \S+ \S+)");
  Violations found;
  const std::string& text = source.is_cpp() ? source.comments : source.text;
  if (source.path.ends_with(".md")) return found;
  for (const std::string_view word : {"TODO", "FIXME", "XXX"}) {
    for (std::size_t at = find_word(text, word); at != std::string::npos;
         at = find_word(text, word, at + 1)) {
      const std::string rest = text.substr(at, text.find('\n', at) - at);
      if (std::regex_search(rest, reasoned)) continue;
      found.push_back(violation(source, line_at(text, at), "note without `TODO: <reason>`"));
    }
  }
  return found;
}

Violations check_machine_paths(const Source& source) {
  static const std::regex machine_path(R"((^|[^\w.\-/*~}])/(tmp|root|home|work)(/|\b))");
  Violations found;
  const auto lines = lines_of(source.text);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (std::regex_search(lines[i].begin(), lines[i].end(), machine_path)) {
      found.push_back(violation(source, i + 1, "path of one machine"));
    }
  }
  return found;
}

}  // namespace muster::style
