#include <gradual/nn/translation/training_text.hpp>

#include <algorithm>

#include <gradual/nn/data/toy_corpus.hpp>
#include <gradual/nn/text/split_text.hpp>
#include <gradual/nn/translation/learn_translator.hpp>

#include "support/catch.hpp"

using namespace gradual;

namespace {

std::vector<SentencePair> toy_list(Index count) {
  const ToyCorpus corpus = make_toy_corpus(1, count, 0, 0);
  return {corpus.train.begin(), corpus.train.end()};
}

Translator tiny_translator(PairStream& pairs) {
  TransformerConfig config;
  config.width = 8;
  config.heads = 1;
  config.feed_forward = 8;
  config.encoder_layers = config.decoder_layers = 1;
  return learn_translator(config, pairs);
}

// One vocabulary of subwords for both sides, all of which may be sampled.
Translator subword_translator(PairStream& pairs) {
  TransformerConfig config;
  config.width = 8;
  config.heads = 1;
  LanguageOptions options;
  options.units = TextUnits::subwords;
  options.subwords.size = 100;
  options.sampled = true;
  return learn_translator(config, pairs, options, true);
}

}  // namespace

TEST_CASE(
    "training text: an epoch has every pair once, the next in another order, and any batch can be asked "
    "for") {
  ListStream<SentencePair> pairs(toy_list(200));
  const Translator translator = tiny_translator(pairs);
  TrainingText text(translator, pairs, 128, 7);
  CHECK(text.pairs().size() == 200);
  std::vector<std::vector<Index>> batches;
  std::vector<Index> epochs[2];
  for (std::vector<Index>& epoch : epochs)
    while (epoch.size() < 200) {
      batches.push_back(text.rows(static_cast<Index>(batches.size())));
      epoch.insert(epoch.end(), batches.back().begin(), batches.back().end());
    }
  CHECK(epochs[0] != epochs[1]);
  for (std::vector<Index>& epoch : epochs) {
    std::sort(epoch.begin(), epoch.end());
    REQUIRE(epoch.size() == 200);
    for (Index i = 0; i < 200; ++i) CHECK(epoch[static_cast<std::size_t>(i)] == i);
  }
  TrainingText again(translator, pairs, 128, 7);
  const auto last = static_cast<Index>(batches.size()) - 1;
  CHECK(again.rows(last) == batches.back());
  CHECK(again.rows(0) == batches.front());  // and back
  CHECK(again.rows(last / 2) == batches[static_cast<std::size_t>(last / 2)]);
}

TEST_CASE(
    "training text: sampled subwords are others in each epoch, and the same for the same batch, whoever "
    "asks") {
  if (!Subwords::available()) return;
  ListStream<SentencePair> pairs(toy_list(100));
  const Translator translator = subword_translator(pairs);
  TrainingText text(translator, pairs, 256, 7, 0.1), again(translator, pairs, 256, 7, 0.1),
      plain(translator, pairs, 256, 7);
  CHECK(text.fingerprint() == plain.fingerprint());
  std::vector<std::vector<std::int32_t>> epochs;  // all sources, one after the other
  Index batches = 0;
  for (int epoch = 0; epoch < 3; ++epoch) {
    for (Index seen = 0; seen < 100; ++batches) seen += static_cast<Index>(text.rows(batches).size());
    CHECK(text.pairs().size() == 100);
    epochs.emplace_back();
    for (Index row = 0; row < 100; ++row) {
      const auto sampled = text.pairs()[row].source, best = plain.pairs()[row].source;
      epochs.back().insert(epochs.back().end(), sampled.begin(), sampled.end());
      const Language& language = translator.source();
      CHECK(language.tokenizer.join(language.vocabulary.decode(sampled)) ==
            language.tokenizer.join(language.vocabulary.decode(best)));
    }
  }
  CHECK(epochs[0] != epochs[1]);
  CHECK(epochs[1] != epochs[2]);
  const auto same_batch = [](const TranslationBatch& a, const TranslationBatch& b) {
    return std::equal(a.source.ids.begin(), a.source.ids.end(), b.source.ids.begin(), b.source.ids.end()) &&
           std::equal(a.output.begin(), a.output.end(), b.output.begin(), b.output.end());
  };
  for (const Index n : {batches - 1, Index(0), batches / 2})  // as a run that goes on, and back
    CHECK(same_batch(text.batch(n), again.batch(n)));
}

TEST_CASE("training text: a pair that sampling makes too long is as its best cut has it") {
  if (!Subwords::available()) return;
  ListStream<SentencePair> pairs(toy_list(100));
  const Translator translator = subword_translator(pairs);
  Index longest = 0;
  for (const SentencePair& pair : toy_list(100))
    longest = std::max(longest, tokens_in_batch(translator.encode(pair)));
  TrainingText text(translator, pairs, longest, 7, 0.9);  // hardly a merge is left
  for (Index n = 0; n < 10; ++n) CHECK(text.batch(n).output.size() <= longest);
  CHECK(text.pairs().size() == 100);
}

TEST_CASE("training text: what is too long is left out and counted, and something must be left") {
  ListStream<SentencePair> pairs(toy_list(200));
  const Translator translator = tiny_translator(pairs);
  TrainingText text(translator, pairs, 7, 1);
  CHECK(text.too_long() > 0);
  CHECK(text.too_long() + text.pairs().size() == 200);
  CHECK(text.batch(0).output.size() <= 7);
  CHECK_THROWS_WITH(TrainingText(translator, pairs, 1, 1), Contains("some pairs must fit a batch"));
  CHECK_THROWS_WITH(ValidationText(translator, toy_list(3), 1), Contains("some validation sentences"));
  ListStream<SentencePair> two({{"a b c", "d"}, {"a b", "c d"}});  // with its end, the second has three
  CHECK_THROWS_WITH(TrainingText(translator, two, 2, 1), Contains("the shortest has 3 tokens"));
}

TEST_CASE("training text: its fingerprint tells texts apart, and what else counts") {
  ListStream<SentencePair> pairs(toy_list(50)), fewer(toy_list(49));
  const Translator translator = tiny_translator(pairs);
  TrainingText text(translator, pairs, 128, 1), same(translator, pairs, 64, 2),
      other(translator, fewer, 128, 1);
  CHECK(text.fingerprint() == same.fingerprint());
  CHECK(text.fingerprint() != other.fingerprint());
  same.add_to_fingerprint({{"a", "b"}});
  CHECK(text.fingerprint() != same.fingerprint());
  text.add_to_fingerprint({{"a", "c"}});  // as long
  CHECK(text.fingerprint() != same.fingerprint());
  // The same tokens, in another order.
  const SentencePair pair = toy_list(1).front();
  const auto fingerprint = [&](const SentencePair& of) {
    ListStream<SentencePair> one({of});
    return TrainingText(translator, one, 128, 1).fingerprint();
  };
  std::vector<std::string> words = translator.source().tokenizer.split(pair.source);
  REQUIRE(words.size() > 1);
  REQUIRE(words[0] != words[1]);
  std::swap(words[0], words[1]);
  const std::string swapped = translator.source().tokenizer.join(words);
  REQUIRE(translator.source().unknown_tokens(swapped).empty());
  CHECK(fingerprint(pair) == fingerprint(pair));
  CHECK(fingerprint(pair) != fingerprint({swapped, pair.target}));
}

TEST_CASE("validation text: its loss is the mean over all words, however the batches lie") {
  ListStream<SentencePair> pairs(toy_list(60));
  const Translator translator = tiny_translator(pairs);
  set_training(translator.model(), false);
  const ValidationText small(translator, toy_list(60), 16), large(translator, toy_list(60), 4096);
  CHECK(small.mean_loss(translator.model()) == Approx(large.mean_loss(translator.model())).epsilon(1e-5));
}
