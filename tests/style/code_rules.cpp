#include <algorithm>
#include <array>
#include <map>
#include <regex>
#include <set>

#include "style/rules.h"

namespace muster::style {
namespace {

constexpr std::size_t function_lines_max = 80;

// What each module may include besides itself: the table of ARCHITECTURE.md, followed to its end.
const std::map<std::string, std::set<std::string>>& arrows() {
  static const std::map<std::string, std::set<std::string>> table = [] {
    std::map<std::string, std::set<std::string>> allowed = {
        {"base", {}},
        {"core", {"base"}},
        {"perf", {"core"}},
        {"opt", {"base"}},
        {"nn", {"base"}},
        {"policies", {"core", "perf", "opt", "nn"}},
        {"engine", {"core"}},
        {"workload", {"core", "perf"}},
        {"sim", {"engine", "perf"}},
        {"report", {"core"}},
        {"live", {"engine", "sim", "report"}},
        {"learn", {"sim", "policies", "nn"}},
        {"cli", {"policies", "engine", "workload", "sim", "report", "live", "learn"}},
    };
    for (std::size_t pass = 0; pass < allowed.size(); ++pass) {
      for (auto& [module, targets] : allowed) {
        for (const std::string& target : std::set<std::string>(targets)) {
          targets.insert(allowed[target].begin(), allowed[target].end());
        }
      }
    }
    return allowed;
  }();
  return table;
}

std::string module_of(const std::string& path) { return path.substr(0, path.find('/')); }

struct Include {
  std::size_t line = 0;
  bool is_ours = false;  // "...", not <...>
  std::string path;
};

std::vector<Include> includes_of(const Source& source) {
  static const std::regex pattern(R"(^#include ([<"])([^">]+)[>"])");
  std::vector<Include> includes;
  const auto lines = lines_of(source.text);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    std::cmatch match;
    if (std::regex_search(lines[i].data(), lines[i].data() + lines[i].size(), match, pattern)) {
      includes.push_back({.line = i + 1, .is_ours = match.str(1) == "\"", .path = match.str(2)});
    }
  }
  return includes;
}

// C++ headers have neither folder nor ending; a few of the system's have.
bool is_third_party(const Include& include) {
  return !include.is_ours && include.path.find_first_of("/.") != std::string::npos;
}

// Follows braces. A block is a function when text with parentheses, and without `=`, leads to it
// outside of any other function; lambdas count to the function around them.
class FunctionFinder {
 public:
  struct Function {
    std::size_t first_line = 0;
    std::size_t last_line = 0;
  };

  std::vector<Function> find(std::string_view code) {
    for (const char c : code) {
      if (c == '{') {
        open();
      } else if (c == '}') {
        close();
      } else if (c == ';' && parentheses_ == 0) {
        head_.clear();
      } else {
        parentheses_ += c == '(' ? 1 : 0;
        if (parentheses_ == 0 || c == '(') add_to_head(c);
        parentheses_ -= c == ')' ? 1 : 0;
      }
      if (c == '\n') ++line_;
    }
    return std::move(functions_);
  }

 private:
  struct Block {
    bool is_function = false;
    std::size_t first_line = 0;
    int parentheses = 0;  // Open around the block,
    std::string head{};   // whose text then goes on behind it.
  };

  void add_to_head(char c) {
    if (head_.empty() && (c == ' ' || c == '\n')) return;
    if (head_.empty()) head_line_ = line_;
    head_ += c;
  }

  bool leads_to_function() const {
    static const std::regex template_head(R"(^template\s*<[^()]*?>\s*(?=[\w:]+[\s&*<:(]))");
    static const std::regex operator_name(R"(operator\s*[^\w\s(]+)");
    std::string head = std::regex_replace(head_, template_head, "");
    head = std::regex_replace(head, operator_name, "operator");
    return head.find('(') != std::string::npos && head.find('=') == std::string::npos;
  }

  void open() {
    const bool is_function = !in_function_ && parentheses_ == 0 && leads_to_function();
    in_function_ = in_function_ || is_function;
    blocks_.push_back({.is_function = is_function,
                       .first_line = head_line_,
                       .parentheses = parentheses_,
                       .head = parentheses_ > 0 ? head_ : ""});
    parentheses_ = 0;
    head_.clear();
  }

  void close() {
    if (blocks_.empty()) return;
    const Block block = blocks_.back();
    blocks_.pop_back();
    parentheses_ = block.parentheses;
    head_ = block.head;
    if (!head_.empty()) head_line_ = block.first_line;
    if (!block.is_function) return;
    in_function_ = false;
    functions_.push_back({.first_line = block.first_line, .last_line = line_});
  }

  std::vector<Function> functions_;
  std::vector<Block> blocks_;
  bool in_function_ = false;
  int parentheses_ = 0;
  std::size_t line_ = 1;
  std::string head_;  // Since the last statement or block, parentheses emptied.
  std::size_t head_line_ = 1;
};

// Names of unordered containers. A name that an ordered one has as well is left out: text alone
// does not tell which of the two a loop means.
std::set<std::string> unordered_names(const std::string& code) {
  static const std::regex declaration(
      R"(\b(unordered_)?(?:map|set|vector|array|span)<[^;{}()]*>&?\s+(\w+)\s*[;{=,)])");
  std::set<std::string> names;
  std::set<std::string> ordered;
  for (std::sregex_iterator match(code.begin(), code.end(), declaration), end; match != end;
       ++match) {
    ((*match)[1].matched ? names : ordered).insert(match->str(2));
  }
  std::erase_if(names, [&](const std::string& name) { return ordered.contains(name); });
  return names;
}

// What the pattern's first group matches, each with its place.
std::map<std::string, std::string> places_of(const std::regex& pattern, const Source& source,
                                             const std::string& text) {
  std::map<std::string, std::string> places;
  for (std::sregex_iterator match(text.begin(), text.end(), pattern), end; match != end; ++match) {
    const std::string name = match->str(1);
    places[name] =
        violation(source, line_at(text, static_cast<std::size_t>(match->position())), name);
  }
  return places;
}

}  // namespace

Violations check_function_lengths(const Source& source) {
  Violations found;
  for (const auto& function : FunctionFinder().find(source.code)) {
    const std::size_t count = function.last_line - function.first_line + 1;
    if (count <= function_lines_max) continue;
    found.push_back(violation(source, function.first_line,
                              "function of " + std::to_string(count) + " lines, over 80"));
  }
  return found;
}

Violations check_includes(const Source& source) {
  Violations found;
  if (!source.is_below("src/") || !source.is_cpp()) return found;
  const std::string path = source.path.substr(4);  // As an #include names it.
  const auto module = arrows().find(module_of(path));
  if (module == arrows().end()) {
    found.push_back(violation(source, 1, "module without a row in the table of arrows"));
    return found;
  }
  const auto includes = includes_of(source);
  for (const Include& include : includes) {
    const std::string target = module_of(include.path);
    if (include.is_ours && target != module->first && !module->second.contains(target)) {
      found.push_back(
          violation(source, include.line, module->first + " may not include " + target));
    }
    if (source.is_header() && is_third_party(include) && include.path != "tl/expected.hpp") {
      found.push_back(violation(source, include.line, "a header with a third party's include"));
    }
  }
  if (source.is_header() && lines_of(source.text).front() != "#pragma once") {
    found.push_back(violation(source, 1, "a header begins with #pragma once"));
  }
  const std::string own = path.substr(0, path.rfind('.')) + ".h";
  const auto own_include = std::find_if(includes.begin(), includes.end(),
                                        [&](const Include& one) { return one.path == own; });
  if (!source.is_header() && own_include != includes.end() && own_include != includes.begin()) {
    found.push_back(violation(source, own_include->line, "own header first"));
  }
  return found;
}

Violations check_unordered_loops(const Source& source, const Source* header) {
  Violations found;
  const std::string declarations = source.code + (header == nullptr ? "" : header->code);
  for (const std::string& name : unordered_names(declarations)) {
    const std::regex loop(R"((:\s*(\w+(\.|->))?)" + name + R"(\)|\b)" + name +
                          R"((\.|->)c?begin\())");
    for (std::sregex_iterator match(source.code.begin(), source.code.end(), loop), end;
         match != end; ++match) {
      found.push_back(violation(source,
                                line_at(source.code, static_cast<std::size_t>(match->position())),
                                "loop over unordered " + name + ": its order differs"));
    }
  }
  return found;
}

Violations check_policies(std::span<const Source> sources) {
  static const std::regex definition(R"(\bPolicyInfo\s+(\w+?)(_policy)?\s*\(\s*\)\s*\{)");
  static const std::regex registration(R"(^POLICY\((\w+?)(_policy)?\))", std::regex::multiline);
  Violations found;
  std::map<std::string, std::string> defined;  // Name -> where.
  std::map<std::string, std::string> registered;
  for (const Source& source : sources) {
    if (!source.is_below("src/policies/")) continue;
    const auto here = places_of(definition, source, source.code);
    defined.insert(here.begin(), here.end());
    if (source.path.ends_with(".def")) registered = places_of(registration, source, source.text);
    const bool has_policy = source.code.find("public Policy {") != std::string::npos;
    if (has_policy && here.empty() && !source.is_header()) {
      found.push_back(violation(source, 1, "a policy without its PolicyInfo"));
    }
  }
  for (const auto& [name, place] : defined) {
    if (!registered.contains(name)) found.push_back(place + " is not in policies.def");
  }
  for (const auto& [name, place] : registered) {
    if (!defined.contains(name)) found.push_back(place + " has no source in src/policies");
  }
  return found;
}

}  // namespace muster::style
