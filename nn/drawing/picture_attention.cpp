#include <gradual/nn/drawing/picture_attention.hpp>

#include <algorithm>
#include <cmath>

#include <gradual/core/error.hpp>
#include <gradual/nn/drawing/number_text.hpp>
#include <gradual/nn/drawing/svg.hpp>

namespace gradual {
namespace {

constexpr double pixel = 9, picture_title = 22, margin = 2;
constexpr const char *tint = "#e8590c", *frame = "#2563eb";

Index root_of(Index square) {
  return static_cast<Index>(std::lround(std::sqrt(static_cast<double>(square))));
}

}  // namespace

std::string draw_picture_attention(const Tensor& cells, const std::vector<double>& weights, Index from,
                                   const std::string& title) {
  const bool is_table = cells.rank() == 2;
  const Index count = is_table ? root_of(cells.dim(0)) : 0, side = is_table ? root_of(cells.dim(1)) : 0;
  if (!is_table || count * count != cells.dim(0) || side * side != cells.dim(1) ||
      static_cast<Index>(weights.size()) != cells.dim(0))
    throw std::invalid_argument(
        text("draw_picture_attention: cells must be [C², P²], with a weight for each: they are ",
             cells.shape(), ", there are ", weights.size(), " weights"));
  const double cell = pixel * static_cast<double>(side), size = cell * static_cast<double>(count);
  Svg svg(size + 2 * margin, size + 2 * margin + (title.empty() ? 0 : picture_title), "picture", title);
  const auto x_of = [&](Index c) { return margin + cell * static_cast<double>(c % count); };
  const auto y_of = [&](Index c) { return margin + cell * static_cast<double>(c / count); };
  for (Index c = 0; c < count * count; ++c) {
    const double weight = weights[static_cast<std::size_t>(c)];
    svg.element("rect",
                {{"x", x_of(c)},
                 {"y", y_of(c)},
                 {"width", cell},
                 {"height", cell},
                 {"fill", tint},
                 {"fill-opacity", 0.6 * weight}},
                fixed_text(weight, 2));
  }
  svg.open("g", {{"pointer-events", "none"}});  // the pointer finds the cells below
  for (Index c = 0; c < count * count; ++c) {
    for (Index p = 0; p < side * side; ++p) {
      const auto gray = static_cast<double>(std::clamp<Real>(cells.data()[c * side * side + p], 0, 1));
      svg.element("rect", {{"x", x_of(c) + pixel * static_cast<double>(p % side)},
                           {"y", y_of(c) + pixel * static_cast<double>(p / side)},
                           {"width", pixel},
                           {"height", pixel},
                           {"fill-opacity", 0.12 + 0.75 * gray}});
    }
  }
  if (from >= 0 && from < count * count)
    svg.element("rect", {{"x", x_of(from) + 1},
                         {"y", y_of(from) + 1},
                         {"width", cell - 2},
                         {"height", cell - 2},
                         {"class", "s0"},
                         {"fill", "none"},
                         {"stroke", frame},
                         {"stroke-width", 2}});
  svg.close();
  if (!title.empty()) svg.text(margin, margin + size + 17, title, {{"font-size", 13}});
  return svg.finish();
}

}  // namespace gradual
