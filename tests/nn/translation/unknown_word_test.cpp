#include <gradual/nn/translation/translator.hpp>

#include <set>

#include <gradual/core/elements/reductions.hpp>
#include <gradual/nn/recurrent/translator.hpp>
#include <gradual/nn/seq2seq/source_attention.hpp>
#include <gradual/nn/transformer/config.hpp>
#include <gradual/nn/translation/translated_lines.hpp>

#include "support/catch.hpp"

using namespace gradual;

namespace {

Translator recurrent_with(const std::string& attention) {
  RecurrentConfig config;
  config.attention = attention;
  config.embedding_width = config.hidden_width = 8;
  const Language words{Tokenizer(), Vocabulary::build({{"the", "cat", "sleeps"}})};
  return Translator(config, words, words, Random(5));
}

Hypothesis written(const Translator& translator, const std::vector<std::string>& words) {
  Hypothesis hypothesis;
  hypothesis.tokens = translator.target().vocabulary.encode(words);
  return hypothesis;
}

}  // namespace

TEST_CASE("translator: an unknown word is shown as the source word that is unknown too, wherever it stands") {
  // An untrained model looks everywhere alike.
  const Translator translator = recurrent_with("additive");
  const Hypothesis hypothesis = written(translator, {"cat", "?", "sleeps"});
  for (const std::string source : {"Zoë the cat sleeps", "the Zoë cat sleeps", "the cat sleeps Zoë"})
    CHECK(translator.text_of(source, hypothesis) == "cat Zoë sleeps");
  const std::string emoji = translator.text_of("the 🙂 cat Привет", written(translator, {"?"}));
  CHECK((emoji == "🙂" || emoji == "Привет"));
}

TEST_CASE("source attention: word by word it is that of the last layer when all words are told at once") {
  TransformerConfig config;
  config.width = 16;
  config.heads = 2;
  config.feed_forward = 16;
  config.encoder_layers = 1;
  config.decoder_layers = 2;
  const Language words{Tokenizer(), Vocabulary::build({{"the", "cat", "sleeps"}})};
  const Translator transformer(config, words, words, Random(5));
  const Translator recurrent = recurrent_with("dot");
  EncodedPair brief{{4, 5, 6, 4}, {5, 3, 4, 3, 6}},
      lengthy;  // of which the second is gone through word by word
  for (std::int32_t i = 0; i < 130; ++i) {
    lengthy.source.push_back(4 + i % 3);
    lengthy.target.push_back(i % 50 == 9 ? 3 : 4 + i * i % 3);
  }
  for (const Translator* translator : {&transformer, &recurrent})
    for (const EncodedPair* pair : {&brief, &lengthy}) {
      const Tensor at_once = sum(attention_to_source(translator->model(), *pair).back(), {0, 1});  // [T, S]
      std::vector<std::size_t> places;
      each_look_at_source(
          translator->model(), *pair, [](std::int32_t id) { return id == Vocabulary::unknown; },
          [&](std::size_t place, const Tensor& attention) {
            places.push_back(place);
            REQUIRE(attention.size() == at_once.dim(1));
            for (Index s = 0; s < attention.size(); ++s)
              CHECK(attention.data()[s] == Approx(at_once({static_cast<Index>(place), s})).epsilon(1e-4));
          });
      CHECK(places ==
            (pair == &brief ? std::vector<std::size_t>{1, 3} : std::vector<std::size_t>{9, 59, 109}));
    }
}

TEST_CASE("translator: where all source words are known, an unknown word is shown as one of them") {
  const Translator translator = recurrent_with("additive");
  const std::string shown = translator.text_of("the cat", written(translator, {"?"}));
  CHECK((shown == "the" || shown == "cat"));
}

TEST_CASE("translator: a model that does not attend has nothing to show an unknown word by") {
  const Translator translator = recurrent_with("none");
  CHECK(translator.text_of("the Zoë", written(translator, {"cat", "?"})) == "cat <unk>");
}

TEST_CASE(
    "known words: a word with a capital and without is one, in small letters; a name keeps its capital") {
  const Language language{Tokenizer(),
                          Vocabulary::build({{"The", "the", "The", "Anne", "École", "école", "US"}})};
  const KnownWords known = known_words(language);
  CHECK(known.unit == "words");
  CHECK(known.tokens == 6);
  REQUIRE(known.words.size() == 4);
  CHECK(known.words.front() == "the");  // as frequent as its commonest form
  CHECK(std::set<std::string>(known.words.begin(), known.words.end()) ==
        std::set<std::string>{"the", "Anne", "école", "US"});
  CHECK(known_words(language, 1) == "4 words, among them: the …");
}

TEST_CASE("known words: a sentence in capitals is shown as it is known, if all of it is") {
  const Language language{Tokenizer(), Vocabulary::build({{"The", "the", "cat", "École", "."}})};
  CHECK(known_in_small_letters(language, "THE CAT.") == "The cat.");
  CHECK(known_in_small_letters(language, "ÉCOLE THE CAT.") == "École the cat.");
  CHECK(known_in_small_letters(language, "CAT THE CAT.") == "cat the cat.");
  CHECK(known_in_small_letters(language, "THE ZEBRA.").empty());
  CHECK(known_in_small_letters(language, "The cat.").empty());
  CHECK(known_in_small_letters(language, "").empty());
}

TEST_CASE("known words: how many a vocabulary has, and the most frequent") {
  const Language words{Tokenizer(), Vocabulary::build({{"the", "cat", "the", "sleeps", "cat", "the"}})};
  CHECK(known_words(words, 2) == "3 words, among them: cat, the …");
  CHECK(known_words(words, 3) == "3 words: cat, sleeps, the");
  const Language sentences{Tokenizer(), Vocabulary::build({{".", "the", "'s", "école", ",", "10", "."}})};
  CHECK(known_words(sentences, 9) == "3 words: 10, the, école");
}
