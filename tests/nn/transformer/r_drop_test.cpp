// R-Drop through whole models: it needs nothing of them but that their loss hands on its options.
#include <memory>
#include <string>

#include <gradual/nn/recurrent/translator.hpp>
#include <gradual/nn/seq2seq/batches.hpp>
#include <gradual/nn/transformer/transformer.hpp>

#include "support/catch.hpp"

using namespace gradual;

namespace {

std::unique_ptr<TranslationModel> small_translator(const std::string& kind, double dropout) {
  std::unique_ptr<TranslationModel> model;
  if (kind == "transformer") {
    TransformerConfig config;
    config.source_vocabulary = config.target_vocabulary = 12;
    config.width = config.feed_forward = 16;
    config.heads = 2;
    config.encoder_layers = config.decoder_layers = 1;
    config.dropout = dropout;
    model = std::make_unique<Transformer>(config, Random(3));
  } else {
    RecurrentConfig config;
    config.source_vocabulary = config.target_vocabulary = 12;
    config.embedding_width = config.hidden_width = 16;
    config.dropout = dropout;
    model = std::make_unique<RecurrentTranslator>(config, Random(3));
  }
  set_training(*model, true);
  return model;
}

// The loss of two pairs of unlike length, in two passes, of a model that has never drawn yet.
double loss_of_two_passes(const std::string& kind, double dropout, double consistency) {
  const std::vector<EncodedPair> pairs{{{4, 5, 6, 7}, {8, 9}}, {{10, 11}, {4, 6, 8}}};
  CrossEntropyOptions options;
  options.label_smoothing = 0.1;
  options.consistency = consistency;
  return static_cast<double>(
      small_translator(kind, dropout)->loss(make_batch(pairs, {0, 1, 0, 1}), options).value().item());
}

}  // namespace

TEST_CASE(
    "R-Drop: where nothing is dropped the passes agree, and else the loss grows by α times how they do not") {
  for (const std::string kind : {"transformer", "gru"}) {
    INFO(kind);
    CHECK(loss_of_two_passes(kind, 0, 5) == Approx(loss_of_two_passes(kind, 0, 0)).epsilon(1e-5));
    const double none = loss_of_two_passes(kind, 0.3, 0), one = loss_of_two_passes(kind, 0.3, 1),
                 three = loss_of_two_passes(kind, 0.3, 3);
    CHECK(one > none + 1e-3);
    CHECK(three - none == Approx(3 * (one - none)).epsilon(1e-3));
  }
}
