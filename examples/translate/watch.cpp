#include "watch.hpp"

#include <limits>

#include <gradual/core/error.hpp>
#include <gradual/nn/seq2seq/batches.hpp>

#include "encoded_text.hpp"
#include "evaluation.hpp"

using namespace gradual;

Watch::Watch(const Translator& translator, const std::vector<SentencePair>& pairs,
             const TrainSettings& settings)
    : settings_(settings) {
  EncodedPairs encoded;
  for (const SentencePair& pair : pairs) {
    const EncodedPair ids = translator.encode(pair);
    if (!fits(translator, ids, settings.batch_tokens)) {
      ++too_long_;
      continue;
    }
    pairs_.push_back(pair);
    encoded.add(ids);
  }
  if (pairs_.empty())
    throw std::invalid_argument(
        text("train: some validation sentences must fit a batch and the model: there are ", pairs.size(),
             ", --batch-tokens is ", settings.batch_tokens));
  for (const std::vector<Index>& rows : batches_of_like_length(encoded, settings.batch_tokens, Random(0)))
    batches_.push_back(make_batch(encoded, rows));
}

Watch::Look Watch::look(const Translator& translator) const {
  set_training(translator.model(), false);
  const double loss = mean_loss(translator.model());
  if (settings_.watch == "loss") return {loss, std::numeric_limits<double>::quiet_NaN(), loss};
  const double score = bleu(judge(translator, pairs_, usual_search()), settings_.test.bleu).score;
  return {loss, score, -score};
}

double Watch::mean_loss(const TranslationModel& model) const {
  const NoGrad no_grad;
  double total = 0, words = 0;
  for (const TranslationBatch& batch : batches_) {
    double here = 0;
    for (const std::int32_t id : batch.output) here += id == Vocabulary::pad ? 0 : 1;
    total += here * static_cast<double>(model.loss(batch, {Vocabulary::pad, 0}).value().item());
    words += here;
  }
  return total / words;
}
