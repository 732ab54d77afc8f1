#include <gradual/nn/inspect/alignment.hpp>

#include <gradual/nn/inspect/attention_maps.hpp>
#include <gradual/nn/translation/translator.hpp>

#include <gradual/nn/recurrent/translator.hpp>
#include <gradual/nn/transformer/config.hpp>

#include "support/catch.hpp"

using namespace gradual;

namespace {

// One that looks at all places of the source alike: its queries and keys are zero.
Translator undecided_translator() {
  TransformerConfig config;
  config.width = config.feed_forward = 8;
  config.heads = 2;
  config.encoder_layers = 1;
  config.decoder_layers = 3;
  Translator translator(config, {Tokenizer(), Vocabulary::build({{"the", "cat", "sleeps"}})},
                        {Tokenizer(), Vocabulary::build({{"le", "chat", "dort"}})}, Random(5));
  for (NamedParameter& parameter : parameters(translator.model())) {
    if (parameter.name.find("cross_attention") == std::string::npos) continue;
    parameter.variable.set_value(Tensor::zeros(parameter.variable.shape()));
  }
  return translator;
}

const SentencePair cat{"the cat sleeps", "le chat dort"};

}  // namespace

TEST_CASE("alignment: it is the share of aligned words whose largest weight lies on a word they translate") {
  const Translator translator = undecided_translator();  // of equal weights the first counts as largest
  const AlignmentQuality one_of_three = alignment_quality(translator, {{cat, {{0, 0}, {1, 1}, {2, 2}}}});
  CHECK(one_of_three.layers == std::vector<double>(3, 1.0 / 3));
  CHECK(one_of_three.heads == std::vector<std::vector<double>>(3, std::vector<double>(2, 1.0 / 3)));
  CHECK(alignment_quality(translator, {{cat, {{1, 0}, {2, 1}}}}).layers == std::vector<double>(3, 0));
}

TEST_CASE("alignment: words without a partner do not count, and one of several partners is enough") {
  const Translator translator = undecided_translator();
  CHECK(alignment_quality(translator, {{cat, {{0, 0}}}}).layers[0] == 1);
  CHECK(alignment_quality(translator, {{cat, {{2, 1}, {0, 1}}}}).layers[0] == 1);
  const std::vector<AlignedPair> two = {{cat, {{0, 0}}}, {cat, {{1, 0}, {0, 1}, {2, 2}}}};
  CHECK(alignment_quality(translator, two).layers[0] == 0.5);
}

TEST_CASE("alignment: alignments of other words than the tokens are an error") {
  CHECK_THROWS_AS(alignment_quality(undecided_translator(), {{cat, {{0, 3}}}}), std::invalid_argument);
}

TEST_CASE("attention maps: to the source there is one for each layer, in which each row sums to one") {
  const std::vector<AttentionMap> maps = maps_to_source(undecided_translator(), cat);
  REQUIRE(maps.size() == 3);
  CHECK(maps[1].queries == std::vector<std::string>{"le", "chat", "dort", "⏎"});
  CHECK(maps[1].keys == std::vector<std::string>{"the", "cat", "sleeps", "⏎"});
  for (const float weight : maps[1].weights) CHECK(weight == 0.25f);
}
