#include <gradual/nn/drawing/group_graph.hpp>

#include <algorithm>
#include <cmath>

#include <gradual/core/error.hpp>
#include <gradual/nn/drawing/number_text.hpp>
#include <gradual/nn/drawing/svg.hpp>

namespace gradual {
namespace {

constexpr double disc = 440, title_room = 26;
constexpr double golden_angle = 2.399963;  // between points of a sunflower, which fill a disc evenly
constexpr double full_turn = 6.283185307;
constexpr double faintest = 0.002;  // weights below have no edge

struct Place {
  double x, y;
};

// Groups on a circle, what belongs to none in its middle; within each, nodes in the order of their numbers.
std::vector<Place> places(const std::vector<std::int32_t>& groups) {
  const auto count =
      static_cast<std::size_t>(std::max(1, 1 + *std::max_element(groups.begin(), groups.end())));
  std::vector<Index> seen(count + 1, 0);
  std::vector<Place> result;
  for (const std::int32_t group : groups) {
    const double turn = full_turn * (group + 0.5) / static_cast<double>(count);
    const double away = group < 0 ? 0 : 0.34 * disc;
    const auto number = static_cast<double>(seen[group < 0 ? count : static_cast<std::size_t>(group)]++);
    const double radius = 5.5 * std::sqrt(number + 0.5), angle = golden_angle * number;
    result.push_back({disc / 2 + away * std::cos(turn) + radius * std::cos(angle),
                      title_room + disc / 2 + away * std::sin(turn) + radius * std::sin(angle)});
  }
  return result;
}

std::string colour_of(std::int32_t group) { return group < 0 ? "neutral" : "s" + std::to_string(group % 5); }

}  // namespace

std::string draw_group_graph(const EdgeList& edges, const std::vector<std::int32_t>& groups,
                             const std::vector<std::string>& names, const Tensor& weights,
                             const std::vector<Index>& shown, const std::string& title) {
  const Index nodes = edges.nodes();
  if (nodes == 0 || static_cast<Index>(groups.size()) != nodes || static_cast<Index>(names.size()) != nodes ||
      weights.shape() != Shape{nodes, nodes})
    throw std::invalid_argument(
        text("draw_group_graph: each node must have a group, a name and weights: nodes are ", nodes,
             ", groups ", groups.size(), ", names ", names.size(), ", weights ", weights.shape()));
  for (const Index i : shown)
    if (i < 0 || i >= nodes)
      throw std::invalid_argument(text("draw_group_graph: only nodes can be shown: got ", i, " of ", nodes));
  const std::vector<Place> at = places(groups);
  const auto colour = [&](Index node) { return colour_of(groups[static_cast<std::size_t>(node)]); };
  Svg svg(disc, title_room + disc, "graph", title);
  const auto draw_node = [&](Index node, double radius) {
    const auto i = static_cast<std::size_t>(node);
    svg.element("circle", {{"class", colour(node)}, {"cx", at[i].x}, {"cy", at[i].y}, {"r", radius}},
                names[i]);
  };
  svg.text(8, 16, title, {{"class", "title"}, {"font-size", 13}});
  for (const Index i : shown) {
    for (Index k = edges.into(i).first; k < edges.into(i).last; ++k) {
      const Index j = edges.sources()[k];
      const auto weight = static_cast<double>(weights({i, j}));
      if (j == i || weight < faintest) continue;
      const Place from = at[static_cast<std::size_t>(j)], to = at[static_cast<std::size_t>(i)];
      svg.element("line",
                  {{"class", colour(j)},
                   {"x1", from.x},
                   {"y1", from.y},
                   {"x2", to.x},
                   {"y2", to.y},
                   {"stroke-width", 0.3 + 14 * weight},
                   {"stroke-opacity", 0.75}},
                  text(j, " → ", i, ": ", fixed_text(weight, 3)));
    }
  }
  for (Index i = 0; i < nodes; ++i) draw_node(i, 2.2);
  for (const Index i : shown) draw_node(i, 6);
  return svg.finish();
}

}  // namespace gradual
