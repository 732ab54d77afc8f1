#include <gradual/nn/drawing/flow_nodes.hpp>

#include <algorithm>

#include <gradual/nn/drawing/number_text.hpp>
#include <gradual/nn/drawing/readable_text.hpp>

namespace gradual {

std::string flow_point(double x, double y) { return trimmed_text(x, 1) + " " + trimmed_text(y, 1); }

double flow_node_width(const std::string& text) { return std::max(34.0, text_width(text, kFlowText) + 16); }

void draw_flow_node(Svg& svg, const FlowNode& node, const std::string& text, FlowRole role, bool pale) {
  svg.open("g", {{"class", std::string("node ") + role.css_class}, {"opacity", pale ? 0.4 : 1}});
  svg.element("rect", {{"x", node.left()},
                       {"y", node.y - kFlowNodeHeight / 2},
                       {"width", node.width},
                       {"height", kFlowNodeHeight},
                       {"rx", 6},
                       {"fill", "#fff"},
                       {"stroke", role.colour}});
  svg.text(node.x, node.y + kFlowText * 0.35, text, {{"text-anchor", "middle"}, {"fill", role.colour}});
  svg.close();
}

void draw_flow_line(Svg& svg, const std::string& path, double x, double y, FlowRole role, FlowStroke stroke) {
  const double half = 3.2 + stroke.width / 3;
  svg.open("g", {{"class", std::string("arrow ") + role.css_class}, {"opacity", stroke.pale ? 0.3 : 1}});
  svg.element("path",
              {{"d", path}, {"fill", "none"}, {"stroke", role.colour}, {"stroke-width", stroke.width}});
  svg.element("path", {{"class", "head"},
                       {"d", "M" + flow_point(x + kFlowHead, y) + "L" + flow_point(x - 3, y - half) + "V" +
                                 trimmed_text(y + half, 1) + "Z"},
                       {"fill", role.colour}});
  svg.close();
}

void draw_flow_arrow(Svg& svg, const FlowNode& from, const FlowNode& to, FlowRole role, FlowStroke stroke) {
  const double x = to.left() - kFlowHead;
  const double bend = (from.right() + x) / 2;
  draw_flow_line(svg,
                 "M" + flow_point(from.right(), from.y) + "C" + flow_point(bend, from.y) + " " +
                     flow_point(bend, to.y) + " " + flow_point(x, to.y),
                 x, to.y, role, stroke);
}

}  // namespace gradual
