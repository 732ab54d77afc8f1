// Models that read a molecule: with attention along its bonds, with a plain mean along them, and without.
#pragma once

#include <vector>

#include <gradual/nn/data/molecules.hpp>
#include <gradual/nn/graph/graph_attention.hpp>
#include <gradual/nn/layers/feed_forward.hpp>

/// What an atom sees in a layer: by attention, itself and the atoms that it is bound to; the same with equal
/// weights; or itself alone.
enum class Round { attention, mean, alone };

/// An embedding of each atom's element; layers, those with attention first; a number for each atom; and their
/// sum, in hundreds of kelvin above a mean. (The mean, 198.2 K, is where Joback's method begins, too.)
class MoleculeModel {
 public:
  MoleculeModel(gradual::Index width, gradual::Index heads, const std::vector<Round>& rounds,
                gradual::Random random);
  void visit(gradual::Visitor& visitor);
  /// Boiling points [M, 1] in kelvin.
  gradual::Var operator()(const gradual::MoleculeBatch& batch) const;
  /// What each atom adds to that of its molecule [N, 1], in kelvin.
  gradual::Var contributions(const gradual::MoleculeBatch& batch) const;

 private:
  gradual::Embedding embedding_;
  std::vector<gradual::GraphAttention> attention_;
  std::vector<gradual::Linear> averaging_, alone_;
  gradual::FeedForward output_;
  gradual::Linear contribution_;
};
