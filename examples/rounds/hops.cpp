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

// What a place gives to each, in one head or in the mean of all: [1, H, T, T] to [T].
std::vector<double> row_of(const Tensor& weights, Index head, Index place) {
  const bool all = head == Hop::mean_of_heads;
  const Index first = all ? 0 : head, last = all ? weights.dim(1) : head + 1;
  std::vector<double> row(static_cast<std::size_t>(weights.dim(3)), 0);
  for (Index h = first; h < last; ++h)
    for (Index s = 0; s < weights.dim(3); ++s)
      row[static_cast<std::size_t>(s)] +=
          static_cast<double>(weights({Index(0), h, place, s})) / static_cast<double>(last - first);
  return row;
}

// The head in which a place gives most to one.
Index surest_head(const Tensor& weights, Index place) {
  Index surest = 0;
  double most = -1;
  for (Index head = 0; head < weights.dim(1); ++head) {
    const std::vector<double> row = row_of(weights, head, place);
    if (const double largest = *std::max_element(row.begin(), row.end()); largest > most)
      most = largest, surest = head;
  }
  return surest;
}

}  // namespace

std::vector<std::vector<Hop>> hops_of(const std::vector<RecordedAttention>& rounds, Index asked) {
  const bool mean = rounds.size() == 1;
  const double faintest = mean ? 0.05 : 0.1;
  std::vector<std::vector<Hop>> all;
  std::set<Index> from = {asked};
  for (std::size_t back = 0; back < std::min<std::size_t>(rounds.size(), 2); ++back) {
    const Tensor& weights = rounds[rounds.size() - 1 - back].weights;
    std::set<Index> next;
    all.emplace_back();
    for (const Index place : from) {
      const Index head = mean ? Hop::mean_of_heads : surest_head(weights, place);
      const std::vector<double> row = row_of(weights, head, place);
      for (Index s = 0; s < weights.dim(3); ++s) {
        if (row[static_cast<std::size_t>(s)] < faintest) continue;
        all.back().push_back({place, s, head, row[static_cast<std::size_t>(s)]});
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
  // What stands far before all arcs is left out, and these are so much larger.
  constexpr Index before = 2;
  Index first = asked;
  for (const std::vector<Hop>& round : hops)
    for (const Hop& hop : round) first = std::min(first, hop.to);
  first = first > before + 1 ? first - before : 0;
  const Index left_out = first > 0 ? 1 : 0, places = count - first + left_out;  // one is for "…"
  apart *= static_cast<double>(count) / static_cast<double>(places);
  const auto bend_of = [&](const Hop& hop) {
    return highest *
           std::sqrt(static_cast<double>(std::abs(hop.from - hop.to) + 1) / static_cast<double>(places));
  };
  const auto height_of =
      [&](const std::vector<Hop>& round) {  // a curve comes as near as three quarters to its bend
        double height = 0;
        for (const Hop& hop : round) height = std::max(height, 0.75 * bend_of(hop));
        return height;
      };
  const double line = margin + label + height_of(hops[0]) + 20;  // of the tokens
  const double end = line + (hops.size() > 1 ? height_of(hops[1]) + 14 + label : 0);
  Svg svg(2 * margin + apart * static_cast<double>(places - 1), end + margin, "links hops",
          "From the name that is asked about to its value");
  const auto x_of = [&](Index place) {
    return margin + apart * static_cast<double>(place - first + left_out);
  };
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
  if (left_out > 0) svg.text(margin, line, "…", {{"class", "soft"}});
  for (Index place = first; place < count; ++place)
    svg.text(x_of(place), line, tokens[static_cast<std::size_t>(place)],
             {{"class", place == asked          ? "title"
                        : seen.count(place) > 0 ? "word"
                                                : "soft"}});
  svg.close();
  return svg.finish();
}
