// What goes into the parts of 06. The first cases of residuals and layers are made of parts so simple that
// their results can be worked out by hand; later ones are those of the library.
#include <gradual/core/rows/norms.hpp>
#include <gradual/nn/attention/masks.hpp>
#include <gradual/nn/transformer/layers.hpp>

#include "../exercise.hpp"

using namespace gradual;

namespace {

Indices number(Index n) { return {Shape{1}, {static_cast<std::int32_t>(n)}}; }
Index number(const Values& in, const char* name) { return indices(in, name)[0]; }

const Shape rows[] = {{1, 2}, {2, 4}, {2, 2, 3}, {2, 4}, {3, 8}, {2, 5, 33}};

Values norm_inputs(Random random, Index size) {
  const Shape shape = rows[size], width = {shape[-1]};
  Tensor x = draw(random.split(), shape, -4, 4, 0.5);
  if (size == 0)
    x = Tensor(shape, {static_cast<Real>(random.below(4)), static_cast<Real>(5 + random.below(4))});
  if (size == 3)  // one row of equal numbers
    for (Index i = 0; i < 4; ++i) x.mutable_data()[i] = x.data()[0];
  if (size == 4)
    for (Index i = 0; i < x.size(); ++i) x.mutable_data()[i] += 3000;
  return {{{"x", x},
           {"gain", size == 0 ? Tensor::ones(width) : draw(random.split(), width, 0.5, 2, 0.5)},
           {"bias", size == 0 ? Tensor::zeros(width) : draw(random.split(), width, -1, 1, 0.5)},
           {"epsilon", Tensor::full({1}, size == 1 ? Real(0.25) : Real(1e-5))}},
          {},
          {}};
}

Values call_norm(const Values& in) {
  NormStatistics statistics;
  const Tensor y = layer_norm(tensor(in, "x"), tensor(in, "gain"), tensor(in, "bias"),
                              tensor(in, "epsilon").item(), statistics);
  return {{{"y", y}, {"mean", statistics.mean}, {"inverse_deviation", statistics.inverse_deviation}}, {}, {}};
}

// Statistics are made up: the rule must use them, and numbers are read at a glance.
Values norm_slopes_inputs(Random random, Index size) {
  const Shape shape = size == 4 ? Shape{3, 8} : rows[size], width = {shape[-1]};
  const Index count = shape.size() / shape[-1];
  return {{{"x", draw(random.split(), shape, -4, 4, 0.5)},
           {"gain", draw(random.split(), width, 0.5, 2, 0.5)},
           {"mean", draw(random.split(), {count}, -1, 1, 0.5)},
           {"inverse_deviation", draw(random.split(), {count}, 0.25, 1.5, 0.25)},
           {"dy", draw(random.split(), shape, -2, 2, 0.5)},
           {"dx before", draw(random.split(), shape, -2, 2, 1)}},
          {{"accumulate", number(size % 2)}},
          {}};
}

Values call_norm_slopes(const Values& in) {
  Tensor dx = tensor(in, "dx before");
  const NormGradients d = layer_norm_backward(tensor(in, "x"), tensor(in, "gain"),
                                              {tensor(in, "mean"), tensor(in, "inverse_deviation")},
                                              tensor(in, "dy"), dx, number(in, "accumulate") != 0);
  return {{{"dx", dx}, {"d_gain", d.gain}, {"d_bias", d.bias}}, {}, {}};
}

Values dropout_inputs(Random random, Index size) {
  return {{{"p", Tensor::full({1}, size == 3 ? Real(0) : Real(1 + 2 * random.below(2)) / 4)}},
          {{"seed", number(random.below(1000))}, {"kind", number(size)}},
          {}};
}

// What becomes of eight ones, several times: in training; switched off; in a scope; with p = 0; and all of it
// in turns.
Values call_dropout(const Values& in) {
  const Random random(static_cast<std::uint64_t>(number(in, "seed")));
  Dropout dropout(static_cast<double>(tensor(in, "p").item()), random);
  Values out;
  const auto use = [&](const char* name) {
    out.tensors.emplace_back(name, apply_dropout(Tensor::ones({8}), dropout.next_mask()));
  };
  const Index kind = number(in, "kind");
  use("training");
  use("again");
  if (kind == 1 || kind > 3) {
    set_training(dropout, false);
    use("not in training");
    set_training(dropout, true);
  }
  if (kind == 2 || kind > 3) {
    const EvaluationScope evaluation;
    use("evaluation");
  }
  use("after that");
  // Another that draws its keys from the same random numbers.
  out.tensors.emplace_back("neighbour", apply_dropout(Tensor::ones({8}), Dropout(0.25, random).next_mask()));
  return out;
}

// x·factor + shift
struct Affine : Layer {
  Affine(Real the_factor, Real the_shift) : factor(the_factor), shift(the_shift) {}
  void visit(Visitor&) override {}
  Var operator()(const Var& x) const override { return x * factor + shift; }
  Real factor, shift;
};

struct Square : Layer {
  void visit(Visitor&) override {}
  Var operator()(const Var& x) const override { return x * x; }
};

// The mean of what the mask shows.
struct MeanAttention : AttentionLayer {
  void visit(Visitor&) override {}
  Var operator()(const Var& x, const Var& memory, const AttentionMask& mask) const override {
    const Var scores = Var(Tensor::zeros({x.dim(0), x.dim(1), memory.dim(1)}));
    return matmul(masked_softmax(scores, mask), memory);
  }
};

struct Around {
  Shape shape;
  NormPlace place;
  double p;
  bool is_training, is_simple;
};
const Around around[] = {
    {{2}, NormPlace::before, 0, true, true},         {{2}, NormPlace::after, 0, true, true},
    {{2, 3}, NormPlace::before, 0.5, true, true},    {{2, 3}, NormPlace::after, 0.5, true, true},
    {{2, 3}, NormPlace::before, 0.5, false, true},   {{3, 4}, NormPlace::before, 0.25, true, false},
    {{2, 2, 4}, NormPlace::after, 0.25, true, false}};

Values residual_inputs(Random random, Index size) {
  const Around& a = around[size];
  return {
      {{"x", draw(random.split(), a.shape, -2, 2, 0.5)}, {"dy", draw(random.split(), a.shape, -2, 2, 0.5)}},
      {{"seed", number(random.below(1000))}, {"size", number(size)}},
      {}};
}

Values call_residual(const Values& in) {
  const Around& a = around[number(in, "size")];
  const Random random(static_cast<std::uint64_t>(number(in, "seed")));
  const Index width = a.shape[-1];
  Residual residual(a.is_simple ? Part<Layer>(Affine(Real(0.5), 1)) : Part<Layer>(LayerNorm(width)), a.p,
                    a.place, random);
  set_training(residual, a.is_training);
  const Var x = Var::parameter(tensor(in, "x"));
  const Var y = residual(x, [](const Var& z) { return z * z; });
  const Tensor value = y.value();
  backward(y, tensor(in, "dy"));
  return {{{"y", value}, {"dx", x.grad()}}, {}, {}};
}

LayerConfig config_of(NormPlace place, double dropout) {
  LayerConfig config;
  config.width = 4;
  config.heads = 2;
  config.feed_forward = 6;
  config.norm = place;
  config.dropout = dropout;
  return config;
}

// Two norms that can be told from each other, a mean, and squares.
template <class Blocks>
void make_simple(Blocks& layer) {
  layer.self_attention = MeanAttention();
  layer.feed_forward = Square();
}

struct Block {
  Index B, T, S;
  bool is_simple, has_lengths, is_causal;
  NormPlace place;
  double dropout;
};
const Block blocks[] = {{1, 2, 2, true, false, false, NormPlace::before, 0},
                        {1, 2, 3, true, true, false, NormPlace::before, 0},
                        {1, 3, 3, true, false, true, NormPlace::after, 0},
                        {2, 3, 4, false, true, false, NormPlace::before, 0},
                        {2, 3, 5, false, true, true, NormPlace::after, 0},
                        {2, 4, 4, false, true, false, NormPlace::before, 0.25}};

AttentionMask mask_of(const Values& in) {
  AttentionMask mask;
  for (const auto& [name, numbers] : in.indices) {
    if (name == "causal") mask.causal = numbers[0] != 0;
    if (name == "valid") mask.valid_lengths = numbers;
  }
  return mask;
}

// One number for each word at first, so that a mean is seen at once.
Index width_of(const Block& block) { return block.is_simple ? 1 : 4; }

Indices lengths(Random random, Index sentences, Index keys) {
  std::vector<std::int32_t> some;
  for (Index b = 0; b < sentences; ++b) some.push_back(static_cast<std::int32_t>(1 + random.below(keys - 1)));
  return {Shape{sentences}, some};
}

Values layer_inputs(Random random, Index size, bool with_memory) {
  const Block& block = blocks[size];
  const Index width = width_of(block), T = with_memory ? block.T : block.S;
  Values in{{{"x", draw(random.split(), {block.B, T, width}, -2, 2, 0.5)}},
            {{"seed", number(random.below(1000))}, {"size", number(size)}},
            {}};
  if (with_memory)
    in.tensors.emplace_back("memory", draw(random.split(), {block.B, block.S, width}, -2, 2, 0.5));
  if (!with_memory && block.is_causal) in.indices.emplace_back("causal", number(1));
  if (block.has_lengths) in.indices.emplace_back("valid", lengths(random.split(), block.B, block.S));
  return in;
}

Values encoder_inputs(Random random, Index size) { return layer_inputs(random, size, false); }
Values decoder_inputs(Random random, Index size) { return layer_inputs(random, size, true); }

Values call_encoder(const Values& in) {
  const Block& block = blocks[number(in, "size")];
  const Random random(static_cast<std::uint64_t>(number(in, "seed")));
  EncoderLayer layer(config_of(block.place, block.dropout), random, "encoder");
  if (block.is_simple) {
    make_simple(layer);
    layer.around_attention.norm = Affine(1, 1);
    layer.around_feed_forward.norm = Affine(Real(0.5), 0);
  }
  return {{{"y", layer(Var(tensor(in, "x")), mask_of(in)).value()}}, {}, {}};
}

Values call_decoder(const Values& in) {
  const Block& block = blocks[number(in, "size")];
  const Random random(static_cast<std::uint64_t>(number(in, "seed")));
  DecoderLayer layer(config_of(block.place, block.dropout), random, "decoder");
  if (block.is_simple) {
    make_simple(layer);
    layer.cross_attention = MeanAttention();
    layer.around_self.norm = Affine(1, 1);
    layer.around_cross.norm = Affine(1, -1);
    layer.around_feed_forward.norm = Affine(Real(0.5), 0);
  }
  const Var memory = Var(tensor(in, "memory"));
  return {{{"y", layer(Var(tensor(in, "x")), memory, mask_of(in)).value()}}, {}, {}};
}

const Exercise norm{"06.1", 6, norm_inputs, call_norm};
const Exercise norm_slopes{"06.2", 6, norm_slopes_inputs, call_norm_slopes};
const Exercise when_it_drops{"06.3", 5, dropout_inputs, call_dropout};
const Exercise shortcut{"06.4", 7, residual_inputs, call_residual};
const Exercise encoder_layer{"06.5", 6, encoder_inputs, call_encoder};
const Exercise decoder_layer{"06.6", 6, decoder_inputs, call_decoder};

}  // namespace
