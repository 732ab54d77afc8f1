#include "library_text.hpp"

#include <algorithm>
#include <cctype>
#include <regex>
#include <sstream>
#include <stdexcept>

#include "within_budget.hpp"

namespace {

using Lines = std::vector<std::string>;

Lines lines_of_text(const std::string& text) {
  Lines lines;
  std::istringstream rest(text);
  for (std::string line; std::getline(rest, line);) lines.push_back(line);
  return lines;
}

std::regex pattern_of(const std::string& signature) {
  static const std::regex special(R"([.*+?^${}()|[\]\\])"), spaces(R"( +)");
  const std::string escaped = std::regex_replace(signature, special, R"(\$&)");
  return std::regex("(^|\n)" + std::regex_replace(escaped, spaces, "\\s+") + " \\{");
}

std::string headers_of(const std::string& source) {
  std::string headers;
  for (const std::string& line : lines_of_text(source))
    if (line.rfind("#include", 0) == 0) headers += line + "\n";
  return headers;
}

// The definition with another text between its braces.
std::string with_body(const std::string& definition, const std::string& body) {
  return definition.substr(0, definition.find(" {") + 2) + body + "}\n";
}

std::string helpers_of(const Part& part, const std::string& source) {
  std::string helpers;
  for (const std::string& signature : part.helpers)
    helpers += (helpers.empty() ? "" : "\n") + definition_of(source, signature, part.source);
  return helpers.empty() ? "" : "namespace {\n\n" + helpers + "\n}  // namespace\n\n";
}

Lines tokens_of(const std::string& text) {
  static const std::regex comments(R"(//[^\n]*|/\*[^]*?\*/)"), token(R"(\w+|[^\w\s])");
  const std::string code = std::regex_replace(text, comments, " ");
  Lines tokens;
  for (std::sregex_iterator i(code.begin(), code.end(), token), end; i != end; ++i)
    tokens.push_back(i->str());
  return tokens;
}

}  // namespace

std::string definition_of(const std::string& source, const std::string& signature, const std::string& path) {
  const std::regex pattern = pattern_of(signature);
  std::smatch found;
  if (!std::regex_search(source, found, pattern))
    throw std::invalid_argument(path + " must define: " + signature);
  const std::string rest = found.suffix();
  if (std::regex_search(rest, pattern))
    throw std::invalid_argument(path + " must define only once: " + signature);
  // clang-format closes a function at the beginning of a line, or all of it stands in one, as a named lambda
  // does.
  const auto line_end = rest.find('\n');
  const std::string line = rest.substr(0, line_end), code = line.substr(0, line.find_last_not_of(";") + 1);
  const auto end = !code.empty() && code.back() == '}' ? line_end + 1 : rest.find("\n}\n") + 3;
  const std::string head = found.str();
  return head.substr(head.find_first_not_of('\n')) + rest.substr(0, end);
}

std::string comment(const std::string& text, const std::string& mark) {
  std::string result, line = mark;
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    if (line.size() + 1 + word.size() > 105) {
      result += line + "\n";
      line = mark;
    }
    line += " " + word;
  }
  return result + line + "\n";
}

std::string body_of(const std::string& definition) {
  const auto first = definition.find(" {") + 2;
  return definition.substr(first, definition.rfind('}') - first);
}

std::string starter(const Part& part, const std::string& source) {
  if (part.goal) return settings_starter(part);
  const std::string definition = definition_of(source, part.signature, part.source);
  return "// " + part.number() + "  " + part.title + " (" + std::to_string(part.points) + " points)\n//\n" +
         comment(part.task, "//") + headers_of(source) + (part.bug ? "\n" : "\n#include \"undone.hpp\"\n\n") +
         "namespace gradual {\n" + helpers_of(part, source) +
         (part.bug ? with_mistake(definition, *part.bug) : with_body(definition, "\n  undone();\n")) +
         "\n}  // namespace gradual\n";
}

std::string solution(const Part& part, const std::string& source) {
  std::string text;
  for (const std::string& signature : part.shows)
    text += definition_of(source, signature, part.readable()) + "\n";
  return text + definition_of(source, part.signature, part.readable());
}

std::string source_of_mistakes(const Part& part, const std::string& source,
                               const std::vector<Mistake>& mistakes) {
  const std::string definition = definition_of(source, part.signature, part.readable());
  // A function without a result comes to its end without a return, and would go on with the next mistake.
  const std::string end = part.signature.rfind("void ", 0) == 0 ? "} return;\n" : "}\n";
  std::string choices;
  for (std::size_t k = 0; k < mistakes.size(); ++k)
    choices += "    case " + std::to_string(k) + ": {" + body_of(with_mistake(definition, mistakes[k])) + end;
  return headers_of(source) +
         "#include <cstdlib>\n#include <stdexcept>\n\n#include "
         "<gradual/autograd/operations.hpp>\n\nnamespace gradual {\n" +
         helpers_of(part, source) +
         with_body(definition, "\n  switch (std::atoi(std::getenv(\"GRADUAL_MISTAKE\"))) {\n" + choices +
                                   "  }\n  throw std::invalid_argument(\"no such mistake\");\n") +
         "\n}  // namespace gradual\n";
}

std::string difference(const std::string& yours, const std::string& other) {
  const Lines a = lines_of_text(yours), b = lines_of_text(other);
  // common[i][j]: the most lines that a from i on and b from j on have in common, in order.
  std::vector<std::vector<int>> common(a.size() + 1, std::vector<int>(b.size() + 1, 0));
  for (std::size_t i = a.size(); i-- > 0;)
    for (std::size_t j = b.size(); j-- > 0;)
      common[i][j] = a[i] == b[j] ? common[i + 1][j + 1] + 1 : std::max(common[i + 1][j], common[i][j + 1]);
  std::string text;
  for (std::size_t i = 0, j = 0; i < a.size() || j < b.size();) {
    if (i < a.size() && j < b.size() && a[i] == b[j]) {
      text += "  " + a[i++] + "\n";
      ++j;
    } else if (j == b.size() || (i < a.size() && common[i + 1][j] >= common[i][j + 1])) {
      text += "- " + a[i++] + "\n";
    } else {
      text += "+ " + b[j++] + "\n";
    }
  }
  return text;
}

int longest_shared_run(const std::string& definition, const std::string& text) {
  const Lines a = tokens_of(definition.substr(definition.find(" {") + 2)), b = tokens_of(text);
  int longest = 0;
  std::vector<int> before(b.size() + 1, 0);
  for (const std::string& token : a) {
    std::vector<int> run(b.size() + 1, 0);
    for (std::size_t j = 0; j < b.size(); ++j) {
      run[j + 1] = token == b[j] ? before[j] + 1 : 0;
      longest = std::max(longest, run[j + 1]);
    }
    before = run;
  }
  return longest;
}
