#include <gradual/nn/drawing/line_chart.hpp>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <stdexcept>
#include <utility>

#include <gradual/core/error.hpp>
#include <gradual/nn/drawing/axis.hpp>
#include <gradual/nn/drawing/curve_look.hpp>
#include <gradual/nn/drawing/end_names.hpp>
#include <gradual/nn/drawing/number_text.hpp>
#include <gradual/nn/drawing/readable_text.hpp>
#include <gradual/nn/drawing/svg.hpp>
#include <gradual/nn/drawing/thinned_curve.hpp>

namespace gradual {
namespace {

constexpr double kChartFont = 12;
constexpr double kChartTitleSize = 13;
constexpr double kChartMargin = 10;
constexpr double kLegendHeight = 18;
constexpr double kLegendKey = 22;
constexpr double kLegendGap = 14;
constexpr double kBelowAxis = 40;       // of numbers and label
constexpr double kNameLine = 15;        // the least height between names at the ends of curves
constexpr double kMostForNames = 0.3;   // of the width; more would leave too little for the curves
constexpr double kMostForJoined = 0.2;  // of the width, where several curves share a name
constexpr double kNameGap = 26;         // between an end and its name
constexpr int kTickRoom = 65;           // for each number at the x axis, at least

std::string label_of(double value) { return with_minus(short_text(value, 6)); }

class Drawing {
 public:
  explicit Drawing(const LineChart& chart)
      : chart_(chart),
        looks_(looks_of(chart.series)),
        x_axis_(chart.equal_axes ? equal_axis()
                : chart.log_x    ? loose_axis(all(&Series::x), std::max(3, chart.width / kTickRoom), true)
                                 : tight_axis(all(&Series::x), std::max(3, chart.width / kTickRoom))),
        y_axis_(chart.equal_axes ? equal_axis()
                                 : loose_axis(heights(), std::max(3, chart.height / 42), chart.log_y)),
        end_names_(names_of_ends()),
        names_at_ends_(chart.names_at_ends && room_for(end_names_) <= kMostForNames * chart.width),
        decimals_(chart.log_y ? -1 : common_decimals(all(&Series::y), 4)),
        title_(lines_of(chart.title, bold_factor * kChartTitleSize, chart.width - 2 * kChartMargin)),
        legend_(placed_legend()),
        further_lines_(
            std::max(static_cast<int>(title_.size()) - 1, legend_.empty() ? 0 : legend_.back().line)),
        left_(kChartMargin + widest_tick() + 8),
        right_(chart.width - kChartMargin - 14 - (names_at_ends_ ? room_for(end_names_) : 0)),
        top_(kChartMargin + kChartTitleSize + 18 + further_lines_ * kLegendHeight),
        bottom_(chart.equal_axes ? top_ + right_ - left_
                                 : chart.height + further_lines_ * kLegendHeight - kChartMargin - kBelowAxis),
        svg_(chart.width, bottom_ + kChartMargin + kBelowAxis, chart.names_at_ends ? "chart many" : "chart",
             chart.title) {
    if (!chart.x_ticks.empty()) x_axis_.ticks = chart.x_ticks;
  }

  std::string draw() {
    draw_title_and_legend();
    draw_axes();
    for (std::size_t s = 0; s < chart_.series.size(); ++s) draw_curve(s);
    if (chart_.names_at_ends)
      for (std::size_t s = 0; s < chart_.series.size(); ++s)
        if (looks_[s].has_marks()) looks_[s].draw_marks(svg_, points(chart_.series[s]));
    if (names_at_ends_) draw_names();
    draw_values();
    return svg_.finish();
  }

 private:
  std::vector<double> all(std::vector<double> Series::*coordinate) const {
    std::vector<double> values;
    for (const Series& series : chart_.series) {
      values.insert(values.end(), (series.*coordinate).begin(), (series.*coordinate).end());
    }
    return values;
  }

  /// What the y axis has to hold; 0 has no place on a logarithmic one, which leaves it out.
  std::vector<double> heights() const {
    std::vector<double> values = all(&Series::y);
    if (chart_.from_zero) values.push_back(0);
    return values;
  }

  /// Over all x and y, so that as much is as far on both axes.
  ChartAxis equal_axis() const {
    std::vector<double> values = all(&Series::x);
    const std::vector<double> more = heights();
    values.insert(values.end(), more.begin(), more.end());
    return loose_axis(values, std::max(4, chart_.width / 55), false);
  }

  double widest_tick() const {
    double widest = 0;
    for (const double tick : y_axis_.ticks) widest = std::max(widest, text_width(label_of(tick), kChartFont));
    return widest;
  }

  struct LegendEntry {
    double x;
    int line;  // the title's first is 0
  };

  double pixel_x(double x) const { return left_ + x_axis_.position(x) * (right_ - left_); }
  double pixel_y(double y) const { return bottom_ - y_axis_.position(y) * (bottom_ - top_); }

  double legend_width(std::size_t s) const {
    return kLegendKey + text_width(chart_.series[s].name, kChartFont) + kLegendGap;
  }

  static double title_width(const std::string& title) {
    return text_width(title, bold_factor * kChartTitleSize);
  }

  /// On the title's line if there is room, else in as many lines below it as it takes.
  std::vector<LegendEntry> placed_legend() const {
    std::vector<LegendEntry> legend;
    if (chart_.series.size() < 2 || names_at_ends_) return legend;
    double whole = 0;
    for (std::size_t s = 0; s < chart_.series.size(); ++s) whole += legend_width(s);
    const bool below = title_width(chart_.title) + whole > chart_.width - 2 * kChartMargin;
    LegendEntry next{below ? kChartMargin : chart_.width - whole,
                     below ? static_cast<int>(title_.size()) : 0};
    for (std::size_t s = 0; s < chart_.series.size(); ++s) {
      if (next.x > kChartMargin && next.x + legend_width(s) - kLegendGap > chart_.width - kChartMargin)
        next = {kChartMargin, next.line + 1};
      legend.push_back(next);
      next.x += legend_width(s);
    }
    return legend;
  }

  /// Whether no line joins any two points of a series.
  bool is_all_dots(std::size_t s) const {
    const std::vector<CurvePoint> all = points(chart_.series[s]);
    return std::adjacent_find(all.begin(), all.end(), [](const CurvePoint& a, const CurvePoint& b) {
             return is_drawable(a) && is_drawable(b);
           }) == all.end();
  }

  /// How the points of a series look, in the legend.
  void draw_key(std::size_t s, double x, double y) {
    const double end = x + kLegendKey - 6;
    if (is_all_dots(s)) return looks_[s].draw_dot(svg_, {(x + end) / 2, y});
    const CurveLook& look = looks_[s];
    const bool opened = look.open(svg_);
    svg_.element("line", {{"class", look.line_class()},
                          {"x1", x},
                          {"y1", y},
                          {"x2", end},
                          {"y2", y},
                          {"stroke", look.colour()}});
    if (opened) svg_.close();
  }

  void draw_title_and_legend() {
    const double title_line = kChartMargin + kChartTitleSize;
    for (std::size_t i = 0; i < title_.size(); ++i)
      svg_.text(kChartMargin, title_line + static_cast<double>(i) * kLegendHeight, title_[i],
                {{"class", "title"}, {"font-size", kChartTitleSize}});
    for (std::size_t s = 0; s < legend_.size(); ++s) {
      const double x = legend_[s].x, y = title_line + legend_[s].line * kLegendHeight;
      draw_key(s, x, y - 4);
      if (chart_.names_at_ends && looks_[s].has_marks())
        looks_[s].draw_marks(svg_, {{x + (kLegendKey - 6) / 2, y - 4}});
      svg_.text(x + kLegendKey, y, chart_.series[s].name, {{"class", "soft"}, {"font-size", kChartFont}});
    }
  }

  void draw_axes() {
    svg_.open("g", {{"class", "grid"}, {"stroke", "#e2e5ec"}});
    for (const double tick : y_axis_.ticks) {
      const double y = pixel_y(tick);
      svg_.element("line", {{"x1", left_}, {"y1", y}, {"x2", right_}, {"y2", y}});
    }
    svg_.close();
    svg_.open("g", {{"font-size", kChartFont}});
    for (const double tick : y_axis_.ticks) {
      svg_.text(left_ - 8, pixel_y(tick) + 4, label_of(tick), {{"class", "soft"}, {"text-anchor", "end"}});
    }
    for (const double tick : x_axis_.ticks) {
      const double x = pixel_x(tick);
      svg_.element("line", {{"class", "grid"}, {"x1", x}, {"y1", bottom_}, {"x2", x}, {"y2", bottom_ + 4}});
      svg_.text(x, bottom_ + 20, label_of(tick), {{"class", "soft"}, {"text-anchor", "middle"}});
    }
    for (const double x : chart_.x_lines) {
      const double at = pixel_x(x);
      if (at < left_ || at > right_) continue;
      svg_.element("line", {{"class", "mark"},
                            {"x1", at},
                            {"y1", top_},
                            {"x2", at},
                            {"y2", bottom_},
                            {"stroke", "#8a93a6"},
                            {"stroke-dasharray", "5 5"}});
    }
    svg_.text(right_, bottom_ + 38, chart_.x_label, {{"class", "soft"}, {"text-anchor", "end"}});
    svg_.close();
  }

  std::vector<CurvePoint> points(const Series& series) const {
    std::vector<CurvePoint> result;
    for (std::size_t i = 0; i < series.x.size(); ++i)
      result.push_back({pixel_x(series.x[i]), pixel_y(series.y[i])});
    return result;
  }

  void draw_curve(std::size_t s) {
    const CurveLook& look = looks_[s];
    std::string path;
    const std::vector<CurvePoint> kept = thinned(points(chart_.series[s]));
    for (std::size_t i = 0; i < kept.size(); ++i) {
      if (!is_drawable(kept[i])) continue;
      const bool begins = i == 0 || !is_drawable(kept[i - 1]);
      const bool ends = i + 1 == kept.size() || !is_drawable(kept[i + 1]);
      if (begins && ends) look.draw_dot(svg_, kept[i]);
      path += (begins ? "M" : "L") + trimmed_text(kept[i].x, 1) + " " + trimmed_text(kept[i].y, 1);
    }
    const bool opened = look.open(svg_);
    svg_.element("path", {{"class", look.line_class()},
                          {"d", path},
                          {"fill", "none"},
                          {"stroke", look.colour()},
                          {"stroke-width", look.thickness()},
                          {"stroke-linecap", "round"}});
    if (opened) svg_.close();
  }

  /// Those that share a name have one where it is not long.
  std::vector<EndName> names_of_ends() const {
    std::vector<EndName> names;
    for (std::size_t s = 0; s < chart_.series.size(); ++s) {
      const Series& series = chart_.series[s];
      for (std::size_t i = series.x.size(); i-- > 0;) {
        const CurvePoint end{x_axis_.position(series.x[i]), y_axis_.position(series.y[i])};
        if (!is_drawable(end)) continue;
        names.push_back({series.name, s, looks_[s].is_grey(), end});
        break;
      }
    }
    const std::vector<EndName> shared = from_top_down(names, true);
    return room_for(shared) <= kMostForJoined * chart_.width ? shared : from_top_down(names, false);
  }

  static double room_for(const std::vector<EndName>& names) {
    double widest = 0;
    for (const EndName& each : names) widest = std::max(widest, text_width(each.words, kChartFont));
    return widest + kNameGap - 14;
  }

  /// Each name as near the end of its curve as the others let it, with a line between the two.
  void draw_names() {
    const auto height_of = [&](const EndName& name) { return bottom_ - name.end.y * (bottom_ - top_); };
    std::vector<double> heights;
    for (const EndName& name : end_names_) heights.push_back(height_of(name));
    heights = spread_out(heights, kNameLine, top_, bottom_);
    for (std::size_t i = 0; i < end_names_.size(); ++i) {
      const EndName& name = end_names_[i];
      const CurveLook& look = looks_[name.series];
      const bool opened = look.open(svg_);
      svg_.element("line", {{"class", look.line_class()},
                            {"x1", left_ + name.end.x * (right_ - left_) + 6},
                            {"y1", height_of(name)},
                            {"x2", right_ + kNameGap - 6},
                            {"y2", heights[i]},
                            {"stroke", look.colour()},
                            {"style", "stroke-width:1"}});
      if (opened) svg_.close();
      const double x = right_ + kNameGap - 2, y = heights[i] + 4;
      if (name.is_grey)
        svg_.text(x, y, name.words, {{"class", "soft"}, {"font-size", kChartFont}});
      else
        svg_.text(x, y, name.words, {{"font-size", kChartFont}});
    }
  }

  /// The points that are shown when the pointer rests on one strip of the chart: for each series the first in
  /// the strip.
  struct Strip {
    std::vector<std::pair<std::size_t, std::size_t>> points;  // series, index
  };

  std::string value_text(double y) const {
    return (decimals_ < 0 ? short_text(y, 4) : fixed_text(y, decimals_)) + chart_.unit;
  }

  void draw_values() {
    const int strips = chart_.width / 6;
    std::map<int, Strip> occupied;
    for (std::size_t s = 0; s < chart_.series.size(); ++s) {
      const std::vector<CurvePoint> pixels = points(chart_.series[s]);
      for (std::size_t i = 0; i < pixels.size(); ++i) {
        if (!is_drawable(pixels[i])) continue;
        auto& strip = occupied[static_cast<int>((pixels[i].x - left_) / (right_ - left_) * strips)].points;
        if (strip.empty() || strip.back().first != s) strip.emplace_back(s, i);
      }
    }
    // Strips share the gaps between them, so that the pointer always rests on one.
    for (auto strip = occupied.begin(); strip != occupied.end(); ++strip) {
      const double here = strip_x(strip->second);
      const double from = strip == occupied.begin() ? left_ : (strip_x(std::prev(strip)->second) + here) / 2;
      const double to =
          std::next(strip) == occupied.end() ? right_ : (here + strip_x(std::next(strip)->second)) / 2;
      draw_strip(strip->second, from, to);
    }
  }

  double strip_x(const Strip& strip) const {
    const auto [series, index] = strip.points.front();
    return pixel_x(chart_.series[series].x[index]);
  }

  void draw_strip(const Strip& strip, double from, double to) {
    std::string hover;
    for (const auto& [s, i] : strip.points) {
      const Series& series = chart_.series[s];
      hover += (hover.empty() ? "" : "\n") + series.name + " at " + chart_.x_label + " " +
               with_minus(trimmed_text(series.x[i], 2) + ": " + value_text(series.y[i]));
    }
    svg_.open("g", {{"class", "at"}});
    svg_.element("line", {{"x1", strip_x(strip)}, {"y1", top_}, {"x2", strip_x(strip)}, {"y2", bottom_}});
    for (const auto& [s, i] : strip.points) {
      svg_.element("circle", {{"class", looks_[s].colour_class()},
                              {"cx", pixel_x(chart_.series[s].x[i])},
                              {"cy", pixel_y(chart_.series[s].y[i])},
                              {"r", 3.5},
                              {"opacity", 0}});
    }
    svg_.element("rect",
                 {{"class", "hit"},
                  {"x", from},
                  {"y", top_},
                  {"width", to - from},
                  {"height", bottom_ - top_},
                  {"fill-opacity", 0}},
                 hover);
    svg_.close();
  }

  const LineChart& chart_;
  std::vector<CurveLook> looks_;  // one for each series
  ChartAxis x_axis_;
  ChartAxis y_axis_;
  std::vector<EndName> end_names_;  // from the top down
  bool names_at_ends_;
  int decimals_;                        // of the values that are shown; -1: of each as many as it needs
  std::vector<std::string> title_;      // its lines
  std::vector<LegendEntry> legend_;     // one for each series, where there are several
  int further_lines_;                   // of title and legend, below the first
  double left_, right_, top_, bottom_;  // the rectangle that the curves fill
  Svg svg_;
};

}  // namespace

std::string draw_line_chart(const LineChart& chart) {
  if (chart.width < 200 || chart.height < 120) {
    throw std::invalid_argument(
        text("draw_line_chart: the chart must be at least 200 wide and 120 high: it is ", chart.width, " by ",
             chart.height));
  }
  for (const Series& series : chart.series) {
    if (series.x.size() != series.y.size()) {
      throw std::invalid_argument(text("draw_line_chart: a series must have as many x as y: \"", series.name,
                                       "\" has ", series.x.size(), " x and ", series.y.size(), " y"));
    }
  }
  return Drawing(chart).draw();
}

}  // namespace gradual
