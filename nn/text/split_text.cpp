#include <gradual/nn/text/split_text.hpp>

#include <algorithm>
#include <functional>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <utility>

#include <gradual/core/error.hpp>
#include <gradual/core/random.hpp>
#include <gradual/nn/text/tokenizer.hpp>

namespace gradual {
namespace {

using Hash = std::uint64_t;

Hash hash_of(const std::string& sentence) { return std::hash<std::string>()(sentence); }

bool is_long(const SentencePair& pair, Index max_words) {
  return max_words > 0 && (count_words(pair.source) > max_words || count_words(pair.target) > max_words);
}

// Chooses so many of the distinct sources, or the largest share; says of each pair whether its source is
// chosen.
std::vector<bool> choose_sources(const std::vector<Hash>& sources, Index wanted, double largest_share,
                                 std::uint64_t seed) {
  std::unordered_map<Hash, Index> number_of;  // of each source, in order of first appearance
  for (const Hash source : sources) number_of.emplace(source, static_cast<Index>(number_of.size()));
  const auto distinct = static_cast<Index>(number_of.size());
  if (largest_share < 1)
    wanted = std::min(wanted,
                      std::max<Index>(static_cast<Index>(largest_share * static_cast<double>(distinct)), 1));
  if (wanted < 0 || (wanted >= distinct && wanted > 0))
    throw std::invalid_argument(text("split: the sentences held back must leave some to train on: ", wanted,
                                     " are wanted, there are ", distinct, " distinct source sentences"));
  const std::vector<Index> rank = Random(seed).permutation(distinct);
  std::vector<bool> chosen;
  for (const Hash source : sources)
    chosen.push_back(rank[static_cast<std::size_t>(number_of.at(source))] < wanted);
  return chosen;
}

}  // namespace

std::string as_it_is_read(const std::string& sentence, bool lower_case) {
  std::string words;
  for (const std::string& word :
       Tokenizer({TextUnits::words, lower_case, Spacing::plain, {}}).split(sentence))
    words += word + ' ';
  return words;
}

SplitText::SplitText(std::unique_ptr<PairStream> pairs, const SplitOptions& options)
    : text_(std::move(pairs)), both_ways_(options.both_ways) {
  const auto hash_as_read = [&](const std::string& sentence) {
    return hash_of(as_it_is_read(sentence, options.lower_case));
  };
  const bool keeps_back = options.held_out != 0 || options.validation != 0;
  std::vector<Hash> sources, read;  // of the pairs that are trained on; of all, as a model reads them
  SentencePair pair;
  while (text_->next(pair)) {
    const bool dropped = is_long(pair, options.max_words);
    uses_.push_back(dropped ? Use::none : Use::training);
    if (!dropped) sources.push_back(hash_of(pair.source));
    if (keeps_back) read.push_back(dropped ? 0 : hash_as_read(pair.source));
  }
  const auto hold_back = [&](Use use, Index wanted, double largest_share, std::uint64_t seed) {
    if (wanted == 0) return;
    const std::vector<bool> chosen = choose_sources(sources, wanted, largest_share, seed);
    std::vector<Hash> left;
    std::size_t i = 0;
    for (Use& each : uses_) {
      if (each != Use::training) continue;
      if (chosen[i])
        each = use;
      else
        left.push_back(sources[i]);
      ++i;
    }
    sources = std::move(left);
  };
  if (uses_.empty()) throw std::invalid_argument("split: there must be pairs: there are none");
  if (sources.empty())
    throw std::invalid_argument(text("split: some pairs must be left to train on: each of the ", uses_.size(),
                                     " has more than ", options.max_words, " words"));
  hold_back(Use::held_out, options.held_out, options.largest_share, options.seed);
  hold_back(Use::validation, options.validation, 1, options.seed + 1);

  rewind();
  if (!keeps_back) return;
  const std::unordered_map<Hash, Use> kept = keep_together(read);
  for (Use& use : uses_) {
    text_->next(pair);
    if (use == Use::held_out) held_out_.push_back(pair);
    if (use == Use::validation) validation_.push_back(pair);
    // Turned round, the mirror image of a pair that is held back is that pair.
    if (use == Use::training && both_ways_ && kept.count(hash_as_read(pair.target)) > 0) use = Use::one_way;
  }
  rewind();
}

// What a model cannot tell from a source that is held back goes with it. It was among those that were chosen
// from, so that a text without such sources is split as ever.
std::unordered_map<std::uint64_t, SplitText::Use> SplitText::keep_together(const std::vector<Hash>& read) {
  std::unordered_map<Hash, Use> kept;
  const bool is_watched = count(Use::validation) > 0;
  for (const Use use : {Use::held_out, Use::validation})  // nothing that is tested is watched
    for (std::size_t i = 0; i < uses_.size(); ++i)
      if (uses_[i] == use) kept.emplace(read[i], use);
  for (std::size_t i = 0; i < uses_.size(); ++i)
    if (const auto found = kept.find(read[i]); found != kept.end() && uses_[i] != Use::none)
      uses_[i] = found->second;
  if (is_watched && count(Use::validation) == 0)
    throw std::invalid_argument(
        "split: the sentences for validation must not all read like one that is held out: want more of them");
  if (count(Use::training) == 0)
    throw std::invalid_argument(text("split: the sentences held back must leave some to train on: of ",
                                     static_cast<Index>(uses_.size()) - too_long(),
                                     " pairs all are held back, or read like one that is"));
  return kept;
}

bool SplitText::next(SentencePair& pair) {
  do {
    if (next_as_written(pair)) {
      if (turned_) std::swap(pair.source, pair.target);
      return true;
    }
  } while (turn());
  return false;
}

bool SplitText::next_as_written(SentencePair& pair) {
  while (text_->next(pair)) {
    const Use use = uses_.at(row_++);
    if (use == Use::training || (use == Use::one_way && !turned_)) return true;
  }
  return false;
}

// Begins again with the pairs the other way round, where that is wanted and was not yet done.
bool SplitText::turn() {
  if (!both_ways_ || turned_) return false;
  rewind();
  return turned_ = true;
}

void SplitText::rewind() {
  text_->rewind();
  row_ = 0;
  turned_ = false;
}

Index SplitText::count(Use use) const { return std::count(uses_.begin(), uses_.end(), use); }

}  // namespace gradual
