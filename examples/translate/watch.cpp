#include "watch.hpp"

#include <limits>

#include "evaluation.hpp"

using namespace gradual;

namespace {

EncodedText encoded(const Translator& translator, const std::vector<SentencePair>& pairs,
                    Index batch_tokens) {
  ListStream<SentencePair> stream(pairs);
  return EncodedText(translator, stream, batch_tokens, 0);
}

}  // namespace

Watch::Watch(const Translator& translator, const std::vector<SentencePair>& pairs,
             const TrainSettings& settings)
    : settings_(settings), pairs_(pairs), text_(encoded(translator, pairs, settings.batch_tokens)) {}

Watch::Look Watch::look(const Translator& translator) const {
  set_training(translator.model(), false);
  const double loss = mean_loss(translator.model());
  if (settings_.watch == "loss") return {loss, std::numeric_limits<double>::quiet_NaN(), loss};
  const double bleu = greedy_bleu(translator, pairs_, settings_.test.bleu);
  return {loss, bleu, -bleu};
}

double Watch::mean_loss(const TranslationModel& model) const {
  const NoGrad no_grad;
  double total = 0, words = 0;
  for (const std::vector<Index>& rows :
       batches_of_like_length(text_.pairs(), settings_.batch_tokens, Random(0))) {
    const TranslationBatch batch = make_batch(text_.pairs(), rows);
    double here = 0;
    for (const std::int32_t id : batch.output) here += id == Vocabulary::pad ? 0 : 1;
    total += here * static_cast<double>(model.loss(batch, {Vocabulary::pad, 0}).value().item());
    words += here;
  }
  return total / words;
}
