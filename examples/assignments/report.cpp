#include "report.hpp"

#include <algorithm>
#include <iomanip>
#include <ostream>
#include <sstream>

#include <gradual/core/error.hpp>
#include <gradual/nn/text/utf8.hpp>

#include "../terminal/colour.hpp"
#include "../terminal/console.hpp"

using namespace gradual;

namespace {

constexpr Index most_numbers = 24;

template <class Numbers>
std::string shown_numbers(const Shape& shape, const Numbers& numbers, Index count) {
  std::ostringstream out;
  out << std::setprecision(4) << "[";
  for (Index axis = 0; axis < shape.rank(); ++axis) out << (axis > 0 ? "," : "") << shape[axis];
  out << "] =";
  const Index width = shape.rank() > 0 ? shape[-1] : 1;
  for (Index i = 0; i < std::min(count, most_numbers); ++i) {
    if (i > 0 && width > 0 && i % width == 0) out << " |";
    const auto number = numbers[i];
    if (number != number)
      out << " nan";  // with a sign, as some systems write it, it would seem to be two kinds
    else
      out << ' ' << number + 0;  // -0 is 0
  }
  if (count > most_numbers) out << " …";
  return out.str();
}

// A line for each tensor: under one label, the names where there are several.
void print_values(std::ostream& out, const std::string& label, const Values& values) {
  constexpr std::size_t width = 16;
  std::string first = label;
  const bool is_named = values.tensors.size() + values.indices.size() > 1 || label == "smallest case";
  const auto line = [&](const std::string& name, const std::string& numbers) {
    out << spaces_after(first, width) << (is_named ? name + " " : "") << numbers << "\n";
    first = "";
  };
  for (const auto& [name, numbers] : values.tensors) line(name, shown(numbers));
  for (const auto& [name, numbers] : values.indices)
    line(name, shown_numbers(numbers.shape(), numbers.data(), numbers.size()));
  const auto error = values.metadata.find("error");
  if (error != values.metadata.end()) line("", "error: " + error->second);
}

// The beginning of a text in UTF-8.
std::string at_most(std::size_t bytes, const std::string& text) {
  if (text.size() <= bytes) return text;
  return std::string(whole_characters(text, bytes)) + "…\n";
}

std::string indented(const std::string& lines) {
  std::string text;
  std::istringstream rest(lines);
  for (std::string line; std::getline(rest, line);) text += "  " + line + "\n";
  return text;
}

std::string whole_explanation_of(const Verdict& v) {
  switch (v.state) {
    case Verdict::State::right:
      return "";
    case Verdict::State::undone:
      return v.part.goal  ? "Not begun: the settings are as they came.\n"
             : v.part.bug ? "Not begun: it is as it came, with its bug.\n"
                          : "Not begun: undone() still stands in it.\n";
    case Verdict::State::errors:
      return (v.part.goal ? "It cannot be read:\n" : "It does not compile:\n") + v.problem;
    case Verdict::State::refused:
      return v.problem;
    case Verdict::State::wrong:
      break;
  }
  std::ostringstream out;
  for (const std::string* sentence : {&v.problem, &v.diagnosis, &v.evidence})
    if (!sentence->empty()) out << *sentence << "\n";
  if (const Case* smallest = v.smallest_failure()) {
    print_values(out, "smallest case", smallest->inputs);
    if (smallest->yours) print_values(out, "yours", *smallest->yours);
    print_values(out, "expected", smallest->expected);
  }
  if (v.evidence.empty() && !v.warnings.empty()) out << "The compiler warned:\n" << v.warnings;
  return out.str();
}

}  // namespace

std::string spaces_after(const std::string& text, std::size_t width) {
  const std::size_t letters = character_count(text);
  return text + std::string(width > letters ? width - letters : 1, ' ');
}

std::string bar(int points, int all) {
  constexpr int width = 20;
  std::string text;
  for (int i = 0; i < width; ++i) text += i * all < points * width ? "█" : "░";
  return text;
}

int columns_to_fit() { return is_terminal(stdout) ? terminal_columns() : 0; }

std::string fitted(const std::string& paragraph, int columns) {
  return columns > 0 ? wrapped(paragraph, columns) : paragraph;
}

std::string shown(const Tensor& x) { return shown_numbers(x.shape(), x.data(), x.size()); }

std::string visible(const std::string& text) {
  std::string valid;
  std::string_view rest = text;
  while (const auto invalid = first_invalid_byte(rest)) {
    valid += std::string(rest.substr(0, static_cast<std::size_t>(*invalid))) + "?";
    rest.remove_prefix(static_cast<std::size_t>(*invalid) + 1);
  }
  std::u32string shown;
  for (const char32_t c : decode_utf8(valid + std::string(rest))) {
    if (c == '\r') continue;
    shown += !is_control(c) || c == '\n' || c == '\t' ? c : c < 0x20 ? 0x2400 + c : U'\xFFFD';  // ␛
  }
  return encode_utf8(shown);
}

std::string explanation_of(const Verdict& v) {
  constexpr std::size_t most = 20000;
  return at_most(most, visible(whole_explanation_of(v)));
}

void print_verdict(std::ostream& out, const Verdict& v, int columns) {
  constexpr int widest = 67;
  out << spaces_after(std::to_string(v.part.place) + " " + v.part.title, 34);
  if (columns == 0 || columns >= widest) out << spaces_after("(" + v.part.file() + ")", 26);
  const std::string text = indented(v.state == Verdict::State::right ? v.evidence : explanation_of(v));
  // The compiler's marks stand below its lines, which are left as they are.
  out << std::setw(2) << v.points() << " / " << v.part.points << "\n"
      << (v.state == Verdict::State::errors ? text : fitted(text, columns));
}

void print_report(std::ostream& out, const Assignment& assignment, const std::vector<Verdict>& verdicts,
                  int columns) {
  int points = 0, all = 0;
  for (const Verdict& v : verdicts) {
    points += v.points();
    all += v.part.points;
  }
  out << spaces_after(assignment.number + " " + assignment.title, 28) << bar(points, all) << "  " << points
      << " / " << all << "\n";
  for (const Verdict& v : verdicts) print_verdict(out, v, columns);
  std::string layers;  // a part that is not begun was compiled at most, and the compiler has a layer fewer
  for (const Verdict& v : verdicts)
    if (v.layers.size() > layers.size()) layers = v.layers;
  if (!layers.empty()) out << "sandbox: " << layers << "\n";
}
