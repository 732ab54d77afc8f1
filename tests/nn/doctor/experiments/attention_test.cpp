#include <cmath>

#include <gradual/autograd/operations.hpp>
#include <gradual/core/error.hpp>
#include <gradual/nn/attention/recorder.hpp>

#include "cases.hpp"

namespace gradual::experiments::attention_test {

namespace {

// Two sentences of three words on either side.
const TranslationBatch pairs =
    batch_of({{3, 4, 2}, {4, 2, 0}}, {3, 2}, {{1, 5, 6}, {1, 6, 5}}, {{5, 6, 2}, {6, 5, 2}});

// What a model says of attention that has these weights.
std::optional<Answer> of_weights_of(const char* name, const std::vector<RecordedAttention>& layers,
                                    const TranslationBatch& batch = pairs, Index source_words = 9) {
  Patient patient = patient_with({batch}, source_words, 9);
  patient.loss = [layers](const TranslationBatch&) {
    for (const RecordedAttention& each : layers)
      if (auto* recorder = AttentionRecorder::current()) recorder->add(each.layer, each.weights, each.to);
    return Var(Tensor::scalar(1));
  };
  return asked(of_attention(), name, patient);
}

std::optional<Answer> sums_of(const Shape& shape, const std::vector<Real>& weights) {
  return of_weights_of("weights sum to 1", {{"decoder.0.self", Tensor(shape, weights)}});
}

// The softmax of these scores, in one head for each row of so many.
Tensor softmax_of(const Shape& shape, const std::vector<Real>& scores) {
  return softmax(Var(Tensor(shape, scores))).value();
}

Answer spread_of(const Tensor& weights) {
  return of_weights_of("spread of scores", {{"decoder.0.self", weights}}).value();
}

// Weights that are 1 where a query may see a key, of two sentences with one head.
Tensor seen(Index T, Index S, const std::function<bool(Index b, Index t, Index s)>& may) {
  Tensor weights({2, 1, T, S});
  for (Index i = 0; i < weights.size(); ++i)
    weights.mutable_data()[i] = may(i / (T * S), i / S % T, i % S) ? 1 : 0;
  return weights;
}

std::string hidden_in(const std::string& layer, const Tensor& weights, AttentionTo to,
                      const TranslationBatch& batch = pairs, Index source_words = 9) {
  return of_weights_of("nothing is hidden", {{layer, weights, to}}, batch, source_words).value().cause;
}

}  // namespace

TEST_CASE("attention: the weights of a query sum to 1, but for a thousandth") {
  CHECK_FALSE(of_weights_of("weights sum to 1", {}).has_value());
  const Answer sound = sums_of({1, 1, 2, 2}, {0.5, 0.5, 1, 0}).value();
  CHECK(sound.cause.empty());
  CHECK(sound.evidence == "the weights of a query sum to 1 but for 0 at most, of 1 layers");
  CHECK(sums_of({1, 1, 2, 2}, {0.5, 0.5, 0, 0}).value().cause.empty());  // who may see nothing
  CHECK(sums_of({1, 1, 2, 2}, {0.5, 0.5, 0.5, Real(0.5009)}).value().cause.empty());
  CHECK(sums_of({1, 1, 2, 2}, {0.5, 0.5, 0.5, Real(0.4991)}).value().cause.empty());
  for (const double last : {0.5011, 0.4989})
    CHECK(sums_of({1, 1, 2, 2}, {0.5, 0.5, 0.5, static_cast<Real>(last)}).value().cause ==
          "The weights of a query do not sum to 1, in decoder.0.self.");
  // In each row, head and sentence; of three layers, the worst.
  for (std::size_t place = 0; place < 16; ++place) {
    std::vector<Real> weights(16, 0.5);
    weights[place] = 0.75;
    CHECK_THAT(sums_of({2, 2, 2, 2}, weights).value().evidence, Contains("but for 0.25 at most"));
  }
  const auto layer = [](const char* name, Real last) {
    return RecordedAttention{name, Tensor({1, 1, 1, 2}, {0.5, last})};
  };
  const Answer worst =
      of_weights_of("weights sum to 1", {layer("a", 0.75), layer("b", 1), layer("c", 0.5)}).value();
  CHECK(worst.evidence == "the weights of a query sum to 1 but for 0.5 at most, of 3 layers");
  CHECK_THAT(worst.cause, Contains("in b."));
}

TEST_CASE("attention: sums that are 1 over the queries, and sums that a mask has made less") {
  CHECK(sums_of({1, 1, 2, 3}, {0.25, 0.5, 0.125, 0.75, 0.5, 0.875}).value().cause ==
        "The softmax goes over the queries: the weights of each key sum to 1, in decoder.0.self.");
  const auto masked = [](const std::vector<Real>& weights) {
    const Answer answer = sums_of({1, 1, 2, 3}, weights).value();
    return answer.cause.find("A mask comes after the softmax, in decoder.0.self") == 0;
  };
  CHECK(masked({0.25, 0.25, 0, 0.25, 0.25, 0.5}));
  CHECK(masked({0.25, 0, 0, 0.25, 0.25, 0.5}));
  CHECK_FALSE(masked({0.25, 0.25, 0.125, 0.25, 0.25, 0.5}));  // less, though nothing is 0
  CHECK_FALSE(masked({0.25, 0.25, 0, 0.5, 0.25, 0.5}));       // and more
  CHECK(masked({0.25, 0.25, 0, 0.25, 0.25, Real(0.5009)}));   // a thousandth is nothing
  CHECK_FALSE(masked({0.25, 0.25, 0, 0.25, 0.25, Real(0.5011)}));
  CHECK(masked({0.25, 0.25, 0, 0.25, 0.25, Real(0.4991)}));
  CHECK_FALSE(masked({0.25, 0.25, 0, 0.25, 0.25, Real(0.4989)}));
}

TEST_CASE("attention: scores of a query differ by their deviation, 2.2 at most") {
  // Of -a, 0 and a the deviation is a; of equal ones, 0, and the entropy is ln 3.
  const Answer open = spread_of(softmax_of({1, 1, 1, 3}, {1, 1, 1}));
  CHECK(open.cause.empty());
  CHECK_THAT(open.evidence, Contains("the entropy of its weights is 1.09861 of 1.09861"));
  const auto of_size = [](Real a) { return spread_of(softmax_of({1, 1, 1, 3}, {-a, 0, a})); };
  CHECK_THAT(of_size(2).evidence, Contains("differ by 2 or more in all heads of decoder.0.self;"));
  CHECK(of_size(Real(2.19)).cause.empty());
  CHECK_FALSE(of_size(Real(2.21)).cause.empty());
  // Of heads the narrowest, of rows the mean of squares, √((1 + 9) / 2).
  const auto of_rows = [](const Shape& shape) {
    return spread_of(softmax_of(shape, {-1, 0, 1, -3, 0, 3})).evidence;
  };
  CHECK_THAT(of_rows({1, 2, 1, 3}), Contains("differ by 1 or more"));
  CHECK_THAT(of_rows({1, 1, 2, 3}), Contains("differ by 2.23607 or more"));
  CHECK_THAT(of_rows({2, 1, 1, 3}), Contains("differ by 2.23607 or more"));
  CHECK_THAT(spread_of(softmax_of({1, 2, 2, 3}, {-1, 0, 1, -3, 0, 3, -4, 0, 4, -4, 0, 4})).evidence,
             Contains("differ by 2.23607 or more"));
  // A query that sees two keys says nothing, and hidden keys do not count.
  Tensor hidden = softmax_of({1, 1, 2, 3}, {-1, 0, 1, -3, 0, 3});
  hidden.mutable_data()[3] = 0;
  CHECK_THAT(spread_of(hidden).evidence, Contains("differ by 1 or more"));
  Tensor two({1, 1, 1, 2}, {0.25, 0.75});
  CHECK_THAT(spread_of(two).evidence, Contains("differ by 0 or more"));
  Tensor four({1, 1, 1, 4}, {0, 0, 0, 0});
  const Tensor three = softmax_of({1, 1, 1, 3}, {-2, 0, 2});
  std::copy(three.begin(), three.end(), four.mutable_data());
  CHECK_THAT(spread_of(four).evidence, Contains("differ by 2 or more"));
  // Of layers, the widest.
  const auto layer = [](const char* name, Real a) {
    return RecordedAttention{name, softmax_of({1, 1, 1, 3}, {-a, 0, a})};
  };
  CHECK_THAT(
      of_weights_of("spread of scores", {layer("a", 1), layer("b", 2), layer("c", 1.5)}).value().evidence,
      Contains("differ by 2 or more in all heads of b;"));
}

TEST_CASE("attention: the size of scores is not judged where another score was chosen") {
  const auto is_asked = [](const char* part) {
    Patient patient = patient_with({pairs}, 9, 9);
    patient.parts = {{"x", "relu", nullptr}, {"x", part, nullptr}};
    patient.loss = [](const TranslationBatch&) {
      if (auto* recorder = AttentionRecorder::current())
        recorder->add("a", softmax_of({1, 1, 1, 3}, {1, 0, 1}));
      return Var(Tensor::scalar(1));
    };
    return asked(of_attention(), "spread of scores", patient).has_value();
  };
  CHECK(is_asked("scaled_dot"));
  CHECK(is_asked("gelu"));
  CHECK_FALSE(is_asked("dot"));
}

TEST_CASE("attention: a word sees itself, and in the source those after it") {
  const auto causal = [](Index, Index t, Index s) { return s <= t; };
  const auto before_itself = [](Index, Index t, Index s) { return s < t; };
  const auto all = [](Index, Index, Index) { return true; };
  constexpr auto itself = AttentionTo::itself;
  const Answer sound = of_weights_of("nothing is hidden", {{"decoder.0.self", seen(3, 3, causal), itself},
                                                           {"encoder.0.self", seen(3, 3, all), itself}})
                           .value();
  CHECK(sound.evidence == "all that may be seen has weight, in 2 layers");
  CHECK(sound.cause.empty());
  CHECK_FALSE(of_weights_of("nothing is hidden", {}).has_value());
  CHECK(hidden_in("decoder.0.self", seen(3, 3, before_itself), itself) ==
        "A word does not see itself, in decoder.0.self: the mask hides one place too many.");
  // The first word does not count, whatever it sees: one other is enough, in any sentence.
  CHECK(hidden_in("d",
                  seen(3, 3, [](Index b, Index t, Index s) { return s < t || (b == 1 && t == 1 && s == 1); }),
                  itself)
            .empty());
  CHECK_FALSE(
      hidden_in("d", seen(3, 3, [](Index, Index t, Index s) { return s < t || (t == 0 && s == 0); }), itself)
          .empty());
  CHECK(hidden_in("d", seen(1, 1, all), itself).empty());
  CHECK_FALSE(hidden_in("d", seen(2, 2, before_itself), itself).empty());
  CHECK(hidden_in("d", seen(2, 3, before_itself), itself).empty());  // of other words
  CHECK(hidden_in("d", seen(3, 3, before_itself), AttentionTo::source).empty());
  CHECK_THAT(hidden_in("encoder.0.self", seen(3, 3, causal), itself),
             Contains("Words of the source do not see those after them, in encoder.0.self"));
  CHECK(hidden_in("encoder.0.self",
                  seen(3, 3, [](Index b, Index t, Index s) { return s <= t || (b == 1 && s == 1); }), itself)
            .empty());
  // A source of two words is too short to tell, another length is not the source, and without sources there
  // is none.
  const TranslationBatch short_one = batch_of({{3, 2}, {4, 2}}, {2, 2}, {{1}, {1}}, {{2}, {2}});
  CHECK(hidden_in("encoder.0.self", seen(2, 2, causal), itself, short_one).empty());
  CHECK(hidden_in("encoder.0.self", seen(4, 4, causal), itself).empty());
  CHECK(hidden_in("encoder.0.self", seen(3, 3, causal), itself, pairs, 0).empty());
}

TEST_CASE("attention: every word of a target sees the same words of its source") {
  const auto to_source = [](const std::function<bool(Index, Index, Index)>& may, Index T = 2, Index S = 3) {
    return hidden_in("decoder.0.cross", seen(T, S, may), AttentionTo::source);
  };
  CHECK(to_source([](Index b, Index, Index s) { return s < 3 - b; }).empty());
  CHECK_THAT(to_source([](Index, Index t, Index s) { return s <= t; }),
             Contains("hidden from some words of the target and not from others, in decoder.0.cross"));
  CHECK_FALSE(to_source([](Index b, Index t, Index s) { return b == 0 || s <= t; }).empty());
  CHECK_FALSE(to_source([](Index b, Index t, Index s) { return b == 1 || s > 0 || t == 0; }).empty());
  CHECK(to_source([](Index, Index t, Index) { return t == 0; }).empty());  // who sees nothing at all
  // Where both are as long as each other, a causal mask cannot be told.
  CHECK(to_source([](Index, Index t, Index s) { return s <= t; }, 3, 3).empty());
  const Answer answer =
      of_weights_of("nothing is hidden",
                    {{"a", seen(2, 3, [](Index, Index, Index) { return true; }), AttentionTo::source},
                     {"b", seen(2, 3, [](Index, Index t, Index s) { return s <= t; }), AttentionTo::source}})
          .value();
  CHECK(answer.evidence == "of 2 layers, b hides what may be seen");
}

namespace {

// How many layers of attention are found in what a loss computes, and of how many heads the first is.
std::string layers_in(const std::function<Var()>& loss) {
  Patient patient = patient_with({pairs}, 9, 9);
  patient.loss = [loss](const TranslationBatch&) { return sum(loss()); };
  const std::vector<RecordedAttention> all = attention_of({patient, patient.batch(0)});
  std::string found;
  for (const RecordedAttention& each : all)
    found += text(each.weights.shape(), each.to == AttentionTo::itself ? " " : " to source ");
  return found;
}

Var numbers(const Shape& shape, double factor = 1) {
  Tensor x(shape);
  for (Index i = 0; i < x.size(); ++i)
    x.mutable_data()[i] = static_cast<Real>(std::sin(factor * static_cast<double>(i + 1)));
  return x;
}

}  // namespace

TEST_CASE("attention: written out by hand, it is a softmax that mixes words") {
  const auto mixed = [](const Shape& scores, const Shape& values) {
    return layers_in([=] { return matmul(softmax(numbers(scores)), numbers(values)); });
  };
  CHECK(mixed({2, 4, 3, 3}, {2, 4, 3, 5}) == "[2, 4, 3, 3] ");
  CHECK(mixed({2, 4, 3, 5}, {2, 4, 5, 6}) == "[2, 4, 3, 5] to source ");
  CHECK(mixed({2, 3, 3}, {2, 3, 5}) == "[2, 1, 3, 3] ");
  CHECK(mixed({2, 2, 3}, {2, 3, 5}) == "[2, 1, 2, 3] to source ");
  CHECK(mixed({3, 3}, {3, 5}).empty());        // of no sentences
  CHECK(mixed({3, 3, 3}, {3, 3, 5}).empty());  // of three
  CHECK(mixed({2, 1, 3}, {2, 3, 5}).empty());  // one query: what pools
  CHECK(mixed({2, 1, 1, 3, 3}, {2, 1, 1, 3, 5}).empty());
  CHECK(layers_in([] { return matmul(tanh(numbers({2, 3, 3})), numbers({2, 3, 5})); }).empty());
  CHECK(layers_in([] { return matmul(numbers({2, 3, 3}), numbers({2, 3, 5})); }).empty());
  CHECK(layers_in([] { return softmax(numbers({2, 3, 3})) + 1; }).empty());
  // With values that lie across, it is a layer of a network.
  CHECK(layers_in([] {
          return matmul(softmax(numbers({2, 3, 5})), numbers({2, 6, 5}), {false, true});
        }).empty());
  // Arranged otherwise, or multiplied by a mask from either side, it is the same.
  const Var values = numbers({2, 3, 5});
  CHECK(layers_in([=] { return matmul(transpose(softmax(numbers({2, 3, 3}))), values); }) == "[2, 1, 3, 3] ");
  CHECK(layers_in([=] {
          return matmul(softmax(numbers({2, 3, 3})) * Tensor::ones({2, 3, 3}), values);
        }) == "[2, 1, 3, 3] ");
  CHECK(layers_in([=] {
          return matmul(Var(Tensor::ones({2, 3, 3})) * softmax(numbers({2, 3, 3})), values);
        }) == "[2, 1, 3, 3] ");
}

TEST_CASE("attention: heads one by one are one layer, and what was recorded is not counted again") {
  const auto head = [](double factor, Index S = 3, Index T = 3) {
    return sum(matmul(softmax(numbers({2, T, S}, factor)), numbers({2, S, 5})));
  };
  CHECK(layers_in([=] { return head(1) + head(2) + head(3); }) == "[2, 3, 3, 3] ");
  CHECK(layers_in([=] {
          const Var first = head(1), second = head(2, 4), third = head(3, 4, 2);
          return first + second + third;
        }) == "[2, 1, 3, 3] [2, 1, 3, 4] to source [2, 1, 2, 4] to source ");
  const auto four_heads = [](double factor) {
    return sum(matmul(softmax(numbers({2, 2, 3, 3}, factor)), numbers({2, 2, 3, 5})));
  };
  CHECK(layers_in([=] { return four_heads(1) + four_heads(2); }) == "[2, 2, 3, 3] [2, 2, 3, 3] ");
  const auto recorded = [&](double factor, const Shape& shape) {
    return layers_in([=] {
      if (auto* recorder = AttentionRecorder::current())
        recorder->add("known", softmax(numbers(shape, factor)).value());
      return head(1);
    });
  };
  CHECK(recorded(1, {2, 1, 3, 3}) == "[2, 1, 3, 3] ");
  CHECK(recorded(2, {2, 1, 3, 3}) == "[2, 1, 3, 3] [2, 1, 3, 3] ");
  CHECK(recorded(1, {2, 1, 4, 3}) == "[2, 1, 4, 3] [2, 1, 3, 3] ");
  CHECK(recorded(1, {2, 1, 3, 4}) == "[2, 1, 3, 4] [2, 1, 3, 3] ");
}

}  // namespace gradual::experiments::attention_test
