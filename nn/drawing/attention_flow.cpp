#include <gradual/nn/drawing/attention_flow.hpp>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include <gradual/nn/drawing/flow_layout.hpp>
#include <gradual/nn/drawing/flow_nodes.hpp>
#include <gradual/nn/drawing/number_text.hpp>
#include <gradual/nn/drawing/svg.hpp>

namespace gradual {
namespace {

constexpr double kThinnest = 1.2, kWidest = 6;

void bad_flow(const std::string& rule) { throw std::invalid_argument("draw_attention_flow: " + rule); }

void check_item(const std::optional<std::size_t>& item, std::size_t end, const std::string& name,
                const AttentionFlow& flow) {
  if (item && *item >= end)
    bad_flow(name + " must be one of the items: got " + std::to_string(*item) + " of " +
             std::to_string(flow.items.size()));
}

void check_flow(const AttentionFlow& flow) {
  if (flow.items.empty()) bad_flow("a flow needs an item: got none");
  if (flow.heads == 0) bad_flow("a flow needs a head: heads is 0");
  if (!flow.weights.empty() && flow.weights.size() != flow.items.size())
    bad_flow("each item needs one weight: got " + std::to_string(flow.weights.size()) + " for " +
             std::to_string(flow.items.size()) + " items");
  for (const double weight : flow.weights)
    if (!(weight >= 0 && weight <= 1))
      bad_flow("a weight must lie between 0 and 1: got " + short_text(weight, 3));
  check_item(flow.asks, flow.items.size(), "who asks", flow);
  check_item(flow.valid, flow.items.size() + 1, "the first that is masked", flow);
  if (flow.asks && flow.query.empty()) bad_flow("an item that asks needs a query: got no label for it");
  if (!flow.score.empty() && !flow.scores)
    bad_flow("a score has a label where scores are drawn: " + flow.score);
  if (!flow.result && (flow.values || flow.heads > 1 || !flow.then.empty()))
    bad_flow("values, heads and what comes after need a result: result is false");
  if (flow.contexts && (flow.keys || flow.values || flow.places || !flow.query.empty() || flow.result))
    bad_flow(
        "contexts stand for what is not known yet: leave out places, queries, keys, values and the result");
}

class FlowPicture {
 public:
  explicit FlowPicture(const AttentionFlow& flow)
      : flow_(flow), at_(lay_out(flow)), count_(flow.items.size()) {}

  std::string drawn() {
    Svg svg(std::ceil(at_.width), std::ceil(at_.height), "flow", label());
    svg_ = &svg;
    if (!flow_.title.empty())
      svg.text(kFlowBorder, kFlowBorder + kFlowText, flow_.title,
               {{"class", "title"}, {"font-size", kFlowText}});
    svg.open("g", {{"font-size", kFlowText}});
    if (flow_.heads > 1) draw_cards();
    draw_arrows();
    for (const FlowColumn* column :
         {&at_.places, &at_.items, &at_.contexts, &at_.keys, &at_.values, &at_.scores, &at_.weights})
      draw_nodes(*column);
    if (!flow_.query.empty()) draw_flow_node(*svg_, at_.query, flow_.query, kFlowQuery);
    if (!at_.scores.nodes.empty()) {
      draw_softmax();
      if (!flow_.score.empty())
        svg.text(at_.scores.nodes[0].x, at_.scores.nodes[0].y - kFlowNodeHeight / 2 - 7, flow_.score,
                 {{"class", "soft"}, {"text-anchor", "middle"}, {"font-size", kFlowText - 1}});
    }
    if (flow_.result) draw_flow_node(*svg_, at_.result, flow_.heads > 1 ? "z1" : "z", kFlowItem);
    return svg.finish();
  }

 private:
  std::string label() const {
    std::string text = "How attention computes its result";
    if (!flow_.title.empty()) text += ": " + flow_.title;
    return text;
  }

  bool masked(std::size_t i) const { return flow_.valid && i >= *flow_.valid; }

  double thickness(std::size_t i) const {
    if (flow_.weights.empty()) return masked(i) ? 0.6 : 1.6;
    return std::max(kThinnest, kWidest * std::min(flow_.weights[i], 1.0));
  }

  void draw_nodes(const FlowColumn& column) {
    for (std::size_t i = 0; i < column.nodes.size(); ++i)
      draw_flow_node(*svg_, column.nodes[i], column.labels[i], column.role, masked(i));
  }

  /// An arrow from an item that passes below everything on its way to the result.
  void draw_below(const FlowNode& from, std::size_t i) {
    const double y = at_.below + 14 * static_cast<double>(i) / static_cast<double>(count_);
    const double first = (flow_.keys ? at_.keys : at_.scores).nodes[0].left();
    const double last = at_.weights.nodes[0].right(), x = at_.result.left() - kFlowHead;
    const double bend = (from.right() + first) / 2;
    draw_flow_line(*svg_,
                   "M" + flow_point(from.right(), from.y) + "C" + flow_point(bend, from.y) + " " +
                       flow_point(bend, y) + " " + flow_point(first, y) + "H" + trimmed_text(last, 1) + "C" +
                       flow_point(last + 24, y) + " " + flow_point(x - 22, at_.result.y) + " " +
                       flow_point(x, at_.result.y),
                   x, at_.result.y, kFlowItem, {thickness(i), masked(i)});
  }

  void draw_arrows() {
    for (std::size_t i = 0; i < count_; ++i) {
      const FlowNode& item = at_.items.nodes[i];
      const FlowNode& weight = at_.weights.nodes[i];
      if (flow_.places) draw_flow_arrow(*svg_, at_.places.nodes[i], item, kFlowOther);
      if (flow_.keys) draw_flow_arrow(*svg_, item, at_.keys.nodes[i], kFlowKey, {1.6, masked(i)});
      if (flow_.values) draw_flow_arrow(*svg_, item, at_.values.nodes[i], kFlowValue, {1.6, masked(i)});
      const FlowNode& answers = flow_.keys ? at_.keys.nodes[i] : item;
      const FlowNode& meets = flow_.scores ? at_.scores.nodes[i] : weight;
      draw_flow_arrow(*svg_, answers, meets, flow_.keys ? kFlowKey : kFlowItem, {1.6, masked(i)});
      if (flow_.contexts) draw_flow_arrow(*svg_, at_.contexts.nodes[i], meets, kFlowOther);
      if (!flow_.query.empty()) draw_flow_arrow(*svg_, at_.query, meets, kFlowQuery, {1.6, masked(i)});
      if (flow_.scores) draw_around_softmax(i);
      if (flow_.result) draw_into_result(i, item, weight);
    }
    if (flow_.asks) draw_asking();
    draw_after_result();
  }

  void draw_around_softmax(std::size_t i) {
    const FlowNode bar{at_.softmax, at_.scores.nodes[i].y, 22};
    if (!masked(i)) draw_flow_arrow(*svg_, at_.scores.nodes[i], bar, kFlowWeight);
    draw_flow_arrow(*svg_, bar, at_.weights.nodes[i], kFlowWeight, {1.6, masked(i)});
  }

  void draw_into_result(std::size_t i, const FlowNode& item, const FlowNode& weight) {
    draw_flow_arrow(*svg_, weight, at_.result, kFlowWeight, {1.2, masked(i)});
    if (flow_.values)
      draw_flow_arrow(*svg_, at_.values.nodes[i], at_.result, kFlowValue, {thickness(i), masked(i)});
    else if (flow_.scores)
      draw_below(item, i);
    else
      draw_around_weight(item, weight, i);
  }

  /// From an item to the result, past its weight.
  void draw_around_weight(const FlowNode& item, const FlowNode& weight, std::size_t i) {
    const double x = at_.result.left() - kFlowHead, y = weight.y + kFlowNodeHeight / 2 + 4;
    draw_flow_line(*svg_,
                   "M" + flow_point(item.right(), item.y) + "C" + flow_point(weight.left() - 20, item.y) +
                       " " + flow_point(weight.left() - 20, y) + " " + flow_point(weight.x, y) + "S" +
                       flow_point(x - 30, at_.result.y) + " " + flow_point(x, at_.result.y),
                   x, at_.result.y, kFlowItem, {thickness(i), masked(i)});
  }

  void draw_asking() {
    const FlowNode& item = at_.items.nodes[*flow_.asks];
    draw_flow_arrow(*svg_, item, at_.query, kFlowQuery);
  }

  void draw_after_result() {
    const FlowNode* from = &at_.result;
    for (std::size_t i = 0; i < at_.joining.nodes.size(); ++i) {
      const FlowNode& node = at_.joining.nodes[i];
      draw_flow_arrow(*svg_, *from, node, kFlowItem);
      draw_flow_node(*svg_, node, at_.joining.labels[i], i == 1 ? kFlowOther : kFlowItem);
      from = &node;
    }
    if (flow_.then.empty()) return;
    draw_flow_arrow(*svg_, *from, at_.then, kFlowItem);
    draw_flow_node(*svg_, at_.then, flow_.then, kFlowOther);
  }

  void draw_softmax() {
    const double first = at_.scores.nodes[0].y, last = at_.scores.nodes.back().y;
    const double middle = (first + last) / 2, height = std::max(last - first + kFlowNodeHeight, 66.0);
    svg_->open("g", {{"class", "node weight"}});
    svg_->element("rect", {{"x", at_.softmax - 11},
                           {"y", middle - height / 2},
                           {"width", 22},
                           {"height", height},
                           {"rx", 6},
                           {"fill", "#fff"},
                           {"stroke", kFlowWeight.colour}});
    svg_->open("g", {{"transform", "translate(" + flow_point(at_.softmax + 4.5, middle) + ") rotate(-90)"}});
    svg_->text(0, 0, "softmax", {{"text-anchor", "middle"}, {"fill", kFlowWeight.colour}});
    svg_->close();
    svg_->close();
  }

  /// A card for each head, at most three, the first on top.
  void draw_cards() {
    const std::size_t cards = std::min<std::size_t>(flow_.heads, 3);
    for (std::size_t i = cards; i-- > 0;) {
      const double shift = static_cast<double>(i) * kFlowCardStep;
      svg_->element("rect", {{"class", "card"},
                             {"x", at_.card_left + shift},
                             {"y", at_.top - 4 + shift},
                             {"width", at_.card_right - at_.card_left},
                             {"height", at_.height - at_.top - kFlowBorder - 2 * kFlowCardStep + 8},
                             {"rx", 8},
                             {"fill", "#fff"},
                             {"stroke", "#e2e5ec"}});
    }
  }

  const AttentionFlow& flow_;
  const FlowLayout at_;
  std::size_t count_;
  Svg* svg_ = nullptr;
};

}  // namespace

std::string draw_attention_flow(const AttentionFlow& flow) {
  check_flow(flow);
  return FlowPicture(flow).drawn();
}

}  // namespace gradual
