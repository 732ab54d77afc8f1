#include <gradual/nn/drawing/flow_layout.hpp>

#include <algorithm>

#include "support/catch.hpp"

using namespace gradual;

namespace {

struct Placed {
  std::string name;
  FlowNode node;
};

// All nodes that a layout has, by what they are.
std::vector<Placed> nodes_of(const FlowLayout& at) {
  std::vector<Placed> nodes;
  const std::pair<const char*, const FlowColumn*> columns[] = {
      {"place", &at.places}, {"item", &at.items},   {"context", &at.contexts}, {"key", &at.keys},
      {"value", &at.values}, {"score", &at.scores}, {"weight", &at.weights},   {"joining", &at.joining}};
  for (const auto& [name, column] : columns)
    for (const FlowNode& node : column->nodes) nodes.push_back({name, node});
  const std::pair<const char*, const FlowNode*> single[] = {
      {"query", &at.query}, {"result", &at.result}, {"then", &at.then}};
  for (const auto& [name, node] : single)
    if (node->width > 0) nodes.push_back({name, *node});
  return nodes;
}

// Every flow of three items that has or has not each of its parts.
template <class See>
void see_all(See see) {
  for (int parts = 0; parts < 256; ++parts) {
    const auto has = [&](int part) { return (parts >> part & 1) != 0; };
    AttentionFlow flow;
    flow.items = {"soup", "waiter", "rain"};
    flow.title = has(0) ? "A title" : "";
    flow.query = has(1) ? "q" : "";
    flow.score = has(2) ? "a score" : "";
    flow.places = has(3);
    flow.scores = has(4);
    flow.keys = has(5);
    flow.values = has(6);
    flow.then = has(7) ? "reader" : "";
    for (const std::size_t heads : {1, 3}) {
      flow.heads = heads;
      see(flow, lay_out(flow));
    }
  }
  AttentionFlow flow;  // contexts are those of additive attention: each score has its own
  flow.items = {"soup", "waiter", "rain"};
  flow.contexts = flow.scores = true;
  see(flow, lay_out(flow));
}

}  // namespace

TEST_CASE("flow layout: no node covers another one or leaves the picture") {
  see_all([](const AttentionFlow&, const FlowLayout& at) {
    const std::vector<Placed> nodes = nodes_of(at);
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      const auto& [name, node] = nodes[i];
      INFO(name << " at " << node.x << ", " << node.y << " of " << at.width << ", " << at.height);
      CHECK(node.left() >= kFlowBorder);
      CHECK(node.right() <= at.width - kFlowBorder + 1e-9);
      CHECK(node.y - kFlowNodeHeight / 2 >= at.top);
      CHECK(node.y + kFlowNodeHeight / 2 <= at.height - kFlowBorder);
      for (std::size_t j = 0; j < i; ++j) {
        const FlowNode& other = nodes[j].node;
        const bool beside = node.left() > other.right() || other.left() > node.right();
        INFO(nodes[j].name << " at " << other.x << ", " << other.y);
        CHECK((beside || std::abs(node.y - other.y) > kFlowNodeHeight));
      }
    }
  });
}

TEST_CASE("flow layout: the frame around a head begins behind the items and ends behind its result") {
  see_all([](const AttentionFlow& flow, const FlowLayout& at) {
    double before = 0, behind = at.width;
    for (const FlowNode& item : at.items.nodes) before = std::max(before, item.right());
    for (const FlowColumn* column : {&at.keys, &at.values, &at.scores, &at.weights})
      for (const FlowNode& node : column->nodes) behind = std::min(behind, node.left());
    CHECK(at.card_left > before);
    CHECK(at.card_left < behind);
    CHECK(at.card_left - before == Approx(behind - at.card_left));  // half way
    if (flow.heads == 1) return;
    CHECK(at.card_right > at.result.right());
    for (const FlowNode& node : at.joining.nodes) CHECK(at.card_right < node.left());
  });
}

TEST_CASE("flow layout: things are to the right of what they are computed from") {
  see_all([](const AttentionFlow&, const FlowLayout& at) {
    const FlowColumn* const order[] = {&at.places, &at.items, &at.keys, &at.scores, &at.weights};
    double right = 0;
    for (const FlowColumn* column : order) {
      for (const FlowNode& node : column->nodes) CHECK(node.left() > right);
      for (const FlowNode& node : column->nodes) right = std::max(right, node.right());
    }
    if (!at.scores.nodes.empty()) {
      CHECK(at.softmax > at.scores.nodes[0].right());
      CHECK(at.softmax < at.weights.nodes[0].left());
    }
    CHECK(at.result.left() > at.weights.nodes[0].right());
  });
}

TEST_CASE("flow layout: values stand under the keys, and items in the middle of both") {
  see_all([](const AttentionFlow& flow, const FlowLayout& at) {
    if (!flow.keys || !flow.values) return;
    for (std::size_t i = 0; i < flow.items.size(); ++i) {
      CHECK(at.keys.nodes[i].left() == Approx(at.values.nodes[i].left()));
      CHECK(at.keys.nodes[i].y < at.values.nodes[i].y);
    }
    const double middle = (at.keys.nodes.front().y + at.values.nodes.back().y) / 2;
    CHECK((at.items.nodes.front().y + at.items.nodes.back().y) / 2 == Approx(middle));
  });
}

TEST_CASE("flow layout: item and context of a row stand under each other, and their score between them") {
  AttentionFlow flow;
  flow.items = {"a", "b", "c"};
  flow.contexts = flow.scores = true;
  const FlowLayout at = lay_out(flow);
  for (std::size_t i = 0; i < 3; ++i) {
    const FlowNode &item = at.items.nodes[i], &context = at.contexts.nodes[i], &score = at.scores.nodes[i];
    CHECK(item.x == context.x);
    CHECK(item.y < score.y);
    CHECK(score.y < context.y);
    CHECK(score.y == Approx((item.y + context.y) / 2));
    CHECK(at.weights.nodes[i].y == score.y);
  }
  // The result stands in the middle of all rows, and below the last one there is the border and no more.
  CHECK(at.result.y == Approx(at.scores.nodes[1].y).margin(kFlowNodeHeight));
  CHECK(at.height - at.contexts.nodes[2].y < 2 * kFlowNodeHeight + kFlowBorder);
}

TEST_CASE("flow layout: the result stands in the middle of what it is made of") {
  see_all([](const AttentionFlow& flow, const FlowLayout& at) {
    const double first = at.weights.nodes.front().y;
    const double last = (flow.values ? at.values : at.weights).nodes.back().y;
    if (flow.scores && !flow.values && !flow.contexts) {  // of weights, and of items that pass below them
      CHECK(at.result.y > (first + last) / 2);
      CHECK(at.result.y < at.below);
    } else {
      CHECK(at.result.y == Approx((first + last) / 2));
    }
  });
}
