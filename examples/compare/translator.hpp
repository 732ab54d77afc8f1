// A small translator in which one part can be exchanged: how places learn from each other.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <gradual/nn/layers/positions.hpp>
#include <gradual/nn/seq2seq/model.hpp>
#include <gradual/nn/transformer/layers.hpp>

#include "mixing.hpp"

/// The sizes of a translator, all but how it mixes.
struct TranslatorSizes {
  gradual::Index source_vocabulary, target_vocabulary, feed_forward, layers;
  MixingSizes mixing;
};

/// A part that mixes, with its shortcut.
struct MixingPart {
  MixingPart(const std::string& name, const MixingSizes& sizes, Looking looking, gradual::Random random,
             const std::string& layer);
  void visit(gradual::Visitor& visitor);
  gradual::Var operator()(const gradual::Var& x, const gradual::AttentionMask& mask) const;
  gradual::Var operator()(const gradual::Var& x, const gradual::Var& memory,
                          const gradual::AttentionMask& mask) const;

  std::unique_ptr<Mixing> mixing;
  gradual::Residual around;
};

/// The feed-forward network with its shortcut.
struct FeedForwardPart {
  FeedForwardPart(const TranslatorSizes& sizes, gradual::Random random);
  void visit(gradual::Visitor& visitor);
  gradual::Var operator()(const gradual::Var& x) const { return around(x, network); }

  gradual::FeedForward network;
  gradual::Residual around;
};

/// A transformer (Vaswani et al. 2017) whose attention is of any kind that make_mixing knows.
class ExchangeableTranslator : public gradual::TranslationModel {
 public:
  ExchangeableTranslator(const std::string& mixing, const TranslatorSizes& sizes, gradual::Random random);
  void visit(gradual::Visitor& visitor) override;

  gradual::Var loss(const gradual::TranslationBatch& batch,
                    const gradual::CrossEntropyOptions& options) const override;
  std::unique_ptr<State> start(const gradual::SourceBatch& source) const override;
  gradual::Tensor next(const gradual::Indices& ids, State& state) const override;

 private:
  struct EncoderLayer {
    MixingPart self;
    FeedForwardPart feed_forward;
    void visit(gradual::Visitor& visitor);
  };
  struct DecoderLayer {
    MixingPart self, cross;
    FeedForwardPart feed_forward;
    void visit(gradual::Visitor& visitor);
  };

  gradual::Var embed(const gradual::Indices& ids, const gradual::Embedding& table) const;
  gradual::Var encode(const gradual::SourceBatch& source) const;
  gradual::Var decode(const gradual::Indices& ids, const gradual::Var& memory,
                      const gradual::AttentionMask& memory_mask) const;

  gradual::Index width_;
  gradual::Embedding source_embedding_, target_embedding_;
  gradual::Positions positions_;
  std::vector<EncoderLayer> encoder_;
  std::vector<DecoderLayer> decoder_;
  gradual::LayerNorm encoder_norm_, decoder_norm_;
};
