// Six more mistakes that the doctor was not written for, after those of unseen_bugs.hpp: people reported them
// in public, each in the code of a transformer. They were chosen and written down, with what a right
// diagnosis must say, before the doctor met any of them. None is in the gallery.
#pragma once

#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "unseen_bugs.hpp"

namespace gradual::unseen {

// 1. The mean of -p in the place of -log p: a loss for logarithms was given probabilities.
// https://github.com/AnubhavGupta3377/Text-Classification-Models-Pytorch/issues/9

struct ProbabilitiesAsLogarithms : Transformer {
  using Transformer::Transformer;
  Var loss(const TranslationBatch& batch, const CrossEntropyOptions&) const override {
    const Var p = softmax(logits(decode(batch.input, encode(batch.source), padding_of(batch))));  // [B, T, V]
    Tensor right = Tensor::zeros(p.shape());  // 1 at the words to say
    Real words = 0;
    for (Index i = 0; i < batch.output.size(); ++i) {
      if (batch.output[i] == TranslationBatch::nothing) continue;
      right.mutable_data()[i * p.dim(2) + batch.output[i]] = 1;
      ++words;
    }
    return sum(p * right) * (-1 / words);
  }
};

// 2. Positions that count the sentences of a batch, since the code was written for [T, B, D].
// https://github.com/Lightning-AI/pytorch-lightning/issues/19138,
// https://github.com/NeuracoreAI/neuracore/pull/154

struct PositionsOfSentences : Transformer {
  using Transformer::Transformer;
  Var loss(const TranslationBatch& batch, const CrossEntropyOptions& options) const override {
    const AttentionMask padding = padding_of(batch);
    Var memory = placed(batch.source.ids, source_embedding);
    for (const Part<EncoderBlock>& layer : encoder) memory = layer(memory, padding);
    if (config().norm == NormPlace::before) memory = encoder_norm(memory);
    Var x = placed(batch.input, target_embedding);
    for (const Part<DecoderBlock>& layer : decoder) x = layer(x, memory, padding);
    if (config().norm == NormPlace::before) x = decoder_norm(x);
    return cross_entropy(logits(x), batch.output, options);
  }
  Var placed(const Indices& ids, const Embedding& table) const {
    const Index B = ids.dim(0), D = config().width;
    return table(ids) * std::sqrt(static_cast<Real>(D)) + reshape(positions(0, B), {B, 1, D});
  }
};

// 3. A mask the wrong way round: the words are hidden, and the padding is seen.
// https://github.com/mlwithme/TransformerTranslation/issues/6,
// https://github.com/facebookresearch/detr/issues/96

struct InvertedPadding : AttentionLayer {
  InvertedPadding(Index width, Index all_heads, Random random)
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
    const Index B = x.dim(0), S = memory.dim(1), d = x.dim(2) / heads;
    Tensor hidden = Tensor::zeros({B, 1, S});
    for (Index b = 0; b < B; ++b)
      for (Index s = 0; s < S; ++s)
        if (s < mask.valid_lengths[b]) hidden.mutable_data()[b * S + s] = Real(-1e9);
    const Var q = queries(x), k = keys(memory), v = values(memory);
    std::vector<Var> results;
    for (Index h = 0; h < heads; ++h) {
      const auto head = [&](const Var& all) { return slice(all, 2, h * d, (h + 1) * d); };
      const Var scores = matmul(head(q), head(k), {false, true}) / std::sqrt(static_cast<Real>(d));
      results.push_back(matmul(softmax(scores + hidden), head(v)));
    }
    return output(concat(results, 2));
  }

  Index heads;
  Linear queries, keys, values, output;
};

// 4. A decoder whose self-attention is called a second time, with the encoder's output, where the attention
// to the source was meant. https://github.com/maxjcohen/transformer/issues/23

struct OneAttentionTwice : DecoderLayer {
  using DecoderLayer::DecoderLayer;
  Var operator()(const Var& x, const Var& memory, const AttentionMask& memory_mask) const override {
    AttentionMask causal;
    causal.causal = true;
    Var y = around_self(x, [&](const Var& z) { return self_attention(z, causal); });
    y = around_cross(y, [&](const Var& z) { return self_attention(z, memory, memory_mask); });
    return around_feed_forward(y, feed_forward);
  }
};

// 5. A memory of zeros that was to be filled later. https://github.com/kingnobro/IconShop/issues/4

struct EmptyMemory : Transformer {
  using Transformer::Transformer;
  Var loss(const TranslationBatch& batch, const CrossEntropyOptions& options) const override {
    const Var memory(Tensor::zeros(encode(batch.source).shape()));
    return cross_entropy(logits(decode(batch.input, memory, padding_of(batch))), batch.output, options);
  }
};

// 6. The shortcut around the feed-forward network begins before the attention, so what attention adds reaches
// the next layer through that network alone.
// https://github.com/strutive07/transformer-tensorflow2.0/issues/14

struct ShortcutTooLong : EncoderLayer {
  using EncoderLayer::EncoderLayer;
  Var operator()(const Var& x, const AttentionMask& mask) const override {
    const Var y = around_attention(x, [&](const Var& z) { return self_attention(z, mask); });
    return x + feed_forward(around_feed_forward.norm(y));
  }
};

template <class Change>
Program program_with(const Change& change) {
  Program program = sound_program();
  auto& model = dynamic_cast<Transformer&>(*program.model);
  change(model);
  program.trained = parameters(model);
  return program;
}

inline std::vector<Bug> six_reported_bugs() {
  return {
      {"probabilities as logarithms",
       "the loss is no cross-entropy, or a logarithm is missing in it: it lacks the size that chance has",
       [] { return sound_program<ProbabilitiesAsLogarithms>(); }},
      {"positions of sentences",
       "the order of words is not seen: positions are missing or run along the wrong axis",
       [] { return sound_program<PositionsOfSentences>(); }},
      {"a padding mask the wrong way round", "words see padding: the mask for the lengths is wrong",
       [] {
         return program_with([](Transformer& model) {
           model.decoder[0].as<DecoderLayer>().cross_attention = InvertedPadding(16, 2, Random(3));
         });
       }},
      {"one attention twice", "the parameters of the attention to the source are never used",
       [] {
         return program_with([](Transformer& model) {
           model.decoder[0] = OneAttentionTwice(model.config(), Random(3), "decoder.0");
         });
       }},
      {"an empty memory", "the source is not read, or the encoder gets no gradient",
       [] { return sound_program<EmptyMemory>(); }},
      {"a shortcut that is too long", "a shortcut is missing or wrong, in the encoder's layers",
       [] {
         return program_with([](Transformer& model) {
           model.encoder[0] = ShortcutTooLong(model.config(), Random(3), "encoder.0");
         });
       }},
  };
}

}  // namespace gradual::unseen
