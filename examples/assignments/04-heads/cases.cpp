// What goes into the parts of 04.
#include <cmath>

#include <gradual/nn/attention/multi_head_naive.hpp>
#include <gradual/nn/attention/scores/general.hpp>

#include "../exercise.hpp"
#include "04-heads/heads.hpp"

using namespace gradual;

namespace {

Indices number(Index n) { return {Shape{1}, {static_cast<std::int32_t>(n)}}; }

// Numbers in a row, so that each can be followed to where it goes.
Tensor in_a_row(Random random, const Shape& shape) {
  Tensor x = Tensor::arange(shape.size()).with_shape(shape);
  const Real first = static_cast<Real>(random.below(20));
  for (Index i = 0; i < x.size(); ++i) x.mutable_data()[i] += first;
  return x;
}

struct Split {
  Index B, N, H, d;
};
const Split splits[] = {{1, 2, 2, 2}, {1, 3, 2, 2}, {2, 2, 3, 2}, {2, 3, 2, 4}, {3, 5, 4, 3}};

Values split_inputs(Random random, Index size) {
  const auto [B, N, H, d] = splits[size];
  return {{{"x", in_a_row(random, {B, N, H * d})}}, {{"heads", number(H)}}, {}};
}

Values merge_inputs(Random random, Index size) {
  const auto [B, N, H, d] = splits[size];
  return {{{"x", in_a_row(random, {B, H, N, d})}}, {}, {}};
}

std::string name_of(const char* what, Index head) { return what + std::to_string(head); }

struct Naive {
  Index B, T, S, H, d;
  bool causal, has_lengths, has_bias;
};
const Naive naive[] = {{1, 1, 2, 2, 1, false, false, false}, {1, 2, 2, 2, 2, false, false, false},
                       {1, 3, 3, 2, 2, true, false, false},  {2, 2, 3, 3, 2, false, true, false},
                       {2, 3, 3, 2, 2, true, true, true},    {2, 4, 5, 4, 3, false, false, true}};

Indices lengths(Random random, Index sentences, Index keys) {
  std::vector<std::int32_t> some;
  for (Index length : random.permutation(keys))
    if (static_cast<Index>(some.size()) < sentences) some.push_back(static_cast<std::int32_t>(length + 1));
  return {Shape{sentences}, some};
}

// A general score for each head, whose matrix makes prepared keys other than the keys.
Values naive_inputs(Random random, Index size) {
  const auto [B, T, S, H, d, causal, has_lengths, has_bias] = naive[size];
  Values in;
  for (Index h = 0; h < H; ++h) {
    const auto add = [&](const char* what, const Shape& shape, double step) {
      in.tensors.emplace_back(name_of(what, h), draw(random.split(), shape, -2, 2, step));
    };
    add("q", {B, T, d}, 0.5);
    add("k", {B, S, d}, 0.5);
    add("v", {B, S, d}, 1);
    add("W", {d, d}, 0.5);
    if (has_bias) add("bias", {T, S}, 0.5);
  }
  in.indices = {{"heads", number(H)}, {"causal", number(causal)}};
  if (has_lengths) in.indices.emplace_back("valid", lengths(random.split(), B, S));
  return in;
}

AttentionMask mask_of(const Values& in) {
  AttentionMask mask;
  mask.causal = indices(in, "causal")[0] != 0;
  for (const auto& [name, numbers] : in.indices)
    if (name == "valid") mask.valid_lengths = numbers;
  return mask;
}

Values call_naive(const Values& in) {
  const Index H = indices(in, "heads")[0];
  std::vector<Attention> attentions;
  for (Index h = 0; h < H; ++h) {
    const Tensor& matrix = tensor(in, name_of("W", h));
    GeneralScore score(matrix.dim(0), matrix.dim(1), Random(1));
    score.weight.set_value(matrix);
    attentions.emplace_back(score, 0, Random(1));
  }
  std::vector<HeadInputs> heads;
  for (Index h = 0; h < H; ++h) {
    const Tensor* bias = in.find(name_of("bias", h));
    heads.push_back({attentions[static_cast<std::size_t>(h)], tensor(in, name_of("q", h)),
                     tensor(in, name_of("k", h)), tensor(in, name_of("v", h)), bias ? Var(*bias) : Var()});
  }
  AttentionRecorder recorder;
  const Tensor y = attend_head_by_head(heads, mask_of(in), "heads", AttentionTo::itself).value();
  Values out{{{"y", y}}, {}, {}};
  for (const RecordedAttention& each : recorder.recorded())
    out.tensors.emplace_back("recorded", each.weights);
  return out;
}

struct Fused {
  Index B, T, S, H, d;
  bool causal, has_lengths;
};
const Fused fused[] = {{1, 1, 2, 2, 1, false, false}, {1, 2, 2, 2, 4, false, false},
                       {1, 3, 3, 2, 4, true, false},  {2, 3, 4, 2, 2, false, true},
                       {2, 4, 4, 4, 4, true, true},   {2, 2, 5, 2, 2, true, false},
                       {3, 5, 7, 3, 5, false, false}, {1, 2, 3, 2, 4, false, true}};

Tensor times(Tensor x, Real factor) {
  for (Index i = 0; i < x.size(); ++i) x.mutable_data()[i] *= factor;
  return x;
}

// Keys that are multiples of ln 2 at first, and scores that overflow at last.
Values fused_inputs(Random random, Index size) {
  const auto [B, T, S, H, d, causal, has_lengths] = fused[size];
  const bool is_first = size == 0, is_large = size == 7;
  const double low = is_large ? 1 : -2, step = is_first ? 1 : 0.5;
  Values in;
  in.tensors = {{"q", draw(random.split(), {B, T, H * d}, low, 2, step)},
                {"k", times(draw(random.split(), {B, S, H * d}, low, 2, step),
                            is_first ? std::log(Real(2)) : Real(is_large ? 100 : 1))},
                {"v", draw(random.split(), {B, S, H * d}, -4, 4, 0.5)}};
  in.indices = {{"heads", number(H)}, {"causal", number(causal)}};
  if (has_lengths) in.indices.emplace_back("valid", lengths(random.split(), B, S));
  if (size == 4) in.indices.back().second = Indices({2}, {0, 3});
  return in;
}

Values fused_slopes_inputs(Random random, Index size) {
  const auto [B, T, S, H, d, causal, has_lengths] = fused[size];
  Values in = fused_inputs(random.split(), size);
  in.indices.resize(1);
  in.tensors.emplace_back("weights", draw_weights(random.split(), {B, H, T, S}));
  in.tensors.emplace_back("dy", draw(random.split(), {B, T, H * d}, -2, 2, 0.5));
  return in;
}

const Exercise split{"04.1", 5, split_inputs, [](const Values& in) {
                       return Values{{{"y", split_heads(tensor(in, "x"), indices(in, "heads")[0])}}, {}, {}};
                     }};
const Exercise merge{"04.2", 5, merge_inputs, [](const Values& in) {
                       return Values{{{"y", merge_heads(tensor(in, "x"))}}, {}, {}};
                     }};
const Exercise head_by_head{"04.3", 6, naive_inputs, call_naive};
const Exercise where_they_lie{"04.4", 8, fused_inputs, [](const Values& in) {
                                Tensor weights;
                                const Tensor y =
                                    fused_attention(tensor(in, "q"), tensor(in, "k"), tensor(in, "v"),
                                                    indices(in, "heads")[0], mask_of(in), weights);
                                return Values{{{"y", y}, {"weights", weights}}, {}, {}};
                              }};
const Exercise their_slopes{"04.5", 7, fused_slopes_inputs, [](const Values& in) {
                              const FusedGradients d = fused_attention_backward(
                                  tensor(in, "q"), tensor(in, "k"), tensor(in, "v"), indices(in, "heads")[0],
                                  tensor(in, "weights"), tensor(in, "dy"));
                              return Values{{{"dq", d.q}, {"dk", d.k}, {"dv", d.v}}, {}, {}};
                            }};

}  // namespace
