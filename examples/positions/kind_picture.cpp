#include "kind_picture.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>
#include <vector>

#include <gradual/core/error.hpp>
#include <gradual/core/random.hpp>
#include <gradual/nn/drawing/svg.hpp>

using namespace gradual;

namespace {

constexpr int places = 16;
constexpr double step = 16, height = 96, margin = 12;

double x_of(double place) { return margin + step * (place + 0.5); }

// A curve over all places, of values from -1 to 1 around the middle of the picture.
void draw_curve(Svg& svg, const std::string& colour, double (*value)(double, double), double parameter) {
  std::string path;
  for (double place = 0; place <= places - 1; place += 0.25)
    path += text(path.empty() ? "M" : "L", x_of(place), " ",
                 height / 2 - 0.38 * height * value(place, parameter));
  svg.element("path", {{"class", "line " + colour}, {"d", path}});
}

void draw_waves(Svg& svg, const std::vector<double>&) {
  // Of each pair of numbers the sine; the rates are those of a width of 8: 1, 1/10 and 1/100.
  const auto sine = [](double place, double rate) { return std::sin(rate * place); };
  draw_curve(svg, "s0", sine, 1);
  draw_curve(svg, "s1", sine, 0.1);
  draw_curve(svg, "s2", sine, 0.01);
}

// Numbers that are learnt for each place: a column of tinted cells for each.
void draw_table(Svg& svg, const std::vector<double>&) {
  Random random(3);
  constexpr int rows = 5;
  svg.open("g", {{"class", "cells"}});
  for (int place = 0; place < places; ++place)
    for (int row = 0; row < rows; ++row)
      svg.element("rect", {{"x", x_of(place) - 7},
                           {"y", margin + row * 15},
                           {"width", 14},
                           {"height", 13},
                           {"fill-opacity", 0.08 + 0.8 * random.uniform()}});
  svg.close();
}

// A number that is learnt for each distance, as a bar upwards or downwards.
void draw_bars(Svg& svg, const std::vector<double>& added) {
  svg.element(
      "line",
      {{"class", "grid"}, {"x1", x_of(0)}, {"x2", x_of(places - 1)}, {"y1", height / 2}, {"y2", height / 2}});
  double most = 1e-9;
  for (std::size_t back = 0; back < std::min<std::size_t>(places, added.size()); ++back)
    most = std::max(most, std::abs(added[back]));
  svg.open("g", {{"class", "cells"}});
  for (std::size_t back = 0; back < std::min<std::size_t>(places, added.size()); ++back) {
    const double value = 36 * added[back] / most;
    svg.element("rect", {{"x", x_of(places - 1 - static_cast<double>(back)) - 5},
                         {"y", height / 2 - std::max(value, 0.0)},
                         {"width", 10},
                         {"height", std::max(std::abs(value), 1.0)}});
  }
  svg.close();
}

void draw_slopes(Svg& svg, const std::vector<double>&) {
  // A head's line rises to the item that asks, at the right: 1/4 a place, 1/16, 1/64, 1/256.
  const auto falls = [](double place, double slope) { return 1 - slope * (places - 1 - place) / 2; };
  draw_curve(svg, "s0", falls, 0.25);
  draw_curve(svg, "s1", falls, 0.0625);
  draw_curve(svg, "s2", falls, 0.015625);
  draw_curve(svg, "s3", falls, 0.00390625);
}

// For every other place two clocks, whose hands turn fast and slowly.
void draw_clocks(Svg& svg, const std::vector<double>&) {
  constexpr double radius = 13;
  for (const auto& [rate, y, colour] : {std::tuple(1.0, 27.0, "line s0"), {0.1, 69.0, "line s1"}})
    for (int place = 0; place < places; place += 2) {
      const double x = x_of(place + 0.5), angle = rate * place;
      svg.element("circle", {{"class", "grid"}, {"cx", x}, {"cy", y}, {"r", radius}, {"fill", "none"}});
      svg.element("line", {{"class", colour},
                           {"x1", x},
                           {"y1", y},
                           {"x2", x + radius * std::sin(angle)},
                           {"y2", y - radius * std::cos(angle)}});
    }
}

void draw_dots(Svg& svg, const std::vector<double>&) {
  for (int place = 0; place < places; ++place)
    svg.element("circle", {{"class", "neutral"}, {"cx", x_of(place)}, {"cy", height / 2}, {"r", 4}});
}

}  // namespace

std::string draw_kind(const std::string& kind, const std::vector<double>& added) {
  static const std::map<std::string, void (*)(Svg&, const std::vector<double>&)> known = {
      {"sinusoidal", draw_waves}, {"learned", draw_table}, {"relative", draw_bars},
      {"alibi", draw_slopes},     {"rotary", draw_clocks}, {"none", draw_dots}};
  const auto found = known.find(kind);
  if (found == known.end()) return "";
  Svg svg(2 * margin + places * step, height, "kind", kind + ": what it gives to sixteen places");
  found->second(svg, added);
  return svg.finish();
}
