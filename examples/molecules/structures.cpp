#include "structures.hpp"

#include <algorithm>
#include <map>

#include <gradual/core/error.hpp>
#include <gradual/nn/drawing/line_text.hpp>
#include <gradual/nn/drawing/number_text.hpp>
#include <gradual/nn/drawing/readable_text.hpp>
#include <gradual/nn/drawing/svg.hpp>

using namespace gradual;

namespace {

const Element H = Element::hydrogen, C = Element::carbon, O = Element::oxygen;

constexpr double step = 64, margin = 30, title = 24, radius = 23;

double x_of(const Structure& structure, Index atom) {
  return margin + step * structure.places[static_cast<std::size_t>(atom)].first;
}
double y_of(const Structure& structure, Index atom) {
  return margin + title + step * structure.places[static_cast<std::size_t>(atom)].second;
}

// On average over the heads.
double given(const std::vector<AttentionMap>& heads, Index from, Index to) {
  double sum = 0;
  for (const AttentionMap& head : heads)
    sum += head.weight(static_cast<std::size_t>(from), static_cast<std::size_t>(to));
  return sum / static_cast<double>(heads.size());
}

Index oxygen_of(const Structure& structure) {
  const std::vector<Element>& atoms = structure.molecule.atoms;
  return std::find(atoms.begin(), atoms.end(), O) - atoms.begin();
}

bool are_bound(const Structure& structure, Index a, Index b) {
  const auto& bonds = structure.molecule.bonds;
  return std::any_of(bonds.begin(), bonds.end(),
                     [&](const auto& bond) { return bond == std::pair(a, b) || bond == std::pair(b, a); });
}

// "C–O–H", with the oxygen between the two that it is bound to.
std::string around_oxygen(const Structure& structure) {
  const Index oxygen = oxygen_of(structure);
  std::vector<std::string> symbols;
  for (Index atom = 0; atom < static_cast<Index>(structure.places.size()); ++atom)
    if (are_bound(structure, oxygen, atom))
      symbols.push_back(symbol_of(structure.molecule.atoms[static_cast<std::size_t>(atom)]));
  return list_text(symbols, "–O–");
}

// A broad band behind the oxygen and the bonds that it has; below it, what it is.
void mark_oxygen(Svg& svg, const Structure& structure) {
  constexpr double breadth = 54;
  const Index oxygen = oxygen_of(structure);
  svg.open("g", {{"class", "s5 around"}, {"stroke-opacity", 0.22}, {"stroke-linecap", "round"}});
  std::vector<std::string> ends;
  for (Index atom = 0; atom < static_cast<Index>(structure.places.size()); ++atom)
    if (are_bound(structure, oxygen, atom))
      ends.push_back(text(ends.empty() ? "M" : "L", x_of(structure, atom), " ", y_of(structure, atom)));
  svg.element("path", {{"d", list_text(ends, "")}, {"fill", "none"}, {"stroke-width", breadth}});
  svg.close();
  svg.text(x_of(structure, oxygen), y_of(structure, oxygen) + breadth / 2 + 17, around_oxygen(structure),
           {{"font-size", 13}, {"text-anchor", "middle"}});
}

Svg paper(const Structure& structure, const std::string& shows) {
  Svg svg(4 * step + 2 * margin, 2 * step + 2 * margin + title, "molecule", structure.name + ", " + shows);
  svg.text(0, 16, structure.name, {{"class", "title"}, {"font-size", 14}});
  return svg;
}

void draw_bonds(Svg& svg, const Structure& structure) {
  svg.open("g", {{"class", "neutral"}, {"stroke", "#667085"}});
  for (const auto& [a, b] : structure.molecule.bonds)
    svg.element("line", {{"x1", x_of(structure, a)},
                         {"y1", y_of(structure, a)},
                         {"x2", x_of(structure, b)},
                         {"y2", y_of(structure, b)},
                         {"stroke-width", 1.5}});
  svg.close();
}

void draw_circle(Svg& svg, const Structure& structure, Index atom, double radius) {
  svg.element(
      "circle",
      {{"class", text("paper ", outline_of(structure.molecule.atoms[static_cast<std::size_t>(atom)]))},
       {"cx", x_of(structure, atom)},
       {"cy", y_of(structure, atom)},
       {"r", radius},
       {"style", "fill:var(--card,#fff);stroke-width:2"}});
}

// A circle and what it means.
struct Sign {
  std::string name;
  const char* outline;
  double stroke, tint;
};

std::string legend_of(const std::vector<Sign>& signs, const std::string& label) {
  constexpr double round = 11, middle = 18, font = 13;
  const auto width_of = [&](const Sign& sign) { return 2 * middle + text_width(sign.name, font) + 8; };
  double width = 0;
  for (const Sign& each : signs) width += width_of(each);
  Svg svg(width, 2 * middle, "key", label);
  double x = middle;
  for (const Sign& each : signs) {
    svg.element("circle", {{"class", text("paper ", each.outline)},
                           {"cx", x},
                           {"cy", middle},
                           {"r", round},
                           {"style", text("fill:var(--card,#fff);stroke-width:", each.stroke)}});
    if (each.tint > 0)
      svg.element("circle", {{"cx", x},
                             {"cy", middle},
                             {"r", round},
                             {"fill", "#2563eb"},
                             {"style", "fill:var(--g-0)"},
                             {"fill-opacity", each.tint}});
    svg.text(x + round + 7, middle + 4.5, each.name, {{"font-size", font}});
    x += width_of(each);
  }
  return svg.finish();
}

}  // namespace

std::string draw_structure(const Structure& structure) {
  const std::vector<std::string> names = atom_names(structure.molecule);
  Svg svg = paper(structure, "with what its oxygen is bound to");
  mark_oxygen(svg, structure);
  draw_bonds(svg, structure);
  svg.open("g", {{"text-anchor", "middle"}, {"font-size", 13}});
  for (Index atom = 0; atom < static_cast<Index>(names.size()); ++atom) {
    draw_circle(svg, structure, atom, radius);
    svg.text(x_of(structure, atom), y_of(structure, atom) + 5, names[static_cast<std::size_t>(atom)]);
  }
  svg.close();
  return svg.finish();
}

std::string draw_given_by_oxygen(const Structure& structure, const std::vector<AttentionMap>& heads) {
  const std::vector<std::string> names = atom_names(structure.molecule);
  const Index oxygen = oxygen_of(structure);
  Svg svg = paper(structure, "with what its oxygen gives itself and the atoms that it is bound to");
  for (const auto& [a, b] : structure.molecule.bonds) {
    const bool gives = a == oxygen || b == oxygen;
    svg.open("g", {{"class", gives ? "s0" : "neutral"}, {"stroke", gives ? "#2563eb" : "#667085"}});
    svg.element("line", {{"x1", x_of(structure, a)},
                         {"y1", y_of(structure, a)},
                         {"x2", x_of(structure, b)},
                         {"y2", y_of(structure, b)},
                         {"stroke-width", gives ? 1.5 + 14 * given(heads, oxygen, a == oxygen ? b : a) : 1.5},
                         {"stroke-opacity", 0.75}});
    svg.close();
  }
  svg.open("g", {{"text-anchor", "middle"}});
  for (Index atom = 0; atom < static_cast<Index>(names.size()); ++atom) {
    const bool receives = atom == oxygen || are_bound(structure, oxygen, atom);
    const double x = x_of(structure, atom), y = y_of(structure, atom);
    draw_circle(svg, structure, atom, radius);
    svg.text(x, y + (receives ? -3 : 5), names[static_cast<std::size_t>(atom)], {{"font-size", 13}});
    if (receives) svg.text(x, y + 12, fixed_text(given(heads, oxygen, atom), 2), {{"font-size", 11}});
  }
  svg.close();
  return svg.finish();
}

std::string draw_contributions(const Structure& structure, const std::vector<double>& kelvin) {
  constexpr double full = 60;  // kelvin of the strongest tint
  const std::vector<std::string> names = atom_names(structure.molecule);
  Svg svg = paper(structure, "with what each atom adds to its boiling point");
  draw_bonds(svg, structure);
  svg.open("g", {{"text-anchor", "middle"}});
  for (Index atom = 0; atom < static_cast<Index>(names.size()); ++atom) {
    const double x = x_of(structure, atom), y = y_of(structure, atom),
                 adds = kelvin[static_cast<std::size_t>(atom)];
    draw_circle(svg, structure, atom, radius);
    svg.element("circle", {{"cx", x},
                           {"cy", y},
                           {"r", radius - 1},
                           {"fill", "#2563eb"},
                           {"style", "fill:var(--g-0)"},
                           {"fill-opacity", 0.4 * std::clamp(adds / full, 0.0, 1.0)}});  // to stay readable
    svg.text(x, y - 3, names[static_cast<std::size_t>(atom)], {{"font-size", 13}});
    svg.text(x, y + 12, (adds < 0 ? "" : "+") + with_minus(fixed_text(adds, 1)), {{"font-size", 11}});
  }
  svg.close();
  return svg.finish();
}

const char* outline_of(Element element) {
  // Blue and orange are the models' colours: an atom has neither.
  constexpr const char* outlines[] = {"neutral", "s2", "s3", "s5", "s4"};
  return outlines[static_cast<std::size_t>(element)];
}

std::string outlines_legend(const std::set<Element>& elements) {
  constexpr const char* names[] = {"hydrogen", "carbon", "nitrogen", "oxygen", "fluorine"};
  std::vector<Sign> signs;
  for (const Element each : elements)
    signs.push_back({symbol_of(each) + ": " + names[static_cast<std::size_t>(each)], outline_of(each), 2, 0});
  return legend_of(signs, "Colours of atoms");
}

std::string tints_legend() {
  return legend_of({{"adds nothing", "neutral", 0.5, 0}, {"adds 60 °C or more", "neutral", 0.5, 0.4}},
                   "Tints of atoms");
}

std::vector<Share> given_by_oxygen(const Structure& structure, const std::vector<AttentionMap>& heads) {
  const Index oxygen = oxygen_of(structure);
  std::vector<Share> shares;
  for (Index atom = 0; atom < static_cast<Index>(structure.places.size()); ++atom)
    if (atom == oxygen || are_bound(structure, oxygen, atom))
      shares.push_back({atom, given(heads, oxygen, atom)});
  return shares;
}

const Structure ethanol{
    "Ethanol",
    {{C, C, O, H, H, H, H, H, H}, {{0, 1}, {1, 2}, {0, 3}, {0, 4}, {0, 5}, {1, 6}, {1, 7}, {2, 8}}},
    {{1, 1}, {2, 1}, {3, 1}, {0, 1}, {1, 0}, {1, 2}, {2, 0}, {2, 2}, {4, 1}},
    {{"CH₃", 23.58, {0, 3, 4, 5}}, {"CH₂", 22.88, {1, 6, 7}}, {"OH", 92.88, {2, 8}}}};
const Structure dimethyl_ether{
    "Dimethyl ether",
    {{C, O, C, H, H, H, H, H, H}, {{0, 1}, {1, 2}, {0, 3}, {0, 4}, {0, 5}, {2, 6}, {2, 7}, {2, 8}}},
    {{1, 1}, {2, 1}, {3, 1}, {0, 1}, {1, 0}, {1, 2}, {3, 0}, {3, 2}, {4, 1}},
    {{"CH₃", 23.58, {0, 3, 4, 5}}, {"O", 22.42, {1}}, {"CH₃", 23.58, {2, 6, 7, 8}}}};

std::vector<std::string> atom_names(const Molecule& molecule) {
  std::map<Element, int> seen;
  std::vector<std::string> names;
  for (const Element atom : molecule.atoms) names.push_back(symbol_of(atom) + std::to_string(++seen[atom]));
  return names;
}
