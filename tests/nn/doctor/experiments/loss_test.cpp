#include <cmath>

#include <gradual/autograd/operations.hpp>

#include "cases.hpp"

namespace gradual::experiments::loss_test {

namespace {

constexpr std::int32_t no_word = TranslationBatch::nothing;
constexpr Index V = 5;

Tensor numbers_of(const Shape& shape, double step) {
  Tensor x(shape);
  for (Index i = 0; i < x.size(); ++i)
    x.mutable_data()[i] = static_cast<Real>(1.5 * std::sin(step * static_cast<double>(i)));
  return x;
}
// The scores of five words after each of five.
Tensor some_scores(Index width = V) { return numbers_of({V, width}, 1.7); }
double log_p(std::int32_t before, std::int32_t word) {
  static const Tensor scores = some_scores();
  double sum = 0;
  for (Index other = 0; other < V; ++other)
    sum += std::exp(static_cast<double>(scores.data()[before * V + other]));
  return static_cast<double>(scores.data()[before * V + word]) - std::log(sum);
}

const Rows inputs{{1, 3, 4, 0}, {1, 4, 3, 3}, {1, 0, 3, 4}, {1, 3, 0, 3}},
    outputs{{3, 4, 2, no_word}, {4, 3, 3, 2}, {0, 3, 4, 2}, {3, 0, 2, no_word}};
const TranslationBatch four = batch_of({}, {}, inputs, outputs);

// A place of a batch that says a word.
struct Place {
  std::int32_t before, word, next;
  bool is_first, is_last;
};
using Of = std::function<double(const Place&)>;

double over_places(const TranslationBatch& batch, const Of& at) {
  double sum = 0;
  const Index T = batch.output.dim(1);
  for (Index i = 0; i < batch.output.size(); ++i) {
    if (batch.output[i] == no_word) continue;
    const bool is_last = (i + 1) % T == 0 || batch.output[i + 1] == no_word;
    sum +=
        at({batch.input[i], batch.output[i], is_last ? no_word : batch.output[i + 1], i % T == 0, is_last});
  }
  return sum;
}
double mean_of(const TranslationBatch& batch, const Of& at) {
  return over_places(batch, at) / static_cast<double>(batch.words());
}
double surprise(const Place& of) { return -log_p(of.before, of.word); }
double cross_entropy_of(const TranslationBatch& batch) { return mean_of(batch, surprise); }

using Loss = std::function<double(const TranslationBatch&)>;

// A patient whose scores are a table, and whose loss is a number.
Patient with_loss(const TranslationBatch& batch, const Loss& loss, Index width = V) {
  Patient patient = patient_with({batch}, 0, V);
  const Var table = Var::parameter(some_scores(width));
  patient.parameters = {{"table", table}};
  patient.loss = [table, loss](const TranslationBatch& of) {
    embedding(of.input, table);
    return Var(Tensor::scalar(static_cast<Real>(loss(of))));
  };
  return patient;
}
Answer of_scores(const Loss& loss) {
  return asked(of_loss(), "loss is of scores", with_loss(four, loss)).value();
}
void check_mistake(const std::string& cause, const Loss& loss) {
  INFO(cause);
  CHECK_THAT(of_scores(loss).cause, Contains(cause));
}
Loss by_place(const Of& at) {
  return [at](const TranslationBatch& batch) { return mean_of(batch, at); };
}
Loss sum_of(const Of& at) {
  return [at](const TranslationBatch& batch) { return over_places(batch, at); };
}
double squared_error(const Place& of) {
  double sum = 0;
  for (std::int32_t word = 0; word < V; ++word)
    sum += std::pow(std::exp(log_p(of.before, word)) - (word == of.word ? 1 : 0), 2);
  return sum;
}
double of_all_words(const Place& of) {
  double sum = 0;
  for (std::int32_t word = 0; word < V; ++word) sum -= log_p(of.before, word) / V;
  return sum;
}
Loss smoothed(double by) {
  return by_place([by](const Place& of) { return (1 - by) * surprise(of) + by * of_all_words(of); });
}

}  // namespace

TEST_CASE("loss: the mean of -log p is sound, and each other mean is known by its number") {
  CHECK(of_scores(cross_entropy_of).cause.empty());
  check_mistake("a sum over words", sum_of(surprise));
  check_mistake("The target is not shifted",
                by_place([](const Place& of) { return -log_p(of.before, of.before); }));
  check_mistake("The target is shifted twice", [](const TranslationBatch& batch) {
    return over_places(batch, [](const Place& of) { return of.is_last ? 0 : -log_p(of.before, of.next); }) /
           static_cast<double>(batch.words() - 1);
  });
  check_mistake("the class before that of the word",
                by_place([](const Place& of) { return -log_p(of.before, (of.word + 4) % 5); }));
  check_mistake("the class after that of the word",
                by_place([](const Place& of) { return -log_p(of.before, (of.word + 1) % 5); }));
  check_mistake("The last word of a sentence alone",
                sum_of([](const Place& of) { return of.is_last ? surprise(of) : 0; }));
  check_mistake("The first word of a sentence alone",
                sum_of([](const Place& of) { return of.is_first ? surprise(of) : 0; }));
  check_mistake("The ends of sentences do not count", [](const TranslationBatch& batch) {
    return over_places(batch, [](const Place& of) { return of.is_last ? 0 : surprise(of); }) /
           static_cast<double>(batch.words() - 1);
  });
  check_mistake("The softmax is taken twice", by_place([](const Place& of) {
                  double sum = 0;
                  for (std::int32_t word = 0; word < V; ++word)
                    sum += std::exp(std::exp(log_p(of.before, word)));
                  return std::log(sum) - std::exp(log_p(of.before, of.word));
                }));
  check_mistake("a squared error of probabilities", by_place(squared_error));
  check_mistake("a squared error of probabilities",
                by_place([](const Place& of) { return squared_error(of) / V; }));
  check_mistake("The loss is multiplied by 2.", by_place([](const Place& of) { return 2 * surprise(of); }));
  check_mistake("The loss is negated", by_place([](const Place& of) { return -surprise(of); }));
  // What nobody has thought of is not judged.
  CHECK(of_scores(by_place([](const Place& of) { return surprise(of) * surprise(of); })).cause.empty());
}

TEST_CASE("loss: it is near -log p up to a ten-thousandth and a hundred-thousandth") {
  const auto off_by = [](double share, double more) {
    return of_scores(
        [=](const TranslationBatch& batch) { return cross_entropy_of(batch) * (1 + share) + more; });
  };
  CHECK(off_by(0.00009, 0).cause.empty());
  double least = 9;
  for (Index b = 0; b < 4; ++b) least = std::min(least, cross_entropy_of(rows_of(four, {b})));
  for (const double sign : {1.0, -1.0}) {
    CHECK(off_by(0, sign * (1e-4 * least + 0.7e-5)).cause.empty());
    CHECK_FALSE(off_by(0, sign * (1e-4 * least + 1.3e-5)).cause.empty());
  }
  CHECK(off_by(-0.00009, 0).cause.empty());
  CHECK_FALSE(off_by(0.00013, 0).cause.empty());
  CHECK_FALSE(off_by(-0.00013, 0).cause.empty());
}

TEST_CASE("loss: what is added to it may be less than half of -log p, whatever the words are") {
  const double first = cross_entropy_of(rows_of(four, {0}));
  const auto with_more = [](double more) {
    return of_scores([=](const TranslationBatch& batch) { return cross_entropy_of(batch) + more; });
  };
  CHECK(with_more(0.49 * first).cause.empty());
  CHECK_THAT(with_more(0.25).evidence, Contains("; it is larger by 0.25 whatever the words are"));
  CHECK_THAT(with_more(0.51 * first).cause, Contains("Something is added to the loss"));
}

TEST_CASE("loss: labels may be smoothed by a third") {
  CHECK(of_scores(smoothed(0.34)).cause.empty());
  CHECK_THAT(of_scores(smoothed(0.34)).evidence, Contains("; labels are smoothed by 0.34"));
  CHECK_THAT(of_scores(smoothed(0.36)).cause, Contains("Labels are smoothed too much: 0.36"));
  CHECK_THAT(of_scores(smoothed(1)).cause, Contains("Labels are smoothed too much"));
  CHECK_THAT(of_scores(smoothed(1.01)).evidence, !Contains("smoothed"));
  CHECK_THAT(of_scores(smoothed(-0.1)).evidence, !Contains("smoothed"));
}

TEST_CASE("loss: four sentences of two words or more are asked for, two at least") {
  const auto of_rows = [](const Rows& in, const Rows& out, const Loss& loss = cross_entropy_of) {
    return asked(of_loss(), "loss is of scores", with_loss(batch_of({}, {}, in, out), loss));
  };
  CHECK(of_rows({inputs[0], inputs[1]}, {outputs[0], outputs[1]}).has_value());
  CHECK_FALSE(of_rows({inputs[0]}, {outputs[0]}).has_value());
  // One word, and words with a gap, are no sentence to ask for.
  CHECK_FALSE(of_rows({{1, 3}, {1, 3}}, {{3, no_word}, {3, no_word}}).has_value());
  CHECK_FALSE(of_rows({{1, 3, 4}, {1, 3, 4}}, {{3, no_word, 2}, {3, no_word, 2}}).has_value());
  CHECK(of_rows({{1, 3}, {1, 4}}, {{3, 2}, {4, 2}}).has_value());
  // A loss that is 1 more for the fifth sentence is not seen, and for the fourth it is.
  const auto more_for = [&](std::int32_t word) {
    const Rows in{{1, 3}, {1, 3}, {1, 3}, {1, 4}, {1, 0}}, out{{3, 2}, {3, 2}, {3, 2}, {4, 2}, {0, 2}};
    return of_rows(in, out,
                   [word](const TranslationBatch& batch) {
                     return batch.input[1] == word ? 2.5 * cross_entropy_of(batch) : cross_entropy_of(batch);
                   })
        .value();
  };
  CHECK(more_for(0).cause.empty());
  CHECK(more_for(3).evidence != more_for(0).evidence);
  CHECK_FALSE(of_rows(inputs, outputs, [](const TranslationBatch&) { return HUGE_VAL; }).has_value());
}

TEST_CASE("loss: the scores that an operation holds inside are known by their factors") {
  const Var table = Var::parameter(numbers_of({V, 3}, 1.1));
  const Var words = numbers_of({V, 3}, 0.7);
  Patient patient = patient_with({four}, 0, V);
  patient.parameters = {{"table", table}};
  const auto of_loss_times = [&](Real times) {
    patient.loss = [&, times](const TranslationBatch& batch) {
      return linear_cross_entropy(embedding(batch.input, words), table, batch.output) * times;
    };
    return asked(of_loss(), "loss is of scores", patient).value().cause;
  };
  CHECK(of_loss_times(1).empty());
  CHECK(of_loss_times(2) == "The loss is multiplied by 2.");
}

TEST_CASE("loss: of a classifier, whose sentences are cut at their ends") {
  const Var table = Var::parameter(some_scores());
  Patient patient = patient_with({{{ids({{1, 3, 0}, {3, 4, 1}}), labels({2, 3})}, {}, labels({3, 4})}}, V, V);
  patient.parameters = {{"table", table}};
  const auto of_loss_times = [&](Real times) {
    patient.loss = [&, times](const TranslationBatch& batch) {
      Tensor first = Tensor::zeros({batch.output.dim(0), V});
      for (Index b = 0; b < batch.output.dim(0); ++b)
        first.mutable_data()[b * V + id_at(batch.source.ids, b, 0)] = 1;
      const Var scores = matmul(Var(first), table);
      sum(table, {0});  // as wide as the scores of one sentence
      CHECK((batch.output.dim(0) > 1 || batch.source.ids.dim(1) == batch.source.lengths[0]));
      return cross_entropy(scores, batch.output) * times;
    };
    return asked(of_loss(), "loss is of scores", patient).value().cause;
  };
  CHECK(of_loss_times(1).empty());
  CHECK(of_loss_times(2) == "The loss is multiplied by 2.");
}

TEST_CASE("loss: a last layer as wide as there are words of the sources") {
  const auto of_width = [](Index width, Index source_words) {
    Patient patient = with_loss(four, cross_entropy_of, width);
    patient.source_words = source_words;
    patient.batch = [](Index) { return batch_of(inputs, {}, inputs, outputs); };
    return asked(of_loss(), "loss is of scores", patient);
  };
  CHECK(of_width(7, 7).value().cause ==
        "The last layer has a score for each word of the sources, not of the targets.");
  CHECK(of_width(7, 7).value().evidence == "the last layer has 7 scores for 5 words");
  CHECK_FALSE(of_width(7, 8).has_value());
  CHECK_FALSE(of_width(1, 1).has_value());
  CHECK(of_width(2, 2).has_value());
  CHECK(of_width(5, 7).value().cause.empty());
}

TEST_CASE("loss: the first three sentences are asked for together") {
  std::vector<std::int32_t> first_words;
  asked(of_loss(), "targets are own", with_loss(four, [&](const TranslationBatch& batch) {
          first_words.clear();
          for (Index b = 0; b < batch.output.dim(0); ++b) first_words.push_back(id_at(batch.output, b, 0));
          return 1;
        }));
  CHECK(first_words == std::vector<std::int32_t>{3, 4, 0});
}

TEST_CASE("loss: three sentences meet their own targets, or those of others") {
  const auto of_further = [](Index further, double times = 1) {
    return asked(of_loss(), "targets are own", with_loss(four, [=](const TranslationBatch& batch) {
                   const Index B = batch.output.dim(0), T = batch.output.dim(1);
                   double sum = 0;
                   for (Index b = 0; b < B; ++b)
                     for (Index t = 0; t < T; ++t) {
                       const std::int32_t word = batch.output[(b + further) % B * T + t];
                       if (word != no_word) sum -= log_p(batch.input[b * T + t], word);
                     }
                   return times * sum / static_cast<double>(batch.words());
                 }));
  };
  CHECK(of_further(0).value().cause.empty());
  CHECK_THAT(of_further(1).value().cause, Contains("Scores meet the targets of other sentences"));
  CHECK_THAT(of_further(2).value().cause, Contains("Scores meet the targets of other sentences"));
  CHECK_FALSE(of_further(0, 2).has_value());
  CHECK_FALSE(of_further(0, HUGE_VAL).has_value());
  const auto of_count = [](std::size_t rows) {
    const Rows in(inputs.begin(), inputs.begin() + rows), out(outputs.begin(), outputs.begin() + rows);
    return asked(of_loss(), "targets are own", with_loss(batch_of({}, {}, in, out), cross_entropy_of))
        .has_value();
  };
  CHECK_FALSE(of_count(2));
  CHECK(of_count(3));
  CHECK_FALSE(asked(of_loss(), "targets are own",
                    patient_of_loss({{ids({{1}, {2}, {3}}), {}}, {}, labels({1, 2, 3})}, 5, 5,
                                    [](const TranslationBatch&) { return 1; }))
                  .has_value());
}

TEST_CASE("loss: the first is above half of ln V, and less than 2 above ln V") {
  const auto first = [](double loss, Index words) {
    return asked(of_loss(), "first loss",
                 patient_of_loss(four, 0, words, [=](const TranslationBatch&) { return loss; }))
        .value();
  };
  CHECK(first(1.25, 4).evidence == "the first loss is 1.25, and ln 4 = 1.38629");
  const char* const above =
      "The first loss is far above that of chance: the scores of the words are too large.";
  const char* const below = "The first loss is far below that of chance: the model is told the answer.";
  CHECK(first(0.70, 4).cause.empty());  // ln 4 / 2 = 0.693
  CHECK(first(0.69, 4).cause == below);
  CHECK(first(3.38, 4).cause.empty());
  CHECK(first(3.39, 4).cause == above);
  CHECK_THAT(first(-0.1, 4).cause, Contains("The loss is below 0"));
  // Of one word, chance is 0.
  CHECK(first(0, 1).cause == below);
  CHECK(first(1.9, 1).cause.empty());
  CHECK(first(2, 1).cause == above);
}

}  // namespace gradual::experiments::loss_test
