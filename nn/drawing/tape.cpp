#include <gradual/nn/drawing/tape.hpp>

#include <algorithm>
#include <cmath>

#include <gradual/core/error.hpp>
#include <gradual/nn/drawing/flow_nodes.hpp>
#include <gradual/nn/drawing/number_text.hpp>
#include <gradual/nn/drawing/readable_text.hpp>

namespace gradual {
namespace {

constexpr double around = 12, between = 44, level_height = 30, label_size = 12, below = 26;

struct Arc {
  std::size_t from, to;
  double slope;
  int level = 1;  // how high it goes: over every shorter arc below it
};

void check_tape(const std::vector<TapeEntry>& entries, std::size_t gradients, std::size_t walked) {
  const auto fail = [](const auto&... message) {
    throw std::invalid_argument(text("draw_tape: ", message...));
  };
  if (entries.empty()) fail("there must be an entry");
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (entries[i].inputs.size() != entries[i].slopes.size())
      fail("an entry has a slope for each input: entry ", i, " has ", entries[i].inputs.size(),
           " inputs and ", entries[i].slopes.size(), " slopes");
    for (const std::size_t input : entries[i].inputs)
      if (input >= i) fail("inputs are earlier than their result: entry ", i, " has input ", input);
  }
  if (gradients != entries.size())
    fail("each entry has a gradient: got ", gradients, " for ", entries.size(), " entries");
  if (walked > entries.size())
    fail("the walk starts behind the last entry: got ", walked, " for ", entries.size(), " entries");
}

/// All arcs, the shorter ones first, each above those that it would cross.
std::vector<Arc> arcs_of(const std::vector<TapeEntry>& entries) {
  std::vector<Arc> arcs;
  for (std::size_t i = 0; i < entries.size(); ++i)
    for (std::size_t k = 0; k < entries[i].inputs.size(); ++k)
      arcs.push_back({entries[i].inputs[k], i, entries[i].slopes[k]});
  std::stable_sort(arcs.begin(), arcs.end(),
                   [](const Arc& a, const Arc& b) { return a.to - a.from < b.to - b.from; });
  for (std::size_t k = 0; k < arcs.size(); ++k)
    for (std::size_t j = 0; j < k; ++j)
      if (arcs[j].from < arcs[k].to && arcs[k].from < arcs[j].to)
        arcs[k].level = std::max(arcs[k].level, arcs[j].level + 1);
  return arcs;
}

std::string number(double value) { return with_minus(short_text(value, 4)); }

/// Where on the top of a node an arc ends, number `k` of `count` from the middle outward: arcs come in on the
/// left half (side -1) and go out on the right one (1), so that none crosses another one of its node.
double spread(const FlowNode& node, std::size_t k, std::size_t count, double side) {
  return node.x + side * node.width / 2 * (static_cast<double>(k) + 1) / (static_cast<double>(count) + 1);
}

class TapeDrawing {
 public:
  TapeDrawing(const std::vector<TapeEntry>& entries, const std::vector<double>& gradients, std::size_t walked)
      : entries_(entries), gradients_(gradients), walked_(walked), arcs_(arcs_of(entries)) {
    int highest = 0;
    for (const Arc& arc : arcs_) highest = std::max(highest, arc.level);
    const double y = around + highest * level_height + label_size + kFlowNodeHeight / 2;
    double x = around;
    for (std::size_t i = 0; i < entries.size(); ++i) {
      const double width = std::max(flow_node_width(name(i)), text_width(slope(i, true), label_size));
      nodes_.push_back({x + width / 2, y, width});
      x += width + between;
    }
  }

  std::string drawn() const {
    const FlowNode& last = nodes_.back();
    Svg svg(std::ceil(last.right() + around), std::ceil(last.y + kFlowNodeHeight / 2 + below + around),
            "flow", "A tape: " + entries_.back().name + ", walked back as far as " + reached());
    svg.open("g", {{"font-size", kFlowText}});
    for (std::size_t k = 0; k < arcs_.size(); ++k) draw_arc(svg, k);
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      draw_flow_node(svg, nodes_[i], name(i), kFlowItem);
      const bool waits = i + 1 < walked_;
      svg.text(nodes_[i].x, nodes_[i].y + kFlowNodeHeight / 2 + 18, slope(i, waits),
               {{"text-anchor", "middle"}, {"font-size", label_size}, {"class", waits ? "soft" : "title"}});
    }
    return svg.finish();
  }

 private:
  std::string name(std::size_t i) const { return entries_[i].name + " = " + number(entries_[i].value); }
  std::string slope(std::size_t i, bool waits) const {
    return "slope " + number(gradients_[i]) + (waits ? " so far" : "");
  }
  std::string reached() const { return walked_ < entries_.size() ? entries_[walked_].name : "nothing"; }

  /// How many arcs of one end are lower than arc number `k`, or all of them are.
  template <class End>
  std::pair<std::size_t, std::size_t> rank(std::size_t k, End end) const {
    std::size_t lower = 0, all = 0;
    for (const Arc& other : arcs_)
      if (other.*end == arcs_[k].*end) ++all, lower += other.level < arcs_[k].level;
    return {lower, all};
  }

  void draw_arc(Svg& svg, std::size_t k) const {
    const Arc& arc = arcs_[k];
    const auto [out, all_out] = rank(k, &Arc::from);
    const auto [in, all_in] = rank(k, &Arc::to);
    const double top = nodes_[arc.to].y - kFlowNodeHeight / 2, height = arc.level * level_height - 8;
    const double from = spread(nodes_[arc.from], all_out - 1 - out, all_out, 1);
    const double to = spread(nodes_[arc.to], all_in - 1 - in, all_in, -1);
    const bool walked = arc.to >= walked_;
    const FlowRole role = walked ? kFlowWeight : kFlowOther;
    const double bend = top - height * 4 / 3;  // of which a curve goes three quarters of the way
    svg.open("g", {{"class", std::string("arrow ") + role.css_class}});
    svg.element("path", {{"d", "M" + flow_point(from, top) + "C" + flow_point(from, bend) + " " +
                                   flow_point(to, bend) + " " + flow_point(to, top - kFlowHead)},
                         {"fill", "none"},
                         {"stroke", role.colour},
                         {"stroke-width", walked ? 2.2 : 1.4}});
    svg.element("path", {{"class", "head"},
                         {"d", "M" + flow_point(to, top) + "L" + flow_point(to - 3.8, top - 8) + "H" +
                                   trimmed_text(to + 3.8, 1) + "Z"},
                         {"fill", role.colour}});
    svg.close();
    svg.text((from + to) / 2, top - height - 5,
             walked ? number(arc.slope) + " · " + number(gradients_[arc.to]) : number(arc.slope),
             {{"text-anchor", "middle"}, {"font-size", label_size}, {"class", walked ? "title" : "soft"}});
  }

  const std::vector<TapeEntry>& entries_;
  const std::vector<double>& gradients_;
  std::size_t walked_;
  std::vector<Arc> arcs_;
  std::vector<FlowNode> nodes_;
};

}  // namespace

std::string draw_tape(const std::vector<TapeEntry>& entries, const std::vector<double>& gradients,
                      std::size_t walked) {
  check_tape(entries, gradients.size(), walked);
  return TapeDrawing(entries, gradients, walked).drawn();
}

}  // namespace gradual
