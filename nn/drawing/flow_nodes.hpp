// Nodes and arrows of a flow, in the colours of their roles.
#pragma once

#include <string>

#include <gradual/nn/drawing/svg.hpp>

namespace gradual {

/// What a node stands for: its class in picture.css, and its colour where the style sheet is not read.
struct FlowRole {
  const char* css_class;
  const char* colour;
};
/// The roles that there are.
inline constexpr FlowRole kFlowItem{"item", "#1d2333"};
inline constexpr FlowRole kFlowQuery{"query", "#c2410c"};
inline constexpr FlowRole kFlowKey{"key", "#9333b8"};
inline constexpr FlowRole kFlowValue{"value", "#0b7a53"};
inline constexpr FlowRole kFlowWeight{"weight", "#173ea5"};
inline constexpr FlowRole kFlowOther{"other", "#667085"};

/// Sizes in pixels: of letters, of a node, and of the head of an arrow.
constexpr double kFlowText = 13;  // the size of its letters, in pixels
constexpr double kFlowNodeHeight = 24;
constexpr double kFlowHead = 5;  // between the end of an arrow's line and the node that it leads to

/// The frame of a node, with its middle at (x, y).
struct FlowNode {
  double x = 0, y = 0, width = 0;
  double left() const { return x - width / 2; }
  double right() const { return x + width / 2; }
};

/// How an arrow is drawn: as wide as this many pixels, and pale where what it stands for counts for nothing.
struct FlowStroke {
  double width = 1.6;
  bool pale = false;
};

/// A frame with a text in it.
void draw_flow_node(Svg& svg, const FlowNode& node, const std::string& text, FlowRole role,
                    bool pale = false);

/// A line along an SVG path that ends in (x, y), to the right, with a head.
void draw_flow_line(Svg& svg, const std::string& path, double x, double y, FlowRole role,
                    FlowStroke stroke = {});

/// An arrow from the right side of one node to the left side of another.
void draw_flow_arrow(Svg& svg, const FlowNode& from, const FlowNode& to, FlowRole role,
                     FlowStroke stroke = {});

/// `x y` of a path.
std::string flow_point(double x, double y);

/// How wide a node is that holds `text`.
double flow_node_width(const std::string& text);

}  // namespace gradual
