// Parts of a program's own for the models of an installed library, each a few lines: docs/open-models.md
// tells of them.
#pragma once

#include <cmath>

#include <gradual/nn/attention/masks.hpp>
#include <gradual/nn/attention/recorder.hpp>
#include <gradual/nn/attention/scores/score.hpp>
#include <gradual/nn/training/optimizer.hpp>
#include <gradual/nn/transformer/transformer.hpp>

using namespace gradual;

// A key answers a query the better the nearer it is.
struct DistanceScore : Score {
  void check_widths(Index query_width, Index key_width) const override {
    if (query_width != key_width) throw std::invalid_argument("distance: queries and keys need one width");
  }
  Var compare(const Var& queries, const Var& keys) const override {  // [B, T, D], [B, S, D] to [B, T, S]
    const Var squares = reshape(sum(keys * keys, {2}), {keys.dim(0), 1, keys.dim(1)});
    return 2 * matmul(queries, keys, {false, true}) - squares;
  }
};

// What is farther off counts less, by a degree that each head learns.
struct FadingPositions : AttentionPositions {
  explicit FadingPositions(Index heads) : slopes(Var::parameter(Tensor::ones({heads, 1}) * Real(0.1))) {}
  void visit(Visitor& visitor) override { visitor("slopes", slopes); }
  Var bias(Index queries, Index keys) const override {  // [H, T + S - 1]
    Tensor distances({1, queries + keys - 1});
    for (Index i = 0; i < distances.size(); ++i)
      distances.mutable_data()[i] = -std::abs(static_cast<Real>(i - (keys - 1)));
    return matmul(slopes, Var(distances));
  }

  Var slopes;
};

// The largest of a vector's numbers becomes about 1.
struct MaxNorm : Layer {
  explicit MaxNorm(Index width) : gain(Var::parameter(Tensor::ones({width}))) {}
  void visit(Visitor& visitor) override { visitor("gain", gain); }
  Var operator()(const Var& x) const override {
    return x / (max(sqrt(x * x + Real(1e-6)), {-1}, Axis::kept) + Real(1e-3)) * gain;
  }

  Var gain;
};

// Each number is let through to a degree that the others decide.
struct Gate : Layer {
  Gate(Index width, Random random) : openness(width, width, random), values(width, width, random) {}
  void visit(Visitor& visitor) override {
    visitor("openness", openness);
    visitor("values", values);
  }
  Var operator()(const Var& x) const override { return values(x) * sigmoid(openness(x)); }

  Linear openness, values;
};

// One head, whose queries are the words themselves.
struct BareAttention : AttentionLayer {
  BareAttention(const AttentionLayerSettings& s, Random random)
      : values(s.width, s.width, random), name(s.name) {}
  void visit(Visitor& visitor) override { visitor("values", values); }
  using AttentionLayer::operator();
  Var operator()(const Var& x, const Var& memory, const AttentionMask& mask) const override {
    const Var scores = matmul(x, memory, {false, true}) / std::sqrt(static_cast<Real>(x.dim(2)));
    const Var weights = masked_softmax(scores, mask);  // [B, T, S]
    if (AttentionRecorder* recorder = AttentionRecorder::current())
      recorder->add(name, weights.value().with_shape({x.dim(0), 1, x.dim(1), memory.dim(1)}),
                    x.is_same_as(memory) ? AttentionTo::itself : AttentionTo::source);
    return matmul(weights, values(memory));
  }

  Linear values;
  std::string name;
};

// A layer that reads without attention: each word is mixed with its neighbours.
struct NeighbourLayer : EncoderBlock {
  NeighbourLayer(const LayerConfig& config, Random random)
      : mix(3 * config.width, config.width, random), around(config, random) {}
  void visit(Visitor& visitor) override {
    visitor("mix", mix);
    visitor("around", around);
  }
  Var operator()(const Var& x, const AttentionMask& mask) const override {
    return around(x, [&](const Var& y) {
      const Var edge = Tensor::zeros({y.dim(0), 1, y.dim(2)});
      const Index last = y.dim(1);
      const Var padded = concat({edge, y * is_word(y, mask.valid_lengths), edge}, 1);
      return relu(mix(concat({slice(padded, 1, 0, last), y, slice(padded, 1, 2, last + 2)}, 2)));
    });
  }
  // 1 for words [B, S, 1], 0 for padding, which is nobody's neighbour.
  static Tensor is_word(const Var& x, const Indices& lengths) {
    Tensor words = Tensor::ones({x.dim(0), x.dim(1), 1});
    for (Index i = 0; lengths.size() > 0 && i < words.size(); ++i)
      words.mutable_data()[i] = i % x.dim(1) < lengths[i / x.dim(1)] ? 1 : 0;
    return words;
  }

  Linear mix;
  Residual around;
};

// A transformer with a loss of its own, the whole a kind of model: wrong words that were nearly chosen cost
// more.
struct Sharpened : Transformer {
  Sharpened(const TransformerConfig& config, Random random) : Transformer(config, random) {}
  ModelConfig description() const override { return {"sharpened", Transformer::description().settings}; }
  Var loss(const TranslationBatch& batch, const CrossEntropyOptions& options) const override {
    AttentionMask padding;
    padding.valid_lengths = batch.source.lengths;
    const Var scores = logits(decode(batch.input, encode(batch.source), padding));
    return cross_entropy(scores * Real(0.8), batch.output, options);
  }
};

// p ← p - rate·sign(g).
struct SignDescent : Optimizer {
  explicit SignDescent(std::vector<NamedParameter> all) : parameters(std::move(all)) {}
  void step(double rate, double) override {
    for (NamedParameter& parameter : parameters) {
      const Tensor gradient = parameter.variable.grad();
      if (!gradient.defined()) continue;
      Real* p = parameter.variable.mutable_data();
      for (Index i = 0; i < gradient.size(); ++i)
        p[i] -=
            static_cast<Real>(rate) * static_cast<Real>((gradient.data()[i] > 0) - (gradient.data()[i] < 0));
    }
  }
  std::vector<std::pair<std::string, Tensor>> state() const override { return {}; }
  void set_state(const std::vector<std::pair<std::string, Tensor>>&) override {}

  std::vector<NamedParameter> parameters;
};
