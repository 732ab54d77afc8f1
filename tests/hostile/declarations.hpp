// The public functions that a header declares, found by reading it.
#pragma once

#include <cctype>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace gradual::hostile {

/// Names of functions, one for each overload: `exp`, `Tensor::rows`, `Shape::Shape`, `operator+`. Left out
/// are private members, destructors, what is deleted or defaulted, functions of inner namespaces such as
/// `threads`, and the definition of a template that was declared before.
class Declarations {
 public:
  explicit Declarations(const std::string& header) : words_(without_comments(header)) { scope("", true); }
  const std::multiset<std::string>& names() const { return names_; }

 private:
  // One line of words: no comments, no lines for the preprocessor, 0 for what stands in quotes.
  static std::string without_comments(const std::string& text) {
    std::string result;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
      const std::size_t start = line.find_first_not_of(' ');
      if (start == std::string::npos) continue;
      if (line[start] == '#') {
        while (line.back() == '\\' && std::getline(lines, line)) {
        }
        continue;
      }
      result += ' ';
      for (std::size_t i = start; i < line.size() && line.compare(i, 2, "//") != 0; ++i) {
        if (line[i] == '"' || (line[i] == '\'' && !std::isdigit(static_cast<unsigned char>(line[i - 1])))) {
          const char quote = line[i];
          while (line[++i] != quote) i += line[i] == '\\';
          result += '0';
        } else {
          result += line[i];
        }
      }
    }
    return result;
  }

  // Behind the bracket that closes the one at `at`.
  std::size_t behind(std::size_t at, char open, char close) const {
    int depth = 0;
    for (; at < words_.size(); ++at) {
      depth += words_[at] == open ? 1 : words_[at] == close ? -1 : 0;
      if (depth == 0) return at + 1;
    }
    return at;
  }

  // The declarations of a namespace or class, up to its closing bracket.
  void scope(const std::string& type, bool is_public) {
    while (at_ < words_.size()) {
      skip_spaces();
      if (at_ >= words_.size() || words_[at_] == '}') {
        ++at_;
        return;
      }
      std::smatch label;
      const std::string here = words_.substr(at_, 12);
      if (std::regex_search(here, label, std::regex(R"(^(public|private|protected) ?:)"))) {
        is_public = label[1] == "public";
        at_ += static_cast<std::size_t>(label.length());
        continue;
      }
      declaration(type, is_public);
    }
  }

  void skip_spaces() {
    while (at_ < words_.size() && (words_[at_] == ' ' || words_[at_] == ';')) ++at_;
  }

  void declaration(const std::string& type, bool is_public) {
    std::string head = head_of_declaration();  // stops at ; or {
    const bool has_body = at_ < words_.size() && words_[at_] == '{';
    head = std::regex_replace(
        head,
        std::regex(
            R"(^(template ?<[^{;]*?> ?(?=(class|struct|inline|void|bool|std|auto|const|static|[A-Z]\w* \w|Tensor)))|\[\[[\w:]+\]\] ?|decltype\(auto\) ?)"),
        "");
    std::smatch found;
    if (has_body && std::regex_search(head, found, std::regex(R"(^(inline )?namespace ?([\w:]*))"))) {
      const std::string name = found[2];
      const bool seen = name == "gradual" || name == "GRADUAL_PRECISION";
      if (seen) {
        ++at_;
        scope("", true);
      } else {
        at_ = behind(at_, '{', '}');
      }
    } else if (has_body &&
               std::regex_search(head, found, std::regex(R"(^(class|struct) (alignas\(\w+\) )?([\w:]+))"))) {
      if (is_public) {
        ++at_;
        scope(found[3], found[1] == "struct");
      } else {
        at_ = behind(at_, '{', '}');
      }
    } else {
      if (is_public) function(head, type);
      if (has_body) at_ = behind(at_, '{', '}');
    }
  }

  // Up to the `;` that ends a declaration or the `{` of a body; brackets and the braces of initialisers
  // inside it go with it.
  std::string head_of_declaration() {
    const std::size_t first = at_;
    while (at_ < words_.size()) {
      const char c = words_[at_];
      if (c == '(') {
        at_ = behind(at_, '(', ')');
      } else if (c == '=' && words_.compare(at_, 3, "= {") == 0) {
        at_ = behind(at_ + 2, '{', '}');
      } else if (c == ';' || c == '{') {
        break;
      } else {
        ++at_;
      }
    }
    return words_.substr(first, at_ - first);
  }

  void function(const std::string& head, const std::string& type) {
    static const std::regex not_a_function(
        R"(^(using|typedef|static_assert|enum|extern|friend class|friend struct)\b)");
    static const std::regex name(R"((^|[^\w:~])(operator ?(\(\)|[^\s\w(]+|\w+)|[A-Za-z_]\w*) ?(?=\())");
    std::smatch found;
    if (std::regex_search(head, not_a_function) ||
        std::regex_search(head, std::regex(R"(= ?(delete|default) ?$)")) ||
        !std::regex_search(head, found, name))
      return;
    const std::string before = found.prefix();
    if (before.find('=') != std::string::npos || before.find('~') != std::string::npos)
      return;  // a variable; a destructor
    std::string called = std::regex_replace(found[2].str(), std::regex("operator "), "operator");
    if (called == "explicit" || called == "noexcept") return;
    const bool is_friend = head.rfind("friend", 0) == 0;
    if (!type.empty() && !is_friend) called = type + "::" + called;
    const std::string parameters =
        std::regex_replace(found.suffix().str(), std::regex(R"( ?= ?[^,()]*(?=[,)])| +$)"), "");
    if (signatures_.insert(called + parameters).second) names_.insert(called);
  }

  const std::string words_;
  std::size_t at_ = 0;
  std::set<std::string> signatures_;
  std::multiset<std::string> names_;
};

}  // namespace gradual::hostile
