#include "drawing.hpp"

#include <algorithm>

#include <gradual/nn/drawing/number_text.hpp>
#include <gradual/nn/drawing/svg.hpp>

using namespace gradual;

std::string draw_picture(const ArrowPictures& pictures, Index index, const std::vector<double>& weights,
                         Index from, const std::string& title) {
  constexpr Index cells = ArrowPictures::cells, side = ArrowPictures::cell_pixels;
  constexpr double pixel = 6, cell = pixel * side, top = 24, size = cell * cells;
  Svg svg(size + 4, top + size + 4, "picture", title);
  svg.text(2, 15, title, {{"font-size", 12}});
  for (Index c = 0; c < cells * cells; ++c) {
    const double x = 2 + cell * static_cast<double>(c % cells),
                 y = top + cell * static_cast<double>(c / cells);
    const Real* values = pictures.pixels.data() + (index * cells * cells + c) * side * side;
    for (Index p = 0; p < side * side; ++p) {
      const auto gray = static_cast<double>(std::clamp<Real>(values[p], 0, 1));
      svg.element("rect", {{"x", x + pixel * static_cast<double>(p % side)},
                           {"y", y + pixel * static_cast<double>(p / side)},
                           {"width", pixel},
                           {"height", pixel},
                           {"fill-opacity", 0.12 + 0.75 * gray}});
    }
    const double weight = weights[static_cast<std::size_t>(c)];
    svg.element("rect",
                {{"x", x},
                 {"y", y},
                 {"width", cell},
                 {"height", cell},
                 {"fill", "#e8590c"},
                 {"fill-opacity", 0.75 * weight}},
                fixed_text(weight, 2));
    if (c == from)
      svg.element("rect", {{"x", x + 1},
                           {"y", y + 1},
                           {"width", cell - 2},
                           {"height", cell - 2},
                           {"fill", "none"},
                           {"stroke", "#e8590c"},
                           {"stroke-width", 2}});
  }
  return svg.finish();
}
