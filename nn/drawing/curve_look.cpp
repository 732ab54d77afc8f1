#include <gradual/nn/drawing/curve_look.hpp>

#include <gradual/nn/drawing/number_text.hpp>

namespace gradual {
namespace {

constexpr std::size_t kLooks = 6;
constexpr const char* kColours[kLooks] = {"#2563eb", "#d9480f", "#0f8a5f", "#9333b8", "#b58105", "#c2255c"};
constexpr const char* kGrey = "#7a8494";
// From a point on: circle, square, triangle, diamond, cross and plus.
constexpr const char* kMarks[kLooks] = {"m-3.5 0a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0-7 0",
                                        "m-3.2-3.2h6.4v6.4h-6.4z",
                                        "m0-4.4l4 7h-8z",
                                        "m0-4.6l4.6 4.6l-4.6 4.6l-4.6-4.6z",
                                        "m-3.4-3.4l6.8 6.8m0-6.8l-6.8 6.8",
                                        "m-4.6 0h9.2m-4.6-4.6v9.2"};

}  // namespace

CurveLook::CurveLook(const Series& series, std::size_t place, std::size_t colour)
    : faint_(series.faint), dashed_(series.dashed), place_(place % kLooks), colour_(colour % kLooks) {}

std::string CurveLook::colour_class() const {
  if (faint_) return "neutral";
  return dashed_ ? "limit" : "s" + std::to_string(colour_);
}

// A faint curve is not of the class whose style says how thick a line is.
std::string CurveLook::line_class() const { return (faint_ ? "faint " : "line ") + colour_class(); }

std::string CurveLook::colour() const { return is_grey() ? kGrey : kColours[colour_]; }

bool CurveLook::open(Svg& svg) const {
  if (dashed_)
    svg.open("g", {{"stroke-dasharray", "5 5"}});
  else if (faint_)
    svg.open("g", {{"opacity", 0.65}});
  return is_grey();
}

void CurveLook::draw_dot(Svg& svg, const CurvePoint& point) const {
  svg.element("circle",
              {{"class", colour_class()}, {"cx", point.x}, {"cy", point.y}, {"r", 2.5}, {"fill", colour()}});
}

void CurveLook::draw_marks(Svg& svg, const std::vector<CurvePoint>& points) const {
  std::string marks;
  for (const CurvePoint& p : points)
    if (is_drawable(p)) marks += "M" + trimmed_text(p.x, 1) + " " + trimmed_text(p.y, 1) + kMarks[place_];
  const bool opened = open(svg);
  svg.element("path", {{"class", "marks " + line_class()},
                       {"d", marks},
                       {"fill", "none"},
                       {"stroke", colour()},
                       {"stroke-width", thickness()}});
  if (opened) svg.close();
}

std::vector<CurveLook> looks_of(const std::vector<Series>& series) {
  std::vector<CurveLook> looks;
  std::size_t next = 0;
  for (const Series& each : series) {
    looks.emplace_back(each, looks.size(), each.colour >= 0 ? static_cast<std::size_t>(each.colour) : next);
    if (!each.faint) ++next;
  }
  return looks;
}

}  // namespace gradual
