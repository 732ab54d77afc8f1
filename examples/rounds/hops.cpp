#include "hops.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include <gradual/core/error.hpp>
#include <gradual/nn/drawing/number_text.hpp>
#include <gradual/nn/drawing/svg.hpp>

using namespace gradual;

namespace {

constexpr double apart = 44, margin = 26, font = 16, highest = 120, faintest = 0.1;

// What a place gives to each in the head where it is surest: [1, H, T, T] to [T].
std::vector<double> surest_row(const Tensor& weights, Index place) {
  std::vector<double> surest;
  for (Index head = 0; head < weights.dim(1); ++head) {
    std::vector<double> row;
    for (Index s = 0; s < weights.dim(3); ++s)
      row.push_back(static_cast<double>(weights({Index(0), head, place, s})));
    if (surest.empty() ||
        *std::max_element(row.begin(), row.end()) > *std::max_element(surest.begin(), surest.end()))
      surest = row;
  }
  return surest;
}

}  // namespace

std::string draw_hops(const std::vector<RecordedAttention>& rounds, const std::vector<std::string>& tokens,
                      Index asked) {
  const auto count = static_cast<Index>(tokens.size());
  const bool has_below = rounds.size() > 1;
  const double line = margin + highest + 24;
  Svg svg(2 * margin + apart * static_cast<double>(count - 1), line + (has_below ? highest + 30 : 0) + margin,
          "links", "From the name that is asked about to its value");
  const auto x_of = [](Index place) { return margin + apart * static_cast<double>(place); };
  std::set<Index> from = {asked}, seen = {asked};
  for (std::size_t back = 0; back < std::min<std::size_t>(rounds.size(), 2); ++back) {
    const std::size_t round = rounds.size() - 1 - back;
    const double side = back == 0 ? -1 : 1;
    std::set<Index> next;
    svg.open("g", {{"class", back == 0 ? "line s0" : "line s1"},
                   {"fill", "none"},
                   {"stroke", back == 0 ? "#2563eb" : "#d9480f"}});
    for (const Index place : from) {
      const std::vector<double> row = surest_row(rounds[round].weights, place);
      for (Index s = 0; s < count; ++s) {
        const double weight = row[static_cast<std::size_t>(s)];
        if (weight < faintest) continue;
        next.insert(s);
        const double y = line + (back == 0 ? -font : 8);
        const double bend =
            y + side * highest *
                    std::sqrt(static_cast<double>(std::abs(place - s) + 1) / static_cast<double>(count));
        svg.element("path",
                    {{"d", text("M", x_of(place), " ", y, "C", x_of(place), " ", bend, " ", x_of(s), " ",
                                bend, " ", x_of(s), " ", y)},
                     {"style", text("stroke-width:", 1 + 4 * weight)},
                     {"stroke-opacity", 0.3 + 0.7 * weight}},
                    text("round ", round + 1, ": ", tokens[static_cast<std::size_t>(place)], " → ",
                         tokens[static_cast<std::size_t>(s)], ": ", fixed_text(weight, 2)));
      }
    }
    svg.close();
    svg.text(margin, back == 0 ? margin : line + highest + 34, text("round ", round + 1),
             {{"class", "soft"}, {"font-size", 12}});
    from = next;
    seen.insert(next.begin(), next.end());
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
