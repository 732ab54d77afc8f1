// Experiments on the data: what is wrong there, no model can make good.
#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>
#include <unordered_map>

#include <gradual/core/error.hpp>
#include <gradual/core/random.hpp>
#include <gradual/nn/doctor/experiments/experiment.hpp>
#include <gradual/nn/text/vocabulary.hpp>

namespace gradual::experiments {
namespace {

using Ids = std::vector<std::int32_t>;

constexpr int draws = 39;

struct Pair {
  Ids source, target;  // without padding; of a classifier, the label alone
  bool operator<(const Pair& other) const {
    return std::tie(source, target) < std::tie(other.source, other.target);
  }
};

Pair pair_of(const TranslationBatch& batch, Index row) {
  Pair pair;
  const Index length = length_of(batch.source, row);
  for (Index s = 0; s < length; ++s) pair.source.push_back(id_at(batch.source.ids, row, s));
  const Index places = batch.output.size() / batch.source.ids.dim(0);
  for (Index t = 0; t < places; ++t)
    if (const std::int32_t id = batch.output[row * places + t]; id != TranslationBatch::nothing)
      pair.target.push_back(id);
  return pair;
}

// A few hundred distinct pairs of the first batches, in their order.
std::vector<Pair> distinct_pairs(const Patient& patient) {
  std::set<Pair> known;
  std::vector<Pair> pairs;
  for (Index n = 0; n < 64 && pairs.size() < 384; ++n) {
    const TranslationBatch batch = patient.batch(n);
    for (Index row = 0; row < batch.source.ids.dim(0); ++row)
      if (Pair pair = pair_of(batch, row); known.insert(pair).second) pairs.push_back(std::move(pair));
  }
  return pairs;
}

// How much words of both sides go together: Σ n(s, t)² / (n(s)·n(t)) over words s and t, where n counts the
// pairs in which they stand (Dice's coefficient likewise finds translations of words by such counts).
double association(const std::vector<Pair>& pairs, const std::vector<Index>& target_of) {
  std::unordered_map<std::int64_t, double> together;
  std::unordered_map<std::int32_t, double> of_source, of_target;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const Ids& target = pairs[static_cast<std::size_t>(target_of[i])].target;
    const std::set<std::int32_t> a(pairs[i].source.begin(), pairs[i].source.end()),
        b(target.begin(), target.end());
    for (const std::int32_t s : a) ++of_source[s];
    for (const std::int32_t t : b) ++of_target[t];
    for (const std::int32_t s : a)
      for (const std::int32_t t : b) ++together[(static_cast<std::int64_t>(s) << 32) + t];
  }
  double sum = 0;
  for (const auto& [words, n] : together)
    sum += n * n /
           (of_source[static_cast<std::int32_t>(words >> 32)] *
            of_target[static_cast<std::int32_t>(words & 0x7fffffff)]);
  return sum;
}

// Targets exchanged among those of one length, so that lengths go together as they did.
std::vector<Index> exchanged(const std::vector<Pair>& pairs, Random& random) {
  std::map<std::size_t, std::vector<Index>> by_length;
  for (std::size_t i = 0; i < pairs.size(); ++i)
    by_length[pairs[i].target.size()].push_back(static_cast<Index>(i));
  std::vector<Index> target_of(pairs.size());
  for (const auto& [length, places] : by_length) {
    const std::vector<Index> order = random.permutation(static_cast<Index>(places.size()));
    for (std::size_t i = 0; i < places.size(); ++i)
      target_of[static_cast<std::size_t>(places[i])] = places[static_cast<std::size_t>(order[i])];
  }
  return target_of;
}

// Of 39 exchanges of targets, how many go with the sources better than the targets as they are.
int better_exchanges(const std::vector<Pair>& pairs) {
  Random random(1);
  std::vector<Index> own(pairs.size());
  std::iota(own.begin(), own.end(), Index{0});
  const double now = association(pairs, own);
  int better = 0;
  for (int draw = 0; draw < draws; ++draw) better += association(pairs, exchanged(pairs, random)) > now;
  return better;
}

// Do sources and targets belong together? How well their words go together is compared with what it is when
// targets are exchanged, 39 times. Translations go together better than any such; pairs that are none are
// like them (a permutation test). A text that got out of step on the way does so in some of its quarters.
std::optional<Answer> pairs_belong_together(const Case& of) {
  if (!of.has_sources()) return std::nullopt;
  const std::vector<Pair> pairs = distinct_pairs(of.patient);
  if (pairs.size() < 32) return std::nullopt;
  const int better = better_exchanges(pairs);
  Answer answer{text("of ", draws, " exchanges of targets, ", better, " go with the sources better than the ",
                     pairs.size(), " pairs as they are")};
  answer.advice =
      "Print ten pairs as the model gets them. Look for a line that one side has more, for sides that were "
      "shuffled or sorted apart, and for labels of other texts.";
  answer.chapter = "chapter 10";
  if (better * 10 > draws) {
    answer.cause = "Sources and targets do not belong together: the pairs are not aligned.";
    return answer;
  }
  const auto quarter = static_cast<std::ptrdiff_t>(pairs.size() / 4);
  if (!of.has_targets() || quarter < 48) return answer;
  for (std::ptrdiff_t i = 0; i < 4; ++i) {
    const auto first = pairs.begin() + i * quarter;
    const int better_here = better_exchanges({first, first + quarter});
    if (better_here * 5 <= draws) continue;
    answer.evidence += text("; in quarter ", i + 1, " of these, ", better_here);
    answer.cause = text("Sources and targets do not belong together everywhere: in quarter ", i + 1,
                        " of the first ", pairs.size(), " pairs they are not aligned.");
    return answer;
  }
  return answer;
}

// Do words say anything? In a text the commonest word stands in a tenth of the places or so; where one token
// stands in most, it tells no sentence from another. Where a third is unknown, a third is not said.
std::optional<Answer> words_differ(const Case& of) {
  constexpr Index batches = 8;
  std::map<std::int32_t, double> sources, targets;
  for (Index n = 0; n < batches; ++n) {
    const TranslationBatch batch = of.patient.batch(n);
    if (of.has_sources())
      for (Index b = 0; b < batch.source.ids.dim(0); ++b)
        for (Index s = 0; s < length_of(batch.source, b); ++s) ++sources[id_at(batch.source.ids, b, s)];
    if (of.has_targets())
      for (const std::int32_t id : batch.output)
        if (id != TranslationBatch::nothing) ++targets[id];
  }
  Answer answer;
  const auto look_at = [&](const char* side, const std::map<std::int32_t, double>& places) {
    if (places.empty() || !answer.cause.empty()) return;
    double all = 0;
    auto most = places.begin();
    for (auto each = places.begin(); each != places.end(); ++each) {
      all += each->second;
      if (each->second > most->second) most = each;
    }
    answer.evidence += text(answer.evidence.empty() ? "" : "; ", "token ", most->first, " stands in ",
                            std::round(100 * most->second / all), " % of the places of ", side);
    const auto unknown = places.find(Vocabulary::unknown);
    if (of.has_sources() && of.has_targets() && unknown != places.end() && unknown->second > 0.3 * all)
      most = unknown;
    else if (most->second < 0.6 * all)
      return;
    answer.cause =
        text(most->second < 0.6 * all ? "Many" : "Most", " words of the ", side,
             " are one and the same token, ", most->first,
             most->first == Vocabulary::unknown
                 ? ": the unknown word. They are looked up in another vocabulary, or it has too few words."
                 : ": they do not tell one sentence from another.");
    answer.advice =
        "Decode ten sentences from the ids that the model gets. Look for the vocabulary of the other side or "
        "of another text, for words that are split otherwise than it expects, and for padding that counts.";
    answer.chapter = "chapter 10";
  };
  look_at("sources", sources);
  look_at("targets", targets);
  return answer;
}

// Is the target shifted? At each place the model is given the word before the one that it must say: the input
// one place on is the output. That holds everywhere, or the batches are made wrongly.
std::optional<Answer> target_is_shifted(const Case& of) {
  if (!of.has_targets()) return std::nullopt;
  const Indices &input = of.batch.input, &output = of.batch.output;
  Index places = 0, shifted = 0, same = 0;
  for (Index b = 0; b < input.dim(0); ++b)
    for (Index t = 0; t + 1 < input.dim(1); ++t) {
      if (id_at(output, b, t + 1) == TranslationBatch::nothing) continue;
      ++places;
      shifted += id_at(input, b, t + 1) == id_at(output, b, t);
      same += id_at(input, b, t) == id_at(output, b, t);
    }
  if (places == 0) return std::nullopt;
  Answer answer{text("the input one place on is the output in ", shifted, " of ", places, " places")};
  if (shifted == places) return answer;
  answer.cause = same == places
                     ? "The target is not shifted: the input holds the very word that the model must say."
                     : "Input and output do not fit: the input one place on is not the output.";
  answer.advice =
      "Let the input begin with the begin token and the output end with the end token: input = <bos> w1 w2, "
      "output = w1 w2 <eos>.";
  answer.chapter = "chapter 12";
  return answer;
}

}  // namespace

const std::vector<Experiment>& of_data() {
  static const std::vector<Experiment> all{{"words differ", words_differ},
                                           {"pairs belong together", pairs_belong_together},
                                           {"target is shifted", target_is_shifted}};
  return all;
}

}  // namespace gradual::experiments
