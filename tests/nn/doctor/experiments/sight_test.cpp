#include <cmath>

#include <gradual/autograd/operations.hpp>
#include <gradual/nn/attention/recorder.hpp>
#include <gradual/nn/layers/layers.hpp>

#include "cases.hpp"

namespace gradual::experiments::sight_test {

namespace {

constexpr std::int32_t no_word = TranslationBatch::nothing;

const TranslationBatch two = batch_of({{3, 4, 2, 5}, {4, 2, 0, 0}}, {4, 2}, {{1, 4, 5, 3}, {1, 3, 2, 6}},
                                      {{4, 5, 3, 2}, {3, 2, 6, 7}});

using Loss = std::function<double(const TranslationBatch&)>;

Answer padding(const Loss& loss, Index max_length = 0, const TranslationBatch& batch = two,
               Index source_words = 9) {
  Patient patient = patient_of_loss(batch, source_words, 9, loss);
  patient.max_length = max_length;
  return asked(of_sight(), "padding costs nothing", patient).value_or(Answer{"nothing is asked"});
}
double places(const TranslationBatch& batch) { return static_cast<double>(batch.output.dim(1)); }
double source_places(const TranslationBatch& batch) { return static_cast<double>(batch.source.ids.dim(1)); }

Answer counted(const Rows& output, const Loss& loss) {
  return asked(of_sight(), "every word counts",
               patient_of_loss(batch_of({}, {}, Rows(output.size(), output[0]), output), 0, 9, loss))
      .value();
}
// 1 where any word of these counts.
Loss but_for(const std::function<bool(Index place, std::int32_t id)>& nothing) {
  return [nothing](const TranslationBatch& batch) {
    for (Index i = 0; i < batch.output.size(); ++i)
      if (batch.output[i] != no_word && !nothing(i % batch.output.dim(1), batch.output[i])) return 1;
    return 0;
  };
}

Answer alike(const Loss& loss, const TranslationBatch& batch = two) {
  return asked(of_sight(), "words count alike", patient_of_loss(batch, 0, 9, loss)).value();
}
// The mean of what each word costs.
Loss mean_of(const std::function<double(Index b, Index t, std::int32_t id)>& cost) {
  return [cost](const TranslationBatch& batch) {
    double sum = 0;
    const Index T = batch.output.dim(1);
    for (Index i = 0; i < batch.output.size(); ++i)
      if (batch.output[i] != no_word) sum += cost(i / T, i % T, batch.output[i]);
    return sum / static_cast<double>(batch.words());
  };
}

}  // namespace

TEST_CASE("sight: three more places of padding cost nothing, on either side") {
  const Answer sound = padding([](const TranslationBatch&) { return 1; });
  CHECK(sound.cause.empty());
  CHECK(sound.evidence ==
        "the loss is 1, and 1 with 3 more places of padding in targets; the loss is 1, and 1 with 3 more "
        "places of padding in sources");
  // Seven places are asked for where the model takes them.
  CHECK(padding([](const TranslationBatch&) { return 1; }, 7).evidence == sound.evidence);
  CHECK(padding([](const TranslationBatch&) { return 1; }, 6).evidence == "nothing is asked");
  CHECK_THAT(padding([](const TranslationBatch&) { return 1; }, 0, two, 0).evidence, !Contains("sources"));
  TranslationBatch whole = two;
  whole.source.lengths = {};
  CHECK_THAT(padding([](const TranslationBatch&) { return 1; }, 0, whole).evidence, !Contains("sources"));
  const TranslationBatch texts{two.source, {}, labels({1, 2})};
  CHECK(padding([](const TranslationBatch&) { return 1; }, 0, texts).evidence ==
        "the loss is 1, and 1 with 3 more places of padding in sources");
}

TEST_CASE("sight: padding that costs something is counted, or read, or moves the words") {
  CHECK_THAT(padding([](const TranslationBatch& batch) { return 4 / places(batch); }).cause,
             Contains("The loss is a mean over all places"));
  CHECK_THAT(padding([](const TranslationBatch& batch) { return places(batch); }).cause,
             Contains("padding behind targets changes it, whatever stands there"));
  CHECK(padding([](const TranslationBatch& batch) {
          return 2 + batch.input[batch.input.size() - 1];
        }).cause == "Padding counts in the loss, as if it were words.");
  CHECK_THAT(padding([](const TranslationBatch& batch) { return 4 / source_places(batch); }).cause,
             Contains("padding behind sources changes it, whatever stands there"));
  CHECK(padding([](const TranslationBatch& batch) {
          return 2 + source_places(batch) + batch.source.ids[batch.source.ids.size() - 1];
        }).cause == "Padding counts in the loss, as if it were words.");
  const TranslationBatch texts{two.source, {}, labels({1, 2})};
  CHECK_THAT(padding(
                 [](const TranslationBatch& batch) {
                   return 2 + source_places(batch) + batch.source.ids[batch.source.ids.size() - 1];
                 },
                 0, texts)
                 .cause,
             Contains("padding behind sources changes it"));
  // A hundred-thousandth is rounding.
  const auto off_by = [](double more) {
    return padding([=](const TranslationBatch& batch) { return 1 + (places(batch) > 4 ? more : 0); }).cause;
  };
  CHECK(off_by(0.8e-5).empty());
  CHECK_FALSE(off_by(1.2e-5).empty());
  CHECK_FALSE(off_by(-1.2e-5).empty());
}

TEST_CASE("sight: every word of the first four sentences counts") {
  const Rows output{{4, 6, 5, 2}, {6, 5, 2, no_word}};
  CHECK(counted(output, but_for([](Index, std::int32_t) { return false; })).evidence ==
        "7 of 7 words of the first sentences count in the loss");
  const Answer six = counted(output, but_for([](Index, std::int32_t id) { return id == 6; }));
  CHECK(six.evidence == "5 of 7 words of the first sentences count in the loss");
  CHECK(
      six.cause ==
      "Not every word counts in the loss: word 2 of sentence 1 costs nothing, nor does its id, 6, anywhere.");
  CHECK(counted(output, but_for([](Index, std::int32_t id) { return id == 2; })).cause ==
        "The ends of sentences do not count in the loss: where one ends is never learned.");
  CHECK(counted(output, but_for([](Index place, std::int32_t) { return place == 1; })).cause ==
        "Not every word counts in the loss: word 2 of sentence 1 costs nothing.");
  CHECK_THAT(counted(output, but_for([](Index place, std::int32_t) { return place == 2; })).cause,
             Contains("word 3 of sentence 1 costs nothing."));
  CHECK_THAT(counted(output, but_for([](Index place, std::int32_t) { return place == 0; })).cause,
             Contains("word 1 of sentence 1"));
  const Rows five{{4, 2}, {4, 2}, {4, 2}, {5, 2}, {6, 2}};
  CHECK(counted(five, but_for([](Index, std::int32_t id) { return id == 6; })).cause.empty());
  CHECK_THAT(counted(five, but_for([](Index, std::int32_t id) { return id == 5; })).cause,
             Contains("word 1 of sentence 4 costs nothing"));
}

TEST_CASE("sight: words count alike where sentences, and places, add up to the whole, but for a thousandth") {
  const Answer sound = alike(mean_of([](Index, Index, std::int32_t id) { return id; }));
  CHECK(sound.evidence == "the loss is 4, sentence by sentence 4, and place by place 4");
  CHECK(sound.cause.empty());
  CHECK(alike(mean_of([](Index b, Index, std::int32_t id) { return id * (b + 1); })).cause ==
        "What a sentence becomes depends on its place in the batch.");
  const auto alone_is = [](double one, double place) {
    return alike([=](const TranslationBatch& batch) {
             return batch.words() == 2 ? place : batch.output.dim(0) == 1 ? one : 1;
           })
        .cause;
  };
  const std::string by_itself = "A sentence by itself has another loss than in its batch";
  for (const double share : {1.0009, 0.9991}) {
    CHECK(alone_is(share, 1).empty());
    CHECK(alone_is(1, share).empty());
  }
  for (const double share : {1.0011, 0.9989, static_cast<double>(NAN)}) {
    CHECK_THAT(alone_is(share, 1), Contains(by_itself));
    CHECK(alone_is(1, share) == "Not all places count alike in the loss.");
  }
  // Sentences are weighted by their words: (3·1 + 1·5)/4 = 2.
  const TranslationBatch other = batch_of({}, {}, {{1, 4, 5}, {1, 0, 0}, {1, 0, 0}},
                                          {{4, 5, 2}, {2, no_word, no_word}, {no_word, no_word, no_word}});
  CHECK(alike(
            [](const TranslationBatch& batch) {
              return batch.words() == 3 ? 1 : batch.output.dim(0) == 1 ? 5 : 2;
            },
            other)
            .evidence.find("the loss is 2, sentence by sentence 2, and") == 0);
  CHECK(alike([](const TranslationBatch&) { return 3; }, {two.source, {}, labels({1, 2})}).evidence ==
        "the loss is 3, sentence by sentence 3, and place by place 3");
}

TEST_CASE("sight: other words before make another loss, by more than a hundred-thousandth") {
  const auto reads = [](double more) {
    return asked(of_sight(), "input is read",
                 patient_of_loss(two, 0, 9,
                                 [=](const TranslationBatch& batch) { return 1 + more * batch.input[7]; }))
        .value();
  };
  // The last word of the input is 6, and then 7.
  CHECK(reads(0.5).evidence == "the loss is 4, and 4.5 after other words");
  CHECK(reads(0.5).cause.empty());
  CHECK(reads(1.2e-5).cause.empty());
  CHECK_FALSE(reads(0.8e-5).cause.empty());
  CHECK_FALSE(
      asked(of_sight(), "input is read", patient_with({{two.source, {}, labels({1, 2})}}, 9, 9)).has_value());
}

namespace {

// A language model of one table, whose words are mixed so, with these weights of attention recorded: of each
// word to all words, where nothing else is said.
struct Mixing {
  using Mix = std::function<Var(const Var& x)>;
  Embedding words{9, 4, Random(1)};
  void visit(Visitor& visitor) { visitor("words", words); }

  static Finding cause_of(const Mix& mix, const std::vector<Real>& weights,
                          const std::string& layer = "decoder.0", Index places = 4, Index queries = 0) {
    Mixing model;
    const Indices input = ids_of({1, places}, [](Index, Index t) { return 3 + t; }),
                  output = ids_of({1, places}, [](Index, Index t) { return 4 + t; });
    const Shape shape{1, 1, queries > 0 ? queries : places, places};
    Patient patient = patient_of(model, [&](const TranslationBatch& batch) {
      auto* recorder = AttentionRecorder::current();
      if (recorder && !weights.empty()) recorder->add(layer, Tensor(shape, weights));
      return cross_entropy(matmul(mix(model.words(batch.input)), model.words.weight, {false, true}),
                           batch.output);
    });
    patient.target_words = 9;
    patient.batch = [&](Index) { return TranslationBatch{{}, input, output}; };
    const Answer answer = asked(of_sight(), "leaks", patient).value();
    return {"leaks", answer.evidence, answer.cause, answer.advice, answer.chapter};
  }
};

// Each word becomes itself and so many of the words after it, or before it.
Mixing::Mix with_others(Index before, Index after) {
  return [=](const Var& x) {
    const Index T = x.dim(1);
    Tensor weights = Tensor::zeros({T, T});
    for (Index i = 0; i < T * T; ++i)
      if (i % T >= i / T - before && i % T <= i / T + after) weights.mutable_data()[i] = 1;
    return matmul(Var(weights), x);
  };
}

const std::vector<Real> causal{1, 0, 0, 0, 0.5, 0.5, 0, 0, 0.5, 0.25, 0.25, 0, 0.25, 0.25, 0.25, 0.25};
// The last query but one sees the last word.
const std::vector<Real> ahead{1, 0, 0, 0, 0.5, 0.5, 0, 0, 0.5, 0.25, 0, 0.25, 0.25, 0.25, 0.25, 0.25};
const std::vector<Real> scores_of_zero{0.4, 0.2, 0.2, 0.2, 0.5, 0.5, 0, 0, 0.5, 0.5, 0, 0, 0.5, 0.5, 0, 0};

}  // namespace

TEST_CASE("sight: what a causal mask does wrong is told by what the first word and the last see") {
  CHECK(Mixing::cause_of(with_others(9, 0), causal).cause.empty());
  CHECK(Mixing::cause_of(with_others(9, 9), causal).cause ==
        "There is no causal mask: a word sees all words after it.");
  CHECK(Mixing::cause_of(with_others(9, 1), causal).cause ==
        "The causal mask is off by one: a word sees 1 word after it and no more.");
  CHECK(Mixing::cause_of(with_others(9, 2), causal).cause ==
        "The causal mask is off by one: a word sees 2 words after it and no more.");
  CHECK(Mixing::cause_of(with_others(0, 9), causal).cause ==
        "The causal mask is the wrong way round: a word sees those after it, and none before.");
}

TEST_CASE("sight: who sees the first word, too, has no mask the wrong way round") {
  const auto first_and_later = [](const Var& x) { return with_others(0, 9)(x) + slice(x, 1, 0, 1); };
  CHECK_THAT(Mixing::cause_of(first_and_later, ahead).cause, Contains("There is no causal mask"));
}

TEST_CASE("sight: padding is seen by attention, or by what goes over all places") {
  const auto seen_by = [](const std::string& layer, AttentionTo to, const Shape& shape, Index weighted) {
    Mixing model;
    Patient patient = patient_of(model, [&](const TranslationBatch& batch) {
      if (auto* recorder = AttentionRecorder::current()) {
        Tensor weights = Tensor::zeros(shape);
        weights.mutable_data()[weighted] = 0.5;
        recorder->add(layer, weights, to);
      }
      const Var x = model.words(batch.input) + mean(model.words(batch.source.ids), {1}, Axis::kept);
      return cross_entropy(matmul(x, model.words.weight, {false, true}), batch.output);
    });
    patient.source_words = patient.target_words = 9;
    patient.batch = [](Index) { return two; };
    return asked(of_sight(), "leaks", patient).value().cause;
  };
  const std::string by_attention =
                        "Words see padding: the mask for the lengths of sources is missing or wrong.",
                    by_mean = "Words see padding, and not by attention: by mean in words.";
  // Two heads, three queries, four keys: the second source has two words.
  const Shape shape{2, 2, 3, 4};
  for (const Index row : {6, 9, 11}) {
    CHECK(seen_by("decoder.0", AttentionTo::source, shape, 4 * row + 2) == by_attention);
    CHECK(seen_by("decoder.0", AttentionTo::source, shape, 4 * row + 3) == by_attention);
    CHECK(seen_by("decoder.0", AttentionTo::source, shape, 4 * row + 1) == by_mean);
  }
  CHECK(seen_by("decoder.0", AttentionTo::source, shape, 4 * 5 + 3) ==
        by_mean);  // all of the first are words
  CHECK(seen_by("encoder.0", AttentionTo::itself, shape, 4 * 6 + 3) == by_attention);
  CHECK(seen_by("decoder.0", AttentionTo::itself, shape, 4 * 6 + 3) == by_mean);
  CHECK(seen_by("decoder.0", AttentionTo::source, {2, 2, 3, 2}, 2 * 11 + 1) == by_mean);
}

TEST_CASE("sight: words are mixed by attention, or by what no mask helps") {
  const auto mean_of_all = [](const Var& x) { return x + mean(x, {1}, Axis::kept); };
  CHECK(Mixing::cause_of(mean_of_all, causal).cause ==
        "A word sees all words of its sentence, and not by attention: by add in words.");
  CHECK(Mixing::cause_of(mean_of_all, {}).cause ==
        "A word sees all words of its sentence, and not by attention: by add in words.");
  CHECK(Mixing::cause_of(mean_of_all, ahead).cause ==
        "There is no causal mask: a word sees all words after it.");
  CHECK_THAT(Mixing::cause_of(mean_of_all, ahead, "encoder.0").cause, Contains("not by attention"));
  CHECK_THAT(Mixing::cause_of(with_others(9, 9), scores_of_zero).cause,
             Contains("hidden words have the score 0"));
  std::vector<Real> almost = scores_of_zero;
  almost[3] = Real(0.21);
  CHECK_THAT(Mixing::cause_of(with_others(9, 9), almost).cause, Contains("There is no causal mask"));
  const std::vector<Real> of_three{0.4, 0.3, 0.3, 0.5, 0.5, 0, 0.5, 0.5, 0};
  CHECK_THAT(Mixing::cause_of(with_others(9, 9), of_three, "decoder.0", 3).cause,
             Contains("hidden words have the score 0"));
  // Three queries that are no words of the sentence may see all of it.
  CHECK_THAT(Mixing::cause_of(mean_of_all, std::vector<Real>(12, Real(0.25)), "decoder.0", 4, 3).cause,
             Contains("not by attention"));
}

}  // namespace gradual::experiments::sight_test
