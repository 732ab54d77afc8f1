// Six mistakes that beginners make often, planted to measure the doctor with. They were chosen by how common
// they are, and written with their answers before the doctor was run on any of them, by somebody who had not
// seen it, and of the bugs of the other files three names and one answer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gradual/autograd/operations.hpp>
#include <gradual/nn/text/vocabulary.hpp>
#include <gradual/nn/training/optimizer.hpp>
#include <gradual/nn/transformer/layers.hpp>
#include <gradual/nn/transformer/transformer.hpp>

#include "unseen_bugs.hpp"

namespace gradual::unseen {
namespace fifth {

/// Wrong: the whole target, begin and end included, is what the decoder reads and what it is to write, as in
/// `loss(model(source, target), target)`: nothing is shifted, so that each place is asked for its own word.
class TargetNotShifted : public Transformer {
 public:
  using Transformer::Transformer;
  Var loss(const TranslationBatch& batch, const CrossEntropyOptions& options) const override {
    const Index rows = batch.input.dim(0), places = batch.input.dim(1);
    std::vector<std::int32_t> read, wanted;
    for (Index row = 0; row < rows; ++row) {
      for (Index place = 0; place <= places; ++place) {
        const std::int32_t id =
            place == 0 ? batch.input[row * places] : batch.output[row * places + place - 1];
        wanted.push_back(id);
        read.push_back(id == TranslationBatch::nothing ? Vocabulary::pad : id);
      }
    }
    const Shape shape{rows, places + 1};
    const TranslationBatch whole{batch.source, Indices(shape, std::move(read)),
                                 Indices(shape, std::move(wanted))};
    return Transformer::loss(whole, options);
  }
};

/// A decoder layer whose self-attention is called without a mask.
class DecoderLayerWithoutMask : public DecoderLayer {
 public:
  using DecoderLayer::DecoderLayer;
  Var operator()(const Var& x, const Var& memory, const AttentionMask& memory_mask) const override {
    Var y = around_self(x, [&](const Var& z) { return self_attention(z); });
    y = around_cross(y, [&](const Var& z) { return cross_attention(z, memory, memory_mask); });
    return around_feed_forward(y, feed_forward);
  }
};

/// Wrong: the causal mask is forgotten, so that while it learns each target word sees those after it.
class CausalMaskForgotten : public Transformer {
 public:
  CausalMaskForgotten(const TransformerConfig& sizes, Random random) : Transformer(sizes, random) {
    for (std::size_t i = 0; i < decoder.size(); ++i)
      decoder[i] = DecoderLayerWithoutMask(sizes, random, "decoder." + std::to_string(i));
  }
};

/// Wrong: visit() does not name the encoder's and the decoder's layers, as with layers in a plain Python list
/// instead of a ModuleList, so that no optimizer hears of their weights and they stay as they were drawn.
class LayersNotVisited : public Transformer {
 public:
  using Transformer::Transformer;
  void visit(Visitor& visitor) override {
    // All else is visited as ever.
    std::vector<Part<EncoderBlock>> encoder_layers_aside;
    std::vector<Part<DecoderBlock>> decoder_layers_aside;
    encoder_layers_aside.swap(encoder);
    decoder_layers_aside.swap(decoder);
    Transformer::visit(visitor);
    encoder_layers_aside.swap(encoder);
    decoder_layers_aside.swap(decoder);
  }
};

/// Wrong: for the loss, the scores are made one list place by place, as [T, B], and the targets sentence by
/// sentence, as [B, T], so that scores meet the targets of other places and sentences.
class ScoresInAnotherOrder : public Transformer {
 public:
  using Transformer::Transformer;
  Var loss(const TranslationBatch& batch, const CrossEntropyOptions& options) const override {
    AttentionMask padding;
    padding.valid_lengths = batch.source.lengths;
    const Var memory = encode(batch.source);
    const Var scores = logits(decode(batch.input, memory, padding));  // [B, T, V]
    const Index words = batch.output.size(), classes = scores.dim(2);
    const Var by_place = reshape(transpose(scores, Axes{1, 0, 2}), {words, classes});
    const Indices by_sentence(Shape{words},
                              std::vector<std::int32_t>(batch.output.begin(), batch.output.end()));
    return cross_entropy(by_place, by_sentence, options);
  }
};

/// One Adam for all steps of a program. Program has no way to say that training begins anew, so it lives as
/// long as the planted program and its copies, and is a new one only for parameters that are others.
class OneAdam {
 public:
  Adam& of(const Program& program) {
    const Var& first = program.trained.front().variable;
    if (!adam_ || !first.is_same_as(first_)) {
      adam_ = std::make_unique<Adam>(program.trained);
      first_ = first;
    }
    return *adam_;
  }

 private:
  std::unique_ptr<Adam> adam_;
  Var first_;
};

/// Wrong: the learning rate has two zeros too few, such as 0.1 for 0.001.
inline Program program_with_a_huge_rate() {
  Program program = sound_program();
  const auto adam = std::make_shared<OneAdam>();
  program.step = [adam](const Program& own, const std::function<Var()>& loss, double rate) {
    zero_gradients(own.trained);
    backward(loss());
    adam->of(own).step(100 * rate);
  };
  return program;
}

/// Wrong: the loop never sets the gradients to zero, so that each step follows the sum of all gradients so
/// far.
inline Program program_that_keeps_gradients() {
  Program program = sound_program();
  const auto adam = std::make_shared<OneAdam>();
  program.step = [adam](const Program& own, const std::function<Var()>& loss, double rate) {
    backward(loss());
    adam->of(own).step(rate);
  };
  return program;
}

}  // namespace fifth

inline std::vector<Bug> six_common_bugs() {
  return {
      {"the target is not shifted",
       "the decoder is given the very word that it is to write, at the same place: its input is not shifted "
       "against its output. Not: a causal mask that is missing or wrong (it is sound), later words being "
       "seen without a word of the shift or of the own place, overfitting, a source that is not used",
       [] { return sound_program<fifth::TargetNotShifted>(); }},
      {"the causal mask is forgotten",
       "the decoder's self-attention sees later target words while it learns: its causal mask is missing or "
       "does not work. Not: a target that is not shifted (it is), the padding mask, overfitting, a source "
       "that is not used",
       [] { return sound_program<fifth::CausalMaskForgotten>(); }},
      {"the layers are not visited",
       "the weights of the encoder's and the decoder's layers are never updated: visit() does not name them, "
       "or the optimizer does not have them. Not: too small a rate or model, gradients that vanish or are "
       "cut off, a part that does not reach the loss, one side alone",
       [] { return sound_program<fifth::LayersNotVisited>(); }},
      {"scores and targets are flattened in different orders",
       "within the loss, scores are compared with the targets of other places or sentences of the batch: "
       "their orders differ (places by sentences against sentences by places). Not: pairs of the corpus that "
       "do not belong together (they do), targets that are shifted wrongly, a leak, attention or positions, "
       "a source that is not used",
       [] { return sound_program<fifth::ScoresInAnotherOrder>(); }},
      {"the learning rate is a hundred times too high",
       "the steps are far too large: the learning rate is too high. Not: gradients that explode, the "
       "initialization or missing norms as the cause, clipping or warm-up alone without a word of too high a "
       "rate, gradients that are not zeroed, too small a rate",
       fifth::program_with_a_huge_rate},
      {"the gradients are never set to zero",
       "gradients of earlier steps are still there and are added to: zero_gradients() is missing from the "
       "loop. Not: too high a rate, momentum, gradients that explode or a wrong optimizer without a word of "
       "gradients that are kept from step to step",
       fifth::program_that_keeps_gradients},
  };
}

}  // namespace gradual::unseen
