// Models that read a molecule: with attention along its bonds, and without.
#pragma once

#include <vector>

#include <gradual/nn/data/molecules.hpp>
#include <gradual/nn/graph/graph_attention.hpp>
#include <gradual/nn/layers/feed_forward.hpp>

/// An embedding of each atom's element; two layers, in the first `looks` of which atoms look along their
/// bonds and in the others each stays alone; a number for each atom; and their sum, in hundreds of kelvin
/// above a mean. (The mean, 198 K, is where Joback's method begins, too.)
class MoleculeModel {
 public:
  MoleculeModel(gradual::Index width, gradual::Index heads, gradual::Index looks, gradual::Random random);
  void visit(gradual::Visitor& visitor);
  /// Boiling points [M, 1] in kelvin.
  gradual::Var operator()(const gradual::MoleculeBatch& batch) const;
  /// What each atom adds to that of its molecule [N, 1], in kelvin.
  gradual::Var contributions(const gradual::MoleculeBatch& batch) const;

 private:
  gradual::Embedding embedding_;
  std::vector<gradual::GraphAttention> attention_;
  std::vector<gradual::Linear> alone_;
  gradual::FeedForward output_;
  gradual::Linear contribution_;
};
