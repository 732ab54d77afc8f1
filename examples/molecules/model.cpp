#include "model.hpp"

#include <gradual/autograd/operations.hpp>

using namespace gradual;

namespace {

constexpr Real usual_kelvin = 198, unit_kelvin = 100;

}  // namespace

MoleculeBatch make_batch(const std::vector<Molecule>& molecules) {
  std::vector<std::int32_t> elements, from, to;
  Index atoms = 0;
  for (const Molecule& molecule : molecules) atoms += static_cast<Index>(molecule.atoms.size());
  const auto count = static_cast<Index>(molecules.size());
  Tensor membership = Tensor::zeros({count, atoms}), targets({count, 1});
  for (Index m = 0; m < count; ++m) {
    const Molecule& molecule = molecules[static_cast<std::size_t>(m)];
    const auto first = static_cast<std::int32_t>(elements.size());
    for (const Element atom : molecule.atoms) {
      membership.unguarded_data()[m * atoms + static_cast<Index>(elements.size())] = 1;
      elements.push_back(static_cast<std::int32_t>(atom));
    }
    for (const auto& [a, b] : molecule.bonds) {
      from.push_back(first + static_cast<std::int32_t>(a));
      to.push_back(first + static_cast<std::int32_t>(b));
    }
    targets.unguarded_data()[m] = static_cast<Real>(joback_boiling_point(molecule));
  }
  const Shape bonds{static_cast<Index>(from.size())};
  return {Indices({atoms}, elements), neighbourhoods(atoms, Indices(bonds, from), Indices(bonds, to)),
          membership, targets};
}

MoleculeModel::MoleculeModel(Index width, Index heads, Rounds rounds, Random random)
    : embedding_(element_count, width, random),
      output_(width, 2 * width, Activation::gelu, 0, random),
      contribution_(width, 1, random) {
  if (width % heads != 0)
    throw std::invalid_argument("molecules: the heads must divide the width: width is " +
                                std::to_string(width) + ", heads are " + std::to_string(heads));
  for (int round = 1; round <= 2; ++round) {
    if (rounds == Rounds::attention)
      attention_.emplace_back(width, width / heads, heads, HeadJoin::concat, 0, random,
                              "round " + std::to_string(round));
    else
      alone_.emplace_back(width, width, random);
  }
}

void MoleculeModel::visit(Visitor& visitor) {
  visitor("embedding", embedding_);
  visitor("attention", attention_);
  visitor("alone", alone_);
  visitor("output", output_);
  visitor("contribution", contribution_);
}

Var MoleculeModel::operator()(const MoleculeBatch& batch) const {
  Var atoms = embedding_(batch.elements);  // [N, D]
  for (const GraphAttention& round : attention_) atoms = atoms + elu(round(atoms, batch.edges));
  for (const Linear& layer : alone_) atoms = atoms + elu(layer(atoms));
  const Var contributions = contribution_(atoms + output_(atoms));  // [N, 1]
  return matmul(batch.membership, contributions) * unit_kelvin + usual_kelvin;
}
