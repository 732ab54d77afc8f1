#include <gradual/nn/drawing/thinned_curve.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace gradual {
namespace {

// The points of one pixel column that its line depends on: first, lowest, highest, last, in their order.
void append_column(const std::vector<CurvePoint>& points, std::size_t begin, std::size_t end,
                   std::vector<CurvePoint>& kept) {
  const auto lower = [&](std::size_t a, std::size_t b) { return points[a].y < points[b].y; };
  std::size_t chosen[4] = {begin, begin, begin, end - 1};
  for (std::size_t i = begin; i < end; ++i) {
    if (lower(i, chosen[1])) chosen[1] = i;
    if (lower(chosen[2], i)) chosen[2] = i;
  }
  std::sort(chosen, chosen + 4);
  for (std::size_t i = 0; i < 4; ++i) {
    if (i == 0 || chosen[i] != chosen[i - 1]) kept.push_back(points[chosen[i]]);
  }
}

}  // namespace

bool is_drawable(const CurvePoint& point) { return std::isfinite(point.x) && std::isfinite(point.y); }

std::vector<CurvePoint> thinned(const std::vector<CurvePoint>& points) {
  std::vector<CurvePoint> kept;
  for (std::size_t begin = 0, end = 0; begin < points.size(); begin = end) {
    const auto in_column = [&](const CurvePoint& p) {
      return is_drawable(p) && is_drawable(points[begin]) && std::floor(p.x) == std::floor(points[begin].x);
    };
    end = begin + 1;
    while (end < points.size() && in_column(points[end])) ++end;
    append_column(points, begin, end, kept);
  }
  return kept;
}

}  // namespace gradual
