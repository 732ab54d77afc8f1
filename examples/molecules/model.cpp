#include "model.hpp"

#include <gradual/autograd/operations.hpp>

using namespace gradual;

namespace {

constexpr Real usual_kelvin = 198, unit_kelvin = 100;

}  // namespace

MoleculeModel::MoleculeModel(Index width, Index heads, Index looks, Random random)
    : embedding_(element_count, width, random),
      output_(width, 2 * width, Activation::gelu, 0, random),
      contribution_(width, 1, random) {
  if (width % heads != 0)
    throw std::invalid_argument("the heads must divide the width: width is " + std::to_string(width) +
                                ", heads are " + std::to_string(heads));
  constexpr Index layers = 2;
  for (Index round = 1; round <= layers; ++round) {
    if (round <= looks)
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
  return matmul(batch.membership, contributions(batch)) + usual_kelvin;
}

Var MoleculeModel::contributions(const MoleculeBatch& batch) const {
  Var atoms = embedding_(batch.elements);  // [N, D]
  for (const GraphAttention& round : attention_) atoms = atoms + elu(round(atoms, batch.edges));
  for (const Linear& layer : alone_) atoms = atoms + elu(layer(atoms));
  return contribution_(atoms + output_(atoms)) * unit_kelvin;
}
