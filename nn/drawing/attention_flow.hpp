// How an attention computes its result, as nodes and arrows.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace gradual {

/// The parts of one attention that a picture shows. Those that are left at their defaults are not drawn, so
/// that a picture can grow by a part at a time.
struct AttentionFlow {
  std::vector<std::string> items;  ///< what is attended to
  std::vector<double> weights;     ///< of the items, or none; an arrow into the result is as thick as its own
  std::string title;               ///< drawn above the picture
  std::string query;               ///< the label of a query that meets each item
  std::string score;               ///< how query and key are compared, over the scores
  std::optional<std::size_t> asks;    ///< the item that the query is made from
  std::optional<std::size_t> valid;   ///< items from this one on are masked
  bool places = false;                ///< a vector of its place is added to each item
  bool contexts = false;              ///< each score has a context of its own
  bool scores = false;                ///< scores and a softmax stand before the weights
  bool keys = false, values = false;  ///< items have keys, values of their own
  bool result = true;                 ///< the weights mix the items, or their values, into z
  std::size_t heads = 1;              ///< several of all this, side by side
  std::string then;                   ///< what reads the result
};

/// The flow as an SVG: an arrow leads from a thing to what is computed from it; queries, keys, values and
/// weights have a colour each, in all pictures the same (`--gradual-query`, `--gradual-key`,
/// `--gradual-value`, `--gradual-weight`). Throws std::invalid_argument if there is no item or no head, if
/// there are weights but not one for each item, if `asks` or `valid` is beyond the items, or if `asks` has no
/// query.
std::string draw_attention_flow(const AttentionFlow& flow);

}  // namespace gradual
