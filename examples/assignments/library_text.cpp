#include "library_text.hpp"

#include <algorithm>
#include <cctype>
#include <cstring>
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

bool is_space(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }
bool is_of_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// Where the text goes on behind a signature and " {" that begin at `at`; npos: they do not. A space of the
// signature is any white space. (No regular expressions: they fill the stack where a student's file has a
// long line.)
std::size_t end_of_head(const std::string& text, std::size_t at, const std::string& signature) {
  for (const char c : signature) {
    if (at >= text.size() || (c == ' ' ? !is_space(text[at]) : text[at] != c)) return std::string::npos;
    ++at;
    while (c == ' ' && at < text.size() && is_space(text[at])) ++at;
  }
  return text.compare(at, 2, " {") == 0 ? at + 2 : std::string::npos;
}

// The beginning of the first line from `at` on that begins a definition; npos: none does.
std::size_t find_definition(const std::string& text, std::size_t at, const std::string& signature) {
  while (at < text.size()) {
    if (end_of_head(text, at, signature) != std::string::npos) return at;
    const std::size_t line_end = text.find('\n', at);
    if (line_end == std::string::npos) break;
    at = line_end + 1;
  }
  return std::string::npos;
}

// With the line ends of Unix, at the end, too.
std::string in_lines(std::string text) {
  text.erase(std::remove(text.begin(), text.end(), '\r'), text.end());
  if (!text.empty() && text.back() != '\n') text += '\n';
  return text;
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

// Where the text in quotation marks that begins at a token ends: at the token itself where there is none.
std::size_t end_of_literal(const Lines& tokens, std::size_t at) {
  if (tokens[at] == "\"") {
    std::size_t end = at + 1;
    while (end < tokens.size() && tokens[end] != "\"") end += tokens[end] == "\\" ? 2 : 1;
    return std::min(end, tokens.size() - 1);
  }
  const bool is_letter =
      tokens[at] == "'" && at + 2 < tokens.size() && tokens[at + 2] == "'";  // '{', not 1'000
  return is_letter ? at + 2 : at;
}

// The place of the closing partner of each opening parenthesis and brace; 0 where there is none.
std::vector<std::size_t> partners_in(const Lines& tokens) {
  std::vector<std::size_t> partners(tokens.size(), 0), round, curly;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    i = end_of_literal(tokens, i);
    auto& open = tokens[i] == "(" || tokens[i] == ")" ? round : curly;
    if (tokens[i] == "(" || tokens[i] == "{") open.push_back(i);
    if ((tokens[i] != ")" && tokens[i] != "}") || open.empty()) continue;
    partners[open.back()] = i;
    open.pop_back();
  }
  return partners;
}

}  // namespace

std::vector<std::string> tokens_of(const std::string& text) {
  std::vector<std::string> tokens;
  const auto after = [&](const char* mark, std::size_t from) {  // which ends a comment
    const std::size_t found = text.find(mark, from);
    return found == std::string::npos ? text.size() : found + std::strlen(mark);
  };
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t first = at;
    if (text.compare(at, 2, "//") == 0) {
      at = after("\n", at + 2);
    } else if (text.compare(at, 2, "/*") == 0) {
      at = after("*/", at + 2);
    } else if (is_space(text[at])) {
      ++at;
    } else {
      while (at < text.size() && is_of_word(text[at])) ++at;
      at = std::max(at, first + 1);
      tokens.push_back(text.substr(first, at - first));
    }
  }
  return tokens;
}

std::vector<std::string> tokens_of_function(const std::string& text, const std::string& signature,
                                            const std::string& name) {
  const Lines all = tokens_of(text), head = tokens_of(signature), words = tokens_of(name);
  const std::vector<std::size_t> partners = partners_in(all);
  for (auto at = all.begin();; ++at) {
    at = std::search(at, all.end(), words.begin(), words.end());
    if (at == all.end()) return {};
    std::size_t i = static_cast<std::size_t>(at - all.begin()) + words.size();
    if (i >= all.size() || all[i] != "(" || partners[i] == 0) continue;
    i = partners[i] + 1;
    while (i < all.size() && (all[i] == "const" || all[i] == "noexcept")) ++i;
    if (i >= all.size() || all[i] != "{" || partners[i] == 0) continue;  // a call, or a declaration
    Lines tokens(head.begin(), std::search(head.begin(), head.end(), words.begin(), words.end()));
    tokens.insert(tokens.end(), at, all.begin() + static_cast<std::ptrdiff_t>(partners[i]) + 1);
    return tokens;
  }
}

std::string definition_of(const std::string& source, const std::string& signature, const std::string& path) {
  const std::string text = in_lines(source);
  const std::size_t begin = find_definition(text, 0, signature);
  if (begin == std::string::npos) throw std::invalid_argument(path + " must define: " + signature);
  const std::size_t body = end_of_head(text, begin, signature);
  if (find_definition(text, body, signature) != std::string::npos)
    throw std::invalid_argument(path + " must define only once: " + signature);
  // clang-format closes a function at the beginning of a line, or all of it stands in one, as a named lambda
  // does.
  const std::size_t line_end = text.find('\n', body);
  const std::string line = text.substr(body, line_end - body);
  const std::string code = line.substr(0, line.find_last_not_of(";") + 1);
  if (!code.empty() && code.back() == '}') return text.substr(begin, line_end + 1 - begin);
  const std::size_t end = text.find("\n}\n", body);
  if (end == std::string::npos)
    throw std::invalid_argument(path + " must have a } on a line of its own at the end of: " + signature);
  return text.substr(begin, end + 3 - begin);
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
