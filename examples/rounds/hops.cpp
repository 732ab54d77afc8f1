#include "hops.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include <gradual/core/error.hpp>
#include <gradual/nn/drawing/number_text.hpp>
#include <gradual/nn/drawing/readable_text.hpp>
#include <gradual/nn/drawing/svg.hpp>

using namespace gradual;

namespace {

constexpr double margin = 26, font = 16, label_font = 13, label_height = 26, edge = 5, steepness = 4.5;

double weight_of(const Tensor& weights, Index head, Index from, Index to) {
  return static_cast<double>(weights({Index(0), head, from, to}));
}

// The head in which a place gives most to one.
Index surest_head(const Tensor& weights, Index place) {
  Index surest = 0;
  double most = -1;
  for (Index head = 0; head < weights.dim(1); ++head)
    for (Index s = 0; s < weights.dim(3); ++s)
      if (const double weight = weight_of(weights, head, place, s); weight > most)
        most = weight, surest = head;
  return surest;
}

// The arcs of a round: where they begin and end, how high they go, and what is said of them.
struct Arcs {
  double left, right, height;
  std::string label;

  double label_width() const { return text_width(label, label_font) + 2 * gap; }
  bool has_room_before() const { return label_width() <= left; }
  bool has_room_behind(double width) const { return label_width() <= width - right; }
  bool has_room_beside(double width) const { return has_room_before() || has_room_behind(width); }
  // With the label, which stands beside them where it can.
  double room(double width) const { return height + (has_room_beside(width) ? 0 : label_height); }

  // `side` is -1 where they are above the height `y`, and 1 where they are below it.
  void write_label(Svg& svg, double width, double y, double side) const {
    if (has_room_beside(width))
      svg.text(has_room_before() ? left - gap : right + gap, y + side * height / 2 + 4, label,
               {{"font-size", label_font}, {"text-anchor", has_room_before() ? "end" : "start"}});
    else
      svg.text(std::clamp((left + right - label_width()) / 2, 0.0, width - label_width()) + gap,
               y + side * (height + label_height / 2) + 4, label, {{"font-size", label_font}});
  }

 private:
  static constexpr double gap = 10;
};

}  // namespace

std::vector<std::vector<Hop>> hops_of(const std::vector<RecordedAttention>& rounds, Index asked) {
  std::vector<std::vector<Hop>> all;
  std::set<Index> from = {asked};
  for (std::size_t back = 0; back < std::min<std::size_t>(rounds.size(), 2); ++back) {
    const Tensor& weights = rounds[rounds.size() - 1 - back].weights;
    std::set<Index> next;
    all.emplace_back();
    for (const Index place : from) {
      const Index head = surest_head(weights, place);
      for (Index s = 0; s < weights.dim(3); ++s) {
        const double weight = weight_of(weights, head, place, s);
        if (weight < faintest_hop) continue;
        all.back().push_back({place, s, head, weight});
        next.insert(s);
      }
    }
    from = next;
  }
  return all;
}

PictureColour colour_of(std::size_t round) {
  return round % 2 == 0 ? PictureColour{"s1", "#d9480f"} : PictureColour{"s3", "#9333b8"};
}

std::string draw_hops(const std::vector<RecordedAttention>& rounds, const std::vector<std::string>& labels,
                      const std::vector<std::string>& tokens, Index asked, double apart) {
  const auto count = static_cast<Index>(tokens.size());
  const std::vector<std::vector<Hop>> hops = hops_of(rounds, asked);
  const double width = 2 * margin + apart * static_cast<double>(count - 1);
  const auto x_of = [&](Index place) { return margin + apart * static_cast<double>(place); };
  const auto bend_of = [&](const Hop& hop) {
    return steepness * std::sqrt(apart * static_cast<double>(std::abs(hop.from - hop.to) + 1));
  };
  std::vector<Arcs> arcs;
  for (std::size_t back = 0; back < hops.size(); ++back) {
    Arcs round{width, 0, 0, labels[rounds.size() - 1 - back]};
    for (const Hop& hop : hops[back]) {
      round.left = std::min(round.left, x_of(std::min(hop.from, hop.to)));
      round.right = std::max(round.right, x_of(std::max(hop.from, hop.to)));
      round.height = std::max(round.height, 0.75 * bend_of(hop));  // a curve comes so near to its bend
    }
    arcs.push_back(round);
  }
  const double line = edge + arcs[0].room(width) + font;  // of the tokens
  Svg svg(width, line + 8 + (hops.size() > 1 ? arcs[1].room(width) : 0) + edge, "links hops",
          "From the name that is asked about to its value");
  std::set<Index> seen = {asked};
  for (std::size_t back = 0; back < hops.size(); ++back) {
    const std::size_t round = rounds.size() - 1 - back;
    const PictureColour colour = colour_of(round);
    const double side = back == 0 ? -1 : 1, y = line + (back == 0 ? -font : 8);
    svg.open("g", {{"class", text("line ", colour.css_class)}, {"fill", "none"}, {"stroke", colour.colour}});
    for (const Hop& hop : hops[back]) {
      seen.insert(hop.to);
      const double bend = y + side * bend_of(hop);
      svg.element("path",
                  {{"d", text("M", x_of(hop.from), " ", y, "C", x_of(hop.from), " ", bend, " ", x_of(hop.to),
                              " ", bend, " ", x_of(hop.to), " ", y)},
                   {"style", text("stroke-width:", 1 + 4 * hop.weight)},
                   {"stroke-opacity", 0.3 + 0.7 * hop.weight}},
                  text("round ", round + 1, ": ", tokens[static_cast<std::size_t>(hop.from)], " → ",
                       tokens[static_cast<std::size_t>(hop.to)], ": ", fixed_text(hop.weight, 2)));
    }
    svg.close();
    arcs[back].write_label(svg, width, y, side);
  }
  svg.open("g", {{"font-size", font}, {"text-anchor", "middle"}});
  for (Index place = 0; place < count; ++place)
    svg.text(x_of(place), line, tokens[static_cast<std::size_t>(place)],
             {{"class", place == asked          ? "title"
                        : seen.count(place) > 0 ? "word"
                                                : "soft"}});
  svg.close();
  return svg.finish();
}
