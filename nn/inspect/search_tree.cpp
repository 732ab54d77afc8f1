#include <gradual/nn/inspect/search_tree.hpp>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include <gradual/core/error.hpp>
#include <gradual/nn/drawing/number_text.hpp>
#include <gradual/nn/drawing/readable_text.hpp>
#include <gradual/nn/drawing/svg.hpp>

namespace gradual {
namespace {

constexpr double kMargin = 8;
constexpr double kHeader = 22;
constexpr double kWordWidth = 70, kWordHeight = 32;  // of a word's box
constexpr double kAcross = 94, kDown = 38;           // from box to box
constexpr double kNarrowAcross = 84;                 // where there are more steps than a page has room for
constexpr Index kStepsOfAPage = 11;
constexpr double kFont = 12, kSmallFont = 10;
constexpr std::size_t kLongestWord = 9;
constexpr Index kMostWords = 16;  // that are shown of a beginning

void check(const BeamTree& tree, const std::vector<std::string>& words) {
  if (tree.nodes.empty() || words.size() != tree.nodes.size())
    throw std::invalid_argument(text("draw_search_tree: there must be a node, and a word for each: ",
                                     tree.nodes.size(), " nodes, ", words.size(), " words"));
  for (std::size_t i = 0; i < tree.nodes.size(); ++i) {
    if (tree.nodes[i].parent >= static_cast<Index>(i))
      throw std::invalid_argument(text("draw_search_tree: parents must stand before their children: node ", i,
                                       " has the parent ", tree.nodes[i].parent));
  }
  for (const Index result : tree.results) {
    if (result < 0 || result >= static_cast<Index>(tree.nodes.size()))
      throw std::invalid_argument(text("draw_search_tree: what was returned must be a node: got ", result,
                                       " of ", tree.nodes.size()));
  }
}

class Drawing {
 public:
  Drawing(const BeamTree& tree, const std::vector<std::string>& words, Index most_steps)
      : tree_(tree), words_(words), won_(tree.nodes.size(), false), most_steps_(most_steps) {
    if (!tree.results.empty()) {
      for (Index at = tree.results.front(); at >= 0; at = node(at).parent)
        won_[static_cast<std::size_t>(at)] = true;
    }
    for (const BeamNode& each : tree.nodes) last_step_ = std::max(last_step_, each.step);
  }

  std::string draw() {
    Index steps = 0, ranks = 0;
    for (std::size_t i = 0; i < tree_.nodes.size(); ++i) {
      if (!is_drawn(i)) continue;
      steps = std::max(steps, tree_.nodes[i].step + 1);
      ranks = std::max(ranks, tree_.nodes[i].rank);
    }
    if (steps > kStepsOfAPage) across_ = kNarrowAcross;
    Svg svg(2 * kMargin + kWordWidth + static_cast<double>(steps) * across_,
            2 * kMargin + kHeader + kWordHeight + static_cast<double>(ranks) * kDown, "tree",
            "Search tree: " + beginning(tree_.results.empty() ? 0 : tree_.results.front()));
    svg.open("g", {{"font-size", kSmallFont}, {"text-anchor", "middle"}});
    for (Index step = 0; step < steps; ++step)
      svg.text(kMargin + static_cast<double>(step + 1) * across_ + kWordWidth / 2, kMargin + kSmallFont,
               text("step ", step + 1), {{"class", "soft"}});
    svg.close();
    // What matters more is drawn later, on top.
    for (const char* kind : {"dropped", "kept", "ended", "won"}) draw_edges(svg, kind);
    svg.open("g", {{"font-size", kFont}, {"text-anchor", "middle"}});
    for (std::size_t i = 0; i < tree_.nodes.size(); ++i)
      if (is_drawn(i)) draw_node(svg, i);
    svg.close();
    return svg.finish();
  }

 private:
  bool is_drawn(std::size_t i) const { return tree_.nodes[i].step < most_steps_; }
  const BeamNode& node(Index at) const { return tree_.nodes[static_cast<std::size_t>(at)]; }
  double x_of(const BeamNode& each) const { return kMargin + static_cast<double>(each.step + 1) * across_; }
  double y_of(const BeamNode& each) const {
    return kMargin + kHeader + static_cast<double>(each.rank) * kDown;
  }

  /// Among the translations, from 1 on; 0: it is none of them.
  Index rank_of(std::size_t i) const {
    const auto found = std::find(tree_.results.begin(), tree_.results.end(), static_cast<Index>(i));
    return found == tree_.results.end() ? 0 : found - tree_.results.begin() + 1;
  }
  /// Whether the search would have gone on from it, had it not ended there.
  bool is_left(std::size_t i) const {
    const BeamNode& each = tree_.nodes[i];
    return each.fate == BeamNode::Fate::kept && each.step == last_step_ && !tree_.results.empty() &&
           rank_of(i) == 0;
  }

  std::string kind_of(std::size_t i) const {
    if (won_[i]) return "won";
    if (is_left(i)) return "dropped";
    switch (tree_.nodes[i].fate) {
      case BeamNode::Fate::kept:
        return "kept";
      case BeamNode::Fate::ended:
        return "ended";
      default:
        return "dropped";
    }
  }

  /// The words from the root to a node; of many the last.
  std::string beginning(Index at) const {
    std::string words;
    for (Index count = 0; node(at).parent >= 0; at = node(at).parent) {
      if (count++ == kMostWords) return "… " + words;
      words = words_[static_cast<std::size_t>(at)] + (words.empty() ? "" : " ") + words;
    }
    return words;
  }

  std::string hover_of(std::size_t i) const {
    const BeamNode& each = tree_.nodes[i];
    if (each.parent < 0) return "the beginning";
    const std::string fate = rank_of(i) > 0 ? text("returned as translation ", rank_of(i))
                             : each.fate == BeamNode::Fate::pruned ? "dropped"
                             : is_left(i)                          ? "left when the search had ended"
                             : each.fate == BeamNode::Fate::ended  ? "ended, not returned"
                                                                   : "kept";
    return text(beginning(static_cast<Index>(i)), "\nlog P ", with_minus(fixed_text(each.log_probability, 2)),
                ", P ", short_text(std::exp(each.log_probability), 2), ", candidate ", each.rank + 1, ": ",
                fate);
  }

  void draw_edges(Svg& svg, const std::string& kind) {
    std::string path;
    for (std::size_t i = 0; i < tree_.nodes.size(); ++i) {
      const BeamNode& to = tree_.nodes[i];
      if (to.parent < 0 || !is_drawn(i) || kind_of(i) != kind) continue;
      const BeamNode& from = node(to.parent);
      const double x1 = x_of(from) + kWordWidth, y1 = y_of(from) + kWordHeight / 2;
      const double x2 = x_of(to), y2 = y_of(to) + kWordHeight / 2;
      const auto at = [](double x, double y) { return trimmed_text(x, 1) + " " + trimmed_text(y, 1); };
      path += "M" + at(x1, y1) + "C" + at((x1 + x2) / 2, y1) + " " + at((x1 + x2) / 2, y2) + " " + at(x2, y2);
    }
    if (path.empty()) return;
    svg.element("path", {{"class", kind == "won" ? "line s0" : "line neutral"},
                         {"d", path},
                         {"fill", "none"},
                         {"stroke", kind == "won" ? "#2563eb" : "#667085"},
                         {"stroke-opacity", kind == "won"       ? 1
                                            : kind == "dropped" ? 0.22
                                                                : 0.6}});
  }

  void draw_node(Svg& svg, std::size_t i) {
    const BeamNode& each = tree_.nodes[i];
    const std::string kind = kind_of(i);
    const double x = x_of(each), y = y_of(each);
    const bool won = kind == "won", dropped = kind == "dropped", is_root = each.parent < 0;
    svg.open("g", {{"class", kind}});
    svg.element("rect",
                {{"class", won       ? "self s0"
                           : dropped ? "paper grid"
                                     : "paper neutral"},
                 {"x", x},
                 {"y", y},
                 {"width", kWordWidth},
                 {"height", kWordHeight},
                 {"rx", each.fate == BeamNode::Fate::ended ? kWordHeight / 2 : 5},
                 {"fill", won ? "#173ea5" : "#fff"},
                 {"fill-opacity", won ? 0.18 : 1},
                 {"stroke", won       ? "#2563eb"
                            : dropped ? "#e2e5ec"
                                      : "#667085"}},
                hover_of(i));
    const double middle = x + kWordWidth / 2;
    const std::string style = won ? "title" : dropped ? "soft" : "word";
    svg.open("g", {{"pointer-events", "none"}});  // so that the box shows its value
    svg.text(middle, y + (is_root ? 20 : 14), token_label(words_[i], kLongestWord), {{"class", style}});
    if (!is_root)
      svg.text(middle, y + 26, with_minus(fixed_text(each.log_probability, 2)),
               {{"class", style}, {"font-size", kSmallFont}});
    if (const Index rank = rank_of(i); rank > 0)  // inside of the box, as lines go on between the boxes
      draw_rank(svg, x + kWordWidth - 10, y + (each.fate == BeamNode::Fate::ended ? 9.5 : 23), rank);
    svg.close();
    svg.close();
  }

  static void draw_rank(Svg& svg, double x, double y, Index rank) {
    svg.element("circle", {{"cx", x}, {"cy", y}, {"r", 6.5}, {"fill", "none"}, {"stroke", "#667085"}});
    svg.text(x, y + kSmallFont * 0.36, text(rank), {{"class", "title rank"}, {"font-size", kSmallFont}});
  }

  const BeamTree& tree_;
  const std::vector<std::string>& words_;
  std::vector<bool> won_;  // for each node: whether it leads to the first result
  Index most_steps_, last_step_ = -1;
  double across_ = kAcross;
};

}  // namespace

std::string draw_search_tree(const BeamTree& tree, const std::vector<std::string>& words, Index most_steps) {
  check(tree, words);
  if (most_steps < 1)
    throw std::invalid_argument(
        text("draw_search_tree: there must be at least 1 step: most_steps is ", most_steps));
  return Drawing(tree, words, most_steps).draw();
}

}  // namespace gradual
