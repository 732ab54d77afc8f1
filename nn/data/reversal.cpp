#include <gradual/nn/data/reversal.hpp>

#include <algorithm>
#include <set>

#include <gradual/core/error.hpp>
#include <gradual/nn/fnv.hpp>
#include <gradual/nn/text/vocabulary.hpp>

namespace gradual {
namespace {

using Words = std::vector<std::int32_t>;

constexpr std::int32_t first_word = Vocabulary::unknown + 1;

Words draw_words(Index words, Index longest, Random random) {
  Words sequence(static_cast<std::size_t>(1 + random.below(longest)));
  for (std::int32_t& word : sequence) word = first_word + static_cast<std::int32_t>(random.below(words));
  return sequence;
}

bool is_unseen(const Words& sequence) {
  Fnv hash;
  for (std::int32_t word : sequence) hash.add(static_cast<std::uint64_t>(word));
  return (hash.sum >> 32) % 10 == 0;
}

}  // namespace

ReversalTask::ReversalTask(Index words, Index longest) : words_(words), longest_(longest) {
  if (words <= 0 || longest <= 0)
    throw std::invalid_argument(text("reversal: words and length must be positive: words is ", words,
                                     ", the longest sequence has ", longest));
}

Index ReversalTask::vocabulary_size() const { return first_word + words_; }

EncodedPair ReversalTask::draw(Random random) const {
  for (int attempt = 0; attempt < 1000; ++attempt) {
    const Words sequence = draw_words(words_, longest_, random);
    if (!is_unseen(sequence)) return {sequence, {sequence.rbegin(), sequence.rend()}};
  }
  throw std::invalid_argument(text("reversal: there must be a sequence to train on: none of ", words_,
                                   " words and up to ", longest_, " places; more words or places help"));
}

std::vector<EncodedPair> ReversalTask::unseen(Index count, Random random) const {
  std::set<Words> found;
  for (Index attempt = 0; attempt < 100 * count && static_cast<Index>(found.size()) < count; ++attempt) {
    Words sequence = draw_words(words_, longest_, random);
    if (is_unseen(sequence)) found.insert(std::move(sequence));
  }
  if (static_cast<Index>(found.size()) < count)
    throw std::invalid_argument(text("reversal: there must be enough unseen sequences: wanted ", count,
                                     ", found ", found.size(), " of ", words_, " words and up to ", longest_,
                                     " places; more words or places help"));
  std::vector<EncodedPair> pairs;
  for (const Words& sequence : found) pairs.push_back({sequence, {sequence.rbegin(), sequence.rend()}});
  std::stable_sort(pairs.begin(), pairs.end(), [](const EncodedPair& a, const EncodedPair& b) {
    return a.source.size() < b.source.size();
  });
  return pairs;
}

}  // namespace gradual
