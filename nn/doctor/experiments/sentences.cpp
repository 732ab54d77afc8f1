// Experiments on the sentences that a model is given, word by word.
#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include <gradual/core/error.hpp>
#include <gradual/nn/doctor/experiments/experiment.hpp>
#include <gradual/nn/text/vocabulary.hpp>

namespace gradual::experiments {
namespace {

using Ids = std::vector<std::int32_t>;

std::vector<TranslationBatch> first_batches(const Case& of, Index count) {
  std::vector<TranslationBatch> batches;
  for (Index n = 0; n < count; ++n) batches.push_back(of.patient.batch(n));
  return batches;
}

Ids source_of(const TranslationBatch& batch, Index b) {
  const auto first = batch.source.ids.begin() + b * batch.source.ids.dim(1);
  return {first, first + length_of(batch.source, b)};
}
// The words that are to be said.
Ids target_of(const TranslationBatch& batch, Index b) {
  const Index T = batch.output.dim(1);
  Ids words;
  for (Index t = 0; t < T; ++t)
    if (const std::int32_t id = id_at(batch.output, b, t); id != TranslationBatch::nothing)
      words.push_back(id);
  return words;
}

// Are ids words? Each is one of 0 … V - 1, or the table has no row for it.
std::optional<Answer> ids_are_words(const Case& of) {
  std::int32_t source = -1, target = -1;
  for (const TranslationBatch& batch : first_batches(of, 4)) {
    for (const std::int32_t id : batch.source.ids) source = std::max(source, id);
    for (const std::int32_t id : batch.input) target = std::max(target, id);
    for (const std::int32_t id : batch.output) target = std::max(target, id);
  }
  Answer answer;
  const auto look_at = [&](const char* side, std::int32_t highest, Index words) {
    if (highest < 0) return;
    answer.evidence += text(answer.evidence.empty() ? "" : "; ", "the highest id of the ", side, " is ",
                            highest, ", of ", words, " words");
    if (highest < words || !answer.cause.empty()) return;
    answer.cause = text("The ", side, " have words that their vocabulary does not have: id ", highest, " of ",
                        words, ".");
    answer.advice =
        "Look for sides or vocabularies that were exchanged, and for a model that was made for another "
        "vocabulary than the text.";
    answer.chapter = "chapter 10";
  };
  if (of.has_sources()) look_at("sources", source, of.patient.source_words);
  look_at("targets", target, of.patient.target_words);
  return answer;
}

// Do sentences differ? One that stands in most rows of some batches is all that will be learnt.
std::optional<Answer> sentences_differ(const Case& of) {
  if (!of.has_targets()) return std::nullopt;
  std::map<Ids, Index> sources, targets;
  Index rows = 0;
  for (const TranslationBatch& batch : first_batches(of, 8))
    for (Index b = 0; b < batch.output.dim(0); ++b, ++rows) {
      ++targets[target_of(batch, b)];
      if (of.has_sources()) ++sources[source_of(batch, b)];
    }
  Answer answer{text("of ", rows, " sentences, ", targets.size(), " targets",
                     of.has_sources() ? text(" and ", sources.size(), " sources differ") : " differ")};
  for (const auto& [side, all] : {std::pair("sources", &sources), std::pair("targets", &targets)})
    for (const auto& [sentence, count] : *all) {
      if (10 * count <= 6 * rows || !answer.cause.empty()) continue;
      answer.cause = text("Most ", side, " are one and the same sentence: ", count, " of ", rows, ".");
      answer.advice =
          "Print ten pairs as the model gets them. Look for a variable that is read again and again "
          "where the next line was meant.";
      answer.chapter = "chapter 10";
    }
  return answer;
}

// Do batches differ? In training, the next batch has other sentences, unless one holds the whole text. And
// lengths come as they come: batches that only grow longer are those of a text that was sorted and not
// shuffled, which happens by chance to one in 12! of them.
std::optional<Answer> batches_differ(const Case& of) {
  if (!of.patient.rate) return std::nullopt;
  if (of.patient.batches == 1) return Answer{"the text is one batch"};
  const std::vector<TranslationBatch> batches = first_batches(of, 12);
  const auto same = [](const Indices& a, const Indices& b) {
    return a.shape() == b.shape() && std::equal(a.begin(), a.end(), b.begin());
  };
  const TranslationBatch& first = batches.front();
  const Index repeated = std::count_if(batches.begin() + 1, batches.end(), [&](const TranslationBatch& each) {
    return same(each.source.ids, first.source.ids) && same(each.input, first.input) &&
           same(each.output, first.output);
  });
  // The words of a sentence, on one side or the other.
  const auto length = [](const TranslationBatch& batch, bool of_target) {
    double words = static_cast<double>(of_target ? batch.words() : 0);
    for (Index b = 0; b < batch.source.lengths.size() && !of_target; ++b) words += batch.source.lengths[b];
    return words / static_cast<double>(batch.output.dim(0));
  };
  const auto is_sorted = [&](bool of_target, bool downwards) {
    return std::is_sorted(batches.begin(), batches.end(),
                          [&](const TranslationBatch& a, const TranslationBatch& b) {
                            const double x = length(a, of_target), y = length(b, of_target);
                            return downwards ? y < x : x < y;
                          }) &&
           length(first, of_target) != length(batches.back(), of_target);
  };
  const Index others = static_cast<Index>(batches.size()) - 1;
  const bool rising = is_sorted(false, false) || is_sorted(true, false),
             falling = is_sorted(false, true) || is_sorted(true, true);
  Answer answer{text("of the ", others, " batches after the first, ", repeated, " are the same again, and ",
                     rising || falling ? "their sentences" : "neither side's sentences", " grow ",
                     falling ? "shorter and shorter" : "longer and longer")};
  answer.chapter = "chapter 12";
  if (repeated == others) {
    answer.cause = "Every batch is the same one, again and again.";
    answer.advice = "Draw the sentences of each batch anew: the n-th batch must depend on n.";
  } else if (rising || falling) {
    answer.cause = text("Batches come sorted by length, the ", rising ? "shortest" : "longest",
                        " first: the text is not shuffled.");
    answer.advice =
        "Shuffle the text before each pass over it. Sentences of like length may share a batch, but batches "
        "must come in an order by chance: a model that reads long ones last unlearns the short ones.";
  }
  return answer;
}

// Are sentences whole? All inputs begin with one token, which is never to be said, and all outputs end with
// one token, which stands nowhere else.
std::optional<Answer> sentences_are_whole(const Case& of) {
  if (!of.has_sources() || !of.has_targets()) return std::nullopt;
  std::set<std::int32_t> begins, ends;
  Index sentences = 0, begins_said = 0, early_ends = 0;
  for (const TranslationBatch& batch : first_batches(of, 4))
    for (Index b = 0; b < batch.output.dim(0); ++b) {
      const Ids words = target_of(batch, b);
      if (words.empty()) continue;
      ++sentences;
      begins.insert(id_at(batch.input, b, 0));
      ends.insert(words.back());
      begins_said += std::count(words.begin(), words.end() - 1, id_at(batch.input, b, 0)) > 0;
      early_ends += std::count(words.begin(), words.end(), words.back()) > 1;
    }
  if (sentences < 8) return std::nullopt;
  Answer answer{text("of ", sentences, " targets, all begin with one of ", begins.size(),
                     " tokens and end with one of ", ends.size(), "; ", begins_said, " say the first again, ",
                     early_ends, " the last")};
  answer.chapter = "chapter 10";
  answer.advice =
      "A target w1 w2 is given as <bos> w1 w2 and is said as w1 w2 <eos>: both tokens are added once, by "
      "whoever makes the batches, and sentences that are cut keep their end.";
  if (begins.size() > 1)
    answer.cause = "Inputs do not begin with one and the same token: the begin token is missing.";
  else if (ends.size() > 1)
    answer.cause =
        "Targets do not end with one and the same token: the end token is missing, or was cut off.";
  else if (begins_said > 0)
    answer.cause = text("The begin token has to be said: it stands twice in ", begins_said, " of ", sentences,
                        " targets.");
  else if (2 * early_ends > sentences)
    answer.cause = text("Sentences end twice: the end token stands before the end, too, in ", early_ends,
                        " of ", sentences, " targets.");
  return answer;
}

// Whether the places of padding are a run at the front or, but for one last token, at the back.
bool is_run_at_an_end(const Ids& words) {
  const auto is_padding = [](std::int32_t id) { return id == Vocabulary::pad; };
  const auto count = std::count_if(words.begin(), words.end(), is_padding);
  const auto run = [&](auto first, auto last) {
    return count >= 2 && std::find_if_not(first, last, is_padding) - first == count;
  };
  return run(words.begin(), words.end()) || run(words.rbegin(), words.rend()) ||
         (!words.empty() && run(words.rbegin() + 1, words.rend()));
}

// Is padding padding? What stands behind the ends of sources is one token, and that token stands in no
// sentence: neither does a length leave words out, nor does padding count as words.
std::optional<Answer> padding_is_no_word(const Case& of) {
  if (!of.has_sources()) return std::nullopt;
  std::set<std::int32_t> behind;
  Index sentences = 0, with_filling = 0, with_padding = 0;
  const std::vector<TranslationBatch> batches = first_batches(of, 4);
  for (const TranslationBatch& batch : batches)
    for (Index b = 0; b < batch.source.ids.dim(0); ++b)
      for (Index s = length_of(batch.source, b); s < batch.source.ids.dim(1); ++s)
        behind.insert(id_at(batch.source.ids, b, s));
  for (const TranslationBatch& batch : batches)
    for (Index b = 0; b < batch.source.ids.dim(0); ++b) {
      const Ids source = source_of(batch, b);
      ++sentences;
      with_filling += behind.size() == 1 && std::count(source.begin(), source.end(), *behind.begin()) > 0;
      with_padding += is_run_at_an_end(source) || (of.has_targets() && is_run_at_an_end(target_of(batch, b)));
    }
  Answer answer{text(behind.size(), " tokens stand behind the ends of ", sentences, " sources; ",
                     std::max(with_filling, with_padding), " sentences have padding for words")};
  answer.chapter = "chapter 10";
  answer.advice =
      "Fill up the sentences of a batch on the right, after they got their end, and let lengths count the "
      "words with their end: no more, no less. Targets are filled up with TranslationBatch::nothing.";
  if (behind.size() > 1)
    answer.cause = "Words stand behind the ends of sources: their lengths are too small.";
  else if (with_filling > 0 || 4 * with_padding > sentences)
    answer.cause = text("Padding stands among the words of ", std::max(with_filling, with_padding),
                        " sentences: it is on the wrong side, lengths are too large, or it counts as words.");
  return answer;
}

}  // namespace

const std::vector<Experiment>& of_sentences() {
  static const std::vector<Experiment> all{{"ids are words", ids_are_words},
                                           {"sentences differ", sentences_differ}};
  return all;
}

const std::vector<Experiment>& of_batches() {
  static const std::vector<Experiment> all{{"batches differ", batches_differ},
                                           {"sentences are whole", sentences_are_whole},
                                           {"padding is no word", padding_is_no_word}};
  return all;
}

}  // namespace gradual::experiments
