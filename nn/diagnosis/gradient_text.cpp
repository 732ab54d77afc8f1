// The path of a gradient for people: as text, as a picture, as a page.
#include <algorithm>
#include <cmath>

#include <gradual/core/error.hpp>
#include <gradual/nn/diagnosis/gradient_terms.hpp>
#include <gradual/nn/drawing/line_text.hpp>
#include <gradual/nn/drawing/number_text.hpp>
#include <gradual/nn/drawing/page/page.hpp>
#include <gradual/nn/drawing/svg.hpp>

namespace gradual {
namespace {

std::string number(double value) { return short_text(value, 4); }

std::string named(const std::string& name, const std::vector<Index>& place) {
  std::vector<std::string> indices;
  for (const Index each : place) indices.push_back(std::to_string(each));
  return indices.empty() ? name : name + " at [" + list_text(indices, ", ") + "]";
}

std::string summary(const GradientStep& step) {
  const Index count = static_cast<Index>(step.terms.size()) + step.others;
  return text(named(step.name, step.place), " = ", number(step.value), ", gradient ", number(step.gradient),
              count == 0   ? ": the loss itself"
              : count == 1 ? ": one term"
                           : text(": the sum of ", count, " terms"));
}

std::string product(const GradientTerm& term) { return number(term.slope) + " · " + number(term.dy); }

}  // namespace

std::string GradientPath::text() const {
  std::string result;
  for (const GradientStep& step : steps) {
    result += summary(step) + "\n";
    for (const GradientTerm& term : step.terms)
      result += right_in(12, number(term.contribution)) + " = " + product(term) + "  by " +
                named(term.name, term.place) + "\n";
    if (step.others > 0)
      result += right_in(12, number(step.sum_of_others)) + gradual::text("  by ", step.others, " others\n");
  }
  return result;
}

std::string draw_gradient(const GradientPath& path) {
  constexpr double width = 720, row = 44, left = 12, bar = width - 2 * left;
  Svg svg(width, row * static_cast<double>(path.steps.size()) + left, "gradient",
          "The terms of a gradient, step by step to the loss");
  svg.open("g", {{"font-size", 12}});
  double y = 0;
  for (const GradientStep& step : path.steps) {
    svg.text(left, y + 16, summary(step), {}, summary(step));
    double all = std::abs(step.sum_of_others);
    for (const GradientTerm& term : step.terms) all += std::abs(term.contribution);
    double x = left;
    const auto part = [&](double contribution, const std::string& colour, const std::string& hover) {
      const double share = all > 0 ? bar * std::abs(contribution) / all : 0;
      if (share < 0.01) return;
      svg.element(
          "rect",
          {{"x", x}, {"y", y + 22}, {"width", std::max(share - 1, 0.5)}, {"height", 14}, {"fill", colour}},
          hover);
      if (share > 60)
        svg.text(x + share / 2, y + 33, number(contribution), {{"text-anchor", "middle"}, {"class", "paper"}},
                 hover);
      x += share;
    };
    for (const GradientTerm& term : step.terms)
      part(term.contribution, term.contribution > 0 ? "var(--g-0)" : "var(--g-1)",
           number(term.contribution) + " = " + product(term) + " by " + named(term.name, term.place));
    part(step.sum_of_others, "var(--g-soft)",
         text(number(step.sum_of_others), " by ", step.others, " others"));
    y += row;
  }
  return svg.finish();
}

std::string gradient_page(const GradientPath& path) {
  Html page;
  page.paragraph(
      "A gradient is a sum over all that reads its number: how much each result changes with it, times how "
      "much "
      "the loss changes with that result. Each bar is such a sum, blue what adds and orange what takes away; "
      "the "
      "largest term is the gradient of the next bar, up to the loss.");
  page.heading(2, "The path").picture(draw_gradient(path)).heading(2, "Its steps");
  for (const GradientStep& step : path.steps) {
    if (step.terms.empty()) continue;
    page.heading(3, summary(step));
    std::vector<std::vector<std::string>> rows;
    for (const GradientTerm& term : step.terms)
      rows.push_back({number(term.contribution), number(term.slope), number(term.dy), number(term.result),
                      named(term.name, term.place)});
    if (step.others > 0)
      rows.push_back({number(step.sum_of_others), "", "", "", text(step.others, " others")});
    page.table({"Term", "Slope", "Gradient of the result", "Result", "By"}, rows);
  }
  const GradientStep& first = path.steps.front();
  return html_page("Why is this gradient what it is?", summary(first), page);
}

}  // namespace gradual
