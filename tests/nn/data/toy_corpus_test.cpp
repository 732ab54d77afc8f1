#include <gradual/nn/data/toy_corpus.hpp>

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include <gradual/nn/text/words.hpp>

#include "support/catch.hpp"

using namespace gradual;

namespace {

using Words = std::vector<std::string>;
using WordSet = std::set<std::string>;

const ToyCorpus& corpus() {
  static const ToyCorpus made = make_toy_corpus(1);
  return made;
}

const std::vector<SentencePair>& all_pairs() {
  static const std::vector<SentencePair> all = [] {
    std::vector<SentencePair> joined = corpus().train;
    for (const auto* part : {&corpus().held_out, &corpus().compositional}) {
      joined.insert(joined.end(), part->begin(), part->end());
    }
    return joined;
  }();
  return all;
}

WordSet word_set(const std::string& sentence) {
  const Words words = split_words(sentence);
  return {words.begin(), words.end()};
}

// The rules of English plurals, as far as the toy nouns need them.
std::string plural_of(const std::string& noun) {
  static const std::map<std::string, std::string> irregular = {
      {"man", "men"}, {"woman", "women"}, {"child", "children"}, {"mouse", "mice"}, {"church", "churches"}};
  const auto found = irregular.find(noun);
  return found == irregular.end() ? noun + "s" : found->second;
}

bool has_pair(const WordSet& words, const std::pair<std::string, std::string>& pair) {
  const auto& [adjective, noun] = pair;
  return words.count(adjective) > 0 && (words.count(noun) > 0 || words.count(plural_of(noun)) > 0);
}

bool has_new_pair(const std::string& english) {
  const WordSet words = word_set(english);
  return std::any_of(corpus().new_pairs.begin(), corpus().new_pairs.end(),
                     [&](const auto& pair) { return has_pair(words, pair); });
}

}  // namespace

TEST_CASE("toy corpus: the parts have the sizes asked for, and no English sentence comes twice") {
  CHECK(corpus().train.size() == 20000);
  CHECK(corpus().held_out.size() == 1000);
  CHECK(corpus().compositional.size() == 1000);
  std::set<std::string> sources;
  for (const SentencePair& pair : all_pairs()) sources.insert(pair.source);
  CHECK(sources.size() == 22000);
}

TEST_CASE("toy corpus: the seed decides the sentences") {
  const ToyCorpus one = make_toy_corpus(7, 50, 20, 20), same = make_toy_corpus(7, 50, 20, 20),
                  other = make_toy_corpus(8, 50, 20, 20);
  CHECK(one.train == same.train);
  CHECK(one.held_out == same.held_out);
  CHECK(one.compositional == same.compositional);
  CHECK(one.new_pairs == same.new_pairs);
  CHECK_FALSE(one.train == other.train);
  CHECK_FALSE(one.new_pairs == other.new_pairs);
}

TEST_CASE("toy corpus: parts can be empty, but not negative") {
  const ToyCorpus empty = make_toy_corpus(1, 0, 0, 0);
  CHECK((empty.train.empty() && empty.held_out.empty() && empty.compositional.empty()));
  CHECK(make_toy_corpus(1, 0, 0, 5).compositional.size() == 5);
  CHECK_THROWS_WITH(make_toy_corpus(1, 10, -1, 0),
                    "make_toy_corpus: sizes must not be negative: train_size is 10, held_out_size is -1, "
                    "compositional_size is 0");
}

TEST_CASE("toy corpus: new pairs of adjective and noun are in the compositional part alone") {
  CHECK(corpus().new_pairs.size() > 15);
  for (const auto* part : {&corpus().train, &corpus().held_out}) {
    for (const SentencePair& pair : *part) {
      CAPTURE(pair.source);
      if (has_new_pair(pair.source)) FAIL_CHECK("a new pair outside the compositional part");
    }
  }
  std::map<std::pair<std::string, std::string>, int> times;
  for (const SentencePair& pair : corpus().compositional) {
    CAPTURE(pair.source);
    if (!has_new_pair(pair.source)) FAIL_CHECK("a compositional sentence without a new pair");
    const WordSet words = word_set(pair.source);
    for (const auto& new_pair : corpus().new_pairs) times[new_pair] += has_pair(words, new_pair);
  }
  for (const auto& new_pair : corpus().new_pairs) CHECK(times[new_pair] > 0);
}

TEST_CASE("toy corpus: the words of new pairs are frequent in training, with many other partners") {
  std::map<std::string, std::map<std::string, int>> partners;
  std::set<std::string> nouns, adjectives;
  for (const auto& [adjective, noun] : corpus().new_pairs) {
    nouns.insert(noun);
    adjectives.insert(adjective);
  }
  for (const SentencePair& pair : corpus().train) {
    const WordSet words = word_set(pair.source);
    for (const std::string& adjective : adjectives) {
      for (const std::string& noun : nouns) {
        if (!has_pair(words, {adjective, noun})) continue;
        ++partners[adjective][noun];
        ++partners[noun][adjective];
      }
    }
  }
  for (const auto* words : {&nouns, &adjectives}) {
    for (const std::string& word : *words) {
      CAPTURE(word);
      CHECK(partners[word].size() >= 4);
    }
  }
}

TEST_CASE("toy corpus: there are few words, in sentences of three to twelve") {
  WordSet english, french;
  for (const SentencePair& pair : all_pairs()) {
    const Words source = split_words(pair.source), target = split_words(pair.target);
    english.insert(source.begin(), source.end());
    french.insert(target.begin(), target.end());
    const std::size_t shortest = std::min(source.size(), target.size()),
                      longest = std::max(source.size(), target.size());
    if (shortest < 3 || longest > 12)
      FAIL_CHECK("too short or too long: " << pair.source << " | " << pair.target);
  }
  CHECK((english.size() > 150 && english.size() < 200));
  CHECK((french.size() > 200 && french.size() < 280));
}

TEST_CASE("toy corpus: every sentence comes with its alignment") {
  CHECK(corpus().alignments.size() == 22000);
  for (const SentencePair& pair : all_pairs()) {
    const auto found = corpus().alignments.find(pair.source);
    REQUIRE(found != corpus().alignments.end());
    const auto [source_end, target_end] = found->second.back();
    if (source_end != static_cast<Index>(split_words(pair.source).size()) - 1) FAIL_CHECK(pair.source);
    if (target_end != static_cast<Index>(split_words(pair.target).size()) - 1) FAIL_CHECK(pair.target);
  }
}
