// Common mistakes in writing and training a translator, each in a few lines, that experiments of the doctor
// were written for. unseen_bugs.hpp and its like hold those that it met without knowing them.
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gradual/autograd/operations.hpp>
#include <gradual/nn/attention/attention_layer.hpp>
#include <gradual/nn/training/optimizer.hpp>

#include "fourth_bugs.hpp"

namespace gradual::common {

using unseen::padding_of;
using unseen::Program;
using unseen::program_with;
using unseen::sound_program;

// ---- A translator whose pass lies open, to change a part of

struct Open : Transformer {
  using Transformer::Transformer;
  virtual Var words(const Indices& ids, const Embedding& table) const {
    return table(ids) * std::sqrt(static_cast<Real>(config().width));
  }
  virtual Var of_source(const Indices& ids) const {
    return words(ids, source_embedding) + positions(0, ids.dim(1));
  }
  virtual Var of_target(const Indices& ids) const {
    return words(ids, target_embedding) + positions(0, ids.dim(1));
  }
  virtual Var loss_of(const Var& scores, const TranslationBatch& batch) const {
    return cross_entropy(scores, batch.output);
  }
  Var loss(const TranslationBatch& batch, const CrossEntropyOptions&) const override {
    Var memory = of_source(batch.source.ids), x = of_target(batch.input);
    for (const Part<EncoderBlock>& layer : encoder) memory = layer(memory, padding_of(batch));
    memory = encoder_norm(memory);
    for (const Part<DecoderBlock>& layer : decoder) x = layer(x, memory, padding_of(batch));
    return loss_of(logits(decoder_norm(x)), batch);
  }
};

struct WordsNotScaled : Open {
  using Open::Open;
  Var words(const Indices& ids, const Embedding& table) const override { return table(ids); }
};
struct SourceWithoutPlaces : Open {
  using Open::Open;
  Var of_source(const Indices& ids) const override { return words(ids, source_embedding); }
};
struct TargetWithoutPlaces : Open {
  using Open::Open;
  Var of_target(const Indices& ids) const override { return words(ids, target_embedding); }
};

// ---- Losses of scores [B, T, V]

using LossOf = Var (*)(const Var& scores, const TranslationBatch& batch);

template <LossOf mistaken>
struct Mistaken : Open {
  using Open::Open;
  Var loss_of(const Var& scores, const TranslationBatch& batch) const override {
    return mistaken(scores, batch);
  }
};

// Other words to say: `id(b, t)` for each place that has one.
template <class Id>
Indices other_output(const TranslationBatch& batch, Id id) {
  const Index T = batch.output.dim(1);
  std::vector<std::int32_t> ids(batch.output.begin(), batch.output.end());
  for (Index i = 0; i < batch.output.size(); ++i)
    if (batch.output[i] != TranslationBatch::nothing) ids[static_cast<std::size_t>(i)] = id(i / T, i % T);
  return {batch.output.shape(), std::move(ids)};
}
inline std::int32_t word_at(const TranslationBatch& batch, Index b, Index t) {
  const Index T = batch.output.dim(1);
  return t < T ? batch.output[b % batch.output.dim(0) * T + t] : TranslationBatch::nothing;
}

inline Var sum_of_words(const Var& scores, const TranslationBatch& batch) {
  return cross_entropy(scores, batch.output) * static_cast<Real>(batch.words());
}
inline Var mean_over_places(const Var& scores, const TranslationBatch& batch) {
  return cross_entropy(scores, batch.output) *
         (static_cast<Real>(batch.words()) / static_cast<Real>(batch.output.size()));
}
inline Var smoothed_by_far(const Var& scores, const TranslationBatch& batch) {
  CrossEntropyOptions options;
  options.label_smoothing = 0.9;
  return cross_entropy(scores, batch.output, options);
}
inline Var classes_off_by_one(const Var& scores, const TranslationBatch& batch) {
  return cross_entropy(scores,
                       other_output(batch, [&](Index b, Index t) { return word_at(batch, b, t) - 1; }));
}
inline Var negated(const Var& scores, const TranslationBatch& batch) {
  return -cross_entropy(scores, batch.output);
}
inline Var a_hundredth(const Var& scores, const TranslationBatch& batch) {
  return cross_entropy(scores, batch.output) / Real(100);
}
inline Var shifted_twice(const Var& scores, const TranslationBatch& batch) {
  return cross_entropy(scores,
                       other_output(batch, [&](Index b, Index t) { return word_at(batch, b, t + 1); }));
}
inline Var of_the_last_word(const Var& scores, const TranslationBatch& batch) {
  return cross_entropy(scores, other_output(batch, [&](Index b, Index t) {
                         return word_at(batch, b, t + 1) == TranslationBatch::nothing
                                    ? word_at(batch, b, t)
                                    : TranslationBatch::nothing;
                       }));
}
inline Var of_the_next_sentence(const Var& scores, const TranslationBatch& batch) {
  std::vector<std::int32_t> ids;
  for (Index b = 0; b < batch.output.dim(0); ++b)
    for (Index t = 0; t < batch.output.dim(1); ++t) ids.push_back(word_at(batch, b + 1, t));
  return cross_entropy(scores, Indices(batch.output.shape(), std::move(ids)));
}
inline Var without_sixes(const Var& scores, const TranslationBatch& batch) {
  return cross_entropy(scores, other_output(batch, [&](Index b, Index t) {
                         const std::int32_t id = word_at(batch, b, t);
                         return id == 6 ? TranslationBatch::nothing : id;
                       }));
}
inline Var squared_error(const Var& scores, const TranslationBatch& batch) {
  const Var p = softmax(scores);
  Tensor right = Tensor::zeros(p.shape()), counts = Tensor::zeros({p.dim(0), p.dim(1), 1});
  for (Index i = 0; i < batch.output.size(); ++i) {
    if (batch.output[i] == TranslationBatch::nothing) continue;
    right.mutable_data()[i * p.dim(2) + batch.output[i]] = counts.mutable_data()[i] = 1;
  }
  const Var error = (p - right) * counts;
  return sum(error * error) / static_cast<Real>(batch.words());
}

// A penalty for large weights that outweighs the words.
struct Penalized : Open {
  using Open::Open;
  Var loss_of(const Var& scores, const TranslationBatch& batch) const override {
    const Var& weight = target_embedding.weight;
    return Open::loss_of(scores, batch) + sum(weight * weight) * Real(0.1);
  }
};

// ---- Attention, written out by hand and recorded by nobody

struct ByHand : AttentionLayer {
  ByHand(Index width, Index all_heads, Random random)
      : heads(all_heads),
        queries(width, width, random.split()),
        keys(width, width, random.split()),
        values(width, width, random.split()),
        output(width, width, random.split()) {}
  void visit(Visitor& visitor) override {
    visitor("queries", queries);
    visitor("keys", keys);
    visitor("values", values);
    visitor("output", output);
  }
  using AttentionLayer::operator();
  Var operator()(const Var& x, const Var& memory, const AttentionMask& mask) const override {
    const Index B = x.dim(0), T = x.dim(1), S = memory.dim(1);
    Tensor hidden = Tensor::zeros({B, 1, T, S});  // 1: this key is hidden from this query
    for (Index i = 0; i < hidden.size(); ++i) {
      const Index b = i / (T * S), t = i / S % T, s = i % S;
      hidden.mutable_data()[i] = (mask.causal && s > t - (hides_itself ? 1 : 0)) ||
                                 (mask.valid_lengths.size() > 0 && s >= mask.valid_lengths[b]);
    }
    const Var q = split(queries(x)), k = split(keys(memory)), v = split(values(memory));
    return output(joined(matmul(weights(scores(q, k), hidden), v)));
  }
  Var split(const Var& x) const {
    return transpose(reshape(x, {x.dim(0), x.dim(1), heads, x.dim(2) / heads}), {0, 2, 1, 3});
  }
  virtual Var scores(const Var& q, const Var& k) const {
    return matmul(q, k, {false, true}) / std::sqrt(static_cast<Real>(q.dim(3)));
  }
  virtual Var weights(const Var& scores, const Tensor& hidden) const {
    return softmax(scores + hidden * Real(-1e9));
  }
  virtual Var joined(const Var& x) const {  // [B, H, T, d]
    return reshape(transpose(x, {0, 2, 1, 3}), {x.dim(0), x.dim(2), x.dim(1) * x.dim(3)});
  }

  Index heads;
  bool hides_itself = false;
  Linear queries, keys, values, output;
};

struct NoRoot : ByHand {
  using ByHand::ByHand;
  Var scores(const Var& q, const Var& k) const override { return matmul(q, k, {false, true}); }
};
struct OverQueries : ByHand {
  using ByHand::ByHand;
  Var weights(const Var& scores, const Tensor& hidden) const override {
    return transpose(softmax(transpose(scores + hidden * Real(-1e9))));
  }
};
struct MaskMultiplied : ByHand {
  using ByHand::ByHand;
  Var weights(const Var& scores, const Tensor& hidden) const override {
    return softmax(scores * (1 - hidden));
  }
};
struct MaskAfterwards : ByHand {
  using ByHand::ByHand;
  Var weights(const Var& scores, const Tensor& hidden) const override {
    return softmax(scores) * (1 - hidden);
  }
};
struct HidesItself : ByHand {
  HidesItself(Index width, Index all_heads, Random random) : ByHand(width, all_heads, random) {
    hides_itself = true;
  }
};
struct JoinedByReshape : ByHand {
  using ByHand::ByHand;
  Var joined(const Var& x) const override { return reshape(x, {x.dim(0), x.dim(2), x.dim(1) * x.dim(3)}); }
};

template <class Attention>
Program with_attention() {
  return program_with([](Transformer& model) {
    auto& decoder = model.decoder[0].as<DecoderLayer>();
    model.encoder[0].as<EncoderLayer>().self_attention = Attention(16, 2, Random(3));
    decoder.self_attention = Attention(16, 2, Random(4));
    decoder.cross_attention = Attention(16, 2, Random(5));
  });
}

// ---- Layers

struct CausalEncoder : EncoderLayer {
  using EncoderLayer::EncoderLayer;
  Var operator()(const Var& x, const AttentionMask& mask) const override {
    AttentionMask causal = mask;
    causal.causal = true;
    return EncoderLayer::operator()(x, causal);
  }
};
struct CausalCross : DecoderLayer {
  using DecoderLayer::DecoderLayer;
  Var operator()(const Var& x, const Var& memory, const AttentionMask& mask) const override {
    AttentionMask causal = mask;
    causal.causal = true;
    return DecoderLayer::operator()(x, memory, causal);
  }
};
// f(x) for x + f(x) around attention to the source, or around the feed-forward network.
template <bool around_network>
struct ShortcutMissing : DecoderLayer {
  using DecoderLayer::DecoderLayer;
  Var operator()(const Var& x, const Var& memory, const AttentionMask& mask) const override {
    AttentionMask causal;
    causal.causal = true;
    const Var y = x + self_attention(around_self.norm(x), causal);
    const Var read = cross_attention(around_cross.norm(y), memory, mask),
              z = around_network ? y + read : read;
    const Var last = feed_forward(around_feed_forward.norm(z));
    return around_network ? last : z + last;
  }
};
struct NoActivation : Layer {
  NoActivation(Index width, Index inner_width, Random random)
      : inner(width, inner_width, random.split()), outer(inner_width, width, random.split()) {}
  void visit(Visitor& visitor) override {
    visitor("inner", inner);
    visitor("outer", outer);
  }
  Var operator()(const Var& x) const override { return outer(inner(x)); }
  Linear inner, outer;
};

template <class Own>
Program with_encoder_layer() {
  return program_with(
      [](Transformer& model) { model.encoder[0] = Own(model.config(), Random(3), "encoder.0"); });
}
template <class Own>
Program with_decoder_layer() {
  return program_with(
      [](Transformer& model) { model.decoder[0] = Own(model.config(), Random(3), "decoder.0"); });
}

// Every number of the hidden matrices becomes another.
template <class Change>
Program with_matrices(Change change) {
  Program program = sound_program();
  for (NamedParameter& each : program.trained) {
    if (each.variable.rank() < 2 || each.name.find("embedding") != std::string::npos) continue;
    Tensor numbers = each.variable.value();
    for (Index i = 0; i < numbers.size(); ++i) numbers.mutable_data()[i] = change(numbers.data()[i]);
    each.variable.set_value(numbers);
  }
  return program;
}

// ---- Data and training

template <class Change>
Program with_pairs(Change change) {
  Program program = sound_program();
  change(program.pairs);
  return program;
}

// Steps by one Adam: `step(program, loss, rate, adam)`.
template <class Step>
Program with_step(Step step, const AdamOptions& options = {}) {
  Program program = sound_program();
  const auto adam = std::make_shared<Adam>(program.trained, options);
  program.step = [adam, step](const Program& own, const std::function<Var()>& loss, double rate) {
    step(own, loss, rate, *adam);
  };
  return program;
}

}  // namespace gradual::common
