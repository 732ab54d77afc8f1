// Experiments on what a model sees: nothing that it must not, and everything that it must.
#include <algorithm>
#include <cmath>

#include <gradual/core/error.hpp>
#include <gradual/nn/diagnosis/leaks.hpp>
#include <gradual/nn/doctor/experiments/experiment.hpp>

namespace gradual::experiments {
namespace {

// How many places behind itself the first place of a target sees: words are changed there one by one.
Index sight_of_first_place(const Case& of) {
  TranslationBatch batch = of.batch;
  batch.output = ids_of(batch.output.shape(), [&](Index b, Index t) {
    return t == 0 ? id_at(of.batch.output, b, 0) : TranslationBatch::nothing;
  });
  const double before = of.loss(batch);
  Index far = 0;
  for (Index place = 1; place < batch.input.dim(1); ++place) {
    TranslationBatch changed = batch;
    changed.input = ids_of(batch.input.shape(), [&](Index b, Index t) {
      const std::int32_t id = id_at(batch.input, b, t);
      return t == place ? (id + 1) % static_cast<std::int32_t>(of.patient.target_words) : id;
    });
    if (of.loss(changed) != before) far = place;
  }
  return far;
}

std::string cause_of(const Leak& leak, const Case& of) {
  switch (leak.kind) {
    case Leak::Kind::later_words: {
      const Index far = sight_of_first_place(of), last = of.batch.input.dim(1) - 1;
      return far > 0 && far < last ? text("The causal mask is off by one: a word sees ", far,
                                          far == 1 ? " word" : " words", " behind it and no more.")
                                   : "There is no causal mask: a word sees all words behind it.";
    }
    case Leak::Kind::padding:
      return "Words see padding: the mask for the lengths of sources is missing or wrong.";
    case Leak::Kind::other_sentences:
      return "Sentences see the others of their batch.";
    default:
      return "Chance is at work in evaluation.";
  }
}

// Does anything see what it must not? The leak check (nn/diagnosis/leaks.hpp): no bit may change.
std::optional<Answer> nothing_leaks(const Case& of) {
  LeakSubject subject{of.patient.source_words, of.has_targets() ? of.patient.target_words : 0,
                      of.patient.max_length, nullptr};
  subject.compute = [&](const SourceBatch& source, const Indices& target) {
    if (of.has_targets()) return of.patient.loss({source, target, target});
    const Index texts = source.ids.dim(0);
    return of.patient.loss({source, {}, Indices({texts}, std::vector<std::int32_t>(std::size_t(texts)))});
  };
  std::vector<Leak> leaks;
  try {
    leaks = find_leaks(subject);
  } catch (const std::logic_error& error) {
    return Answer{error.what()};  // not every model can be looked at
  }
  if (leaks.empty()) return Answer{"no bit of a result changes with what it must not see"};
  const Leak& leak = leaks.front();
  return Answer{leak.text, cause_of(leak, of),
                leak.kind == Leak::Kind::later_words
                    ? "Give self-attention of what writes the causal mask: a query i sees the keys up to i."
                    : "Give every attention to sources the valid lengths, and average over words alone.",
                "chapter 5"};
}

// Does padding cost something? A few more places of padding are no words, so the mean over the words stays.
std::optional<Answer> padding_costs_nothing(const Case& of) {
  const Index more = 3;
  if (!of.has_targets()) return std::nullopt;
  const Index T = of.batch.input.dim(1);
  if (of.patient.max_length > 0 && T + more > of.patient.max_length) return std::nullopt;
  const auto longer = [&](const Indices& ids, std::int32_t filling) {
    return ids_of({ids.dim(0), T + more},
                  [&](Index b, Index t) { return t < T ? id_at(ids, b, t) : filling; });
  };
  const double before = of.loss(of.batch);
  const double padded = of.loss(
      {of.batch.source, longer(of.batch.input, 0), longer(of.batch.output, TranslationBatch::nothing)});
  Answer answer{text("the loss is ", before, ", and ", padded, " with ", more, " more places of padding")};
  if (are_alike(before, padded)) return answer;
  answer.cause = "Padding counts in the loss, as if it were words.";
  answer.advice =
      "Leave the places without a word out: their target is TranslationBatch::nothing, -1, and "
      "the mean is over the words that remain.";
  answer.chapter = "chapter 12";
  return answer;
}

// Are the words before read? With other ones the loss is another.
std::optional<Answer> input_is_read(const Case& of) {
  if (!of.has_targets()) return std::nullopt;
  TranslationBatch changed = of.batch;
  changed.input = ids_of(of.batch.input.shape(), [&](Index b, Index t) {
    return (id_at(of.batch.input, b, t) + 1) % static_cast<std::int32_t>(of.patient.target_words);
  });
  const double before = of.loss(of.batch), after = of.loss(changed);
  Answer answer{text("the loss is ", before, ", and ", after, " after other words")};
  if (!are_alike(before, after)) return answer;
  answer.cause = "The loss does not depend on the words before: the model does not read its input.";
  answer.advice = "Look at what goes into the decoder: it must be the input, not the output or a constant.";
  answer.chapter = "chapter 10";
  return answer;
}

}  // namespace

const std::vector<Experiment>& of_sight() {
  static const std::vector<Experiment> all{{"leaks", nothing_leaks},
                                           {"padding costs nothing", padding_costs_nothing},
                                           {"input is read", input_is_read}};
  return all;
}

}  // namespace gradual::experiments
