#include <gradual/nn/translation/translator.hpp>

#include <gradual/nn/recurrent/translator.hpp>
#include <gradual/nn/transformer/config.hpp>

#include "support/catch.hpp"
#include "support/threads.hpp"

using namespace gradual;

namespace {

const Language three_words{Tokenizer(), Vocabulary::build({{"the", "cat", "sleeps"}})};

Translator transformer_with(const std::string& positions, const std::string& attention = "scaled_dot") {
  TransformerConfig config;
  config.width = 8;
  config.heads = 1;
  config.feed_forward = 8;
  config.encoder_layers = config.decoder_layers = 1;
  config.positions = positions;
  config.max_length = 20;
  config.attention = attention;
  return Translator(config, three_words, three_words, Random(5));
}

std::string words(int count) {
  std::string sentence;
  for (int i = 0; i < count; ++i) sentence += "cat ";
  return sentence;
}

}  // namespace

TEST_CASE("translator: a sentence that is too long for the model is refused with both lengths") {
  const Translator translator = transformer_with("sinusoidal");
  CHECK(translator.longest_sentence() == 4096);
  CHECK_THROWS_WITH(translator.translate({"cat", words(4097)}),
                    "translator: a sentence must have at most 4096 tokens: one has 4097");
  CHECK_THROWS_AS(translator.score({{"cat", words(4097)}}), std::invalid_argument);
  CHECK_THROWS_AS(translator.draw({words(4097)}, {}, {}, Random(1)), std::invalid_argument);
}

TEST_CASE("translator: learned positions, and the end token, decide how long a sentence can be") {
  const Translator translator = transformer_with("learned");
  CHECK(translator.longest_sentence() == 19);
  CHECK_THROWS_AS(translator.translate({words(20)}), std::invalid_argument);
  CHECK_NOTHROW(translator.score({{words(19), words(19)}}));
  BeamOptions options = Translator::greedy_options();
  options.end = -1;  // writes as much as it may
  CHECK(translator.search({words(19)}, options)[0][0].tokens.size() == 19);
}

TEST_CASE("translator: scores by location, of either kind of model, decide it too") {
  RecurrentConfig recurrent;
  recurrent.embedding_width = recurrent.hidden_width = 8;
  recurrent.attention = "location";
  recurrent.max_length = 20;
  const Translator by_location = transformer_with("sinusoidal", "location");
  const Translator recurrent_by_location(recurrent, three_words, three_words, Random(5));
  for (const Translator* translator : {&by_location, &recurrent_by_location}) {
    CHECK(translator->longest_sentence() == 19);
    CHECK_NOTHROW(translator->translate({words(19)}));
    CHECK_THROWS_AS(translator->translate({words(20)}), std::invalid_argument);
    CHECK(translator->has_room_for(translator->encode({words(19), words(19)})));
    CHECK_FALSE(translator->has_room_for(translator->encode({"cat", words(20)})));
  }
  recurrent.attention = "dot";
  CHECK(Translator(recurrent, three_words, three_words, Random(5)).longest_sentence() == 4096);
}

TEST_CASE("translator: a long sentence among short ones changes none of their translations") {
  const Translator translator = transformer_with("sinusoidal");
  std::vector<std::string> sentences(70, "the cat sleeps");
  sentences[3] = words(1500);
  const std::vector<std::string> together = translator.translate(sentences);
  CHECK(together[0] == translator.translate({sentences[0]})[0]);
  CHECK(together[69] == together[0]);
}

TEST_CASE("translator: many batches translate and score alike for any number of threads") {
  std::vector<std::string> sentences;
  std::vector<SentencePair> pairs;
  for (int i = 0; i < 300; ++i) {
    sentences.push_back(words(1 + i % 70) +
                        "sleeps the");  // longer than max_length, where sinusoids are added
    pairs.push_back({sentences.back(), words(1 + i % 50)});
  }
  BeamOptions options;
  options.beam_size = 2;
  options.max_length = 30;
  check_same_bits_for_any_thread_count([&] {
    const Translator translator = transformer_with("sinusoidal");
    std::vector<Tensor> results;
    for (const auto& found : translator.search(sentences, options))
      results.push_back(Tensor({1}, {static_cast<Real>(found.front().score)}));
    for (const ScoredTranslation& scored : translator.score(pairs))
      results.push_back(Tensor({1}, {static_cast<Real>(scored.log_probability)}));
    return results;
  });
}

TEST_CASE("translator: a longer sentence in the batch changes neither the hypotheses nor their scores") {
  const Translator translator = transformer_with("sinusoidal");
  for (const Index beam : {1, 3}) {
    BeamOptions options;
    options.beam_size = beam;
    options.n_best = beam;
    options.length_penalty = 2;  // favours long ones, so that hypotheses run into their limit
    const std::vector<Hypothesis> alone = translator.search({"the cat sleeps"}, options)[0];
    const std::vector<Hypothesis> beside = translator.search({"the cat sleeps", words(40)}, options)[0];
    REQUIRE(beside.size() == alone.size());
    for (std::size_t i = 0; i < alone.size(); ++i) {
      CHECK(beside[i].tokens == alone[i].tokens);
      CHECK(beside[i].score == Approx(alone[i].score));
      CHECK(beside[i].finished == alone[i].finished);
    }
  }
}

TEST_CASE("translator: a translation that does not end has ten tokens more than twice its sentence") {
  const Translator translator = transformer_with("sinusoidal");
  // A decoder whose output is the same everywhere, and in the direction of one word.
  const std::int32_t word = translator.target().encode("sleeps").front();
  for (const NamedParameter& each : parameters(translator.model())) {
    Var parameter = each.variable;
    if (each.name != "decoder_norm.gain" && each.name != "decoder_norm.bias" &&
        each.name != "target_embedding.weight")
      continue;
    Tensor value = Tensor::zeros(parameter.shape());
    if (each.name == "decoder_norm.bias") value = Tensor::ones(parameter.shape());
    if (each.name == "target_embedding.weight")
      std::fill_n(value.mutable_data() + word * value.dim(1), value.dim(1), Real(1));
    parameter.set_value(value);
  }
  BeamOptions greedy = Translator::greedy_options();
  greedy.max_length = 1000;
  for (const int count : {1, 5, 40}) {
    INFO(count << " words");
    const auto most = static_cast<std::size_t>(2 * count + 10);
    CHECK(translator.search({words(count)}, greedy).front().front().tokens.size() == most);
    DecodingOptions chance;
    chance.max_length = 1000;
    CHECK(translator.draw({words(count)}, chance, {0.01, 0, 1}, Random(1)).front().tokens.size() == most);
  }
  greedy.max_length = 7;  // a program can ask for less
  CHECK(translator.search({words(5)}, greedy).front().front().tokens.size() == 7);
}
