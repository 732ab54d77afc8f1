#include "structures.hpp"

#include <map>
#include <utility>

#include <gradual/nn/drawing/line_text.hpp>
#include <gradual/nn/drawing/number_text.hpp>
#include <gradual/nn/drawing/svg.hpp>

using namespace gradual;

namespace {

const Element H = Element::hydrogen, C = Element::carbon, O = Element::oxygen;

using Places = std::vector<std::pair<double, double>>;  // of atoms
const Places ethanol_places = {{1, 1}, {2, 1}, {3, 1}, {0, 1}, {1, 0}, {1, 2}, {2, 0}, {2, 2}, {4, 1}};
const Places ether_places = {{1, 1}, {2, 1}, {3, 1}, {0, 1}, {1, 0}, {1, 2}, {3, 0}, {3, 2}, {4, 1}};

// What the two atoms of a bond give to one another, on average over heads and both directions.
double given_along(const std::vector<AttentionMap>& heads, Index a, Index b) {
  double given = 0;
  for (const AttentionMap& head : heads)
    given += (head.weight(static_cast<std::size_t>(a), static_cast<std::size_t>(b)) +
              head.weight(static_cast<std::size_t>(b), static_cast<std::size_t>(a))) /
             static_cast<double>(2 * heads.size());
  return given;
}

// A molecule on paper. Each bond is as thick as what its two atoms give to one another, on average over the
// heads of the first round.
std::string draw_structure(const std::string& name, const Molecule& molecule, const Places& places,
                           const std::vector<AttentionMap>& heads) {
  constexpr double step = 84, radius = 17, margin = 34, title = 24;
  const std::vector<std::string> names = atom_names(molecule);
  const auto x_of = [&](Index atom) { return margin + step * places[static_cast<std::size_t>(atom)].first; };
  const auto y_of = [&](Index atom) {
    return margin + title + step * places[static_cast<std::size_t>(atom)].second;
  };
  Svg svg(4 * step + 2 * margin, 2 * step + 2 * margin + title, "molecule",
          name + ", its bonds as thick as the attention along them");
  svg.text(12, 25, name, {{"class", "title"}, {"font-size", 13}});
  svg.open("g", {{"class", "edges"}, {"stroke", "#173ea5"}});
  for (const auto& [a, b] : molecule.bonds) {
    const double given = given_along(heads, a, b);
    svg.element("line",
                {{"x1", x_of(a)},
                 {"y1", y_of(a)},
                 {"x2", x_of(b)},
                 {"y2", y_of(b)},
                 {"stroke-width", 1.5 + 14 * given},
                 {"stroke-opacity", 0.75}},
                names[static_cast<std::size_t>(a)] + " – " + names[static_cast<std::size_t>(b)] + ": " +
                    fixed_text(given, 2));
  }
  svg.close();
  svg.open("g", {{"font-size", 10}, {"text-anchor", "middle"}});
  for (const auto& [a, b] : molecule.bonds) {  // above a bond, or to the right of it
    const bool lies = y_of(a) == y_of(b);
    svg.text((x_of(a) + x_of(b)) / 2 + (lies ? 0 : 18), (y_of(a) + y_of(b)) / 2 + (lies ? -8 : 4),
             fixed_text(given_along(heads, a, b), 2));
  }
  svg.close();
  svg.open("g", {{"font-size", 14}, {"text-anchor", "middle"}});
  for (Index atom = 0; atom < static_cast<Index>(places.size()); ++atom) {
    const Element kind = molecule.atoms[static_cast<std::size_t>(atom)];
    svg.element("circle", {{"class", "paper " + std::string(kind == O   ? "s1"
                                                            : kind == C ? "s0"
                                                                        : "neutral")},
                           {"cx", x_of(atom)},
                           {"cy", y_of(atom)},
                           {"r", radius},
                           {"style", "fill:var(--card,#fff);stroke-width:2"}});
    svg.text(x_of(atom), y_of(atom) + 5, names[static_cast<std::size_t>(atom)]);
  }
  svg.close();
  return svg.finish();
}

// Whom the oxygen is bound to, and what they give to one another.
std::string bonds_of_oxygen_in(const Molecule& molecule, const std::vector<AttentionMap>& heads) {
  const auto is_oxygen = [&](Index atom) { return molecule.atoms[static_cast<std::size_t>(atom)] == O; };
  const std::vector<std::string> names = atom_names(molecule);
  std::vector<std::string> list;
  for (const auto& [a, b] : molecule.bonds)
    if (is_oxygen(a) || is_oxygen(b))
      list.push_back(names[static_cast<std::size_t>(is_oxygen(a) ? b : a)] + " (" +
                     fixed_text(given_along(heads, a, b), 2) + ")");
  return list_text(list, " and ");
}

}  // namespace

const Molecule ethanol{{C, C, O, H, H, H, H, H, H},
                       {{0, 1}, {1, 2}, {0, 3}, {0, 4}, {0, 5}, {1, 6}, {1, 7}, {2, 8}}};
const Molecule dimethyl_ether{{C, O, C, H, H, H, H, H, H},
                              {{0, 1}, {1, 2}, {0, 3}, {0, 4}, {0, 5}, {2, 6}, {2, 7}, {2, 8}}};

std::vector<std::string> atom_names(const Molecule& molecule) {
  std::map<Element, int> seen;
  std::vector<std::string> names;
  for (const Element atom : molecule.atoms) names.push_back(symbol_of(atom) + std::to_string(++seen[atom]));
  return names;
}

std::string draw_ethanol(const std::vector<AttentionMap>& heads) {
  return draw_structure("Ethanol", ethanol, ethanol_places, heads);
}
std::string draw_dimethyl_ether(const std::vector<AttentionMap>& heads) {
  return draw_structure("Dimethyl ether", dimethyl_ether, ether_places, heads);
}

std::string bonds_of_oxygen(const std::vector<AttentionMap>& ethanol_heads,
                            const std::vector<AttentionMap>& ether_heads) {
  return "Look at the oxygen: in ethanol it is bound to " + bonds_of_oxygen_in(ethanol, ethanol_heads) +
         ", in dimethyl ether to " + bonds_of_oxygen_in(dimethyl_ether, ether_heads) + ".";
}
