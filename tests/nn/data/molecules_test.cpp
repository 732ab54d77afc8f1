#include <gradual/nn/data/molecules.hpp>

#include <algorithm>
#include <numeric>
#include <set>

#include "support/catch.hpp"

using namespace gradual;

namespace {

const Element H = Element::hydrogen, C = Element::carbon, O = Element::oxygen, N = Element::nitrogen;
const Molecule ethanol{{H, H, H, C, C, H, H, O, H},
                       {{0, 3}, {1, 3}, {2, 3}, {3, 4}, {4, 5}, {4, 6}, {4, 7}, {7, 8}}};
const Molecule ether{{H, H, H, C, O, C, H, H, H},
                     {{0, 3}, {1, 3}, {2, 3}, {3, 4}, {4, 5}, {5, 6}, {5, 7}, {5, 8}}};

}  // namespace

TEST_CASE("molecules: Joback's boiling points, by hand") {
  CHECK(joback_boiling_point(ethanol) == Approx(198.2 + 23.58 + 22.88 + 92.88));
  CHECK(joback_boiling_point(ether) == Approx(198.2 + 2 * 23.58 + 22.42));
  const Molecule methylamine{{C, N, H, H, H, H, H}, {{0, 1}, {0, 2}, {0, 3}, {0, 4}, {1, 5}, {1, 6}}};
  CHECK(joback_boiling_point(methylamine) == Approx(198.2 + 23.58 + 73.23));
  const Molecule fluoromethane{{C, Element::fluorine, H, H, H}, {{0, 1}, {0, 2}, {0, 3}, {0, 4}}};
  CHECK(joback_boiling_point(fluoromethane) == Approx(198.2 + 23.58 - 0.03));
}

TEST_CASE("molecules: what has more hydrogens than any group counts as the group with most") {
  CHECK(joback_boiling_point({{C, H, H, H, H}, {{0, 1}, {0, 2}, {0, 3}, {0, 4}}}) == Approx(198.2 + 23.58));
  CHECK(joback_boiling_point({{O, H, H}, {{0, 1}, {0, 2}}}) == Approx(198.2 + 92.88));
  CHECK(joback_boiling_point({{N, H, H, H}, {{0, 1}, {0, 2}, {0, 3}}}) == Approx(198.2 + 73.23));
}

TEST_CASE("molecules: isomers have one formula") {
  CHECK(ethanol.formula() == "C2H6O");
  CHECK(ether.formula() == ethanol.formula());
}

TEST_CASE(
    "molecules: the structure is the longest chain with its branches, whatever the order of the atoms") {
  CHECK(ethanol.structure() == "CH3-CH2-OH");
  CHECK(ether.structure() == "CH3-O-CH3");
  const Element F = Element::fluorine;
  CHECK(Molecule{{H, C, F, H, H}, {{0, 1}, {1, 2}, {3, 1}, {1, 4}}}.structure() == "CH3-F");
  CHECK(Molecule{{O, H, H}, {{0, 1}, {2, 0}}}.structure() == "OH2");
  CHECK(Molecule{{H, H}, {{0, 1}}}.structure() == "H2");
  // 2-methylbutane (isopentane), without its hydrogens, from either end
  CHECK(Molecule{{C, C, C, C, C}, {{0, 1}, {1, 2}, {2, 3}, {1, 4}}}.structure() == "C-C(C)-C-C");
  CHECK(Molecule{{C, C, C, C, C}, {{3, 0}, {2, 3}, {4, 2}, {1, 3}}}.structure() == "C-C(C)-C-C");
  CHECK(Molecule{{N, C, C, F}, {{0, 1}, {0, 2}, {0, 3}}}.structure() == "C-N(C)-F");
}

TEST_CASE("molecules: rings and atoms that are bound to nothing have no structure") {
  CHECK_THROWS_WITH((Molecule{{C, C, C}, {{0, 1}, {1, 2}, {2, 0}}}.structure()), Contains("a ring"));
  CHECK_THROWS_WITH((Molecule{{C, C, C}, {{0, 1}}}.structure()), Contains("got 1 bonds of 3 atoms"));
  CHECK_THROWS_WITH((Molecule{{H, C, C}, {{0, 1}, {0, 2}}}.structure()),
                    Contains("by more than hydrogen: atom 2"));
  CHECK_THROWS_WITH((Molecule{{C, H, H}, {{0, 1}, {0, 2}, {1, 2}}}.structure()), Contains("a ring"));
  CHECK_THROWS_WITH((Molecule{{H, H}, {}}.structure()), Contains("got 0 bonds of 2 atoms"));
  CHECK_THROWS_WITH((Molecule{{C, C}, {{0, 5}}}.structure()), Contains("there is no atom 5, only 2"));
}

TEST_CASE("molecules: what is drawn is one piece in which every atom has all its bonds") {
  std::set<std::string> formulas;
  Random random(1);
  for (int i = 0; i < 300; ++i) {
    const Molecule molecule = draw_molecule(7, random.split());
    const std::size_t count = molecule.atoms.size();
    REQUIRE(molecule.bonds.size() == count - 1);  // a tree
    std::vector<Index> bonds(count, 0), group(count);
    std::iota(group.begin(), group.end(), Index(0));
    for (const auto& [a, b] : molecule.bonds) {
      const auto i_a = static_cast<std::size_t>(a), i_b = static_cast<std::size_t>(b);
      ++bonds[i_a];
      ++bonds[i_b];
      const Index from = group[i_b], to = group[i_a];
      for (Index& each : group) each = each == from ? to : each;
      const bool hydrogen = molecule.atoms[i_a] == H || molecule.atoms[i_b] == H;
      CHECK((hydrogen || molecule.atoms[i_a] == C || molecule.atoms[i_b] == C));
    }
    CHECK(std::set<Index>(group.begin(), group.end()).size() == 1);
    for (std::size_t atom = 0; atom < count; ++atom) {
      const Index expected = molecule.atoms[atom] == C   ? 4
                             : molecule.atoms[atom] == N ? 3
                             : molecule.atoms[atom] == O ? 2
                                                         : 1;
      CHECK(bonds[atom] == expected);
    }
    const auto heavy =
        std::count_if(molecule.atoms.begin(), molecule.atoms.end(), [](Element e) { return e != H; });
    CHECK((heavy >= 2 && heavy <= 7));
    formulas.insert(molecule.formula());
  }
  CHECK(formulas.size() > 50);
}

TEST_CASE("molecules: fewer than two heavy atoms are refused") {
  CHECK_THROWS_WITH(draw_molecule(1, Random(1)),
                    "molecules: there must be at least 2 atoms besides hydrogen: got 1");
}

TEST_CASE("molecules: a batch is one graph, with no edge from one molecule to another") {
  const Molecule water{{O, H, H}, {{0, 1}, {0, 2}}};
  const MoleculeBatch batch = make_batch({ethanol, water});
  CHECK(batch.elements.shape() == Shape{12});
  CHECK(batch.elements[7] == static_cast<std::int32_t>(O));
  CHECK(batch.elements[9] == static_cast<std::int32_t>(O));
  CHECK(batch.edges.size() == 2 * (8 + 2) + 12);  // both ways, and each atom to itself
  for (Index atom = 0; atom < 12; ++atom) {
    const Index molecule = atom < 9 ? 0 : 1;
    CHECK(batch.membership({molecule, atom}) == 1);
    CHECK(batch.membership({1 - molecule, atom}) == 0);
    for (Index k = batch.edges.into(atom).first; k < batch.edges.into(atom).last; ++k)
      CHECK((batch.edges.sources()[k] < 9) == (atom < 9));
  }
  CHECK(batch.targets.shape() == Shape{2, 1});
  CHECK(batch.targets({0, 0}) == Approx(joback_boiling_point(ethanol)));
  CHECK(batch.targets({1, 0}) == Approx(joback_boiling_point(water)));
}
