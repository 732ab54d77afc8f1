#include <gradual/nn/transformer/transformer.hpp>

#include <gradual/autograd/gradient_check.hpp>
#include <gradual/nn/transformer/language_model.hpp>

#include "support/catch.hpp"

using namespace gradual;

namespace {

TransformerConfig small_config(NormPlace norm) {
  TransformerConfig config;
  config.source_vocabulary = 7;
  config.target_vocabulary = 6;
  config.width = 8;
  config.heads = 2;
  config.feed_forward = 12;
  config.encoder_layers = 2;
  config.decoder_layers = 2;
  config.dropout = 0;
  config.norm = norm;
  config.activation = "gelu";
  config.positions = "learned";
  config.max_length = 5;
  return config;
}

// Two sentences; the second source is padded, and the second target ignores its last word.
TranslationBatch small_batch() {
  return {{Indices({2, 4}, {4, 5, 6, 2, 6, 2, 0, 0}), Indices({2}, {4, 2})},
          Indices({2, 3}, {1, 4, 5, 1, 3, 0}),
          Indices({2, 3}, {4, 5, 2, 3, 2, 0})};
}

template <class Module>
void check_loss(Module& model, const std::function<Var()>& loss) {
  std::vector<std::pair<std::string, Var>> named;
  for (const NamedParameter& parameter : parameters(model))
    named.emplace_back(parameter.name, parameter.variable);
  const GradientCheck check = check_gradients(loss, named);
  INFO(check);
  CHECK(check);
  CHECK(check.unused.empty());
  CHECK(check.checked == count(parameters(model)));
}

}  // namespace

TEST_CASE(
    "transformer: every gradient of the whole model matches finite differences, with the norm before each "
    "part") {
  Transformer model(small_config(NormPlace::before), Random(1));
  check_loss(model, [&] { return model.loss(small_batch(), {0, 0.1}); });
}

TEST_CASE(
    "transformer: every gradient of the whole model matches finite differences, with the norm after each "
    "part") {
  Transformer model(small_config(NormPlace::after), Random(2));
  check_loss(model, [&] { return model.loss(small_batch(), {0, 0.1}); });
}

TEST_CASE(
    "transformer: gradients match finite differences with separate output weights, and with one embedding "
    "for all") {
  TransformerConfig separate = small_config(NormPlace::before);
  separate.tied_output = false;
  Transformer with_output(separate, Random(3));
  check_loss(with_output, [&] { return with_output.loss(small_batch(), {0, 0}); });

  TransformerConfig shared = small_config(NormPlace::before);
  shared.source_vocabulary = shared.target_vocabulary = 7;
  shared.shared_embeddings = true;
  Transformer with_one_table(shared, Random(4));
  check_loss(with_one_table, [&] { return with_one_table.loss(small_batch(), {0, 0}); });
}

TEST_CASE("language model: every gradient of the whole model matches finite differences") {
  const TransformerConfig small = small_config(NormPlace::before);
  StackConfig config;
  static_cast<LayerConfig&>(config) = small;
  config.vocabulary = small.target_vocabulary;
  config.layers = small.decoder_layers;
  LanguageModel model(config, Random(5));
  const Indices input({2, 4}, {1, 2, 3, 4, 5, 4, 3, 2}), output({2, 4}, {2, 3, 4, 5, 4, 3, 2, 1});
  check_loss(model, [&] { return model.loss(input, output); });
}
