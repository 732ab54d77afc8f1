#include "mark.hpp"

#include <cctype>
#include <map>
#include <numeric>
#include <set>
#include <sstream>

#include "library_text.hpp"
#include "report.hpp"

namespace {

std::string name_of(Verdict::State state) {
  switch (state) {
    case Verdict::State::right:
      return "right";
    case Verdict::State::wrong:
      return "wrong";
    case Verdict::State::undone:
      return "undone";
    case Verdict::State::refused:
      return "refused";
    case Verdict::State::errors:
      break;
  }
  return "errors";
}

// Names that a copy cannot change.
const std::set<std::string>& fixed_names() {
  static const std::set<std::string> names = {
      "auto",   "bool",   "break", "const",   "continue", "double", "else",   "false", "float",
      "for",    "if",     "int",   "long",    "true",     "return", "static", "throw", "void",
      "while",  "std",    "exp",   "log",     "max",      "min",    "sqrt",   "data",  "size",
      "dim",    "Tensor", "Index", "Indices", "Real",     "Shape",  "begin",  "end",   "shape",
      "switch", "case",   "do",    "Var",     "vector",   "record", "matmul"};
  return names;
}

std::string shape_of_tokens(const std::vector<std::string>& tokens) {
  std::map<std::string, std::size_t> names;
  std::string shape;
  for (const std::string& word : tokens) {
    const bool is_name = std::isalpha(static_cast<unsigned char>(word[0])) != 0 || word[0] == '_';
    shape += is_name && fixed_names().count(word) == 0
                 ? "n" + std::to_string(names.emplace(word, names.size()).first->second)
                 : word;
    shape += ' ';
  }
  return fingerprint(shape);
}

// Of the part's function alone, or of all of the text where it is not found in it.
std::string shape_of_part(const Part& part, const std::string& text) {
  if (part.goal) return shape_of(text);
  const std::vector<std::string> tokens = tokens_of_function(text, part.signature, part.function());
  return tokens.empty() ? shape_of(text) : shape_of_tokens(tokens);
}

}  // namespace

Mark mark_of(const Verdict& verdict, const std::string& text) {
  Mark mark = missing_mark(verdict.part);
  mark.state = name_of(verdict.state);
  mark.text = explanation_of(verdict);
  mark.diagnosis = verdict.diagnosis;
  mark.shape = shape_of_part(verdict.part, text);
  mark.points = verdict.points();
  mark.seconds = verdict.seconds;
  return mark;
}

Mark missing_mark(const Part& part) {
  Mark mark;
  mark.part = part.number();
  mark.title = part.title;
  mark.file = part.file();
  mark.state = "missing";
  mark.text = "It was not handed in.\n";
  mark.of = part.points;
  return mark;
}

std::string shape_of(const std::string& text) { return shape_of_tokens(tokens_of(text)); }

int points_of(const std::vector<Mark>& marks) {
  return std::accumulate(marks.begin(), marks.end(), 0,
                         [](int sum, const Mark& mark) { return sum + mark.points; });
}

int points_in_all(const std::vector<Mark>& marks) {
  return std::accumulate(marks.begin(), marks.end(), 0,
                         [](int sum, const Mark& mark) { return sum + mark.of; });
}

std::string summary_of(const Mark& mark) {
  if (!mark.diagnosis.empty()) return mark.diagnosis;
  if (mark.state == "right") return "right";
  if (mark.state == "undone") return "not begun";
  if (mark.state == "errors") return "does not compile";
  if (mark.state == "refused") return "refused";
  if (mark.state == "missing") return "not handed in";
  return "wrong";
}
