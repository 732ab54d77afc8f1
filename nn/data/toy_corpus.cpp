#include <gradual/nn/data/toy_corpus.hpp>

#include <algorithm>
#include <map>
#include <set>
#include <stdexcept>

#include <gradual/core/error.hpp>
#include <gradual/core/random.hpp>
#include <gradual/nn/data/toy/grammar.hpp>
#include <gradual/nn/data/toy/lexicon.hpp>

namespace gradual {
namespace {

using Pair = std::pair<std::string, std::string>;  // adjective and noun

/// Chooses a tenth of the adjectives and nouns that go together, no more than two of a noun's and a fifth of
/// an adjective's, so that enough is left to learn both words from.
std::vector<Pair> choose_new_pairs(Random random) {
  const toy::Lexicon& lexicon = toy::lexicon();
  std::vector<Pair> all;
  std::map<std::string, Index> partners;
  for (const toy::Adjective& adjective : lexicon.adjectives) {
    for (const toy::Noun& noun : lexicon.nouns) {
      if (!(adjective.kinds & noun.kind)) continue;
      all.emplace_back(adjective.english, noun.english);
      ++partners[adjective.english];
    }
  }
  std::vector<Pair> chosen;
  std::map<std::string, Index> times_chosen;
  for (const Index i : random.permutation(static_cast<Index>(all.size()))) {
    const Pair& pair = all[static_cast<std::size_t>(i)];
    const auto& [adjective, noun] = pair;
    if (times_chosen[noun] == 2 || times_chosen[adjective] >= partners[adjective] / 5) continue;
    ++times_chosen[noun];
    ++times_chosen[adjective];
    chosen.push_back(pair);
    if (chosen.size() == all.size() / 10) break;
  }
  return chosen;
}

bool describes_new_pair(const toy::Sentence& sentence, const std::set<Pair>& new_pairs) {
  return std::any_of(sentence.descriptions.begin(), sentence.descriptions.end(),
                     [&](const Pair& pair) { return new_pairs.count(pair) > 0; });
}

bool mentions_new_pair(const toy::Sentence& sentence, const std::set<Pair>& new_pairs) {
  return std::any_of(
      sentence.adjectives.begin(), sentence.adjectives.end(), [&](const std::string& adjective) {
        return std::any_of(sentence.nouns.begin(), sentence.nouns.end(), [&](const std::string& noun) {
          return new_pairs.count({adjective, noun}) > 0;
        });
      });
}

}  // namespace

ToyCorpus make_toy_corpus(std::uint64_t seed, Index train_size, Index held_out_size,
                          Index compositional_size) {
  if (train_size < 0 || held_out_size < 0 || compositional_size < 0) {
    throw std::invalid_argument(text("make_toy_corpus: sizes must not be negative: train_size is ",
                                     train_size, ", held_out_size is ", held_out_size,
                                     ", compositional_size is ", compositional_size));
  }
  Random random(seed);
  ToyCorpus corpus;
  corpus.new_pairs = choose_new_pairs(random);
  const std::set<Pair> new_pairs(corpus.new_pairs.begin(), corpus.new_pairs.end());

  std::vector<SentencePair> ordinary;
  const auto ordinary_size = static_cast<std::size_t>(train_size + held_out_size);
  while (ordinary.size() < ordinary_size ||
         static_cast<Index>(corpus.compositional.size()) < compositional_size) {
    const toy::Sentence sentence = toy::draw_sentence(random);
    const bool is_new = describes_new_pair(sentence, new_pairs);
    if (!is_new && mentions_new_pair(sentence, new_pairs)) continue;
    auto& side = is_new ? corpus.compositional : ordinary;
    const auto limit = is_new ? static_cast<std::size_t>(compositional_size) : ordinary_size;
    if (side.size() == limit || !corpus.alignments.emplace(sentence.pair.source, sentence.alignment).second)
      continue;
    side.push_back(sentence.pair);
  }
  // Short sentences are few and come early; in random order both sides get their share.
  for (const Index i : random.permutation(train_size + held_out_size)) {
    auto& side = static_cast<Index>(corpus.train.size()) < train_size ? corpus.train : corpus.held_out;
    side.push_back(ordinary[static_cast<std::size_t>(i)]);
  }
  return corpus;
}

}  // namespace gradual
