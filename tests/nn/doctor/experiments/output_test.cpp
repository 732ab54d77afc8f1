#include <cmath>

#include <gradual/autograd/operations.hpp>
#include <gradual/nn/layers/layers.hpp>

#include "cases.hpp"

namespace gradual::experiments::output_test {

namespace {

constexpr std::int32_t no_word = TranslationBatch::nothing;

const TranslationBatch two_sentences =
    batch_of({}, {}, {{1, 4, 5, 3}, {1, 3, 2, 0}}, {{4, 5, 3, 2}, {3, 5, no_word, no_word}});

// Words [V = 6, D = 4] and a last layer; what is between is planted.
struct Words {
  Embedding words{6, 4, Random(1)};
  Linear output{4, 6, Random(2)};
  void visit(Visitor& visitor) {
    visitor("words", words);
    visitor("output", output);
  }
};

using LossOf = std::function<Var(const Words&, const TranslationBatch&)>;

std::optional<Answer> of_model(const char* name, const LossOf& loss,
                               const TranslationBatch& batch = two_sentences) {
  static Words model;
  Patient patient = patient_with({batch}, 0, 6);
  Patient made = patient_of(model, [&](const TranslationBatch& of) { return loss(model, of); });
  patient.parameters = made.parameters;
  patient.loss = made.loss;
  return asked(of_output(), name, patient);
}

// The batch's own words, to be said at its places, as what the last layer reads.
Var said(const Words& model, const Indices& output) {
  std::vector<std::int32_t> ids(output.begin(), output.end());
  for (std::int32_t& id : ids) id = std::max(id, 0);
  return model.words(Indices(output.shape(), ids));
}

}  // namespace

TEST_CASE("output: other words to say make another loss, or the output is not asked for") {
  const auto asks = [](const std::function<double(const TranslationBatch&)>& loss) {
    return asked(of_output(), "output is asked for", patient_of_loss(two_sentences, 0, 6, loss)).value();
  };
  CHECK(asks([](const TranslationBatch&) { return 1.5; }).cause ==
        "The loss does not ask for the output: it is the same whatever words are to be said.");
  // 4 5 3 2 and 3 5 become 5 0 4 3 and 4 0: one more each, and the first word after the last.
  const Answer sum = asks([](const TranslationBatch& batch) {
    double all = 0;
    for (const std::int32_t id : batch.output) all += id;
    return all;
  });
  CHECK(sum.evidence == "the loss is 20, and 14 where other words are to be said");
  CHECK(sum.cause.empty());
}

TEST_CASE("output: the last layer may see the words before the one that must be said, and not that one") {
  const auto reads = [](const LossOf& loss) { return of_model("target is not read", loss).value(); };
  const Answer sound = reads([](const Words& model, const TranslationBatch& batch) {
    return cross_entropy(model.output(model.words(batch.input)), batch.output);
  });
  CHECK(sound.cause.empty());
  CHECK(sound.evidence ==
        "another word to say in place 3 changes what the last layer is given in 0 places up to there");
  const Answer same = reads([](const Words& model, const TranslationBatch& batch) {
    return cross_entropy(model.output(said(model, batch.output)), batch.output);
  });
  CHECK(same.cause ==
        "The target is read: the model is given the very word that it must say, at its own place.");
  CHECK_THAT(same.evidence, Contains("in 1 places up to there"));
  // The word after it is told, not the one before: 3 becomes 4.
  std::int32_t changed = 0;
  reads([&](const Words& model, const TranslationBatch& batch) {
    changed = batch.output[2];
    return cross_entropy(model.output(model.words(batch.input)), batch.output);
  });
  CHECK(changed == 4);
  // What comes after the place may follow from it; what comes before may not.
  const auto moved = [&](Index by) {
    return reads([by](const Words& model, const TranslationBatch& batch) {
      const Var x = said(model, batch.output);
      const Var y = by > 0 ? concat({x * 0, x}, 1) : concat({x, x * 0}, 1);
      return cross_entropy(model.output(by > 0 ? slice(y, 1, 4 - by, 8 - by) : slice(y, 1, -by, 4 - by)),
                           batch.output);
    });
  };
  CHECK(moved(1).cause.empty());
  CHECK_FALSE(moved(-1).cause.empty());
  CHECK_FALSE(moved(-2).cause.empty());
  // Where the last layer has more places than there are words, those at the front are before all.
  const Answer prefixed = reads([](const Words& model, const TranslationBatch& batch) {
    const Var x = said(model, batch.output);
    const Var y = model.output(concat({slice(x, 1, 0, 1), x}, 1));
    return cross_entropy(slice(y, 1, 1, 5), batch.output);
  });
  CHECK_THAT(prefixed.evidence, Contains("in 1 places up to there"));
}

TEST_CASE("output: nothing is said of a last layer that has fewer places, or others each time") {
  CHECK_FALSE(of_model("target is not read", [](const Words& model, const TranslationBatch& batch) {
                return sum(model.output(mean(model.words(batch.input), {1})));
              }).has_value());
  CHECK_FALSE(of_model("target is not read", [](const Words& model, const TranslationBatch& batch) {
                return sum(model.output(slice(model.words(batch.input), 0, 0, 1)));
              }).has_value());
  CHECK_FALSE(of_model("target is not read", [](const Words& model, const TranslationBatch& batch) {
                return sum(model.output(slice(model.words(batch.input), 1, 0, batch.output[2] - 0)));
              }).has_value());
  CHECK_FALSE(of_model("target is not read", [](const Words&, const TranslationBatch&) {
                return Var(Tensor::scalar(1));
              }).has_value());
  Index passes = 0;
  CHECK_FALSE(of_model("target is not read", [&](const Words& model, const TranslationBatch& batch) {
                return sum(model.output(slice(model.words(batch.input), 1, 0, 4 - passes++)));
              }).has_value());
  // Of a classifier, whose label is its only place.
  const TranslationBatch texts{{ids({{4, 5}, {3, 2}}), {}}, {}, labels({4, 5})};
  const auto classes = [&](bool told) {
    return of_model(
               "target is not read",
               [told](const Words& model, const TranslationBatch& batch) {
                 const Var x = mean(model.words(batch.source.ids), {1});
                 return cross_entropy(model.output(told ? model.words(batch.output) : x), batch.output);
               },
               texts)
        .value();
  };
  CHECK(classes(false).cause.empty());
  CHECK(classes(true).evidence ==
        "another word to say in place 1 changes what the last layer is given in 2 places up to there");
}

TEST_CASE("output: 3 more for every score change nothing, but by a thousandth, unless scores are bent") {
  const auto bent = [](const std::function<Var(const Var&)>& between) {
    return of_model("scores may be shifted", [between](const Words& model, const TranslationBatch& batch) {
      return cross_entropy(between(model.output(model.words(batch.input))), batch.output);
    });
  };
  CHECK(bent([](const Var& x) { return x; }).value().cause.empty());
  CHECK_THAT(bent([](const Var& x) { return relu(x); }).value().cause,
             Contains("cuts the scores of words off"));
  // A loss of 3 that is larger by the shift of the scores times a factor.
  const auto larger = [](double base, double factor) {
    return of_model(
               "scores may be shifted",
               [=](const Words& model, const TranslationBatch& batch) {
                 const Var scores = model.output(model.words(batch.input));
                 const Tensor fixed = scores.value();
                 static Tensor first;
                 if (!first.defined()) first = fixed;
                 return mean(scores - first, {0, 1, 2}) * static_cast<Real>(factor) + static_cast<Real>(base);
               })
        .value();
  };
  CHECK(larger(2, 0).evidence == "the loss is 2, and 2 with 3 more for every word's score");
  CHECK(larger(2, 1).evidence == "the loss is 2, and 5 with 3 more for every word's score");
  CHECK(larger(2, 0.0006).cause.empty());  // 0.0018 of 2
  CHECK_FALSE(larger(2, 0.0008).cause.empty());
  CHECK_FALSE(larger(2, -0.0008).cause.empty());
  CHECK(larger(0.1, 0.0003).cause.empty());  // 0.0009 of 1
  CHECK_FALSE(larger(0.1, 0.0004).cause.empty());
  // Scores may be flat, but not a vector as wide as there are words.
  CHECK(of_model("scores may be shifted",
                 [](const Words& model, const TranslationBatch& batch) {
                   const Var x = reshape(model.words(batch.input), {8, 4});
                   const Var flat = linear(x, model.output.weight, model.output.bias);
                   return cross_entropy(relu(flat), Indices({8}, {batch.output.begin(), batch.output.end()}));
                 })
            .value()
            .cause.find("Between the last layer and the softmax") == 0);
  CHECK_FALSE(of_model("scores may be shifted", [](const Words& model, const TranslationBatch&) {
                return sum(model.output.bias * Real(2));
              }).has_value());
  CHECK_FALSE(bent([](const Var& x) { return x + HUGE_VAL; }).has_value());
  CHECK_FALSE(of_model("scores may be shifted", [](const Words& model, const TranslationBatch& batch) {
                return sum(model.words(batch.input));
              }).has_value());
}

}  // namespace gradual::experiments::output_test
