// Two models that answer the dots of a picture: one whose patches attend to each other, and one without
// attention.
#pragma once

#include <vector>

#include <gradual/nn/vision/patch_encoder.hpp>

/// The sizes that both share.
struct ModelSizes {
  gradual::ImageSizes image;
  gradual::Index width = 48, heads = 4, layers = 2;
};

/// What answers: for every patch of images [B, C, H, W] a score for each digit, [B, N, 10].
class Answerer {
 public:
  virtual ~Answerer() = default;
  virtual void visit(gradual::Visitor& visitor) = 0;
  virtual gradual::Var operator()(const gradual::Var& images) const = 0;
};

/// Attention over the patches.
class WithAttention : public Answerer {
 public:
  WithAttention(const ModelSizes& sizes, gradual::Random random);
  void visit(gradual::Visitor& visitor) override;
  gradual::Var operator()(const gradual::Var& images) const override { return output_(encoder_(images)); }

 private:
  gradual::PatchEncoder encoder_;
  gradual::Linear output_;
};

/// The same patches, each through networks of its own; what it learns of the others is their mean.
class WithoutAttention : public Answerer {
 public:
  WithoutAttention(const ModelSizes& sizes, gradual::Random random);
  void visit(gradual::Visitor& visitor) override;
  gradual::Var operator()(const gradual::Var& images) const override;

 private:
  struct Layer {
    gradual::FeedForward network;
    gradual::Residual around;
    void visit(gradual::Visitor& visitor);
  };

  gradual::ImageSizes image_;
  gradual::Linear projection_;
  gradual::Positions positions_;
  std::vector<Layer> layers_;
  gradual::LayerNorm norm_;
  gradual::FeedForward together_;  // of a patch and the mean, side by side
  gradual::Linear output_;
};
