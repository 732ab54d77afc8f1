#include <gradual/nn/translation/training_text.hpp>

#include <algorithm>
#include <limits>

#include <gradual/core/error.hpp>

namespace gradual {
namespace {

// Of numbers, texts and sentences, byte by byte.
class Hash {
 public:
  explicit Hash(Fnv& hash) : hash_(hash) {}
  void add(std::uint64_t number) {
    for (int byte = 0; byte < 8; ++byte) hash_.add(static_cast<unsigned char>(number >> (8 * byte)));
  }
  void add(const std::string& bytes) {
    add(bytes.size());
    hash_.add_bytes(bytes);
  }
  void add(const std::vector<std::int32_t>& ids) {
    add(ids.size());
    for (const std::int32_t id : ids) add(static_cast<std::uint64_t>(id));
  }

 private:
  Fnv& hash_;
};

// Whether a batch and the model have room for a pair.
bool fits(const Translator& translator, const EncodedPair& ids, Index batch_tokens) {
  return tokens_in_batch(ids) <= batch_tokens && translator.has_room_for(ids);
}

}  // namespace

struct TrainingText::Sampling {
  Sampling(const Translator& with, PairStream& from, double strength)
      : translator(with), pairs(from), source(with.source(), strength), target(with.target(), strength) {}

  const Translator& translator;
  PairStream& pairs;
  SentenceSampler source, target;
  std::vector<bool> kept;  // of each pair, whether it is trained on
};

TrainingText::TrainingText(const Translator& translator, PairStream& pairs, Index batch_tokens,
                           std::uint64_t seed, double sampling)
    : batch_tokens_(batch_tokens), seed_(seed) {
  const auto samples =
      sampling > 0 ? std::make_shared<Sampling>(translator, pairs, sampling) : std::shared_ptr<Sampling>();
  Hash hash(hash_);
  for (const Language* language : {&translator.source(), &translator.target()})
    for (const std::string& token : language->vocabulary.tokens()) hash.add(token);
  Index shortest = std::numeric_limits<Index>::max();
  pairs.rewind();
  for (SentencePair pair; pairs.next(pair);) {
    const EncodedPair ids = translator.encode(pair);
    shortest = std::min(shortest, tokens_in_batch(ids));
    const bool kept = fits(translator, ids, batch_tokens);
    if (samples) samples->kept.push_back(kept);
    if (!kept) {
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
  sampling_ = samples;
}

void TrainingText::cut_anew(Random random) {
  pairs_ = EncodedPairs();
  std::size_t row = 0;
  sampling_->pairs.rewind();
  for (SentencePair pair; sampling_->pairs.next(pair);) {
    if (!sampling_->kept.at(row++)) continue;
    EncodedPair ids;
    ids.source = sampling_->source.encode(pair.source, random);
    ids.target = sampling_->target.encode(pair.target, random);
    pairs_.add(fits(sampling_->translator, ids, batch_tokens_) ? ids : sampling_->translator.encode(pair));
  }
}

const std::vector<Index>& TrainingText::rows(Index n) {
  if (n < first_) {
    order_.clear();
    epoch_ = first_ = 0;
  }
  while (n >= first_ + static_cast<Index>(order_.size())) {
    first_ += static_cast<Index>(order_.size());
    const Random random(seed_ * 1000003 + static_cast<std::uint64_t>(epoch_++));
    if (sampling_) cut_anew(Random(random.state().seed).split());
    order_ = batches_of_like_length(pairs_, batch_tokens_, random);
  }
  return order_[static_cast<std::size_t>(n - first_)];
}

Index TrainingText::batches_in_first_epoch() {
  rows(0);
  return static_cast<Index>(order_.size());
}

std::string TrainingText::fingerprint() const { return text(std::hex, hash_.sum); }

void TrainingText::add_to_fingerprint(const std::vector<SentencePair>& pairs) {
  Hash hash(hash_);
  hash.add(pairs.size());
  for (const SentencePair& pair : pairs) {
    hash.add(pair.source);
    hash.add(pair.target);
  }
}

ValidationText::ValidationText(const Translator& translator, const std::vector<SentencePair>& pairs,
                               Index batch_tokens) {
  EncodedPairs encoded;
  for (const SentencePair& pair : pairs) {
    const EncodedPair ids = translator.encode(pair);
    if (!fits(translator, ids, batch_tokens)) {
      ++too_long_;
      continue;
    }
    pairs_.push_back(pair);
    encoded.add(ids);
  }
  if (pairs_.empty())
    throw std::invalid_argument(
        text("train: some validation sentences must fit a batch and the model: there are ", pairs.size(),
             ", --batch-tokens is ", batch_tokens));
  for (const std::vector<Index>& rows : batches_of_like_length(encoded, batch_tokens, Random(0)))
    batches_.push_back(make_batch(encoded, rows));
}

double ValidationText::mean_loss(const TranslationModel& model) const {
  const NoGrad no_grad;
  double total = 0, words = 0;
  for (const TranslationBatch& batch : batches_) {
    const auto here = static_cast<double>(batch.words());
    total += here * static_cast<double>(model.loss(batch, {}).value().item());
    words += here;
  }
  return total / words;
}

}  // namespace gradual
