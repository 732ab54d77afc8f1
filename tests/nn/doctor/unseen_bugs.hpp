// Six mistakes that the doctor (nn/doctor/doctor.hpp) was not written for: they were written down before
// it, with what a right diagnosis must say. None of them is in the gallery of broken transformers.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <gradual/nn/attention/masks.hpp>
#include <gradual/nn/attention/recorder.hpp>
#include <gradual/nn/data/toy_corpus.hpp>
#include <gradual/nn/training/optimizer.hpp>
#include <gradual/nn/transformer/transformer.hpp>
#include <gradual/nn/translation/learn_translator.hpp>

namespace gradual::unseen {

/// What somebody has who trains a translator with a loop of their own.
struct Program {
  std::shared_ptr<TranslationModel> model;
  Index source_words, target_words;
  std::vector<EncodedPair> pairs;
  /// The parameters that the optimizer is given.
  std::vector<NamedParameter> trained;
  /// One step of the loop at a rate, where it is not the usual one: gradients to zero, the loss, its
  /// gradients, a step of one Adam for all steps.
  std::function<void(const Program&, const std::function<Var()>& loss, double rate)> step = {};

  /// The n-th batch: the next sixteen pairs.
  TranslationBatch batch(Index n) const {
    std::vector<Index> rows;
    for (Index i = 0; i < 16; ++i) rows.push_back((16 * n + i) % static_cast<Index>(pairs.size()));
    return make_batch(pairs, rows);
  }
};

/// A sound program; `Model` is Transformer, or one that derives from it.
template <class Model = Transformer>
Program sound_program(Index layers = 1) {
  ToyCorpus corpus = make_toy_corpus(1, 320, 0, 0);
  TransformerConfig config;
  config.width = 16;
  config.heads = 2;
  config.feed_forward = 32;
  config.encoder_layers = config.decoder_layers = layers;
  ListStream<SentencePair> stream(corpus.train);
  const Translator text = learn_translator(config, stream);
  config.source_vocabulary = text.source().vocabulary.size();
  config.target_vocabulary = text.target().vocabulary.size();
  Program program;
  program.model = std::make_shared<Model>(config, Random(1));
  program.source_words = config.source_vocabulary;
  program.target_words = config.target_vocabulary;
  for (const SentencePair& pair : corpus.train) program.pairs.push_back(text.encode(pair));
  program.trained = parameters(*program.model);
  return program;
}

inline AttentionMask padding_of(const TranslationBatch& batch) {
  AttentionMask mask;
  mask.valid_lengths = batch.source.lengths;
  return mask;
}

// 1. A softmax before a loss that takes its own.

struct TwoSoftmaxes : Transformer {
  using Transformer::Transformer;
  Var loss(const TranslationBatch& batch, const CrossEntropyOptions& options) const override {
    const Var decoded = decode(batch.input, encode(batch.source), padding_of(batch));
    return cross_entropy(softmax(logits(decoded)), batch.output, options);
  }
};

// 2. Heads by a reshape alone: [B, T, H·d] read as [B, H, T, d], without exchanging T and H.

struct ReshapedHeads : AttentionLayer {
  ReshapedHeads(Index width, Index all_heads, Random random)
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
    const Index d = x.dim(2) / heads;
    const auto split = [&](const Var& y) { return reshape(y, {y.dim(0) * heads, y.dim(1), d}); };
    AttentionMask of_heads = mask;
    if (mask.valid_lengths.size() > 0) {
      std::vector<std::int32_t> lengths;
      for (const std::int32_t length : mask.valid_lengths)
        lengths.insert(lengths.end(), static_cast<std::size_t>(heads), length);
      of_heads.valid_lengths = Indices({x.dim(0) * heads}, std::move(lengths));
    }
    const Var scores =
        matmul(split(queries(x)), split(keys(memory)), {false, true}) / std::sqrt(static_cast<Real>(d));
    return output(reshape(matmul(masked_softmax(scores, of_heads), split(values(memory))),
                          {x.dim(0), x.dim(1), x.dim(2)}));
  }

  Index heads;
  Linear queries, keys, values, output;
};

// 3. An optimizer that was made before the decoder's layers were.

inline std::vector<NamedParameter> without_decoder(const std::vector<NamedParameter>& all) {
  std::vector<NamedParameter> some;
  for (const NamedParameter& each : all)
    if (each.name.rfind("decoder.", 0) != 0) some.push_back(each);
  return some;
}

// 4. Layers without their shortcuts: f(x) in the place of x + f(x).

struct NoShortcuts : DecoderLayer {
  using DecoderLayer::DecoderLayer;
  Var operator()(const Var& x, const Var& memory, const AttentionMask& memory_mask) const override {
    AttentionMask causal;
    causal.causal = true;
    const Var heard = self_attention(around_self.norm(x), causal);
    const Var read = cross_attention(around_cross.norm(heard), memory, memory_mask);
    return feed_forward(around_feed_forward.norm(read));
  }
};

inline void forget_shortcuts(Transformer& model) {
  for (std::size_t i = 0; i < model.decoder.size(); ++i)
    model.decoder[i] = NoShortcuts(model.config(), Random(10 + i), "decoder." + std::to_string(i));
}

// 5. Sources and targets that were put in order by their lengths, each for itself.

inline void sort_apart(std::vector<EncodedPair>& pairs) {
  std::vector<std::vector<std::int32_t>> targets;
  for (const EncodedPair& pair : pairs) targets.push_back(pair.target);
  const auto shorter = [](const auto& a, const auto& b) { return a.size() < b.size(); };
  std::stable_sort(pairs.begin(), pairs.end(),
                   [&](const EncodedPair& a, const EncodedPair& b) { return shorter(a.source, b.source); });
  std::stable_sort(targets.begin(), targets.end(), shorter);
  for (std::size_t i = 0; i < pairs.size(); ++i) pairs[i].target = targets[i];
}

// 6. A norm over the words of a sentence in the place of the features of a word.

struct NormOverWords : Layer {
  explicit NormOverWords(Index width) : gain(Var::parameter(Tensor::ones({width}))) {}
  void visit(Visitor& visitor) override { visitor("gain", gain); }
  Var operator()(const Var& x) const override {  // [B, T, D]
    const Var centred = x - mean(x, {1}, Axis::kept);
    return centred / sqrt(mean(centred * centred, {1}, Axis::kept) + Real(1e-5)) * gain;
  }
  Var gain;
};

/// A mistake, and when its diagnosis is right.
struct Bug {
  const char* name;
  const char* right_if;  ///< what the first cause must say, in words or in substance
  std::function<Program()> plant;
};

inline std::vector<Bug> six_bugs() {
  return {
      {"two softmaxes",
       "the output or the loss is wrong: one batch cannot be learnt by heart, as the scores cannot grow or "
       "go through a softmax before the loss",
       [] { return sound_program<TwoSoftmaxes>(); }},
      {"heads by a reshape alone", "places of a sentence see later words, by the decoder's self-attention",
       [] {
         Program program = sound_program();
         auto& model = dynamic_cast<Transformer&>(*program.model);
         model.decoder[0].as<DecoderLayer>().self_attention = ReshapedHeads(16, 2, Random(3));
         program.trained = parameters(model);
         return program;
       }},
      {"an optimizer without the decoder", "parameters of the decoder's layers are never changed by a step",
       [] {
         Program program = sound_program();
         program.trained = without_decoder(program.trained);
         return program;
       }},
      {"no shortcuts",
       "the decoder's layers lose what they read: a word does not come through, or no shortcut",
       [] {
         Program program = sound_program(3);
         auto& model = dynamic_cast<Transformer&>(*program.model);
         forget_shortcuts(model);
         program.trained = parameters(model);
         return program;
       }},
      {"sides sorted apart", "sources and targets are not translations of each other",
       [] {
         Program program = sound_program();
         sort_apart(program.pairs);
         return program;
       }},
      {"a norm over the words", "places of a sentence see later words, or padding, by a norm",
       [] {
         Program program = sound_program();
         auto& model = dynamic_cast<Transformer&>(*program.model);
         model.decoder_norm = NormOverWords(16);
         program.trained = parameters(model);
         return program;
       }},
  };
}

}  // namespace gradual::unseen
