#include <gradual/nn/doctor/doctor.hpp>

#include <cmath>
#include <limits>
#include <utility>

#include <gradual/nn/attention/masks.hpp>

#include "../../../examples/gallery/bugs.hpp"
#include "support/catch.hpp"
#include "unseen_bugs.hpp"

using namespace gradual;
using unseen::padding_of;

namespace {

// Each query sees its own key and those after it.
struct MaskReversed : gallery::OpenAttention {
  using OpenAttention::OpenAttention;
  Var weights(const Var& scores, const AttentionMask& mask) const override {
    if (!mask.causal) return masked_softmax(scores, mask);
    const Index queries = scores.dim(1), keys = scores.dim(2);
    Tensor hidden = Tensor::zeros({queries, keys});
    for (Index i = 0; i < queries; ++i)
      for (Index j = 0; j < i; ++j)
        hidden.mutable_data()[i * keys + j] = -std::numeric_limits<Real>::infinity();
    return softmax(scores + hidden);
  }
};

// The mean over sentences of the mean over the words of each.
struct MeanOfMeans : Transformer {
  using Transformer::Transformer;
  Var loss(const TranslationBatch& batch, const CrossEntropyOptions& options) const override {
    const Var decoded = decode(batch.input, encode(batch.source), padding_of(batch));
    const Index B = batch.input.dim(0), T = batch.input.dim(1);
    Var sum;
    for (Index b = 0; b < B; ++b) {
      const Indices words({1, T}, {batch.output.begin() + b * T, batch.output.begin() + (b + 1) * T});
      const Var one = cross_entropy(logits(slice(decoded, 0, b, b + 1)), words, options);
      sum = b == 0 ? one : sum + one;
    }
    return sum / static_cast<Real>(B);
  }
};

// The last word of each sentence, its end, is worth nothing.
struct FirstWordTwice : Transformer {
  using Transformer::Transformer;
  Var loss(const TranslationBatch& batch, const CrossEntropyOptions& options) const override {
    TranslationBatch first = batch;
    std::vector<std::int32_t> output(batch.output.begin(), batch.output.end());
    for (std::size_t i = 0; i < output.size(); ++i)
      if (static_cast<Index>(i) % batch.input.dim(1) != 0) output[i] = TranslationBatch::nothing;
    first.output = Indices(batch.output.shape(), output);
    return (Transformer::loss(batch, options) + Transformer::loss(first, options)) / 2;
  }
};

// Half of the way back to the encoder is cut, so its gradient is half of what it must be.
struct HalfDetached : Transformer {
  using Transformer::Transformer;
  Var loss(const TranslationBatch& batch, const CrossEntropyOptions& options) const override {
    const Var memory = encode(batch.source);
    const Var half = (memory + memory.detached()) / 2;
    return cross_entropy(logits(decode(batch.input, half, padding_of(batch))), batch.output, options);
  }
};

// Sources lose their last word on the way into the model.
struct SourceCut : Transformer {
  using Transformer::Transformer;
  Var loss(const TranslationBatch& batch, const CrossEntropyOptions& options) const override {
    std::vector<std::int32_t> lengths;
    for (const std::int32_t length : batch.source.lengths) lengths.push_back(length - 1);
    const SourceBatch shorter{batch.source.ids, Indices(batch.source.lengths.shape(), lengths)};
    return Transformer::loss({shorter, batch.input, batch.output}, options);
  }
};

// A word that never comes has the share 0, whose logarithm is -∞.
struct LogarithmOfNothing : Transformer {
  using Transformer::Transformer;
  Var loss(const TranslationBatch& batch, const CrossEntropyOptions& options) const override {
    const Var loss = Transformer::loss(batch, options);
    return loss + sum(log(loss * Real(0)));
  }
};

Finding cause_with(const std::function<void(gallery::Setup&)>& plant) {
  gallery::Setup setup;
  plant(setup);
  gallery::Training training(setup);
  const Diagnosis diagnosis = examine(training.patient());
  INFO(diagnosis.text());
  REQUIRE_FALSE(diagnosis.is_sound());
  return diagnosis.cause();
}

template <class Model>
Finding cause_of_model() {
  return cause_with([](gallery::Setup& setup) {
    setup.model = [](const TransformerConfig& config, Random random) {
      return std::make_unique<Model>(config, random);
    };
  });
}

}  // namespace

TEST_CASE("doctor: a causal mask the wrong way round is told from a missing one", "[long]") {
  const Finding cause = cause_with([](gallery::Setup& setup) {
    setup.attention = [](const AttentionLayerSettings& settings, Random random) {
      return MaskReversed(settings, random);
    };
  });
  CHECK(cause.experiment == "leaks");
  CHECK_THAT(cause.cause, Contains("the wrong way round"));
}

TEST_CASE("doctor: a loss that is another mean than that over the words", "[long]") {
  Finding cause = cause_of_model<MeanOfMeans>();
  CHECK(cause.experiment == "words count alike");
  CHECK_THAT(cause.cause, Contains("no mean over words"));
  cause = cause_of_model<FirstWordTwice>();
  CHECK(cause.experiment == "words count alike");
}

TEST_CASE("doctor: a loss that is no number, with the operation that made it") {
  const Finding cause = cause_of_model<LogarithmOfNothing>();
  CHECK(cause.experiment == "loss is finite");
  CHECK_THAT(cause.cause, Contains("no number before the first step") && Contains("log"));
}

TEST_CASE("doctor: a gradient that is half the slope, though no parameter is without one", "[long]") {
  const Finding cause = cause_of_model<HalfDetached>();
  CHECK(cause.experiment == "gradient is the slope");
  CHECK_THAT(cause.cause, Contains("The gradient is not the slope of the loss"));
}

TEST_CASE("doctor: a source that is cut", "[long]") {
  const Finding cause = cause_of_model<SourceCut>();
  CHECK(cause.experiment == "every word is read");
  CHECK_THAT(cause.cause, Contains("of the sources makes no difference"));
}
