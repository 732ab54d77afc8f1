// Attention weights as a table of coloured cells.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include <gradual/core/real.hpp>

namespace gradual {

/// A colour of pictures: its class in their style sheet, and what readers see that know no style sheets.
struct PictureColour {
  const char *css_class, *colour;
};

/// What each query attends to: one weight for each query and key, and the tokens that the two stand for.
struct AttentionMap {
  std::vector<std::string> queries;                              ///< the words of its rows
  std::vector<std::string> keys;                                 ///< the words of its columns
  std::vector<float> weights;                                    ///< [queries, keys], row-major
  std::string title;                                             ///< drawn above the map; may be empty
  std::vector<std::pair<std::size_t, std::size_t>> framed = {};  ///< query and key of cells to look at
  PictureColour frame_colour = {"s1", "#d9480f"};                ///< of what is around them

  /// How much this query looked at this key.
  float weight(std::size_t query, std::size_t key) const { return weights[query * keys.size() + key]; }
};

/// The weights among the first `most` queries and the first `most` keys: what a picture has room for. Throws
/// like check_attention_map.
AttentionMap beginning_of(const AttentionMap& map, std::size_t most);

/// Throws std::invalid_argument, in the name of `operation`, unless the map has a query, a key, a weight for
/// each pair, and the cells that are framed.
void check_attention_map(const AttentionMap& map, const std::string& operation);

/// `query → key: 0.83`, what a picture shows when the pointer rests on a weight; in this order too where
/// the tokens are written from right to left.
std::string weight_text(const AttentionMap& map, std::size_t query, std::size_t key);

/// The map as an SVG: queries down the left side, keys along the top, a cell's opacity is its weight. Resting
/// on a cell shows `query → key: 0.83`. Good as a file, in a page, and in a notebook; light or dark as the
/// reader's system is. Throws std::invalid_argument if the map has no query or no key, or its number of
/// weights is not queries · keys, or a framed cell is none of its own.
std::string draw_attention_map(const AttentionMap& map);

/// Many heads in one SVG: a row for each layer, a column for each head, the tokens along the outer sides.
/// `layers[l][h]` is head h of layer l. Throws std::invalid_argument if there is no map, if a map is bad, or
/// if the maps differ in their numbers of queries and keys, or the layers in their number of heads.
std::string draw_attention_grid(const std::vector<std::vector<AttentionMap>>& layers,
                                const std::string& title);

/// Maps of one size side by side, each below its title. Throws like draw_attention_grid.
std::string draw_attention_row(const std::vector<AttentionMap>& maps, const std::string& title);

}  // namespace gradual
