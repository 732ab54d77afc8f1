#include <gradual/nn/drawing/attention_map.hpp>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include <gradual/core/error.hpp>
#include <gradual/nn/drawing/number_text.hpp>
#include <gradual/nn/drawing/readable_text.hpp>
#include <gradual/nn/drawing/svg.hpp>

namespace gradual {
namespace {

constexpr std::size_t kLongestMapLabel = 14;
constexpr double kKeyAngle = 60;  // degrees
constexpr double kMapMargin = 8;
constexpr double kMapTitleHeight = 24;
constexpr double kMapTitleSize = 13;
// Between upright keys, of the letters' size: nearer, numbers run together.
constexpr double kLetterGap = 0.35;

/// The sizes that a map is drawn in.
struct Scale {
  double cell;
  double font;
};
constexpr Scale kSmall{12, 10};  // for long sentences, and many maps in one picture
constexpr Scale kLarge{18, 12};
constexpr Scale kRoomy{28, 13};  // for a few words side by side, where there is room to see each cell
constexpr std::size_t kFewWords = 8;

Scale scale_of(const AttentionMap& map) {
  return std::max(map.queries.size(), map.keys.size()) > 16 ? kSmall : kLarge;
}

Scale scale_in_row(const AttentionMap& map) {
  return std::max(map.queries.size(), map.keys.size()) > kFewWords ? kSmall : kRoomy;
}

/// The labels of a map's two sides and the room they take.
struct Sides {
  Sides(const AttentionMap& map, Scale s) : scale(s) {
    for (const std::string& token : map.queries) queries.push_back(token_label(token, kLongestMapLabel));
    for (const std::string& token : map.keys) keys.push_back(token_label(token, kLongestMapLabel));
    const double widest_key = widest(keys);
    turned = widest_key > scale.cell - kLetterGap * scale.font;
    const double angle = kKeyAngle * std::acos(-1.0) / 180;
    left = widest(queries) + 6;
    above = turned ? widest_key * std::sin(angle) + scale.font * std::cos(angle) + 4 : scale.font + 6;
    for (std::size_t j = 0; turned && j < keys.size(); ++j) {
      const double end =
          (static_cast<double>(j) + 0.6) * scale.cell + text_width(keys[j], scale.font) * std::cos(angle);
      overhang = std::max(overhang, end - width());
    }
  }
  double width() const { return scale.cell * static_cast<double>(keys.size()); }
  double height() const { return scale.cell * static_cast<double>(queries.size()); }

  Scale scale;
  std::vector<std::string> queries, keys;
  bool turned = false;  // keys too long to stand upright over their columns
  double left = 0;      // room for the queries
  double above = 0;     // room for the keys
  double overhang = 0;  // how far turned keys reach beyond the last column

 private:
  double widest(const std::vector<std::string>& labels) const {
    double result = 0;
    for (const std::string& label : labels) result = std::max(result, text_width(label, scale.font));
    return result;
  }
};

void draw_queries(Svg& svg, const AttentionMap& map, const Sides& sides, double x, double y) {
  svg.open("g", {{"class", "queries"}, {"font-size", sides.scale.font}, {"text-anchor", "end"}});
  for (std::size_t i = 0; i < map.queries.size(); ++i) {
    const double middle = y + (static_cast<double>(i) + 0.5) * sides.scale.cell;
    svg.text(x - 5, middle + sides.scale.font * 0.35, sides.queries[i], {}, map.queries[i]);
  }
  svg.close();
}

void draw_keys(Svg& svg, const AttentionMap& map, const Sides& sides, double x, double y) {
  svg.open("g", {{"class", "keys"},
                 {"font-size", sides.scale.font},
                 {"text-anchor", sides.turned ? "start" : "middle"}});
  for (std::size_t j = 0; j < map.keys.size(); ++j) {
    const double middle = x + (static_cast<double>(j) + 0.5) * sides.scale.cell;
    if (sides.turned) {
      const std::string place = text("translate(", trimmed_text(middle + sides.scale.font * 0.3, 2), " ",
                                     trimmed_text(y - 5, 2), ") rotate(-", kKeyAngle, ")");
      svg.text(0, 0, sides.keys[j], {{"transform", place}}, map.keys[j]);
    } else {
      svg.text(middle, y - 5, sides.keys[j], {}, map.keys[j]);
    }
  }
  svg.close();
}

void draw_cells(Svg& svg, const AttentionMap& map, const Sides& sides, double x, double y) {
  const double size = sides.scale.cell;
  svg.element("rect", {{"class", "empty"},
                       {"x", x},
                       {"y", y},
                       {"width", sides.width()},
                       {"height", sides.height()},
                       {"fill", "#667085"},
                       {"fill-opacity", 0.09}});
  svg.open("g", {{"class", "cells"}, {"fill", "#173ea5"}});
  for (std::size_t i = 0; i < map.queries.size(); ++i) {
    for (std::size_t j = 0; j < map.keys.size(); ++j) {
      const double weight = map.weight(i, j);
      // A weight that is not a number stays an empty cell; resting on it shows "nan".
      const double opacity = std::isnan(weight) ? 0 : std::clamp(weight, 0.0, 1.0);
      svg.element("rect",
                  {{"x", x + static_cast<double>(j) * size + 0.5},
                   {"y", y + static_cast<double>(i) * size + 0.5},
                   {"width", size - 1},
                   {"height", size - 1},
                   {"fill-opacity", opacity}},
                  weight_text(map, i, j));
    }
  }
  svg.close();
  for (const auto& [query, key] : map.framed)
    svg.element("rect", {{"class", text("line ", map.frame_colour.css_class, " frame")},
                         {"x", x + static_cast<double>(key) * size},
                         {"y", y + static_cast<double>(query) * size},
                         {"width", size},
                         {"height", size},
                         {"fill", "none"},
                         {"stroke", map.frame_colour.colour},
                         {"pointer-events", "none"}});  // the cell below tells its weight
}

void draw_title(Svg& svg, const std::string& title) {
  if (!title.empty()) {
    svg.text(kMapMargin, kMapMargin + kMapTitleSize, title,
             {{"class", "title"}, {"font-size", kMapTitleSize}});
  }
}

double title_height(const std::string& title) { return title.empty() ? 0 : kMapTitleHeight; }

double title_width(const std::string& title) { return text_width(title, kMapTitleSize) * bold_factor; }

void check_grid(const std::string& operation, const std::vector<std::vector<AttentionMap>>& layers) {
  if (layers.empty() || layers[0].empty()) {
    throw std::invalid_argument(operation + ": there must be a map: got none");
  }
  const AttentionMap& first = layers[0][0];
  for (std::size_t l = 0; l < layers.size(); ++l) {
    if (layers[l].size() != layers[0].size()) {
      throw std::invalid_argument(text(operation, ": all layers must have as many heads: layer 1 has ",
                                       layers[0].size(), ", layer ", l + 1, " has ", layers[l].size()));
    }
    for (const AttentionMap& map : layers[l]) {
      check_attention_map(map, operation);
      if (map.queries.size() != first.queries.size() || map.keys.size() != first.keys.size()) {
        throw std::invalid_argument(text(operation, ": all maps must have one size: the first is [",
                                         first.queries.size(), ", ", first.keys.size(), "], one in layer ",
                                         l + 1, " is [", map.queries.size(), ", ", map.keys.size(), "]"));
      }
    }
  }
}

}  // namespace

void check_attention_map(const AttentionMap& map, const std::string& operation) {
  if (map.queries.empty() || map.keys.empty()) {
    throw std::invalid_argument(text(operation, ": there must be a query and a key: got ", map.queries.size(),
                                     " queries and ", map.keys.size(), " keys"));
  }
  if (map.weights.size() != map.queries.size() * map.keys.size()) {
    throw std::invalid_argument(
        text(operation, ": there must be one weight for each query and key: ", map.queries.size(),
             " queries times ", map.keys.size(), " keys is ", map.queries.size() * map.keys.size(), ", got ",
             map.weights.size(), " weights"));
  }
  for (const auto& [query, key] : map.framed)
    if (query >= map.queries.size() || key >= map.keys.size())
      throw std::invalid_argument(text(operation, ": a framed cell must be one of the map: got query ", query,
                                       " of ", map.queries.size(), " and key ", key, " of ",
                                       map.keys.size()));
}

AttentionMap beginning_of(const AttentionMap& map, std::size_t most) {
  check_attention_map(map, "beginning_of");
  AttentionMap part{map.queries, map.keys, {}, map.title, {}, map.frame_colour};
  part.queries.resize(std::min(most, map.queries.size()));
  part.keys.resize(std::min(most, map.keys.size()));
  for (std::size_t i = 0; i < part.queries.size(); ++i)
    for (std::size_t j = 0; j < part.keys.size(); ++j) part.weights.push_back(map.weight(i, j));
  for (const auto& [query, key] : map.framed)
    if (query < part.queries.size() && key < part.keys.size()) part.framed.emplace_back(query, key);
  return part;
}

std::string weight_text(const AttentionMap& map, std::size_t query, std::size_t key) {
  return isolated(map.queries[query]) + " → " + isolated(map.keys[key]) + ": " +
         fixed_text(map.weight(query, key), 2);
}

std::string draw_attention_map(const AttentionMap& map) {
  check_attention_map(map, "draw_attention_map");
  const Sides sides(map, scale_of(map));
  const double x = kMapMargin + sides.left;
  const double y = kMapMargin + title_height(map.title) + sides.above;
  const double width =
      std::max(x + sides.width() + sides.overhang, title_width(map.title) + kMapMargin) + kMapMargin;
  Svg svg(std::ceil(width), std::ceil(y + sides.height() + kMapMargin), "map",
          "Attention weights: " + map.title);
  draw_title(svg, map.title);
  draw_keys(svg, map, sides, x, y);
  draw_queries(svg, map, sides, x, y);
  draw_cells(svg, map, sides, x, y);
  return svg.finish();
}

namespace {

using Names = std::vector<std::string>;

Names numbered(const char* what, std::size_t count) {
  Names names;
  for (std::size_t i = 1; i <= count; ++i) names.push_back(text(what, " ", i));
  return names;
}

// `maps[r][c]` below the name of column c and beside that of row r, where rows have names.
std::string draw_table(const std::vector<std::vector<AttentionMap>>& maps, const std::string& title,
                       const Names& columns, const Names& rows, Scale scale) {
  const AttentionMap& first = maps[0][0];
  const Sides sides(first, scale);
  const double gap = 14, name_size = scale.font + 1, column_name = 20;
  double widest_name = 0;
  for (const std::string& name : columns)
    widest_name = std::max(widest_name, text_width(name, name_size) * bold_factor);
  const double beside = std::max(0.0, widest_name - sides.width()) / 2;  // where a name is wider than its map
  const double left = kMapMargin + (rows.empty() ? 0 : 18) + std::max(sides.left, beside);
  const double top = kMapMargin + title_height(title) + column_name + sides.above;
  const auto x_of = [&](std::size_t column) {
    return left + static_cast<double>(column) * (sides.width() + 2 * beside + gap);
  };
  const auto y_of = [&](std::size_t row) { return top + static_cast<double>(row) * (sides.height() + gap); };

  const double end_of_maps = x_of(columns.size() - 1) + sides.width() + std::max(sides.overhang, beside);
  Svg svg(std::ceil(std::max(end_of_maps, title_width(title)) + kMapMargin),
          std::ceil(y_of(maps.size()) - gap + kMapMargin), "map", "Attention weights: " + title);
  draw_title(svg, title);
  for (std::size_t c = 0; c < columns.size(); ++c) {
    svg.text(x_of(c) + sides.width() / 2, top - sides.above - 6, columns[c],
             {{"class", "soft"}, {"font-size", name_size}, {"text-anchor", "middle"}});
    draw_keys(svg, first, sides, x_of(c), top);
  }
  for (std::size_t r = 0; r < maps.size(); ++r) {
    const double middle = y_of(r) + sides.height() / 2;
    if (!rows.empty())
      svg.text(0, 0, rows[r],
               {{"class", "soft"},
                {"font-size", name_size},
                {"text-anchor", "middle"},
                {"transform", "translate(" + trimmed_text(kMapMargin + 10, 2) + " " +
                                  trimmed_text(middle, 2) + ") rotate(-90)"}});
    draw_queries(svg, first, sides, left, y_of(r));
    for (std::size_t c = 0; c < columns.size(); ++c) draw_cells(svg, maps[r][c], sides, x_of(c), y_of(r));
  }
  return svg.finish();
}

}  // namespace

std::string draw_attention_grid(const std::vector<std::vector<AttentionMap>>& layers,
                                const std::string& title) {
  check_grid("draw_attention_grid", layers);
  return draw_table(layers, title, numbered("head", layers[0].size()), numbered("layer", layers.size()),
                    kSmall);
}

std::string draw_attention_row(const std::vector<AttentionMap>& maps, const std::string& title) {
  check_grid("draw_attention_row", {maps});
  Names names;
  for (const AttentionMap& map : maps) names.push_back(map.title);
  return draw_table({maps}, title, names, {}, scale_in_row(maps[0]));
}

}  // namespace gradual
