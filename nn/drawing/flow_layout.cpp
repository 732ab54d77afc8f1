#include <gradual/nn/drawing/flow_layout.hpp>

#include <algorithm>

#include <gradual/nn/drawing/number_text.hpp>
#include <gradual/nn/drawing/readable_text.hpp>

namespace gradual {
namespace {

constexpr double kFlowRow = 34;
constexpr double kFlowTitle = 26;
constexpr double kColumnGap = 46;  // for the arrows between two columns

class FlowPlaces {
 public:
  explicit FlowPlaces(const AttentionFlow& flow) : flow_(flow), count_(flow.items.size()) { place(); }
  const FlowLayout& found() const { return at_; }

 private:
  double row(double index) const { return at_.top + (index + 0.5) * kFlowRow; }

  /// A column of nodes after all columns so far, from row `first` on.
  FlowColumn column(const std::vector<std::string>& labels, FlowRole role, double first) {
    FlowColumn result{{}, labels, role};
    double widest = 0;
    for (const std::string& text : labels) widest = std::max(widest, flow_node_width(text));
    for (std::size_t i = 0; i < labels.size(); ++i)
      result.nodes.push_back({next_ + widest / 2, row(first + static_cast<double>(i)), widest});
    next_ += widest + kColumnGap;
    return result;
  }

  std::vector<std::string> numbered(const std::string& letter) const {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < count_; ++i) names.push_back(letter + std::to_string(i + 1));
    return names;
  }

  void place() {
    const double rows = static_cast<double>(count_);
    const double asked = flow_.query.empty() ? 0 : 1.2;  // the row of the query
    at_.top = kFlowBorder + (flow_.title.empty() ? 0 : kFlowTitle) +
              (flow_.score.empty() || asked > 0 ? 0 : kFlowText);
    next_ = kFlowBorder;
    const double first_item = asked + (flow_.values ? rows / 2 + 0.2 : 0);
    if (flow_.places) at_.places = column(numbered("place "), kFlowOther, first_item);
    if (flow_.contexts) {
      at_.contexts = column(numbered("c"), kFlowOther, 0);
      next_ -= at_.contexts.nodes[0].width + kColumnGap;
    }
    at_.items = column(flow_.items, kFlowItem, first_item);
    if (flow_.contexts) place_contexts();
    at_.card_left = next_ - kColumnGap / 2;
    place_projections(asked, rows);
    if (flow_.scores) {
      at_.scores = column(numbered("s"), kFlowWeight, asked);
      at_.softmax = next_ - 12;
      next_ += 36;
    }
    at_.weights = column(weight_labels(), kFlowWeight, asked);
    place_result(asked, rows);
  }

  /// Item and context of a row stand under each other, and both lead to its score.
  void place_contexts() {
    for (std::size_t i = 0; i < count_; ++i) {
      const double y = row(1.9 * static_cast<double>(i) + 0.4);
      at_.items.nodes[i].y = y - 0.42 * kFlowRow;
      at_.contexts.nodes[i] = {at_.items.nodes[i].x, y + 0.42 * kFlowRow, at_.items.nodes[i].width};
    }
  }

  void place_projections(double asked, double rows) {
    const double start = next_;
    if (flow_.keys) at_.keys = column(numbered("k"), kFlowKey, asked);
    const double after_keys = next_;
    next_ = start;
    if (flow_.values) at_.values = column(numbered("v"), kFlowValue, asked + rows + 0.4);
    next_ = std::max(after_keys, next_);
    if (flow_.query.empty()) return;
    const double wide = flow_node_width(flow_.query);
    const double left = next_ > start ? start : at_.items.nodes[0].left();
    at_.query = {left + wide / 2, row(0), wide};
    next_ = std::max(next_, left + wide + kColumnGap);
  }

  void place_result(double asked, double rows) {
    if (flow_.contexts)
      for (FlowColumn* moved : {&at_.scores, &at_.weights})
        for (std::size_t i = 0; i < moved->nodes.size(); ++i)
          moved->nodes[i].y = row(1.9 * static_cast<double>(i) + 0.4);
    const bool below = flow_.scores && flow_.result && !flow_.values && !flow_.contexts;
    double last = asked + rows + (flow_.values ? rows + 0.4 : below ? 0.9 : 0);
    if (flow_.contexts) last = 1.9 * rows - 0.1;
    at_.below = row(asked + rows - 0.3);
    if (flow_.result) {
      at_.result = {next_ + 17, row(asked + (last - asked) / 2 - 0.5), 34};
      next_ += 34 + kColumnGap;
    }
    at_.height = at_.top + last * kFlowRow + kFlowBorder + (flow_.heads > 1 ? 2.0 * kFlowCardStep : 0);
    if (flow_.heads > 1) place_joining();
    if (!flow_.then.empty()) {
      const double wide = flow_node_width(flow_.then);
      at_.then = {next_ + wide / 2, at_.result.y, wide};
      next_ += wide + kColumnGap;
    }
    at_.width = std::max(next_ - kColumnGap + kFlowBorder,
                         text_width(flow_.title, kFlowText) * bold_factor + 2 * kFlowBorder);
  }

  /// What comes after several heads: their results in a row, and the matrix that mixes them.
  void place_joining() {
    at_.card_right = next_ - kColumnGap / 2;
    next_ += 2.0 * kFlowCardStep;
    const std::string last = "z" + std::to_string(flow_.heads);
    const std::string joined = flow_.heads == 2   ? "[z1; z2]"
                               : flow_.heads == 3 ? "[z1; z2; z3]"
                                                  : "[z1; …; " + last + "]";
    at_.joining.labels = {joined, "W_O", "result"};
    for (const std::string& text : at_.joining.labels) {
      const double wide = flow_node_width(text);
      at_.joining.nodes.push_back({next_ + wide / 2, at_.result.y, wide});
      next_ += wide + kColumnGap * 0.7;
    }
    next_ += kColumnGap * 0.3;
  }

  std::vector<std::string> weight_labels() const {
    std::vector<std::string> names = numbered("p");
    for (std::size_t i = 0; i < flow_.weights.size(); ++i)
      names[i] += " = " + trimmed_text(flow_.weights[i], 2);
    if (flow_.weights.empty())
      for (std::size_t i = flow_.valid.value_or(count_); i < count_; ++i) names[i] += " = 0";
    return names;
  }

  const AttentionFlow& flow_;
  std::size_t count_;
  double next_ = 0;  // where the next column begins
  FlowLayout at_;
};

}  // namespace

FlowLayout lay_out(const AttentionFlow& flow) { return FlowPlaces(flow).found(); }

}  // namespace gradual
