// Models that read a picture cell by cell: with attention among the cells, and without.
#pragma once

#include <vector>

#include <gradual/nn/attention/global.hpp>
#include <gradual/nn/data/arrow_pictures.hpp>
#include <gradual/nn/transformer/layers.hpp>

enum class Among { attention, none };

/// Patches of a picture as items (Dosovitskiy et al. 2021), each with its row and its column; rounds of
/// attention among them, or networks that see one cell alone; global attention over the cells, whose result
/// is scored for each shape.
class PictureModel {
 public:
  PictureModel(gradual::Index width, gradual::Index heads, gradual::Index rounds, Among among,
               gradual::Random random);
  void visit(gradual::Visitor& visitor);
  /// Scores of the shapes [B, shapes] for cells [B, cells², pixels].
  gradual::Var operator()(const gradual::Var& cells) const;

 private:
  gradual::Linear patches_;
  gradual::Tensor places_;  // [cells², D]
  std::vector<gradual::EncoderLayer> attending_;
  std::vector<gradual::FeedForward> alone_;
  gradual::LayerNorm norm_;
  gradual::GlobalAttention pool_;
  gradual::Linear output_;
};
