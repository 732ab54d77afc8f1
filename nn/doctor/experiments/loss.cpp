// Experiments on the loss: what it makes of the scores of words.
#include <algorithm>
#include <cmath>
#include <utility>

#include <gradual/autograd/observer.hpp>
#include <gradual/core/error.hpp>
#include <gradual/core/products/products.hpp>
#include <gradual/nn/doctor/experiments/experiment.hpp>

namespace gradual::experiments {
namespace {

// Finds the scores [places, V] of a pass: what the last layer makes for each place. `linear_cross_entropy`
// holds them inside, but their factors are known.
class ScoresOfWords : public GraphObserver {
 public:
  ScoresOfWords(const Patient& patient, Index places) : patient_(patient), places_(places) {}
  void forward(const char* operation, const Var& y, const std::vector<Var>& inputs) override {
    if (std::none_of(inputs.begin(), inputs.end(),
                     [&](const Var& x) { return is_parameter_of(patient_, x); }))
      return;
    if (std::string(operation) == "linear_cross_entropy") {
      const Tensor& x = inputs[0].value();
      take(matmul(x.with_shape({x.size() / x.dim(-1), x.dim(-1)}), inputs[1].value(), {false, true}));
    } else if (y.rank() > 1) {
      take(y.value());
    }
  }
  Tensor scores;       // of as many words as there are
  Tensor wrong_width;  // of more or fewer, where the last layer has such

 private:
  void take(const Tensor& y) {
    const Index width = y.dim(-1);
    if (y.size() != places_ * width) return;
    (width == patient_.target_words ? scores : wrong_width) = y.with_shape({places_, width});
    if (width == patient_.target_words) wrong_width = Tensor();
  }

  const Patient& patient_;
  const Index places_;
};

// A sentence by itself, as short as it is: no place of it is padding.
TranslationBatch sentence_of(const TranslationBatch& batch, Index b) {
  TranslationBatch one = rows_of(batch, {b});
  const auto cut = [](const Indices& ids, Index length) {
    return ids_of({1, length}, [&](Index, Index t) { return id_at(ids, 0, t); });
  };
  if (one.source.ids.size() > 0 && one.source.lengths.size() > 0)
    one.source.ids = cut(one.source.ids, length_of(one.source, 0));
  if (one.input.size() == 0) return one;
  const Index words = one.words();
  one.input = cut(one.input, words);
  one.output = cut(one.output, words);
  return one;
}

// log softmax of scores [T, V].
std::vector<double> logarithms_of(const Tensor& scores) {
  const Index V = scores.dim(1);
  std::vector<double> all;
  for (Index t = 0; t < scores.dim(0); ++t) {
    const Real* row = scores.data() + t * V;
    const auto top = static_cast<double>(*std::max_element(row, row + V));
    double sum = 0;
    for (Index word = 0; word < V; ++word) sum += std::exp(static_cast<double>(row[word]) - top);
    for (Index word = 0; word < V; ++word)
      all.push_back(static_cast<double>(row[word]) - top - std::log(sum));
  }
  return all;
}

// One sentence: its loss, the probabilities at its places, and the ids that it is given and must say.
struct Heard {
  double loss;
  Index classes;
  std::vector<double> log_probabilities;
  std::vector<std::int32_t> input, output;

  Index words() const { return static_cast<Index>(output.size()); }
  std::int32_t said(Index t) const { return output[static_cast<std::size_t>(t)]; }
  double log_p(Index t, Index word) const {
    return log_probabilities[static_cast<std::size_t>(t * classes + word)];
  }
  double p(Index t, Index word) const { return std::exp(log_p(t, word)); }
};

using Mean = double (*)(const Heard&);

// Over the first so many places.
double mean_over(const Heard& of, Index places, double (*at)(const Heard&, Index)) {
  double sum = 0;
  for (Index t = 0; t < places; ++t) sum += at(of, t);
  return sum / static_cast<double>(places);
}
double surprise(const Heard& of, Index t) { return -of.log_p(t, of.said(t)); }
double cross_entropy_of(const Heard& of) { return mean_over(of, of.words(), surprise); }
// The mean of -log p over all words of the vocabulary, which smoothing mixes in.
double of_all_words(const Heard& of) {
  return mean_over(of, of.words(), [](const Heard& from, Index t) {
    double sum = 0;
    for (Index word = 0; word < from.classes; ++word) sum -= from.log_p(t, word);
    return sum / static_cast<double>(from.classes);
  });
}
double of_class_moved(const Heard& of, Index by) {
  double sum = 0;
  for (Index t = 0; t < of.words(); ++t) sum -= of.log_p(t, (of.said(t) + by + of.classes) % of.classes);
  return sum / static_cast<double>(of.words());
}
double squared_error(const Heard& of, Index t) {
  double sum = 0;
  for (Index word = 0; word < of.classes; ++word)
    sum += std::pow(of.p(t, word) - (word == of.said(t) ? 1 : 0), 2);
  return sum;
}
// -log softmax(p) of a word to say, where p is a softmax already.
double surprise_of_two_softmaxes(const Heard& of, Index t) {
  double sum = 0;
  for (Index word = 0; word < of.classes; ++word) sum += std::exp(of.p(t, word));
  return std::log(sum) - of.p(t, of.said(t));
}

// What a loss may be by mistake, and what to do about it.
struct Mistake {
  Mean mean;
  const char *cause, *advice;
};

const std::vector<Mistake>& mistakes() {
  static const char* shift = "Shift once and in one place: input = <bos> w1 w2, output = w1 w2 <eos>.";
  static const char* ids =
      "Give the loss the ids of the words as they are: class i is the word with the id i.";
  static const char* every = "Let every word count, the end token among them: the mean is over all of them.";
  static const char* squares =
      "The loss is a squared error of probabilities, not -log p: where they are wrong, it has hardly a "
      "slope.";
  static const char* entropy = "Take the cross-entropy, the mean of -log p of the words to say.";
  static const std::vector<Mistake> all{
      {[](const Heard& of) { return static_cast<double>(of.words()) * cross_entropy_of(of); },
       "The loss is a sum over words, not their mean: it grows with the number of words.",
       "Divide by the number of words that count, all those of the batch: not by the number of sentences."},
      {[](const Heard& of) {
         return mean_over(of, of.words(), [](const Heard& from, Index t) {
           return -from.log_p(t, from.input[static_cast<std::size_t>(t)]);
         });
       },
       "The target is not shifted: the loss asks each place for the very word that it is given there.",
       shift},
      {[](const Heard& of) {
         return mean_over(of, of.words() - 1,
                          [](const Heard& from, Index t) { return -from.log_p(t, from.said(t + 1)); });
       },
       "The target is shifted twice: the loss asks each place for the word after the one that comes next.",
       shift},
      {[](const Heard& of) { return of_class_moved(of, -1); },
       "Classes are off by one: the loss asks for the class before that of the word.", ids},
      {[](const Heard& of) { return of_class_moved(of, 1); },
       "Classes are off by one: the loss asks for the class after that of the word.", ids},
      {[](const Heard& of) { return surprise(of, of.words() - 1); },
       "The last word of a sentence alone counts in the loss.", every},
      {[](const Heard& of) { return surprise(of, 0); },
       "The first word of a sentence alone counts in the loss.", every},
      {[](const Heard& of) { return mean_over(of, of.words() - 1, surprise); },
       "The ends of sentences do not count in the loss: where one ends is never learned.",
       "Leave out padding, and nothing else. It needs a number of its own: where the end token fills the "
       "rows, too, who leaves out padding leaves out the ends."},
      {[](const Heard& of) { return mean_over(of, of.words(), surprise_of_two_softmaxes); },
       "The softmax is taken twice: the loss begins with one, and is given probabilities. They lie between 0 "
       "and 1, and so the loss can hardly fall.",
       "Give the loss the scores of the last layer as they are: no softmax stands between them and the "
       "loss."},
      {[](const Heard& of) { return mean_over(of, of.words(), squared_error); }, squares, entropy},
      {[](const Heard& of) {
         return mean_over(of, of.words(), squared_error) / static_cast<double>(of.classes);
       },
       squares, entropy},
  };
  return all;
}

bool is_near(double a, double b) {
  return std::abs(a - b) <= 1e-4 * std::max(std::abs(a), std::abs(b)) + 1e-5;
}

bool all_near(const std::vector<Heard>& all, const std::function<double(const Heard&)>& loss) {
  return std::all_of(all.begin(), all.end(),
                     [&](const Heard& each) { return is_near(loss(each), each.loss); });
}

// Whether the loss is the cross-entropy times a number, with a number added, or smoothed.
void explain_by_numbers(const std::vector<Heard>& all, Answer& answer) {
  const Heard& one = all.front();
  const double times = one.loss / cross_entropy_of(one), more = one.loss - cross_entropy_of(one);
  if (all_near(all, [&](const Heard& each) { return times * cross_entropy_of(each); })) {
    answer.cause = times < 0 ? "The loss is negated: it falls where words become less likely."
                             : text("The loss is multiplied by ", times, ".");
    answer.advice =
        "Take the mean of -log p as it is: minus one logarithm, and divided by nothing but the number "
        "of words.";
  } else if (all_near(all, [&](const Heard& each) { return more + cross_entropy_of(each); })) {
    answer.evidence += text("; it is larger by ", more, " whatever the words are");
    if (more < cross_entropy_of(one) / 2) return;
    answer.cause = "Something is added to the loss that has nothing to do with words, and outweighs them.";
    answer.advice =
        "Weigh a penalty for large weights so that it is a small part of the loss, or take AdamW.";
  } else {
    const auto apart = [](const Heard& of) { return of_all_words(of) - cross_entropy_of(of); };
    const Heard& widest = *std::max_element(all.begin(), all.end(), [&](const Heard& a, const Heard& b) {
      return std::abs(apart(a)) < std::abs(apart(b));
    });
    const double smoothed = (widest.loss - cross_entropy_of(widest)) / apart(widest);
    if (!(smoothed > 0 && smoothed < 1.001) ||
        !all_near(all, [&](const Heard& each) { return cross_entropy_of(each) + smoothed * apart(each); }))
      return;
    answer.evidence += text("; labels are smoothed by ", smoothed);
    if (smoothed < 0.35) return;
    answer.cause = text("Labels are smoothed too much: ", smoothed,
                        " of the probability is asked for everywhere but at the word to say.");
    answer.advice = "Smooth by 0.1, or not at all: it is the share that the word to say loses.";
  }
}

// Is the loss made of the scores as it must be? It is the mean of -log p, with p the softmax of what the last
// layer makes, over the words of some sentences by themselves. What it is instead can be tried out; what
// nobody has thought of here is left to the experiments that follow.
std::optional<Answer> loss_is_of_scores(const Case& of) {
  std::vector<Heard> all;
  const Index rows = of.batch.output.dim(0);
  for (Index b = 0; b < std::min<Index>(4, rows); ++b) {
    const TranslationBatch sentence = sentence_of(of.batch, b);
    if (sentence.words() != sentence.output.size() || (of.has_targets() && sentence.words() < 2)) continue;
    const ScoresOfWords observer(of.patient, sentence.output.size());
    const double loss = of.loss(sentence);
    if (observer.wrong_width.defined() && !observer.scores.defined() && observer.wrong_width.dim(1) >= 2 &&
        observer.wrong_width.dim(1) == of.patient.source_words && all.empty()) {
      Answer answer{text("the last layer has ", observer.wrong_width.dim(1), " scores for ",
                         of.patient.target_words, " words")};
      answer.cause = "The last layer has a score for each word of the sources, not of the targets.";
      answer.advice = "Tie the output to the target's embedding: its rows are the words to say.";
      answer.chapter = "chapter 11";
      return answer;
    }
    if (!observer.scores.defined() || !std::isfinite(loss)) return std::nullopt;
    all.push_back({loss,
                   of.patient.target_words,
                   logarithms_of(observer.scores),
                   {sentence.input.begin(), sentence.input.end()},
                   {sentence.output.begin(), sentence.output.end()}});
  }
  if (all.size() < 2) return std::nullopt;
  Answer answer{text("the loss of a sentence is ", all.front().loss,
                     ", and -log p of its words, by their scores, ", cross_entropy_of(all.front()))};
  answer.chapter = "chapter 12";
  if (all_near(all, cross_entropy_of)) return answer;
  for (const Mistake& each : mistakes())
    if (of.has_targets() && answer.cause.empty() && all_near(all, each.mean)) {
      answer.cause = each.cause;
      answer.advice = each.advice;
    }
  if (answer.cause.empty()) explain_by_numbers(all, answer);
  return answer;
}

// Does each sentence meet its own targets? With the targets of the sentence before or after it, -log p is
// another. A few sentences say it.
std::optional<Answer> targets_are_own(const Case& of) {
  if (!of.has_targets() || of.batch.output.dim(0) < 3) return std::nullopt;
  constexpr Index B = 3;
  const TranslationBatch some = rows_of(of.batch, {0, 1, 2});
  const Index T = some.output.dim(1);
  const ScoresOfWords observer(of.patient, B * T);
  const double loss = of.loss(some);
  if (!observer.scores.defined() || !std::isfinite(loss)) return std::nullopt;
  const Heard whole{loss, of.patient.target_words, logarithms_of(observer.scores), {}, {}};
  const auto with_targets_of = [&](Index further) {
    double sum = 0;
    for (Index b = 0; b < B; ++b)
      for (Index t = 0; t < T; ++t)
        if (const std::int32_t id = id_at(some.output, (b + further) % B, t); id != TranslationBatch::nothing)
          sum -= whole.log_p(b * T + t, id);
    return sum / static_cast<double>(some.words());
  };
  Answer answer{
      text("the loss of ", B, " sentences is ", loss, ", and -log p of their words ", with_targets_of(0))};
  if (is_near(loss, with_targets_of(0))) return answer;
  if (!is_near(loss, with_targets_of(1)) && !is_near(loss, with_targets_of(2))) return std::nullopt;
  answer.cause = "Scores meet the targets of other sentences: of the next one in the batch.";
  answer.advice = "Take sources, inputs and outputs by one order of rows.";
  answer.chapter = "chapter 12";
  return answer;
}

// Is the first loss that of chance? Who knows nothing holds each of V words equally likely: ln V. Scores that
// differ by 1, as those of fresh weights do, cost a half more.
std::optional<Answer> first_loss_is_that_of_chance(const Case& of) {
  const double chance = std::log(static_cast<double>(of.patient.target_words)), loss = of.loss(of.batch);
  Answer answer{text("the first loss is ", loss, ", and ln ", of.patient.target_words, " = ", chance)};
  if (loss > chance / 2 && loss < chance + 2) return answer;
  if (loss < 0) {
    answer.cause = "The loss is below 0, and the mean of -log p never is: it is of something else.";
    answer.advice =
        "Look for probabilities where their logarithms are expected: a logarithm is missing before the loss.";
  } else if (loss > chance) {
    answer.cause = "The first loss is far above that of chance: the scores of the words are too large.";
    answer.advice = "Let the last weights be small, with a deviation of 1/√D, after a last norm.";
  } else {
    answer.cause = "The first loss is far below that of chance: the model is told the answer.";
    answer.advice = "Count the classes, and look for the target in what the model reads.";
  }
  answer.chapter = "chapter 12";
  return answer;
}

}  // namespace

const std::vector<Experiment>& of_loss() {
  static const std::vector<Experiment> all{{"loss is of scores", loss_is_of_scores},
                                           {"targets are own", targets_are_own},
                                           {"first loss", first_loss_is_that_of_chance}};
  return all;
}

}  // namespace gradual::experiments
