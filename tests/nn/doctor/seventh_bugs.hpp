// Six frequent mistakes, chosen without knowledge of what the doctor finds, by how often they are met in
// public issue threads about models with a decoder: translators, other sequence-to-sequence models and
// language models. Eleven candidates were drawn up; for each, the threads that one or two searches found were
// counted in which the mistake stood in real code or settings, or in which somebody asked because they were
// about to make it. These six came out first, in this order: 10, 10, 8, 6, 6 and 5 threads. Such counts
// depend on the wording of a search and only order the candidates. Next would have come: no end token in the
// labels, layers in a plain list that the optimizer never sees, a softmax before the cross-entropy,
// gradients that are not cleared, and the batch taken for the sequence.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gradual/nn/text/vocabulary.hpp>

#include "unseen_bugs.hpp"

namespace gradual::unseen {

namespace seventh {

// 1. Labels that are the decoder's own input, without its padding, as for an interface that shifts them
// itself (huggingface/transformers #6624: "lots of recent issues were due to incorrect or not shifting
// labels"; #5987, #32344; Kyubyong/transformer #94).

struct LabelsNotShifted : Transformer {
  using Transformer::Transformer;

  Var loss(const TranslationBatch& batch, const CrossEntropyOptions& options) const override {
    std::vector<std::int32_t> labels(batch.input.begin(), batch.input.end());
    std::replace(labels.begin(), labels.end(), Vocabulary::pad, TranslationBatch::nothing);
    const Var decoded = decode(batch.input, encode(batch.source), padding_of(batch));
    return cross_entropy(logits(decoded), {batch.input.shape(), std::move(labels)}, options);
  }
};

// 2. Targets filled up to one length, and the padding a word like any other for the loss
// (lukas-blecher/LaTeX-OCR #305, lucidrains/DALLE-pytorch #57, DaoyuanLi2816/Molecule-Generator #20).

struct PaddingInLoss : Transformer {
  using Transformer::Transformer;

  Var loss(const TranslationBatch& batch, const CrossEntropyOptions& options) const override {
    const Var decoded = decode(filled_up(batch.input), encode(batch.source), padding_of(batch));
    return cross_entropy(logits(decoded), filled_up(batch.output), options);
  }

 private:
  static constexpr Index places = 32;

  // The rows of ids [B, T] as rows of `places`.
  static Indices filled_up(const Indices& ids) {
    const Index rows = ids.dim(0), words = ids.dim(1), columns = std::max(words, places);
    std::vector<std::int32_t> table(static_cast<std::size_t>(rows * columns), Vocabulary::pad);
    for (Index row = 0; row < rows; ++row)
      std::copy_n(ids.begin() + row * words, words, table.begin() + row * columns);
    std::replace(table.begin(), table.end(), TranslationBatch::nothing, Vocabulary::pad);
    return {Shape{rows, columns}, std::move(table)};
  }
};

// Of 3 and 5: multi-head attention as people write it by hand, with a table of what is padding and what is
// not, and -10⁹ for what is not to be seen. As it stands it is sound.

class OwnAttention : public AttentionLayer {
 public:
  OwnAttention(Index width, Index heads, Random random, std::string name)
      : queries(width, width, random),
        keys(width, width, random),
        values(width, width, random),
        output(width, width, random),
        heads_(heads),
        name_(std::move(name)) {}

  void visit(Visitor& visitor) override {
    visitor("queries", queries);
    visitor("keys", keys);
    visitor("values", values);
    visitor("output", output);
  }

  using AttentionLayer::operator();
  Var operator()(const Var& x, const Var& memory, const AttentionMask& mask = {}) const override {
    const Var q = by_head(queries(x)), k = by_head(keys(memory)), v = by_head(values(memory));
    const Var scores = matmul(q, k, {false, true}) / std::sqrt(static_cast<Real>(q.dim(3)));  // [B, H, T, S]
    const Var weights = softmax(scores + Var(added(mask, x.dim(0), x.dim(1), memory.dim(1))));
    if (AttentionRecorder* recorder = AttentionRecorder::current())
      recorder->add(name_, weights.value(), x.is_same_as(memory) ? AttentionTo::itself : AttentionTo::source);
    return output(joined(matmul(weights, v)));
  }

  Linear queries, keys, values, output;

 protected:
  /// Whether a key is hidden, of which the table of padding says whether it is a word.
  virtual bool hidden(bool table) const { return !table; }
  /// The heads [B, H, T, d] side by side, [B, T, H·d].
  virtual Var joined(const Var& y) const {
    return reshape(transpose(y, {0, 2, 1, 3}), {y.dim(0), y.dim(2), y.dim(1) * y.dim(3)});
  }

 private:
  // [B, N, H·d] to [B, H, N, d].
  Var by_head(const Var& x) const {
    return transpose(reshape(x, {x.dim(0), x.dim(1), heads_, x.dim(2) / heads_}), {0, 2, 1, 3});
  }

  // What is added to the scores: [B, 1, T, S].
  Tensor added(const AttentionMask& mask, Index batch, Index queries_count, Index keys_count) const {
    Tensor result = Tensor::zeros({batch, 1, queries_count, keys_count});
    Real* to = result.mutable_data();
    for (Index b = 0; b < batch; ++b) {
      for (Index t = 0; t < queries_count; ++t) {
        for (Index s = 0; s < keys_count; ++s, ++to) {
          const bool later = mask.causal && s > t + keys_count - queries_count;
          const bool padded = mask.valid_lengths.size() > 0 && hidden(s < mask.valid_lengths[b]);
          if (later || padded) *to = Real(-1e9);
        }
      }
    }
    return result;
  }

  Index heads_;
  std::string name_;
};

/// A transformer with an attention of one's own in all places.
template <class Own>
struct TransformerWith : Transformer {
  TransformerWith(const TransformerConfig& config, Random random) : Transformer(config, random) {
    const Index width = config.width, heads = config.heads;
    for (std::size_t i = 0; i < encoder.size(); ++i) {
      const std::string name = "encoder." + std::to_string(i);
      encoder[i].template as<EncoderLayer>().self_attention = Own(width, heads, random, name + ".self_attention");
    }
    for (std::size_t i = 0; i < decoder.size(); ++i) {
      const std::string name = "decoder." + std::to_string(i);
      auto& layer = decoder[i].template as<DecoderLayer>();
      layer.self_attention = Own(width, heads, random, name + ".self_attention");
      layer.cross_attention = Own(width, heads, random, name + ".cross_attention");
    }
  }
};

// 3. A padding mask that is true at words, for an attention that takes true for "hidden": two conventions,
// both in use (pytorch/pytorch #39321, lucidrains/x-transformers #253; facebookresearch/detr #96,
// jadore801120/attention-is-all-you-need-pytorch #148, lucidrains/halonet-pytorch #6).

struct WordsHidden : OwnAttention {
  using OwnAttention::OwnAttention;
  using OwnAttention::operator();

 protected:
  bool hidden(bool table) const override { return table; }
};

// 5. Heads joined by a reshape alone: the shapes fit, but each row then holds pieces of several words
// (ajhalthor/Transformer-Neural-Network #4 and #8, jsbaan/transformer-from-scratch #6).

struct HeadsReshaped : OwnAttention {
  using OwnAttention::OwnAttention;
  using OwnAttention::operator();

 protected:
  Var joined(const Var& y) const override { return reshape(y, {y.dim(0), y.dim(2), y.dim(1) * y.dim(3)}); }
};

// 6. No causal mask in the decoder (jadore801120/attention-is-all-you-need-pytorch #19, pytorch/tutorials
// #719, alex-matton/causal-transformer-decoder #1).

struct DecoderLayerThatSeesAll : DecoderLayer {
  using DecoderLayer::DecoderLayer;

  Var operator()(const Var& x, const Var& memory, const AttentionMask& memory_mask) const override {
    Var y = around_self(x, [&](const Var& z) { return self_attention(z); });
    y = around_cross(y, [&](const Var& z) { return cross_attention(z, memory, memory_mask); });
    return around_feed_forward(y, feed_forward);
  }
};

struct NoCausalMask : Transformer {
  NoCausalMask(const TransformerConfig& config, Random random) : Transformer(config, random) {
    for (std::size_t i = 0; i < decoder.size(); ++i)
      decoder[i] = DecoderLayerThatSeesAll(config, random, "decoder." + std::to_string(i));
  }
};

}  // namespace seventh

/// The mistakes, in the order of how frequent they are.
inline std::vector<Bug> six_frequent_bugs() {
  return {
      {"labels that are not shifted",
       "the decoder's input is the label: nothing is shifted by one place, so that it only copies",
       [] { return sound_program<seventh::LabelsNotShifted>(); }},
      {"padding counted in the loss", "padding counts in the loss",
       [] { return sound_program<seventh::PaddingInLoss>(); }},
      {"a padding mask the wrong way round",
       "the padding mask is inverted: attention sees the padding and not the words",
       [] { return sound_program<seventh::TransformerWith<seventh::WordsHidden>>(); }},
      {"a learning rate that is too high, without warm-up", "the learning rate is too high",
       [] {
         // 4. The rate belongs to the optimizer, as most write it, and is the same from the first step on
         // (OpenNMT/OpenNMT-py #227, facebookresearch/fairseq #1681, tensorflow/tensor2tensor #105).
         Program program = sound_program();
         const double learning_rate = 0.1;  // ten times what this model learns best with
         const auto adam = std::make_shared<Adam>(program.trained);
         program.step = [adam, learning_rate](const Program& p, const std::function<Var()>& loss, double) {
           zero_gradients(p.trained);
           backward(loss());
           adam->step(learning_rate);
         };
         return program;
       }},
      {"heads joined without a transpose",
       "multi-head attention mixes the words where it joins the heads: a reshape without a transpose",
       [] { return sound_program<seventh::TransformerWith<seventh::HeadsReshaped>>(); }},
      {"no causal mask", "the decoder sees the words after the one that it must predict",
       [] { return sound_program<seventh::NoCausalMask>(); }},
  };
}

}  // namespace gradual::unseen
