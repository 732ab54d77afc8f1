// Experiments on what a model sees: nothing that it must not, and everything that it must.
#include <algorithm>
#include <cmath>
#include <functional>
#include <set>

#include <gradual/core/error.hpp>
#include <gradual/nn/attention/recorder.hpp>
#include <gradual/nn/diagnosis/leaks.hpp>
#include <gradual/nn/doctor/experiments/experiment.hpp>

namespace gradual::experiments {
namespace {

// The places whose words change the loss at one place of a target: words are changed there one by one.
std::vector<Index> seen_from(const Case& of, Index place) {
  const TranslationBatch batch = with_one_place(of.batch, place);
  const double before = of.loss(batch);
  std::vector<Index> seen;
  for (Index other = 0; other < batch.input.dim(1); ++other)
    if (of.loss(with_other_input(of, batch, other)) != before) seen.push_back(other);
  return seen;
}

// Attention takes its values by a product with weights, or is one operation. What else mixes words does it by
// a mean, a norm, a sum: no mask helps there.
bool by_attention(const Leak& leak) { return leak.operation == "matmul" || leak.operation == "attention"; }

// Whether attention itself gives weight to what stands behind the end of a source.
bool attends_to_padding(const Case& of) {
  const Index S = of.batch.source.ids.dim(1);
  for (const RecordedAttention& each : attention_of(of)) {
    const Tensor& weights = each.weights;  // [B, H, T, S]
    const bool of_sources = each.to == AttentionTo::source || each.is_of_encoder();
    if (!of_sources || weights.dim(3) != S) continue;
    const Index rows = weights.dim(1) * weights.dim(2);
    for (Index b = 0; b < weights.dim(0); ++b)
      for (Index row = 0; row < rows; ++row)
        for (Index s = length_of(of.batch.source, b); s < S; ++s)
          if (weights.data()[(b * rows + row) * S + s] > 0) return true;
  }
  return false;
}

// The weights of attention of what writes to itself, at the places of the first batch.
std::vector<RecordedAttention> attention_of_inputs(const Case& of) {
  std::vector<RecordedAttention> all = attention_of(of);
  const Index T = of.has_targets() ? of.batch.input.dim(1) : 0;
  all.erase(std::remove_if(all.begin(), all.end(),
                           [&](const RecordedAttention& each) {
                             return each.is_of_encoder() || each.to != AttentionTo::itself ||
                                    each.weights.dim(2) != T || each.weights.dim(3) != T;
                           }),
            all.end());
  return all;
}

// Whether some attention gives weight to words after the query.
bool attends_to_later(const Case& of) {
  for (const RecordedAttention& each : attention_of_inputs(of)) {
    const Index T = each.weights.dim(2);
    for (Index i = 0; i < each.weights.size(); ++i)
      if (i % T > i / T % T && each.weights.data()[i] > 0) return true;
  }
  return false;
}

// Whether the words after the first have weights that are all one: their scores were made 0, not -∞.
bool later_scores_are_zero(const Case& of) {
  for (const RecordedAttention& each : attention_of_inputs(of)) {
    const Index T = each.weights.dim(2);
    const Real* first = each.weights.data();
    if (T > 2 && first[1] > 0 && std::all_of(first + 1, first + T, [&](Real w) { return w == first[1]; }))
      return true;
  }
  return false;
}

std::string mixing_of(const Leak& leak) {
  return text(leak.operation, " in ", leak.layer.empty() ? "a part without parameters" : leak.layer);
}

Answer later_words(const Leak& leak, const Case& of) {
  Answer answer{leak.text};
  answer.chapter = "chapter 5";
  if (!by_attention(leak) && !attends_to_later(of)) {
    answer.cause = "A word sees all words of its sentence, and not by attention: by " + mixing_of(leak) + ".";
    answer.advice = leak.operation == "reshape"
                        ? "Look at how heads are put together again: [B, H, T, d] becomes [B, T, H, d], by "
                          "exchanging axes, and then [B, T, H·d]. A reshape alone puts words and heads in "
                          "one heap."
                        : "Look for a mean, a norm or a maximum over the words, axis 1 of [B, T, D]: a norm "
                          "goes over the features of one word, the last axis, and a mean over the words up "
                          "to it.";
    return answer;
  }
  if (later_scores_are_zero(of)) {
    answer.cause =
        "The causal mask does not hide: hidden words have the score 0, as by a product with the mask, and "
        "with it the weight of e⁰. So a word sees all words after it.";
    answer.advice = "Let hidden scores be -∞, by a sum with a mask of 0 and -∞, or by masked_softmax().";
    return answer;
  }
  const Index last = of.batch.input.dim(1) - 1;
  const std::vector<Index> first_sees = seen_from(of, 0), last_sees = seen_from(of, last);
  const Index far = first_sees.empty() ? 0 : first_sees.back();
  answer.advice =
      "Give self-attention of what writes the causal mask: a query i sees the keys up to i. What hides is -∞ "
      "or -1e9, added before the softmax.";
  if (last > 1 && far > 0 && last_sees == std::vector<Index>{last})
    answer.cause = "The causal mask is the wrong way round: a word sees those after it, and none before.";
  else if (far > 0 && far < last)
    answer.cause = text("The causal mask is off by one: a word sees ", far, far == 1 ? " word" : " words",
                        " after it and no more.");
  else
    answer.cause = "There is no causal mask: a word sees all words after it.";
  return answer;
}

Answer what_leaks(const Leak& leak, const Case& of) {
  switch (leak.kind) {
    case Leak::Kind::later_words:
      return later_words(leak, of);
    case Leak::Kind::padding:
      if (by_attention(leak) || attends_to_padding(of))
        return {leak.text, "Words see padding: the mask for the lengths of sources is missing or wrong.",
                "Give every attention to sources the valid lengths: a query sees the keys before the end.",
                "chapter 5"};
      return {leak.text, "Words see padding, and not by attention: by " + mixing_of(leak) + ".",
              "Let means, norms and recurrent steps go over the words alone, up to the length of each.",
              "chapter 5"};
    case Leak::Kind::other_sentences:
      if (leak.shape[-1] == of.patient.target_words)
        return {
            leak.text,
            "Scores meet the targets of other sentences: behind the last layer, " + leak.operation +
                " puts them in another order than the targets have.",
            "Make scores [B, T, V] and targets [B, T] flat in one order, sentence by sentence, so that each "
            "score meets the target of its own place.",
            "chapter 12"};
      return {leak.text, "Sentences see the others of their batch, by " + mixing_of(leak) + ".",
              "Nothing may go over axis 0 of [B, T, D], that of the sentences. Look for [B, T, D] that is "
              "taken for [T, B, D], and for a norm over the batch.",
              "chapter 11"};
    default:
      return {leak.text, "Chance is at work in evaluation.", "Let what drops ask whether it is in training.",
              "chapter 12"};
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
  return what_leaks(leaks.front(), of);
}

// With a few more places behind the others.
Indices longer(const Indices& ids, Index more, std::int32_t filling) {
  const Index T = ids.dim(1);
  return ids_of({ids.dim(0), T + more}, [&](Index b, Index t) { return t < T ? id_at(ids, b, t) : filling; });
}

// Does padding cost something? A few more places of padding are no words, so the mean over the words stays.
// If it does not, other words in these places tell whether the loss counts them, or their number alone
// changes what the words before them become.
std::optional<Answer> padding_costs_nothing(const Case& of) {
  const Index more = 3;
  const auto fits = [&](const Indices& ids) {
    return of.patient.max_length == 0 || ids.dim(1) + more <= of.patient.max_length;
  };
  const double before = of.loss(of.batch);
  Answer answer;
  const auto judge = [&](const char* side, const std::function<TranslationBatch(std::int32_t)>& padded_with) {
    const double padded = of.loss(padded_with(0));
    answer.evidence += text(answer.evidence.empty() ? "" : "; ", "the loss is ", before, ", and ", padded,
                            " with ", more, " more places of padding in ", side);
    if (are_alike(before, padded)) return true;
    const auto T = static_cast<double>(of.has_targets() ? of.batch.output.dim(1) : 0);
    if (std::string(side) == "targets" && are_alike(before * T, padded * (T + static_cast<double>(more)))) {
      answer.cause =
          "The loss is a mean over all places, padding among them: padding costs nothing, and is counted.";
      answer.advice = "Divide the sum of -log p by the number of words, not by that of places.";
      answer.chapter = "chapter 12";
      return false;
    }
    if (of.has_targets() && !are_alike(padded, of.loss(padded_with(1)))) {
      answer.cause = "Padding counts in the loss, as if it were words.";
      answer.advice =
          "Leave the places without a word out: their target is TranslationBatch::nothing, -1, and "
          "the mean is over the words that remain.";
      answer.chapter = "chapter 12";
      return false;
    }
    answer.cause = text("What a word becomes depends on how many places there are: padding behind ", side,
                        " changes it, whatever stands there.");
    answer.advice =
        "Look at reshapes: a head is a part of the features of each word, [B, T, H·d] to [B, T, H, d] and "
        "then with T and H exchanged. A reshape alone cuts the sentence into parts. And places are counted "
        "from the beginning.";
    answer.chapter = "chapter 7";
    return false;
  };
  if (of.has_targets() && fits(of.batch.input) && !judge("targets", [&](std::int32_t filling) {
        return TranslationBatch{of.batch.source, longer(of.batch.input, more, filling),
                                longer(of.batch.output, more, TranslationBatch::nothing)};
      }))
    return answer;
  if (of.has_sources() && of.batch.source.lengths.size() > 0 && fits(of.batch.source.ids))
    judge("sources", [&](std::int32_t filling) {
      return TranslationBatch{{longer(of.batch.source.ids, more, filling), of.batch.source.lengths},
                              of.batch.input,
                              of.batch.output};
    });
  if (answer.evidence.empty()) return std::nullopt;
  return answer;
}

// Does every word count? What one place of one sentence costs by itself is -log p, which is 0 for nobody who
// is not certain. Four sentences say it.
std::optional<Answer> every_word_counts(const Case& of) {
  if (!of.has_targets()) return std::nullopt;
  Index places = 0, uncounted = 0, ends = 0;
  std::string first;
  std::set<std::int32_t> ids;
  for (Index b = 0; b < std::min<Index>(4, of.batch.output.dim(0)); ++b) {
    const TranslationBatch sentence = rows_of(of.batch, {b});
    bool last = true;
    for (Index t = sentence.output.dim(1) - 1; t >= 0; --t) {
      if (id_at(sentence.output, 0, t) == TranslationBatch::nothing) continue;
      ++places;
      if (of.loss(with_one_place(sentence, t)) == 0) {
        if (uncounted++ == 0) first = text("word ", t + 1, " of sentence ", b + 1);
        ids.insert(id_at(sentence.output, 0, t));
        ends += last;
      }
      last = false;
    }
  }
  Answer answer{text(places - uncounted, " of ", places, " words of the first sentences count in the loss")};
  if (uncounted == 0) return answer;
  answer.chapter = "chapter 12";
  answer.cause = ends == uncounted
                     ? "The ends of sentences do not count in the loss: where one ends is never learned."
                     : text("Not every word counts in the loss: ", first, " costs nothing",
                            ids.size() == 1 ? text(", nor does its id, ", *ids.begin(), ", anywhere.") : ".");
  answer.advice =
      "Leave out padding, and nothing else. It needs a number of its own: where the end token fills the "
      "rows, too, who leaves out padding leaves out the ends.";
  return answer;
}

// Do all words count alike? The loss is the mean over the words of a batch. So that of each
// sentence by itself, and that of each place by itself, weighted by their words, add up to it.
std::optional<Answer> words_count_alike(const Case& of) {
  const auto sum_over = [&](Index count, const std::function<TranslationBatch(Index)>& part) {
    double sum = 0;
    for (Index i = 0; i < count; ++i) {
      const TranslationBatch some = part(i);
      if (some.words() > 0) sum += static_cast<double>(some.words()) * of.loss(some);
    }
    return sum / static_cast<double>(of.batch.words());
  };
  const double whole = of.loss(of.batch);
  const double by_sentence =
      sum_over(of.batch.output.dim(0), [&](Index b) { return rows_of(of.batch, {b}); });
  const double by_place = !of.has_targets() ? whole : sum_over(of.batch.output.dim(1), [&](Index place) {
    return with_one_place(of.batch, place);
  });
  Answer answer{
      text("the loss is ", whole, ", sentence by sentence ", by_sentence, ", and place by place ", by_place)};
  const auto differs = [&](double sum) { return !(std::abs(sum - whole) <= 1e-3 * std::abs(whole)); };
  if (!differs(by_sentence) && !differs(by_place)) return answer;
  answer.chapter = "chapter 12";
  std::vector<Index> backwards;  // a sentence in another place of its batch
  for (Index b = of.batch.output.dim(0) - 1; b >= 0; --b) backwards.push_back(b);
  if (differs(of.loss(rows_of(of.batch, backwards)))) {
    answer.cause = "What a sentence becomes depends on its place in the batch.";
    answer.advice =
        "Look for what runs along axis 0 of [B, T, D], that of the sentences, and must run along the words: "
        "positions or a mask that were made for [T, B, D].";
    answer.chapter = "chapter 9";
    return answer;
  }
  answer.cause = differs(by_sentence)
                     ? "A sentence by itself has another loss than in its batch: the loss is no mean over "
                       "words, or sentences are mixed."
                     : "Not all places count alike in the loss.";
  answer.advice =
      "Sum -log p over all words, the end token among them, and divide by their number: not by that of "
      "sentences, and not for each sentence first. Nothing may go over axis 0, that of the sentences.";
  return answer;
}

// Are the words before read? With other ones the loss is another.
std::optional<Answer> input_is_read(const Case& of) {
  if (!of.has_targets()) return std::nullopt;
  TranslationBatch changed = of.batch;
  for (Index t = 0; t < of.batch.input.dim(1); ++t) changed = with_other_input(of, changed, t);
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
                                           {"every word counts", every_word_counts},
                                           {"words count alike", words_count_alike},
                                           {"input is read", input_is_read}};
  return all;
}

}  // namespace gradual::experiments
