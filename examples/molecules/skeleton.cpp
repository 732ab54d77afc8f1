// Any molecule on paper: a tree, along its longest chain.
#include <algorithm>
#include <vector>

#include <gradual/core/error.hpp>
#include <gradual/nn/drawing/number_text.hpp>
#include <gradual/nn/drawing/svg.hpp>
#include <gradual/nn/text/utf8.hpp>

#include "structures.hpp"

using namespace gradual;

namespace {

// The atoms besides hydrogen as a tree whose first chain is the longest one: where each stands, and what it
// hangs on.
class Skeleton {
 public:
  explicit Skeleton(const Molecule& molecule)
      : molecule_(molecule), neighbours_(molecule.atoms.size()), hydrogens_(molecule.atoms.size(), 0) {
    for (const auto& [a, b] : molecule.bonds) {
      bind(a, b);
      bind(b, a);
    }
    const auto heavy = std::find_if(molecule.atoms.begin(), molecule.atoms.end(),
                                    [](Element each) { return each != Element::hydrogen; });
    place(farthest_from(heavy - molecule.atoms.begin(), -1).atom, -1, 0);
  }

  struct Place {
    Index atom;
    Index hangs_on;  // a place before; -1: none
    double x, y;
  };
  const std::vector<Place>& places() const { return places_; }
  double columns() const { return columns_; }
  double rows() const { return rows_; }

  // "CH₃"; "HO" where its bond begins at the right of it
  std::string name(const Place& place) const {
    const auto atom = static_cast<std::size_t>(place.atom);
    const Index count = hydrogens_[atom];
    const std::string symbol = symbol_of(molecule_.atoms[atom]);
    const std::string held = count == 0 ? "" : "H" + with_indices(count == 1 ? "" : std::to_string(count));
    const bool is_first = place.hangs_on < 0 && molecule_.atoms[atom] != Element::carbon;
    return is_first ? held + symbol : symbol + held;
  }
  // OH or NH₂
  bool holds_on(const Place& place) const {
    const auto atom = static_cast<std::size_t>(place.atom);
    return molecule_.atoms[atom] != Element::carbon && hydrogens_[atom] > 0 && neighbours_[atom].size() == 1;
  }

 private:
  void bind(Index atom, Index to) {
    if (molecule_.atoms[static_cast<std::size_t>(to)] == Element::hydrogen)
      ++hydrogens_[static_cast<std::size_t>(atom)];
    else
      neighbours_[static_cast<std::size_t>(atom)].push_back(to);
  }

  struct Reached {
    Index atom, bonds;
  };
  Reached farthest_from(Index atom, Index coming_from) const {
    Reached best{atom, 0};
    for (const Index to : neighbours_[static_cast<std::size_t>(atom)]) {
      if (to == coming_from) continue;
      const Reached there = farthest_from(to, atom);
      if (there.bonds + 1 > best.bonds) best = {there.atom, there.bonds + 1};
    }
    return best;
  }

  // An atom to the left of what hangs on it: the shortest branch in its own row, longer ones below, so that
  // no line falls past a long one. Of two branches a single atom stands right below instead.
  void place(Index atom, Index hangs_on, double x) {
    const auto own = static_cast<Index>(places_.size());
    const Index from = hangs_on < 0 ? -1 : places_[static_cast<std::size_t>(hangs_on)].atom;
    places_.push_back({atom, hangs_on, x, rows_});
    columns_ = std::max(columns_, x);
    std::vector<Index> next;
    for (const Index to : neighbours_[static_cast<std::size_t>(atom)])
      if (to != from) next.push_back(to);
    std::stable_sort(next.begin(), next.end(), [&](Index a, Index b) {
      return farthest_from(a, atom).bonds < farthest_from(b, atom).bonds;
    });
    const double y = rows_;
    const bool one_below = next.size() == 2 && farthest_from(next.front(), atom).bonds == 0;
    const std::size_t first = one_below ? 1 : 0;
    for (std::size_t i = first; i < next.size(); ++i) {
      if (i > first) ++rows_;
      place(next[i], own, x + 1);
    }
    if (!one_below) return;
    places_.push_back({next.front(), own, x, y + 1});
    rows_ = std::max(rows_, y + 1);
  }

  const Molecule& molecule_;
  std::vector<std::vector<Index>> neighbours_;  // besides hydrogens
  std::vector<Index> hydrogens_;                // of each atom
  std::vector<Place> places_;
  double columns_ = 0, rows_ = 0;  // of the last place
};

}  // namespace

std::string draw_skeleton(const Molecule& molecule) {
  constexpr double column = 40, row = 34, left = 20, top = 20, narrowest = 316;
  const Skeleton skeleton(molecule);
  Svg svg(std::max(narrowest, 2 * left + column * skeleton.columns()), 2 * top + row * skeleton.rows(),
          "molecule", with_indices(molecule.structure()));
  const auto x_of = [&](const Skeleton::Place& place) { return left + column * place.x; };
  const auto y_of = [&](const Skeleton::Place& place) { return top + row * place.y; };
  svg.open("g", {{"class", "neutral"}, {"stroke", "#667085"}, {"stroke-width", 1.5}, {"fill", "none"}});
  for (const Skeleton::Place& each : skeleton.places()) {
    if (each.hangs_on < 0) continue;
    const Skeleton::Place& from = skeleton.places()[static_cast<std::size_t>(each.hangs_on)];
    svg.element("path", {{"d", text("M", x_of(from), " ", y_of(from), "V", y_of(each), "H", x_of(each))}});
  }
  svg.close();
  svg.open("g", {{"text-anchor", "middle"}, {"font-size", 13}});
  for (const Skeleton::Place& each : skeleton.places()) {
    const std::string name = skeleton.name(each);
    const double room = 8 + 8 * static_cast<double>(split_characters(name).size());
    const auto draw_pill = [&](const std::string& outline, const std::string& style) {
      svg.element("rect", {{"class", outline},
                           {"x", x_of(each) - room / 2},
                           {"y", y_of(each) - 11},
                           {"width", room},
                           {"height", 22},
                           {"rx", 11},
                           {"style", style}});
    };
    draw_pill(outline_of(molecule.atoms[static_cast<std::size_t>(each.atom)]), "fill:var(--card,#fff)");
    if (skeleton.holds_on(each)) draw_pill("holds", "fill:var(--g-5);fill-opacity:.22");
    svg.text(x_of(each), y_of(each) + 4.5, name);
  }
  svg.close();
  return svg.finish();
}
