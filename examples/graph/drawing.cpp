#include "drawing.hpp"

#include <cmath>

#include <gradual/core/error.hpp>
#include <gradual/nn/drawing/number_text.hpp>
#include <gradual/nn/drawing/svg.hpp>

using namespace gradual;

namespace {

constexpr double size = 440, top = 26;
constexpr double golden_angle = 2.399963;  // between points of a sunflower, which fill a disc evenly

struct Point {
  double x, y;
};

// Communities on a circle, advertisers in its middle; within each, nodes in the order of their numbers.
std::vector<Point> places(const LabelledGraph& graph) {
  std::vector<Index> seen(static_cast<std::size_t>(graph.classes) + 1, 0);
  std::vector<Point> result;
  for (std::int32_t label : graph.labels) {
    const bool person = label >= 0;
    const double turn = 2 * M_PI * (label + 0.5) / static_cast<double>(graph.classes);
    const double away = person ? 0.34 * size : 0;
    const auto number = static_cast<double>(seen[static_cast<std::size_t>(person ? label : graph.classes)]++);
    const double radius = 5.5 * std::sqrt(number + 0.5), angle = golden_angle * number;
    result.push_back({size / 2 + away * std::cos(turn) + radius * std::cos(angle),
                      top + size / 2 + away * std::sin(turn) + radius * std::sin(angle)});
  }
  return result;
}

std::string colour_of(std::int32_t label) { return label < 0 ? "s5" : "s" + std::to_string(label % 5); }

}  // namespace

std::string draw_attention_in_graph(const LabelledGraph& graph, const Tensor& weights,
                                    const std::vector<Index>& shown, const std::string& title) {
  const std::vector<Point> at = places(graph);
  Svg svg(size, top + size, "graph", title);
  svg.text(8, 16, title, {{"class", "title"}, {"font-size", 13}});
  for (Index i : shown) {
    for (Index k = graph.edges.into(i).first; k < graph.edges.into(i).last; ++k) {
      const Index j = graph.edges.sources()[k];
      const auto weight = static_cast<double>(weights({i, j}));
      if (j == i || weight < 0.002) continue;
      const Point from = at[static_cast<std::size_t>(j)], to = at[static_cast<std::size_t>(i)];
      svg.element("line",
                  {{"class", colour_of(graph.labels[static_cast<std::size_t>(j)])},
                   {"x1", from.x},
                   {"y1", from.y},
                   {"x2", to.x},
                   {"y2", to.y},
                   {"stroke-width", 0.3 + 14 * weight},
                   {"stroke-opacity", 0.75}},
                  text(j, " → ", i, ": ", fixed_text(weight, 3)));
    }
  }
  for (std::size_t i = 0; i < at.size(); ++i)
    svg.element("circle",
                {{"class", colour_of(graph.labels[i])}, {"cx", at[i].x}, {"cy", at[i].y}, {"r", 2.2}},
                graph.labels[i] < 0 ? text("advertiser ", i) : text("person ", i));
  for (Index i : shown) {
    const Point centre = at[static_cast<std::size_t>(i)];
    svg.element("circle", {{"class", colour_of(graph.labels[static_cast<std::size_t>(i)])},
                           {"cx", centre.x},
                           {"cy", centre.y},
                           {"r", 6}});
  }
  return svg.finish();
}
