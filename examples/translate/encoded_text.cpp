#include "encoded_text.hpp"

#include <algorithm>
#include <limits>

#include <gradual/core/error.hpp>

using namespace gradual;

namespace {

// FNV-1a (Fowler, Noll and Vo), 64 bits.
class Hash {
 public:
  void add(std::uint64_t number) {
    for (int byte = 0; byte < 8; ++byte) mix(static_cast<unsigned char>(number >> (8 * byte)));
  }
  void add(const std::string& bytes) {
    add(bytes.size());
    for (const char byte : bytes) mix(static_cast<unsigned char>(byte));
  }
  void add(const std::vector<std::int32_t>& ids) {
    add(ids.size());
    for (const std::int32_t id : ids) add(static_cast<std::uint64_t>(id));
  }
  void add(const std::vector<SentencePair>& pairs) {
    add(pairs.size());
    for (const SentencePair& pair : pairs) {
      add(pair.source);
      add(pair.target);
    }
  }
  std::string in_hex() const { return text(std::hex, hash_); }

 private:
  void mix(unsigned char byte) { hash_ = (hash_ ^ byte) * 0x100000001b3u; }
  std::uint64_t hash_ = 0xcbf29ce484222325u;
};

}  // namespace

bool fits(const Translator& translator, const EncodedPair& ids, Index batch_tokens) {
  return tokens_in_batch(ids) <= batch_tokens && translator.has_room_for(ids);
}

EncodedText::EncodedText(const Translator& translator, const Corpora& corpora, Index batch_tokens,
                         std::uint64_t seed)
    : batch_tokens_(batch_tokens), seed_(seed) {
  Hash hash;
  for (const Language* language : {&translator.source(), &translator.target()})
    for (const std::string& token : language->vocabulary.tokens()) hash.add(token);
  Index shortest = std::numeric_limits<Index>::max();
  corpora.text->rewind();
  for (SentencePair pair; corpora.text->next(pair);) {
    const EncodedPair ids = translator.encode(pair);
    shortest = std::min(shortest, tokens_in_batch(ids));
    if (!fits(translator, ids, batch_tokens)) {
      ++too_long_;
      continue;
    }
    pairs_.add(ids);
    hash.add(ids.source);
    hash.add(ids.target);
  }
  if (pairs_.empty())
    throw std::invalid_argument(text("train: some pairs must fit a batch and the model: the shortest has ",
                                     shortest, " tokens, --batch-tokens is ", batch_tokens,
                                     ", and the model takes ", translator.longest_sentence() + 1));
  // Going on with other sentences to watch by or to test on would compare figures that are not comparable.
  hash.add(corpora.text->validation());
  for (const HeldOutSet& set : corpora.held_out) hash.add(set.pairs);
  fingerprint_ = hash.in_hex();
}

const std::vector<Index>& EncodedText::next_rows() {
  while (batches_seen_ >= order_start_ + static_cast<Index>(order_.size())) {
    order_start_ += static_cast<Index>(order_.size());
    order_ = batches_of_like_length(pairs_, batch_tokens_,
                                    Random(seed_ * 1000003 + static_cast<std::uint64_t>(epoch_++)));
  }
  return order_[static_cast<std::size_t>(batches_seen_++ - order_start_)];
}

void EncodedText::skip_to(Index batch) {
  while (batches_seen_ < batch) next_rows();
}
