// Six more mistakes, one of each place where people make them: the data, the embedding, attention, a layer,
// the loss and the training loop. Whoever wrote them down, with what a right diagnosis must say, had not read
// the doctor. Each was reported or explained in public.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include <gradual/nn/attention/multi_head.hpp>
#include <gradual/nn/text/vocabulary.hpp>

#include "reported_bugs.hpp"

namespace gradual::unseen {

/// The same table of ids, each of them changed.
template <class Change>
Indices each_id(const Indices& ids, const Change& change) {
  std::vector<std::int32_t> changed;
  for (const std::int32_t id : ids) changed.push_back(change(id));
  return {ids.shape(), std::move(changed)};
}

// 1. A decoder that is trained on a table of zeros, as a placeholder for the words so far. When it writes, it
// is given these words.
// https://openillumi.com/en/en-pytorch-transformer-multidim-output-same-fix

struct ZerosForTheDecoder : Transformer {
  using Transformer::Transformer;
  Var loss(const TranslationBatch& batch, const CrossEntropyOptions& options) const override {
    TranslationBatch fed = batch;
    fed.input = each_id(batch.input, [](std::int32_t) { return 0; });
    return Transformer::loss(fed, options);
  }
};

// 2. Embeddings that begin normal with deviation 1, as elsewhere by default, where they are the output's
// weights too and are multiplied by √D when they are read.
// https://github.com/pytorch/pytorch/issues/3121, https://github.com/huggingface/transformers/pull/26441

inline void begin_with_deviation_one(Embedding& table) {
  Random random(7);
  Tensor values = Tensor::zeros(table.weight.shape());
  for (Index i = 0; i < values.size(); ++i) values.mutable_data()[i] = static_cast<Real>(random.normal());
  table.weight = Var::parameter(values);
}

// 3. A mask of -∞ for all pairs of query and key one of which is padding: padding as a query then sees no key
// at all, and its softmax, written out, is 0/0. No word reads what comes of it, so the first loss is finite;
// its gradient is not.
// https://github.com/pytorch/pytorch/issues/41508,
// https://github.com/jadore801120/attention-is-all-you-need-pytorch/issues/5

struct QueriesOfPaddingMasked : InvertedPadding {
  using InvertedPadding::InvertedPadding;  // for its projections
  using InvertedPadding::operator();
  Var operator()(const Var& x, const Var& memory, const AttentionMask& mask) const override {
    const Index B = x.dim(0), T = x.dim(1), S = memory.dim(1), d = x.dim(2) / heads;
    Tensor hidden = Tensor::zeros({B, T, S});
    for (Index b = 0; b < B; ++b)
      for (Index t = 0; t < T; ++t)
        for (Index s = 0; s < S; ++s)
          if (std::max(s, t) >= mask.valid_lengths[b])
            hidden.mutable_data()[(b * T + t) * S + s] = -std::numeric_limits<Real>::infinity();
    const Var q = queries(x), k = keys(memory), v = values(memory);
    std::vector<Var> results;
    for (Index h = 0; h < heads; ++h) {
      const auto head = [&](const Var& all) { return slice(all, 2, h * d, (h + 1) * d); };
      const Var scores = matmul(head(q), head(k), {false, true}) / std::sqrt(static_cast<Real>(d));
      const Var e = exp(scores + hidden);
      results.push_back(matmul(e / sum(e, {2}, Axis::kept), head(v)));
    }
    return output(concat(results, 2));
  }
};

// 4. A layer that is made where it is called, so that it is a new one each time and never learns: the last
// one of each attention. https://github.com/graykode/nlp-tutorial/issues/29

struct OutputMadeAtEachCall : MultiHeadAttention {
  OutputMadeAtEachCall(Index width, Index heads, Random from)
      : MultiHeadAttention(width, heads, 0, from), random(from.split()) {}
  void visit(Visitor& visitor) override {
    visitor("weight", weight);
    visitor("bias", bias);
  }
  Var operator()(const Var& x, const AttentionMask& mask) const override { return with_output()(x, mask); }
  Var operator()(const Var& x, const Var& memory, const AttentionMask& mask) const override {
    return with_output()(x, memory, mask);
  }
  Var next(const Var& x, KeyValueCache& cache) const override { return with_output().next(x, cache); }
  Var attend(const Var& x, const KeyValueCache& memory, const Indices& lengths) const override {
    return with_output().attend(x, memory, lengths);
  }
  MultiHeadAttention with_output() const {
    MultiHeadAttention one = *this;
    one.output = Linear(output.weight.dim(1), output.weight.dim(0), random.split());
    return one;
  }

  mutable Random random;
};

// 5. A loss that does not count padding, for which the end token was chosen: so it counts no end either, and
// no sentence is ever ended. https://github.com/mlabonne/llm-course/issues/33,
// https://github.com/huggingface/blog/issues/1302

struct EndIsPadding : Transformer {
  using Transformer::Transformer;
  Var loss(const TranslationBatch& batch, const CrossEntropyOptions& options) const override {
    TranslationBatch filled = batch;
    filled.output = each_id(
        batch.output, [](std::int32_t id) { return id == TranslationBatch::nothing ? Vocabulary::eos : id; });
    CrossEntropyOptions without_padding = options;
    without_padding.ignored = Vocabulary::eos;
    return Transformer::loss(filled, without_padding);
  }
};

// 6. An optimizer that is made inside the loop: each step is the first step of a new Adam, which is as long
// for a small gradient as for a large one, and remembers nothing.
// https://github.com/Wangyixinxin/ACN/issues/9, https://github.com/haydnv/tinychain/pull/51

inline void step_of_a_new_optimizer(const Program& program, const std::function<Var()>& loss, double rate) {
  Adam adam(program.trained);
  zero_gradients(program.trained);
  backward(loss());
  adam.step(rate);
}

inline std::vector<Bug> six_more_bugs() {
  return {
      {"zeros for the decoder",
       "the decoder does not see the words so far: its input is the same whatever they are",
       [] { return sound_program<ZerosForTheDecoder>(); }},
      {"embeddings of deviation one",
       "the loss before the first step is far above ln V, that of chance: the scores, or the embeddings that "
       "make them, begin too large",
       [] {
         return program_with([](Transformer& model) {
           begin_with_deviation_one(model.source_embedding);
           begin_with_deviation_one(model.target_embedding);
         });
       }},
      {"queries of padding masked",
       "NaN, which first arises in the encoder's self-attention, or where all keys of a query are masked",
       [] {
         return program_with([](Transformer& model) {
           model.encoder[0].as<EncoderLayer>().self_attention = QueriesOfPaddingMasked(16, 2, Random(3));
         });
       }},
      {"a layer made at each call",
       "a layer draws new weights at each call: one batch has another loss each time though nothing is "
       "dropped, or the output of attention has no parameters",
       [] {
         return program_with([](Transformer& model) {
           auto& decoder = model.decoder[0].as<DecoderLayer>();
           model.encoder[0].as<EncoderLayer>().self_attention = OutputMadeAtEachCall(16, 2, Random(3));
           decoder.self_attention = OutputMadeAtEachCall(16, 2, Random(4));
           decoder.cross_attention = OutputMadeAtEachCall(16, 2, Random(5));
         });
       }},
      {"an end that is padding",
       "the end of a sentence is not learnt: the loss does not count the end token, as if it were padding",
       [] { return sound_program<EndIsPadding>(); }},
      {"an optimizer made at each step",
       "the loop's steps are not those of one Adam: its averages begin anew at each step; nothing is wrong "
       "with the model, its loss or its data",
       [] {
         Program program = sound_program();
         program.step = step_of_a_new_optimizer;
         return program;
       }},
  };
}

}  // namespace gradual::unseen
