// How each curve of a chart looks: its colour, its line, and the mark of its points.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <gradual/nn/drawing/line_chart.hpp>
#include <gradual/nn/drawing/svg.hpp>
#include <gradual/nn/drawing/thinned_curve.hpp>

namespace gradual {

/// The look of one curve. One that is faint, or dashed for a limit, is grey.
class CurveLook {
 public:
  /// `place`, the curve's in its chart, decides its mark, and `colour` is the number of its colour, both from
  /// 0.
  CurveLook(const Series& series, std::size_t place, std::size_t colour);

  bool is_grey() const { return faint_ || dashed_; }
  /// Marks on grey curves would draw the eye from the others; a limit is not measured anywhere.
  bool has_marks() const { return !is_grey(); }
  /// The curves have their colours; a limit takes none of them, but a grey for light and dark.
  std::string colour_class() const;
  std::string line_class() const;
  /// For limits, and for readers that know no style sheets; the same as the light colours there.
  std::string colour() const;
  double thickness() const { return faint_ ? 1 : 1.8; }

  /// Makes the lines that follow dashed or faint, until the picture's next close; false where they are
  /// neither.
  bool open(Svg& svg) const;
  /// A point that no line goes to.
  void draw_dot(Svg& svg, const CurvePoint& point) const;
  /// The curve's own shape at each point that is finite.
  void draw_marks(Svg& svg, const std::vector<CurvePoint>& points) const;

 private:
  bool faint_, dashed_;
  std::size_t place_, colour_;
};

/// The looks of all: colours in turn for those that have chosen none. Faint curves take none, so that the few
/// others have those that differ most.
std::vector<CurveLook> looks_of(const std::vector<Series>& series);

}  // namespace gradual
