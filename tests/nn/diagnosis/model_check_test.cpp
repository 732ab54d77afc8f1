#include <gradual/nn/diagnosis/model_check.hpp>

#include <gradual/nn/recurrent/translator.hpp>
#include <gradual/nn/transformer/transformer.hpp>

#include "support/catch.hpp"

using namespace gradual;

namespace {

const TranslationBatch two_pairs{{Indices({2, 4}, {3, 4, 5, 2, 6, 2, 0, 0}), Indices({2}, {4, 2})},
                                 Indices({2, 3}, {1, 5, 6, 1, 7, 8}),
                                 Indices({2, 3}, {5, 6, 2, 7, 8, 2})};

TransformerConfig tiny_transformer() {
  TransformerConfig config;
  config.source_vocabulary = 21;
  config.target_vocabulary = 23;
  config.width = config.feed_forward = 16;
  config.heads = 2;
  config.encoder_layers = config.decoder_layers = 1;
  return config;
}

}  // namespace

TEST_CASE("model check: of a sound transformer, with names for sizes that are equal") {
  Transformer model(tiny_transformer(), Random(1));
  const std::vector<Real> before = model.target_embedding.weight.value().to_vector();
  const ModelCheck check = check_model(model, two_pairs, 21, 23);
  CHECK(check.is_sound());
  const std::string text = check.text();
  CHECK_THAT(text, Contains("encoder.0.self_attention\n") && Contains("[B, S, D/F]") &&
                       Contains("[B, T, D/F]") && Contains("[target words, D/F]"));
  CHECK_THAT(text, Contains("no leaks: nothing sees later words, padding or other sentences\n"
                            "no dead paths: every parameter has a gradient\n"
                            "no anomaly: all numbers are finite, forward and backward\n"));
  CHECK(model.target_embedding.weight.value().to_vector() == before);
  CHECK_FALSE(model.target_embedding.weight.grad().defined());
}

TEST_CASE("model check: a size that is two to four times another says so, and no other does") {
  TransformerConfig config = tiny_transformer();
  const auto text_of = [&](Index width, Index feed_forward) {
    config.width = width;
    config.feed_forward = feed_forward;
    Transformer model(config, Random(1));
    return check_model(model, two_pairs, 21, 23).text();
  };
  CHECK_THAT(text_of(14, 28), Contains("[B, S, F=2·D]") && Contains("[B, S, D]"));
  CHECK_THAT(text_of(14, 56), Contains("[B, S, F=4·D]"));
  CHECK_THAT(text_of(14, 70), Contains("[B, S, F]"));  // five times
  CHECK_THAT(text_of(14, 29), Contains("[B, S, F]"));
}

TEST_CASE("model check: of a sound recurrent model, whose steps are written once") {
  RecurrentConfig config;
  config.source_vocabulary = 21;
  config.target_vocabulary = 23;
  config.embedding_width = 8;
  config.hidden_width = 16;
  RecurrentTranslator model(config, Random(1));
  const ModelCheck check = check_model(model, two_pairs, 21, 23);
  CHECK(check.is_sound());
  CHECK_THAT(check.text(), Contains(" times\n") && Contains("[B, T, E]"));
}

TEST_CASE("model check: everything that is wrong is said at once") {
  struct Wrong : Transformer {
    using Transformer::Transformer;
    Var loss(const TranslationBatch& batch, const CrossEntropyOptions& options) const override {
      SourceBatch source = batch.source;
      source.lengths = Indices();
      const Var decoded = decode(batch.input, encode(source).detached(), {});
      return linear_cross_entropy(decoded, target_embedding.weight, batch.output, options) +
             log(sum(decoded * 0));
    }
  };
  Wrong model(tiny_transformer(), Random(1));
  const ModelCheck check = check_model(model, two_pairs, 21, 23);
  CHECK_FALSE(check.is_sound());
  REQUIRE(check.leaks.size() == 1);
  CHECK((check.leaks[0].kind == Leak::Kind::padding));
  CHECK(check.dead_paths.size() > 10);
  CHECK_THAT(check.anomaly,
             Contains("log: the result must be finite where the inputs are: result []: 1 of 1 is -inf"));
  CHECK_THAT(check.text(), Contains("leaks\n  padding: place 1 of sentence") &&
                               Contains("dead paths\n  source_embedding") && Contains("anomaly\n  log: "));
}
