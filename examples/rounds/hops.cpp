#include "hops.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include <gradual/core/error.hpp>
#include <gradual/nn/drawing/number_text.hpp>
#include <gradual/nn/drawing/svg.hpp>

using namespace gradual;

namespace {

constexpr double margin = 26, font = 16, highest = 150, label = 20;

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
  const auto bend_of = [&](const Hop& hop) {
    return highest *
           std::sqrt(static_cast<double>(std::abs(hop.from - hop.to) + 1) / static_cast<double>(count));
  };
  const auto height_of =
      [&](const std::vector<Hop>& round) {  // a curve comes as near as three quarters to its bend
        double height = 0;
        for (const Hop& hop : round) height = std::max(height, 0.75 * bend_of(hop));
        return height;
      };
  const double line = margin + label + height_of(hops[0]) + 20;  // of the tokens
  const double end = line + (hops.size() > 1 ? height_of(hops[1]) + 14 + label : 0);
  Svg svg(2 * margin + apart * static_cast<double>(count - 1), end + margin, "links hops",
          "From the name that is asked about to its value");
  const auto x_of = [&](Index place) { return margin + apart * static_cast<double>(place); };
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
    svg.text(0.6 * margin, back == 0 ? margin : end + 0.4 * margin, labels[round], {{"font-size", 13}});
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
