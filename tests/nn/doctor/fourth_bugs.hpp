// Six more mistakes, the fourth six: one of the data, two of the model, one each of the loss, the optimizer
// and the loop. Whoever wrote them down, with what a right diagnosis must say, had not read the doctor, and
// nobody had run it on them. What is named beside each is where such a mistake was made, reported or asked
// about in public.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "more_bugs.hpp"

namespace gradual::unseen {

/// A sound program, but for the configuration of its model.
template <class Change>
Program program_configured(const Change& change) {
  Program program = sound_program();
  TransformerConfig config = dynamic_cast<const Transformer&>(*program.model).config();
  change(config);
  program.model = std::make_shared<Transformer>(config, Random(1));
  program.source_words = config.source_vocabulary;
  program.target_words = config.target_vocabulary;
  program.trained = parameters(*program.model);
  return program;
}

// 1. Data. English sentences are looked up in the French vocabulary, which has few words of theirs: full
// stops, names and the like. All others become the unknown token, so that a source says next to nothing.
// https://github.com/tensorflow/tensor2tensor/issues/380

inline Program source_in_the_targets_vocabulary() {
  const ToyCorpus corpus = make_toy_corpus(1, 320, 0, 0);  // that of sound_program()
  ListStream<SentencePair> stream(corpus.train);
  Program program = program_configured([](TransformerConfig& config) {
    config.source_vocabulary = config.target_vocabulary;  // or ids could lie outside the table
  });
  const Translator text = learn_translator(dynamic_cast<const Transformer&>(*program.model).config(), stream);
  for (std::size_t i = 0; i < program.pairs.size(); ++i)
    program.pairs[i].source = text.target().encode(corpus.train[i].source);
  return program;
}

// 2. Model, as it is configured. Dropout of 0.9, by somebody who knows the number as the share that is kept.
// https://github.com/hassony2/kinetics_i3d_pytorch/issues/6,
// https://github.com/piergiaj/pytorch-i3d/issues/58

inline void drop_what_should_be_kept(TransformerConfig& config) { config.dropout = 0.9; }

// 3. Model, as it is built. A ReLU after the last layer, as after all layers before it: no score is below 0,
// and a word whose score would be gets no gradient, even where it is the right one.
// https://github.com/pytorch/tutorials/issues/1526, https://github.com/huyng/tensorflow-vgg/issues/13

struct ReluOnScores : Transformer {
  using Transformer::Transformer;
  Var loss(const TranslationBatch& batch, const CrossEntropyOptions& options) const override {
    const Var decoded = decode(batch.input, encode(batch.source), padding_of(batch));
    return cross_entropy(relu(logits(decoded)), batch.output, options);
  }
  // The same when it writes.
  bool takes_shortlists() const override { return false; }
  Tensor next(const Indices& ids, TranslationModel::State& state) const override {
    return relu(Transformer::next(ids, state));
  }
  TopClasses next_best(const Indices& ids, TranslationModel::State& state, Index count,
                       const std::vector<std::int32_t>& excluded) const override {
    return TranslationModel::next_best(ids, state, count, excluded);
  }
};

// 4. Loss. The scores are [T, B, V], as many a library's transformer gives them, the targets [B, T], and both
// are made flat for the loss with view(-1, V) and view(-1). The shapes fit, but a place's scores meet the
// target of another place, mostly of another sentence. A batch of one sentence is sound.
// https://github.com/bentrevett/pytorch-seq2seq/issues/94 asks about the two orders.

struct ScoresByTime : Transformer {
  using Transformer::Transformer;
  Var loss(const TranslationBatch& batch, const CrossEntropyOptions& options) const override {
    const Var scores = logits(decode(batch.input, encode(batch.source), padding_of(batch)));  // [B, T, V]
    const Index B = scores.dim(0), T = scores.dim(1), V = scores.dim(2);
    const Var by_time = transpose(scores, {1, 0, 2});  // [T, B, V]
    return cross_entropy(reshape(by_time, {B * T, V}),
                         Indices({B * T}, {batch.output.begin(), batch.output.end()}), options);
  }
};

// 5. Optimizer. Plain gradient descent, without momentum, at the rate of an Adam: for a transformer's
// gradients it is far too low. https://github.com/graykode/nlp-tutorial/issues/76 recommends it;
// https://github.com/MIRACLE-Center/YOLO_Universal_Anatomical_Landmark_Detection/issues/1

inline void step_of_plain_descent(const Program& program, const std::function<Var()>& loss, double rate) {
  Sgd sgd(program.trained);  // it remembers nothing, so this is the same as one for all steps
  zero_gradients(program.trained);
  backward(loss());
  sgd.step(rate);
}

// 6. Loop. A scheduler that was meant to take 5% off the rate after each epoch is called after each batch:
// after 45 steps the rate is a tenth of what it should be, after 135 a thousandth.
// https://github.com/ivadomed/ivadomed/pull/55, https://github.com/pytorch/tutorials/pull/640

class SchedulerOfBatches {
 public:
  void step(const Program& program, const std::function<Var()>& loss, double rate) {
    // One Adam and one scheduler for all steps of a run. Whoever puts the parameters back begins a new run.
    if (!adam_ || values_of(program) != left_) {
      adam_ = std::make_unique<Adam>(program.trained);
      factor_ = 1;
    }
    zero_gradients(program.trained);
    backward(loss());
    adam_->step(rate * factor_);
    factor_ *= 0.95;  // the mistake: here, not after an epoch
    left_ = values_of(program);
  }

 private:
  using Values = std::vector<std::vector<Real>>;
  static Values values_of(const Program& program) {
    Values values;
    for (const NamedParameter& each : program.trained) values.push_back(each.variable.value().to_vector());
    return values;
  }

  std::unique_ptr<Adam> adam_;
  double factor_ = 1;
  Values left_;  // by the last step
};

inline std::vector<Bug> six_later_bugs() {
  return {
      // Not right: that the model does not read its source, or a fault of the encoder or of attention.
      {"a source in the target's vocabulary",
       "the data: nearly all words of the sources are the unknown token, or one and the same token, so that "
       "the sources do not say what to write; the vocabulary or the encoding of the source is wrong",
       [] { return source_in_the_targets_vocabulary(); }},
      // Not right: that the model is too small, or its rate too low or too high.
      {"dropout of what should be kept",
       "dropout: far too much is dropped, 0.9 of it; without dropout the model learns",
       [] { return program_configured(drop_what_should_be_kept); }},
      // Not right: that one batch cannot be learnt by heart, without a word of the output or the scores.
      {"a relu on the scores",
       "the output, between the last layer and the softmax: scores cannot be negative, a ReLU or another "
       "function cuts them off, or words with scores below 0 get no gradient",
       [] { return sound_program<ReluOnScores>(); }},
      // Not right: that sources and targets are no translations of each other, or that a layer of the model
      // mixes places or sentences.
      {"scores by time, targets by sentence",
       "the loss: scores are compared with the targets of other places or other sentences, or the loss of a "
       "sentence depends on those beside it though the model's layers keep them apart; the axes of time and "
       "batch are exchanged",
       [] { return sound_program<ScoresByTime>(); }},
      // Not right: that its averages begin anew, or a fault of the model, its loss or its data.
      {"plain descent at Adam's rate",
       "the loop's or the optimizer's steps are far too short: plain gradient descent in the place of Adam, "
       "or a rate that is far too low for it; nothing is wrong with the model, its loss or its data",
       [] {
         Program program = sound_program();
         program.step = step_of_plain_descent;
         return program;
       }},
      // Not right: that the rate is too low, without a word of its fall; or a fault of the model, its loss or
      // its data.
      {"a scheduler called after each batch",
       "the loop's steps grow shorter and shorter, or learning stops after some dozens of steps: the rate "
       "that the loop really uses falls with each step; nothing is wrong with the model, its loss or its "
       "data",
       [] {
         Program program = sound_program();
         program.step = [loop = std::make_shared<SchedulerOfBatches>()](
                            const Program& own, const std::function<Var()>& loss, double rate) {
           loop->step(own, loss, rate);
         };
         return program;
       }},
  };
}

}  // namespace gradual::unseen
