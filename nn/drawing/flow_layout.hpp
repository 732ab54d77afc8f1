// Where the nodes of a flow stand.
#pragma once

#include <string>
#include <vector>

#include <gradual/nn/drawing/attention_flow.hpp>
#include <gradual/nn/drawing/flow_nodes.hpp>

namespace gradual {

/// Nodes of one role under each other.
struct FlowColumn {
  std::vector<FlowNode> nodes;
  std::vector<std::string> labels;
  FlowRole role = kFlowItem;
};

/// The places of all nodes of a flow, in pixels; what the flow does not show is empty. Columns stand side by
/// side. Where items have values, keys and scores stand in an upper block and values in a lower one, so that
/// no arrow of a value passes the softmax.
struct FlowLayout {
  double width = 0, height = 0, top = 0;  // of the picture, and where its nodes begin
  FlowColumn places, items, contexts, keys, values, scores, weights;
  FlowNode query, result, then;
  double softmax = 0;                    // the middle of its bar
  double below = 0;                      // where items pass below the scores on their way to the result
  double card_left = 0, card_right = 0;  // the frame around a head
  FlowColumn joining;                    // what comes after several heads
};

/// What is free around the picture, in pixels.
constexpr double kFlowBorder = 12;
/// The distance of two heads' cards, which lie behind each other.
constexpr double kFlowCardStep = 7;  // between the cards of two heads

/// Finds a place for each node of a flow.
FlowLayout lay_out(const AttentionFlow& flow);

}  // namespace gradual
