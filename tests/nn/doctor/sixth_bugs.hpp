// Six mistakes that second-year students make most often when they write, configure or train a translator.
// They were chosen by how common they are, and written down with their right diagnoses before the doctor was
// run on any of them, by somebody who had not seen the doctor, nor of the bugs of before more than what the
// command showed that showed how one is planted: the name "TwoSoftmaxes", heads by a reshape alone, an
// optimizer without the decoder, and no shortcuts. The second one here may be the same as the first of these,
// and the third has a symptom in common with the next. They stay, because they are among the six most common.
#pragma once

#include <cmath>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gradual/autograd/operations.hpp>
#include <gradual/nn/attention/attention_layer.hpp>
#include <gradual/nn/attention/recorder.hpp>
#include <gradual/nn/layers/layers.hpp>
#include <gradual/nn/text/vocabulary.hpp>
#include <gradual/nn/training/optimizer.hpp>
#include <gradual/nn/transformer/layers.hpp>
#include <gradual/nn/transformer/transformer.hpp>

#include "unseen_bugs.hpp"

namespace gradual::unseen {
namespace sixth {

inline AttentionMask padding_hidden(const SourceBatch& source) {
  AttentionMask mask;
  mask.valid_lengths = source.lengths;
  return mask;
}

/// Ends in a softmax, though the loss begins with one.
class EndsInSoftmax : public Transformer {
 public:
  using Transformer::Transformer;
  Var loss(const TranslationBatch& batch, const CrossEntropyOptions& options) const override {
    const Var memory = encode(batch.source);
    const Var scores = logits(decode(batch.input, memory, padding_hidden(batch.source)));
    const Var probabilities = softmax(scores);
    return cross_entropy(probabilities, batch.output, options);
  }
};

/// Is asked for the words that the decoder is given, at the places where it is given them: one tensor serves
/// as the decoder's input and as the target.
class TargetNotShifted : public Transformer {
 public:
  using Transformer::Transformer;
  Var loss(const TranslationBatch& batch, const CrossEntropyOptions& options) const override {
    const Var memory = encode(batch.source);
    const Var scores = logits(decode(batch.input, memory, padding_hidden(batch.source)));
    CrossEntropyOptions without_padding = options;
    without_padding.ignored = Vocabulary::pad;
    return cross_entropy(scores, batch.input, without_padding);
  }
};

/// A decoder layer whose self-attention was given no mask. It writes by reading all words so far anew, as
/// its author does.
class DecoderLayerWithoutMask : public DecoderLayer {
 public:
  using DecoderLayer::DecoderLayer;
  Var operator()(const Var& x, const Var& memory, const AttentionMask& memory_mask) const override {
    Var y = around_self(x, [&](const Var& z) { return self_attention(z); });
    y = around_cross(y, [&](const Var& z) { return cross_attention(z, memory, memory_mask); });
    return around_feed_forward(y, feed_forward);
  }
  DecoderLayerState start(const Var& memory) const override { return DecoderBlock::start(memory); }
  Var next(const Var& x, DecoderLayerState& state, const Indices& source_lengths) const override {
    return DecoderBlock::next(x, state, source_lengths);
  }
};

/// Multi-head attention by hand. Its padding mask says true for padding, as some libraries want it, and hides
/// what is not true, as others do: it hides the words and leaves the padding.
class PaddingMaskInverted : public AttentionLayer {
 public:
  PaddingMaskInverted(Index width, Index heads, Random random, std::string name)
      : queries(width, width, random),
        keys(width, width, random),
        values(width, width, random),
        output(width, width, random),
        width_(width),
        heads_(heads),
        name_(std::move(name)) {}
  void visit(Visitor& visitor) override {
    visitor("queries", queries);
    visitor("keys", keys);
    visitor("values", values);
    visitor("output", output);
  }

  using AttentionLayer::operator();
  Var operator()(const Var& x, const Var& memory, const AttentionMask& mask) const override {
    const Var q = split_heads(queries(x)), k = split_heads(keys(memory)), v = split_heads(values(memory));
    const Real scale = 1 / std::sqrt(static_cast<Real>(width_ / heads_));
    Var scores = matmul(q, transpose(k)) * scale;  // [B, H, T, S]
    if (mask.valid_lengths.size() > 0) {
      const Tensor is_padding = padding(mask.valid_lengths, memory.dim(1));
      scores = where(is_padding, scores, Real(-1e9));
    }
    const Var weights = softmax(scores);
    if (AttentionRecorder* recorder = AttentionRecorder::current())
      recorder->add(name_, weights.value(), x.is_same_as(memory) ? AttentionTo::itself : AttentionTo::source);
    const Var heads = transpose(matmul(weights, v), {0, 2, 1, 3});  // [B, T, H, d]
    return output(reshape(heads, {x.dim(0), x.dim(1), width_}));
  }

  Linear queries, keys, values, output;

 private:
  // [B, N, D] to [B, H, N, d].
  Var split_heads(const Var& x) const {
    const Var parts = reshape(x, {x.dim(0), x.dim(1), heads_, width_ / heads_});
    return transpose(parts, {0, 2, 1, 3});
  }
  // 1 where a key is padding, else 0: [B, 1, 1, S].
  static Tensor padding(const Indices& lengths, Index count) {
    std::vector<Real> is_padding;
    for (const std::int32_t length : lengths) {
      for (Index s = 0; s < count; ++s) is_padding.push_back(s < Index(length) ? Real(0) : Real(1));
    }
    return Tensor(Shape{lengths.dim(0), 1, 1, count}, is_padding);
  }

  Index width_, heads_;
  std::string name_;
};

}  // namespace sixth

inline std::vector<Bug> six_student_bugs() {
  return {
      // Wrong: the loop never sets the gradients to zero, each step follows their sum so far.
      {"gradients are never set to zero",
       "gradients of earlier steps are still there: they add up from step to step; set them to zero before "
       "each backward pass (zero_gradients, zero_grad)",
       [] {
         Program program = sound_program();
         const auto adam = std::make_shared<Adam>(program.trained);
         program.step = [adam](const Program&, const std::function<Var()>& loss, double rate) {
           backward(loss());
           adam->step(rate);
         };
         return program;
       }},
      // Wrong: the model ends in a softmax, and the cross-entropy takes the softmax of that again.
      {"a softmax before the cross-entropy",
       "the loss is given probabilities (or numbers that are all small, within 0 and 1) where it wants "
       "scores: softmax is taken twice, or: the loss cannot fall far below that of guessing because the "
       "scores that reach it are bounded; give it the logits",
       [] { return sound_program<sixth::EndsInSoftmax>(); }},
      // Wrong: the decoder's self-attention has no causal mask: a place reads the word it is to predict.
      {"no causal mask in the decoder",
       "places of the target see later words, by the decoder's self-attention: its causal mask is missing",
       [] {
         Program program = sound_program();
         auto& model = dynamic_cast<Transformer&>(*program.model);
         model.decoder[0] = sixth::DecoderLayerWithoutMask(model.config(), Random(5), "decoder.0");
         program.trained = parameters(model);
         return program;
       }},
      // Wrong: Adam runs at a rate of 0.1, written into the loop, some hundred times too high for it.
      {"Adam at a rate of 0.1",
       "the learning rate is much too high, or: the steps change the parameters by far too much, or: the "
       "loop steps further than the rate it is given; take a lower rate (of about 0.001)",
       [] {
         Program program = sound_program();
         const auto adam = std::make_shared<Adam>(program.trained);
         program.step = [adam](const Program& in, const std::function<Var()>& loss, double) {
           constexpr double learning_rate = 0.1;
           zero_gradients(in.trained);
           backward(loss());
           adam->step(learning_rate);
         };
         return program;
       }},
      // Wrong: the target is the decoder's input itself, not one place further on: it learns to copy.
      {"the target is not shifted",
       "the loss asks for the word that the decoder is given at the same place, not for the next one: input "
       "and target are not shifted against each other by one place, the answer stands in the input, or: the "
       "loss does not look at the batch's output; compare with the output, which is one place further on",
       [] { return sound_program<sixth::TargetNotShifted>(); }},
      // Wrong: the padding mask is the wrong way round in all attention to the source: it sees only padding.
      {"the padding mask is inverted",
       "attention to the source (the encoder's self-attention, the cross-attention, or both) looks at "
       "padding and not at words: the padding mask is wrong or the wrong way round; that the source hardly "
       "reaches the decoder is right only together with the mask, the padding or the lengths as the cause",
       [] {
         Program program = sound_program();
         auto& model = dynamic_cast<Transformer&>(*program.model);
         const Index width = model.config().width, heads = model.config().heads;
         const Random random(6);
         model.encoder[0].as<EncoderLayer>().self_attention =
             sixth::PaddingMaskInverted(width, heads, random, "encoder.0.self_attention");
         model.decoder[0].as<DecoderLayer>().cross_attention =
             sixth::PaddingMaskInverted(width, heads, random, "decoder.0.cross_attention");
         program.trained = parameters(model);
         return program;
       }},
  };
}

}  // namespace gradual::unseen
