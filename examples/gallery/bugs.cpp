#include "bugs.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <gradual/nn/attention/masks.hpp>
#include <gradual/nn/attention/recorder.hpp>
#include <gradual/nn/text/vocabulary.hpp>

using namespace gradual;

namespace gallery {

OpenAttention::OpenAttention(const AttentionLayerSettings& settings, Random random)
    : heads_(settings.heads),
      name_(settings.name),
      queries_(settings.width, settings.width, random.split()),
      keys_(settings.width, settings.width, random.split()),
      values_(settings.width, settings.width, random.split()),
      output_(settings.width, settings.width, random.split()) {}

void OpenAttention::visit(Visitor& visitor) {
  visitor("queries", queries_);
  visitor("keys", keys_);
  visitor("values", values_);
  visitor("output", output_);
}

Var OpenAttention::operator()(const Var& x, const Var& memory, const AttentionMask& mask) const {
  const Index d = x.dim(2) / heads_;
  const Var q = queries_(x), k = keys_(memory), v = values_(memory);
  std::vector<Var> heads;        // [B, T, d] of each
  std::vector<Tensor> recorded;  // [B, 1, T, S] of each
  for (Index h = 0; h < heads_; ++h) {
    const auto head = [&](const Var& all) { return slice(all, 2, h * d, (h + 1) * d); };
    const Var w = weights(scores(head(q), head(k)), mask);
    heads.push_back(matmul(w, head(v)));
    recorded.push_back(w.value().with_shape({w.dim(0), 1, w.dim(1), w.dim(2)}));
  }
  if (AttentionRecorder* recorder = AttentionRecorder::current())
    recorder->add(name_, concat(recorded, 1),
                  x.is_same_as(memory) ? AttentionTo::itself : AttentionTo::source);
  return output_(concat(heads, 2));
}

Var OpenAttention::scores(const Var& queries, const Var& keys) const {
  return matmul(queries, keys, {false, true}) / std::sqrt(static_cast<Real>(queries.dim(2)));
}

Var OpenAttention::weights(const Var& scores, const AttentionMask& mask) const {
  return masked_softmax(scores, mask);
}

namespace {

// ---- Attention

struct NoCausalMask : OpenAttention {
  using OpenAttention::OpenAttention;
  Var weights(const Var& scores, const AttentionMask& mask) const override {
    AttentionMask seen = mask;
    seen.causal = false;
    return masked_softmax(scores, seen);
  }
};

struct MaskOffByOne : OpenAttention {
  using OpenAttention::OpenAttention;
  Var weights(const Var& scores, const AttentionMask& mask) const override {
    if (!mask.causal) return masked_softmax(scores, mask);
    const Index queries = scores.dim(1), keys = scores.dim(2);
    Tensor hidden = Tensor::zeros({queries, keys});
    for (Index i = 0; i < queries; ++i)
      for (Index j = i + keys - queries + 2; j < keys; ++j)  // instead of + 1
        hidden.mutable_data()[i * keys + j] = -std::numeric_limits<Real>::infinity();
    return softmax(scores + hidden);
  }
};

struct PaddingAttended : OpenAttention {
  using OpenAttention::OpenAttention;
  Var weights(const Var& scores, const AttentionMask& mask) const override {
    AttentionMask seen = mask;
    seen.valid_lengths = Indices();
    return masked_softmax(scores, seen);
  }
};

struct NoRoot : OpenAttention {
  using OpenAttention::OpenAttention;
  Var scores(const Var& queries, const Var& keys) const override {
    return matmul(queries, keys, {false, true});
  }
};

// [B, T, S] to [B, 1, S]: what keeps exp() finite, and changes nothing where queries compete.
Tensor largest_of_keys(const Tensor& scores) {
  const Index queries = scores.dim(1), keys = scores.dim(2);
  Tensor largest = Tensor::full({scores.dim(0), 1, keys}, -std::numeric_limits<Real>::max());
  Real* const all = largest.mutable_data();
  for (Index i = 0; i < scores.size(); ++i) {
    Real& of_key = all[i / (queries * keys) * keys + i % keys];
    of_key = std::max(of_key, scores.data()[i]);
  }
  return largest;
}

struct SoftmaxOverQueries : OpenAttention {
  using OpenAttention::OpenAttention;
  Var weights(const Var& scores, const AttentionMask& mask) const override {
    Tensor seen = masked_softmax(Var(Tensor::zeros(scores.shape())), mask).value();
    for (Real* each = seen.mutable_data(); each != seen.data() + seen.size(); ++each)
      *each = *each > 0 ? 1 : 0;
    const Var e = exp(scores - largest_of_keys(scores.value())) * seen;
    return e / (sum(e, {1}, Axis::kept) + Real(1e-9));  // instead of {2}
  }
};

template <class Own>
void use_attention(Setup& setup) {
  setup.attention = [](const AttentionLayerSettings& settings, Random random) {
    return Own(settings, random);
  };
}

void no_positions(Setup& setup) { setup.config.positions = "none"; }

// ---- Another part of the model

// It forgets to ask whether the model is in training.
struct AlwaysDropping : Layer {
  AlwaysDropping(const FeedForwardSizes& sizes, Random with)
      : network(sizes.width, sizes.inner_width, Activation::relu, 0, with.split()), random(with.split()) {}
  void visit(Visitor& visitor) override { visitor("network", network); }
  Var operator()(const Var& x) const override {
    Tensor kept(x.shape());
    for (Index i = 0; i < kept.size(); ++i)
      kept.mutable_data()[i] = random.uniform() < 0.3 ? Real(0) : Real(1 / 0.7);
    return network(x) * kept;
  }
  FeedForward network;
  mutable Random random;
};

void dropout_in_evaluation(Setup& setup) {
  setup.feed_forward = [](const FeedForwardSizes& sizes, Random random) {
    return AlwaysDropping(sizes, random);
  };
}

// ---- The loss

AttentionMask padding_of(const TranslationBatch& batch) {
  AttentionMask mask;
  mask.valid_lengths = batch.source.lengths;
  return mask;
}

// The words to say, with padding where there is nothing to say.
Indices with_padding(const Indices& output) {
  std::vector<std::int32_t> words(output.begin(), output.end());
  for (std::int32_t& word : words)
    if (word == TranslationBatch::nothing) word = Vocabulary::pad;
  return {output.shape(), std::move(words)};
}

struct PaddingInLoss : Transformer {
  using Transformer::Transformer;
  Var loss(const TranslationBatch& batch, const CrossEntropyOptions& options) const override {
    return Transformer::loss({batch.source, batch.input, with_padding(batch.output)}, options);
  }
};

struct DetachedEncoder : Transformer {
  using Transformer::Transformer;
  Var loss(const TranslationBatch& batch, const CrossEntropyOptions& options) const override {
    const Var memory = encode(batch.source).detached();
    return cross_entropy(logits(decode(batch.input, memory, padding_of(batch))), batch.output, options);
  }
};

template <class Own>
void use_model(Setup& setup) {
  setup.model = [](const TransformerConfig& config, Random random) {
    return std::make_unique<Own>(config, random);
  };
}

// ---- The data and the training

void target_not_shifted(Setup& setup) {
  setup.batch = [](TranslationBatch batch) {
    batch.input = with_padding(batch.output);
    return batch;
  };
}

void gradients_not_zeroed(Setup& setup) {
  setup.step = [](const std::vector<NamedParameter>& parameters, Optimizer& optimizer,
                  const std::function<Var()>& loss, double rate) {
    backward(loss());
    optimizer.step(rate, clipping_scale(gradient_norm(parameters), 1));
  };
}

void no_warm_up(Setup& setup) {
  setup.schedule.warmup = 0;
  setup.schedule.decay = Decay::constant;
  setup.schedule.peak *= 3;
}

}  // namespace

const std::vector<Bug>& all_bugs() {
  static const std::vector<Bug> bugs{
      {"no-causal-mask", "No causal mask", use_attention<NoCausalMask>, "leaks", "no causal mask",
       "The loss falls far below that of the sound model, and the translations are empty or nonsense. In the "
       "map of "
       "the decoder there is weight above the diagonal.",
       "Each word reads the next one, which is the answer. When the model writes, there is no next word.",
       "decoder.0.self_attention"},
      {"mask-off-by-one", "A mask off by one", use_attention<MaskOffByOne>, "leaks", "off by one",
       "As without a mask, but the map has weight in one diagonal only beside its own half.",
       "One word too many is enough to give the answer away.", "decoder.0.self_attention"},
      {"padding-attended", "Padding attended", use_attention<PaddingAttended>, "leaks", "padding",
       "The curve looks sound. In the map of the encoder the columns behind the end have weight; what a "
       "sentence becomes depends on what else is in its batch.",
       "Padding has an embedding like any word, and nobody said that it does not count.",
       "encoder.0.self_attention"},
      {"padding-in-the-loss", "Padding in the loss", use_model<PaddingInLoss>, "padding costs nothing",
       "Padding counts in the loss", "The loss is too good from the start: many of its places are easy.",
       "After the end comes padding, always. The mean over all places is not the mean over the words.",
       "decoder.1.cross_attention"},
      {"no-root", "No √d", use_attention<NoRoot>, "spread of scores", "√d",
       "It learns, only worse. At the start the maps are nearly black and white, each query looks at one "
       "key.",
       "Scores that are √d times too large make the softmax choose, and where it has chosen it has no slope.",
       "encoder.0.self_attention"},
      {"softmax-over-queries", "A softmax over queries", use_attention<SoftmaxOverQueries>,
       "weights sum to 1", "over the queries",
       "The columns of the map sum to 1, not its rows. The loss falls, and the translations are poor.",
       "Along the wrong axis the queries compete for a key. When words are written one by one, there is one "
       "query alone, and it gets everything.",
       "encoder.0.self_attention"},
      {"no-positions", "No positions", no_positions, "order is seen", "positions",
       "The loss stays above that of the sound model; the right words come in a wrong order.",
       "The encoder sees a heap of words. Only the causal mask tells the decoder something of order.",
       "encoder.0.self_attention"},
      {"target-not-shifted", "A target that is not shifted", target_not_shifted, "target is shifted",
       "not shifted",
       "The loss goes to nearly 0 within a minute. The translations repeat a word, or are empty.",
       "The model is given the word that it must say, and learns to copy it.", "decoder.0.self_attention"},
      {"dropout-in-evaluation", "Dropout in evaluation", dropout_in_evaluation, "two evaluations are equal",
       "dropout", "The held-out loss is too high, and another one each time.",
       "A layer drops without asking whether the model is in training.", "decoder.1.cross_attention"},
      {"gradients-not-zeroed", "Gradients that are not zeroed", gradients_not_zeroed, "same batch twice",
       "not set to zero", "The loss falls, overshoots, and swings.",
       "Each step follows the sum of all gradients so far: momentum that never fades.",
       "decoder.1.cross_attention"},
      {"detached-encoder", "A detached encoder", use_model<DetachedEncoder>, "dead paths",
       "source_embedding.weight learns nothing",
       "It learns more slowly. The encoder's weights are those of the first step.",
       "Its result is taken as a constant, so no gradient comes back to it. The decoder makes the best of "
       "words that were encoded by chance.",
       "encoder.1.self_attention"},
      {"no-warm-up", "A rate without warm-up", no_warm_up, "rate at the start", "warm-up",
       "The loss falls to that of the commonest words, and from there only slowly.",
       "The rate is three times that of the sound model; with a warm-up it learns. The first steps of Adam "
       "are all of one length, however unsure their direction is. At a high rate they ruin the model before "
       "it has begun.",
       "decoder.1.cross_attention"},
  };
  return bugs;
}

}  // namespace gallery
