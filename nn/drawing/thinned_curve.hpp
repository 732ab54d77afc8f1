// A curve with no more points than a picture can show.
#pragma once

#include <vector>

namespace gradual {

/// A place in a picture, in pixels; not finite where the curve is interrupted.
struct CurvePoint {
  double x, y;
};
/// Whether both of its numbers are finite.
bool is_drawable(const CurvePoint& point);

/// The points, of which those in one column of pixels are at most four: the first, the lowest, the highest
/// and the last, which its line depends on, in their order.
std::vector<CurvePoint> thinned(const std::vector<CurvePoint>& points);

}  // namespace gradual
