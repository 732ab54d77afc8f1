// The five steps of this assignment in the place of the library's kernel: linked before the library, they are
// what every model attends by, head after head, sentence after sentence.
#include <gradual/core/attention/attention.hpp>
#include <gradual/core/elements/arithmetic.hpp>
#include <gradual/core/rows/rows.hpp>

#include "03-attention/attention.hpp"

namespace gradual {
namespace {

// One head of one sentence.
struct Head {
  const AttentionSizes& sizes;
  const AttentionSettings& settings;
  Index batch, index;

  // Its rows among those of all heads: [1, rows, width].
  Tensor rows(HeadsView all, Index count, Index width) const {
    Tensor own({1, count, width});
    for (Index n = 0; n < count; ++n)
      for (Index i = 0; i < width; ++i)
        own.unguarded_data()[n * width + i] = all.data[(batch * count + n) * all.stride + index * width + i];
    return own;
  }
  void put(const Tensor& own, WritableHeadsView all) const {
    const Index count = own.dim(1), width = own.dim(2);
    for (Index n = 0; n < count; ++n)
      for (Index i = 0; i < width; ++i)
        all.data[(batch * count + n) * all.stride + index * width + i] = own.data()[n * width + i];
  }
  // f(query, key) for each pair: [1, T, S].
  template <class Function>
  Tensor pairs(Function f) const {
    Tensor all({1, sizes.queries, sizes.keys});
    for (Index t = 0; t < sizes.queries; ++t)
      for (Index s = 0; s < sizes.keys; ++s) all.unguarded_data()[t * sizes.keys + s] = f(t, s);
    return all;
  }
  Index position(Index t, Index s) const {
    return ((batch * sizes.heads + index) * sizes.queries + t) * sizes.keys + s;
  }
  Index distance(Index t, Index s) const {
    return index * (sizes.queries + sizes.keys - 1) + s - t + sizes.queries - 1;
  }

  Tensor visible() const {
    const Indices& lengths = settings.mask.valid_lengths;
    return pairs([&](Index t, Index s) -> Real {
             const KeyRange range = visible_places(settings.mask, t, sizes.queries, sizes.keys);
             const Index valid = lengths.size() == 0           ? sizes.keys
                                 : lengths.shape().rank() == 1 ? lengths[batch]
                                                               : lengths[batch * sizes.queries + t];
             return range.first <= s && s < range.last && s < valid ? 1 : 0;
           })
        .reshaped({sizes.queries, sizes.keys});
  }
  Tensor bias() const {
    return pairs([&](Index t, Index s) -> Real {
      return settings.bias.defined() ? settings.bias.data()[distance(t, s)] : 0;
    });
  }
  // What dropout multiplies the weights by.
  Tensor kept() const {
    return pairs([&](Index t, Index s) -> Real { return settings.dropout(position(t, s)); });
  }
};

// Calls body(head) for every head of every sentence.
template <class Body>
void for_each_head(const AttentionSizes& sizes, const AttentionSettings& settings, Body body) {
  check_attention_mask(settings.mask, sizes);
  for (Index b = 0; b < sizes.batch; ++b)
    for (Index h = 0; h < sizes.heads; ++h) body(Head{sizes, settings, b, h});
}

}  // namespace

AttentionMemory attention_forward(const AttentionSizes& sizes, const AttentionSettings& settings, HeadsView q,
                                  HeadsView k, HeadsView v, WritableHeadsView out, bool) {
  AttentionMemory memory;
  memory.weights = Tensor({sizes.batch, sizes.heads, sizes.queries, sizes.keys});
  if (memory.weights.size() == 0) return memory;
  for_each_head(sizes, settings, [&](const Head& head) {
    const Tensor scores = attention_scores(head.rows(q, sizes.queries, sizes.key_width),
                                           head.rows(k, sizes.keys, sizes.key_width));
    const Tensor weights = attention_weights(scores + head.bias(), head.visible());
    std::copy(weights.begin(), weights.end(), memory.weights.unguarded_data() + head.position(0, 0));
    const Tensor values = head.rows(v, sizes.keys, sizes.value_width);
    head.put(attention_average(weights * head.kept(), values), out);
  });
  return memory;
}

Tensor attention_backward(const AttentionSizes& sizes, const AttentionSettings& settings,
                          const AttentionMemory& memory, HeadsView q, HeadsView k, HeadsView v,
                          HeadsView d_out, WritableHeadsView dq, WritableHeadsView dk, WritableHeadsView dv,
                          bool with_bias) {
  Tensor d_bias = with_bias ? Tensor::zeros({sizes.heads, sizes.queries + sizes.keys - 1}) : Tensor();
  for_each_head(sizes, settings, [&](const Head& head) {
    const Real* own = memory.weights.data() + head.position(0, 0);
    const Tensor weights = head.pairs([&](Index t, Index s) { return own[t * sizes.keys + s]; });
    const Tensor kept = head.kept(), values = head.rows(v, sizes.keys, sizes.value_width);
    const AverageGradients average = attention_average_backward(
        weights * kept, values, head.rows(d_out, sizes.queries, sizes.value_width));
    const Tensor d_weights = average.weights * kept;
    const ScoreGradients scores =
        attention_scores_backward(head.rows(q, sizes.queries, sizes.key_width),
                                  head.rows(k, sizes.keys, sizes.key_width), weights, d_weights);
    head.put(scores.q, dq);
    head.put(scores.k, dk);
    head.put(average.v, dv);
    if (!with_bias) return;
    const Tensor d_scores = softmax_backward(weights, d_weights);
    for (Index t = 0; t < sizes.queries; ++t)
      for (Index s = 0; s < sizes.keys; ++s)
        d_bias.unguarded_data()[head.distance(t, s)] += d_scores.data()[t * sizes.keys + s];
  });
  return d_bias;
}

}  // namespace gradual
