#include <gradual/nn/drawing/attention_graph.hpp>

#include <algorithm>
#include <cmath>

#include <gradual/nn/drawing/number_text.hpp>
#include <gradual/nn/drawing/readable_text.hpp>
#include <gradual/nn/drawing/svg.hpp>

namespace gradual {
namespace {

constexpr std::size_t kLongestLabel = 20;
constexpr double kRow = 26;
constexpr double kFont = 13;
constexpr double kMargin = 12;
constexpr double kTitleHeight = 24;
constexpr double kKeyFont = 12;
constexpr double kKeyLine = 17;
constexpr double kGap = 8;        // between a token and its edges
constexpr double kColumns = 180;  // between the two columns
constexpr double kFaintest = 0.01;
constexpr double kThickest = 5;  // pixels, for a weight of 1
constexpr const char* kColour = "#173ea5";

double label_width(const std::string& token) { return text_width(token_label(token, kLongestLabel), kFont); }

double widest(const std::vector<std::string>& tokens) {
  double result = 0;
  for (const std::string& token : tokens) result = std::max(result, label_width(token));
  return result;
}

double y_of(std::size_t row) { return (static_cast<double>(row) + 0.5) * kRow; }

double opacity_of(double weight) { return 0.2 + 0.8 * weight; }

/// A smooth curve from (x1, y1) to (x2, y2) that leaves and arrives sideways, drawn towards x = `bend1` and x
/// = `bend2`.
std::string curve(double x1, double y1, double bend1, double bend2, double x2, double y2) {
  const auto point = [](double x, double y) { return trimmed_text(x, 1) + " " + trimmed_text(y, 1); };
  return "M" + point(x1, y1) + "C" + point(bend1, y1) + " " + point(bend2, y2) + " " + point(x2, y2);
}

void draw_edge(Svg& svg, const AttentionMap& map, std::size_t query, std::size_t key,
               const std::string& path) {
  const double weight = std::min<double>(map.weight(query, key), 1);
  if (!(weight >= kFaintest)) return;
  svg.element("path",
              {{"d", path},
               {"stroke-width", std::max(0.75, kThickest * weight)},
               {"stroke-opacity", opacity_of(weight)}},
              weight_text(map, query, key));
}

void draw_token(Svg& svg, const std::string& token, double x, double y, std::string_view anchor) {
  svg.text(x, y + kFont * 0.35, token_label(token, kLongestLabel), {{"text-anchor", anchor}}, token);
}

/// A picture of this size with the map's title, and below it what `key` says of the drawing; the content goes
/// into a group between the two.
Svg titled(const AttentionMap& map, double width, std::size_t rows, const std::string& key) {
  const double top = kMargin + (map.title.empty() ? 0 : kTitleHeight);
  width = std::max(width, text_width(map.title, kFont) * bold_factor + 2 * kMargin);
  width = std::max(width, text_width("on the left back,", kKeyFont) + 2 * kMargin);
  const std::vector<std::string> key_lines = lines_of(key, kKeyFont, width - 2 * kMargin);
  const double bottom = top + kRow * static_cast<double>(rows);
  Svg svg(std::ceil(width), bottom + kKeyLine * static_cast<double>(key_lines.size()) + kMargin, "links",
          map.title.empty() ? "Attention as a graph" : "Attention as a graph: " + map.title);
  if (!map.title.empty())
    svg.text(kMargin, kMargin + kFont, map.title, {{"class", "title"}, {"font-size", kFont}});
  for (std::size_t i = 0; i < key_lines.size(); ++i)
    svg.text(kMargin, bottom + kKeyLine * static_cast<double>(i + 1), key_lines[i],
             {{"class", "soft"}, {"font-size", kKeyFont}});
  svg.open("g", {{"font-size", kFont}, {"transform", "translate(0 " + trimmed_text(top, 2) + ")"}});
  return svg;
}

void open_query(Svg& svg) { svg.open("g", {{"class", "query"}}); }

void open_edges(Svg& svg) { svg.open("g", {{"class", "edges"}, {"fill", "none"}, {"stroke", kColour}}); }

/// Queries on the left, keys on the right; the shorter column is centred.
std::string draw_two_columns(const AttentionMap& map) {
  const double left = kMargin + widest(map.queries) + kGap;
  const double right = left + kColumns;
  const std::size_t rows = std::max(map.queries.size(), map.keys.size());
  const auto y_in = [&](const std::vector<std::string>& column, std::size_t row) {
    return y_of(row) + static_cast<double>(rows - column.size()) * kRow / 2;
  };
  Svg svg = titled(map, right + kGap + widest(map.keys) + kMargin, rows, "Left looks, right is looked at.");
  for (std::size_t j = 0; j < map.keys.size(); ++j)
    draw_token(svg, map.keys[j], right + kGap, y_in(map.keys, j), "start");
  for (std::size_t i = 0; i < map.queries.size(); ++i) {
    const double y = y_in(map.queries, i);
    open_query(svg);
    draw_token(svg, map.queries[i], left - kGap, y, "end");
    open_edges(svg);
    for (std::size_t j = 0; j < map.keys.size(); ++j) {
      const double middle = (left + right) / 2;
      draw_edge(svg, map, i, j, curve(left, y, middle, middle, right, y_in(map.keys, j)));
    }
    svg.close();
    svg.close();
  }
  return svg.finish();
}

/// Whether no token looks at a later one, as under a causal mask.
bool looks_back_only(const AttentionMap& map) {
  for (std::size_t i = 0; i < map.queries.size(); ++i) {
    for (std::size_t j = i + 1; j < map.keys.size(); ++j)
      if (map.weight(i, j) >= kFaintest) return false;
  }
  return true;
}

std::string key_of_line(const AttentionMap& map, bool back_only) {
  std::string key = back_only ? "Arcs look back" : "Arcs on the left look back, on the right ahead";
  for (std::size_t i = 0; i < map.queries.size(); ++i)
    if (map.weight(i, i) >= kFaintest) return key + "; the shade of a token: at itself.";
  return key + ".";
}

/// Each token once, in a line from top to bottom, with arcs on both sides, or on the left alone.
std::string draw_line(const AttentionMap& map) {
  const std::size_t count = map.queries.size();
  const double span =
      std::min(30 + 12 * static_cast<double>(count), 170.0);  // how far the longest arc goes out
  const double half = widest(map.queries) / 2 + kGap;
  const double middle = kMargin + span + half;
  const auto edge_of = [&](std::size_t i) { return label_width(map.queries[i]) / 2 + kGap; };
  const bool back_only = looks_back_only(map);
  Svg svg = titled(map, back_only ? middle + half + kMargin : 2 * middle, count, key_of_line(map, back_only));
  for (std::size_t i = 0; i < count; ++i) {
    open_query(svg);
    const double self = std::clamp<double>(map.weight(i, i), 0, 1);
    svg.element("rect",
                {{"class", "self"},
                 {"x", middle - edge_of(i) + 2},
                 {"y", y_of(i) - kRow / 2 + 3},
                 {"width", 2 * edge_of(i) - 4},
                 {"height", kRow - 6},
                 {"rx", 5},
                 {"fill", kColour},
                 {"fill-opacity", 0.45 * self}},  // the token stays readable on it
                weight_text(map, i, i));
    draw_token(svg, map.queries[i], middle, y_of(i), "middle");
    open_edges(svg);
    for (std::size_t j = 0; j < count; ++j) {
      if (j == i) continue;
      const double side = j < i ? -1 : 1;
      const double rows = static_cast<double>(j < i ? i - j : j - i);
      // A curve of this kind goes out three quarters of the way to its bends.
      const double bend = half + (20 + (span - 20) * rows / static_cast<double>(count)) / 0.75;
      draw_edge(svg, map, i, j,
                curve(middle + side * edge_of(i), y_of(i), middle + side * bend, middle + side * bend,
                      middle + side * edge_of(j), y_of(j)));
    }
    svg.close();
    svg.close();
  }
  return svg.finish();
}

}  // namespace

std::string draw_attention_graph(const AttentionMap& map) {
  check_attention_map(map, "draw_attention_graph");
  return map.queries == map.keys ? draw_line(map) : draw_two_columns(map);
}

}  // namespace gradual
