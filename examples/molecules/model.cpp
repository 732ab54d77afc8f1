#include "model.hpp"

#include <gradual/autograd/operations.hpp>

using namespace gradual;

namespace {

constexpr Real usual_kelvin = joback_begins_at, unit_kelvin = 100;

// Of an atom and those that it is bound to.
Var mean_along_bonds(const Var& atoms, const EdgeList& edges) {
  const Var equal = edge_softmax(Tensor::zeros({edges.size(), 1}), edges);
  return sum_along_edges(equal, atoms, edges);
}

}  // namespace

MoleculeModel::MoleculeModel(Index width, Index heads, const std::vector<Round>& rounds, Random random)
    : embedding_(element_count, width, random),
      output_(width, 2 * width, Activation::gelu, 0, random),
      contribution_(width, 1, random) {
  if (width % heads != 0)
    throw std::invalid_argument("the heads must divide the width: width is " + std::to_string(width) +
                                ", heads are " + std::to_string(heads));
  for (const Round round : rounds) {
    if (round == Round::attention)
      attention_.emplace_back(width, width / heads, heads, HeadJoin::concat, 0, random,
                              "round " + std::to_string(attention_.size() + 1));
    else
      (round == Round::mean ? averaging_ : alone_).emplace_back(width, width, random);
  }
}

void MoleculeModel::visit(Visitor& visitor) {
  visitor("embedding", embedding_);
  visitor("attention", attention_);
  visitor("averaging", averaging_);
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
  for (const Linear& layer : averaging_) atoms = atoms + elu(mean_along_bonds(layer(atoms), batch.edges));
  for (const Linear& layer : alone_) atoms = atoms + elu(layer(atoms));
  return contribution_(atoms + output_(atoms)) * unit_kelvin;
}
