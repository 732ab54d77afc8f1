#include "way_picture.hpp"

#include <array>
#include <map>
#include <string>

#include <gradual/core/error.hpp>
#include <gradual/nn/drawing/svg.hpp>

using namespace gradual;

namespace {

constexpr int words = 5;
constexpr double step = 44, width = words * step, top = 36, bottom = 106, height = 122, box = 16;
using Weights = std::array<double, words>;

constexpr Weights graded = {0.06, 0.14, 0.7, 0.06, 0.04}, sure = {0, 0, 0, 1, 0},
                  even = {0.2, 0.2, 0.2, 0.2, 0.2};

double x_of(int word) { return step * (word + 0.5); }
double middle() { return width / 2; }

void draw_word(Svg& svg, double x, double y, const char* kind) {
  svg.element(
      "rect",
      {{"class", kind}, {"x", x - box / 2}, {"y", y - box / 2}, {"width", box}, {"height", box}, {"rx", 3}});
}

// From the word below to each above, in a colour; a way's lines may begin beside each other.
void draw_weights(Svg& svg, const Weights& weights, const char* colour, double shift = 0) {
  for (int word = 0; word < words; ++word) {
    const double weight = weights[static_cast<std::size_t>(word)];
    if (weight > 0)
      svg.element("line", {{"class", colour},
                           {"x1", middle() + shift},
                           {"y1", bottom - box / 2},
                           {"x2", x_of(word) + shift},
                           {"y2", top + box / 2},
                           {"style", "stroke-width:" + std::to_string(0.8 + 6 * weight)}});
  }
}

// From each word to the next, and from the last to the one below.
void draw_chain(Svg& svg) {
  for (int word = 0; word + 1 < words; ++word)
    svg.element("line", {{"class", "line s3"},
                         {"x1", x_of(word) + box / 2},
                         {"y1", top},
                         {"x2", x_of(word + 1) - box / 2},
                         {"y2", top}});
  svg.element("line", {{"class", "line s3"},
                       {"x1", x_of(words - 1)},
                       {"y1", top + box / 2},
                       {"x2", middle() + box / 2},
                       {"y2", bottom}});
}

// The four heads of several, each in its colour.
void draw_heads(Svg& svg) {
  draw_weights(svg, {0.7, 0.1, 0, 0, 0}, "line s1", -6);
  draw_weights(svg, {0, 0.1, 0.8, 0, 0}, "line s0", -2);
  draw_weights(svg, {0, 0, 0.1, 0.5, 0.2}, "line s2", 2);
  draw_weights(svg, {0, 0, 0, 0.1, 0.7}, "line s4", 6);
}

// Arcs from the second word to those of its sentence that it sees, two on each side: not to the last.
void draw_window(Svg& svg) {
  for (const int seen : {0, 2, 3})
    svg.element("path", {{"class", "line neutral"},
                         {"d", text("M", x_of(1), " ", top - box / 2, "Q", (x_of(1) + x_of(seen)) / 2, " ",
                                    seen == 3 ? -14 : 4, " ", x_of(seen), " ", top - box / 2)}});
}

// Half-way, a network that makes the scores.
void draw_network(Svg& svg) {
  svg.element("rect", {{"class", "network"},
                       {"x", middle() - 22},
                       {"y", (top + bottom) / 2 - 9},
                       {"width", 44},
                       {"height", 18},
                       {"rx", 4}});
}

}  // namespace

std::string draw_way(const std::string& way) {
  static const std::map<std::string, void (*)(Svg&)> known = {
      {"dot", [](Svg& svg) { draw_weights(svg, sure, "line s0"); }},
      {"scaled dot", [](Svg& svg) { draw_weights(svg, graded, "line s0"); }},
      {"additive",
       [](Svg& svg) {
         draw_weights(svg, graded, "line s0");
         draw_network(svg);
       }},
      {"multi-head", draw_heads},
      {"local window",
       [](Svg& svg) {
         draw_heads(svg);
         draw_window(svg);
       }},
      {"recurrent", draw_chain},
      {"recurrent, additive",
       [](Svg& svg) {
         draw_chain(svg);
         draw_weights(svg, graded, "line s0");
         draw_network(svg);
       }},
      {"equal weights", [](Svg& svg) { draw_weights(svg, even, "line s0"); }}};
  const auto found = known.find(way);
  if (found == known.end()) return "";
  Svg svg(width, height, "way", way + ": what it looks at");
  found->second(svg);
  for (int word = 0; word < words; ++word) draw_word(svg, x_of(word), top, "read");
  draw_word(svg, middle(), bottom, "said");
  return svg.finish();
}
