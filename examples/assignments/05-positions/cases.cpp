// What goes into the parts of 05.
#include <cmath>

#include <gradual/core/attention/rotary.hpp>
#include <gradual/nn/attention/masks.hpp>
#include <gradual/nn/positions/in_attention.hpp>
#include <gradual/nn/positions/vectors.hpp>

#include "../exercise.hpp"

using namespace gradual;

namespace {

Indices number(Index n) { return {Shape{1}, {static_cast<std::int32_t>(n)}}; }
Index number(const Values& in, const char* name) { return indices(in, name)[0]; }

// Two places of two columns at first: the numbers sin 0, cos 0, sin 1 and cos 1.
Values table_inputs(Random random, Index size) {
  const Index widths[] = {2, 4, 5, 6, 16, 32};
  const Index length = size == 0 ? 2 : 2 + size + random.below(4);
  return {{}, {{"length", number(length)}, {"width", number(widths[size])}}, {}};
}

struct Places {
  Index queries, keys;
  bool causal;
  Index window;
};
const Places places[] = {{3, 3, true, 0},  {2, 4, true, 0}, {4, 4, false, 1}, {5, 5, true, 2},
                         {3, 6, false, 2}, {4, 2, true, 0}, {2, 7, true, 1},  {9, 9, false, 3}};

// Longer by up to two places, so that no range is known by heart.
Values places_inputs(Random random, Index size) {
  const auto [queries, keys, causal, window] = places[size];
  const Index more = size == 0 ? 0 : random.below(3);
  return {{},
          {{"queries", number(queries + more)},
           {"keys", number(keys + more)},
           {"causal", number(causal)},
           {"window", number(window)}},
          {}};
}

// What each query sees, as a table of 1 and 0.
Values call_places(const Values& in) {
  AttentionMask mask;
  mask.causal = number(in, "causal") != 0;
  mask.window = number(in, "window");
  const Index T = number(in, "queries"), S = number(in, "keys");
  Tensor visible = Tensor::zeros({T, S});
  for (Index t = 0; t < T; ++t) {
    const KeyRange range = visible_places(mask, t, T, S);
    for (Index s = std::max<Index>(range.first, 0); s < std::min(range.last, S); ++s)
      visible.mutable_data()[t * S + s] = 1;
  }
  return {{{"visible", visible}}, {}, {}};
}

struct Masked {
  Index B, T, S;
  bool causal;
  Index window, axes_of_lengths;
};
const Masked masked[] = {{1, 2, 2, true, 0, 0},  {1, 2, 3, false, 0, 1}, {1, 3, 3, true, 0, 0},
                         {2, 3, 4, false, 0, 1}, {2, 3, 3, true, 0, 1},  {2, 2, 4, false, 0, 2},
                         {1, 3, 5, false, 1, 0}, {3, 4, 9, true, 2, 1}};

Tensor times_ln2(Tensor x) {
  for (Index i = 0; i < x.size(); ++i) x.mutable_data()[i] *= std::log(Real(2));
  return x;
}

// From the second length on, each may be 0.
Indices lengths(Random random, const Shape& shape, Index keys) {
  std::vector<std::int32_t> some;
  for (Index i = 0; i < shape.size(); ++i)
    some.push_back(static_cast<std::int32_t>(i == 0 ? 1 + random.below(keys - 1) : random.below(keys + 1)));
  if (some.size() > 1) some.back() = 0;
  return {shape, some};
}

Values masked_inputs(Random random, Index size) {
  const auto [B, T, S, causal, window, axes] = masked[size];
  const Tensor scores = draw(random.split(), {B, T, S}, -2, 2, size < 2 ? 1 : 0.25);
  Values in{{{"scores", size < 2 ? times_ln2(scores) : scores},
             {"dy", draw(random.split(), {B, T, S}, -2, 2, 0.5)}},
            {{"causal", number(causal)}},
            {}};
  if (window > 0) in.indices.emplace_back("window", number(window));
  if (axes == 1) in.indices.emplace_back("valid", lengths(random.split(), {B}, S));
  if (axes == 2) in.indices.emplace_back("valid", lengths(random.split(), {B, T}, S));
  return in;
}

Values call_masked(const Values& in) {
  AttentionMask mask;
  for (const auto& [name, numbers] : in.indices) {
    if (name == "causal") mask.causal = numbers[0] != 0;
    if (name == "window") mask.window = numbers[0];
    if (name == "valid") mask.valid_lengths = numbers;
  }
  const Var scores = Var::parameter(tensor(in, "scores"));
  const Var weights = masked_softmax(scores, mask);
  const Tensor value = weights.value();
  // A result without a way back has no slopes: that is to be seen, not to be an error.
  if (!weights.requires_grad())
    return {{{"weights", value}, {"d_scores", Tensor::zeros(value.shape())}}, {}, {}};
  backward(weights, tensor(in, "dy"));
  return {{{"weights", value}, {"d_scores", scores.grad()}}, {}, {}};
}

struct Turn {
  Index B, N, W, columns, head_width, first_place;
};
const Turn turns[] = {{1, 2, 2, 2, 2, 0}, {1, 2, 4, 4, 4, 0},  {1, 3, 4, 4, 2, 0},
                      {2, 2, 6, 4, 4, 3}, {2, 3, 12, 8, 4, 5}, {3, 4, 24, 16, 8, 20}};

Values turn_inputs(Random random, Index size) {
  const auto [B, N, W, columns, head_width, first_place] = turns[size];
  const Index place = first_place > 0 ? first_place + random.below(5) : 0;
  return {{{"x", draw(random.split(), {B, N, W}, -2, 2, 0.5)}},
          {{"columns", number(columns)}, {"head_width", number(head_width)}, {"first_place", number(place)}},
          {}};
}

Values alibi_inputs(Random random, Index size) {
  const Index heads[] = {2, 2, 4, 8, 3}, queries[] = {2, 1, 3, 4, 2}, keys[] = {2, 3, 3, 6, 5};
  const Index more = size == 0 ? 0 : random.below(3);
  return {{},
          {{"heads", number(heads[size])},
           {"queries", number(queries[size] + more)},
           {"keys", number(keys[size] + more)}},
          {}};
}

const Exercise sinusoids{
    "05.1", 6, table_inputs, [](const Values& in) {
      return Values{{{"table", sinusoidal_positions(number(in, "length"), number(in, "width"))}}, {}, {}};
    }};
const Exercise seen_by_place{"05.2", 8, places_inputs, call_places};
const Exercise mask_before_softmax{"05.3", 8, masked_inputs, call_masked};
const Exercise turned_by_place{
    "05.4", 6, turn_inputs, [](const Values& in) {
      return Values{{{"y", rotate(tensor(in, "x"), {number(in, "columns"), number(in, "head_width"),
                                                    number(in, "first_place")})}},
                    {},
                    {}};
    }};
const Exercise the_farther{
    "05.5", 5, alibi_inputs, [](const Values& in) {
      return Values{
          {{"bias", alibi_biases(number(in, "heads"), number(in, "queries"), number(in, "keys"))}}, {}, {}};
    }};

}  // namespace
