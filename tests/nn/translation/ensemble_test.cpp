#include <gradual/nn/translation/ensemble.hpp>

#include <cmath>
#include <limits>
#include <memory>

#include <gradual/core/elements/arrangement.hpp>
#include <gradual/core/error.hpp>
#include <gradual/nn/interchange/load_translator.hpp>
#include <gradual/nn/seq2seq/batches.hpp>
#include <gradual/nn/seq2seq/source_attention.hpp>

#include "nn/decoding/table_model.hpp"
#include "support/catch.hpp"
#include "support/files.hpp"
#include "support/tensors.hpp"

using namespace gradual;

namespace {

const Language abc{Tokenizer(), Vocabulary::build({{"a", "b", "c"}})};

// Says one word with these probabilities of a, b and c, and ends.
Translator one_word(double a, double b, double c) {
  auto model = std::make_unique<TableModel>(
      [=](std::int32_t, const std::vector<std::int32_t>& prefix) -> std::vector<double> {
        if (prefix.size() == 1) return {0, 0, 0, 0, a, b, c};
        return {0, 0, 1, 0, 0, 0, 0};
      });
  return Translator(std::move(model), abc, abc);
}

Translator random_translator(std::uint64_t seed, const Language& language = abc) {
  TransformerConfig config;
  config.width = config.feed_forward = 16;
  config.heads = 2;
  config.encoder_layers = config.decoder_layers = 1;
  Translator translator(config, language, language, Random(seed));
  set_training(translator.model(), false);
  return translator;
}

template <class... Members>
Translator together(Members... members) {
  std::vector<Translator> all;
  (all.push_back(std::move(members)), ...);
  return ensemble(std::move(all));
}

}  // namespace

TEST_CASE(
    "ensemble: a word's probability is the mean of its members', which may agree on one that none prefers") {
  const Translator pair = together(one_word(0.5, 0.4, 0.1), one_word(0.1, 0.4, 0.5));
  BeamOptions search;
  search.n_best = 3;
  const auto found = pair.search({"a"}, search).front();
  CHECK(pair.text_of("a", found[0]) == "b");
  CHECK(found[0].log_probability == Approx(std::log(0.4)).epsilon(1e-5));
  CHECK(found[1].log_probability == Approx(std::log(0.3)).epsilon(1e-5));
  CHECK(found[2].log_probability == Approx(std::log(0.3)).epsilon(1e-5));
  CHECK(pair.score({{"a", "c"}}).front().log_probability == Approx(std::log(0.3)).epsilon(1e-5));
}

TEST_CASE("ensemble: of a model and itself, every search finds what the model finds") {
  const Translator alone = random_translator(1), twice = together(random_translator(1), random_translator(1));
  const std::vector<std::string> sentences = {"a b c", "c", "b b a a"};
  CHECK(twice.translate(sentences) == alone.translate(sentences));
  const auto found = twice.search(sentences, BeamOptions()),
             expected = alone.search(sentences, BeamOptions());
  for (std::size_t i = 0; i < sentences.size(); ++i) {
    CHECK(found[i].front().tokens == expected[i].front().tokens);
    CHECK(found[i].front().score == Approx(expected[i].front().score).epsilon(1e-4));
  }
}

TEST_CASE("ensemble: in 8 bits it says what its members say in 8 bits") {
  Translator alone = random_translator(1), twice = together(random_translator(1), random_translator(1));
  const double exact = twice.search({"a b c"}, BeamOptions()).front().front().score;
  alone.model().set_precision(Precision::int8);
  twice.model().set_precision(Precision::int8);
  CHECK(twice.model().precision() == Precision::int8);
  const double rounded = twice.search({"a b c"}, BeamOptions()).front().front().score;
  CHECK(rounded != exact);
  CHECK(rounded == Approx(alone.search({"a b c"}, BeamOptions()).front().front().score).epsilon(1e-5));
}

TEST_CASE(
    "ensemble: files with commas in between are read together, and one with a comma in its name alone") {
  const TestFolder folder;
  const std::string a = folder / "a.safetensors", b = folder / "b.safetensors", both = folder / "a,b";
  random_translator(1).save(a);
  random_translator(2).save(b);
  random_translator(3).save(both);
  const Index one = count(parameters(random_translator(1).model()));
  CHECK(count(parameters(load_translator(a + "," + b).model())) == 2 * one);
  CHECK(count(parameters(load_translator(both).model())) == one);
  CHECK(paths_of_translators("x,y") == std::vector<std::string>{"x", "y"});
  for (const std::string& names : {std::string(), std::string("x,"), std::string("x,,y")})
    CHECK_THROWS_WITH(
        load_translator(names),
        "translator: a model must have a name, with commas between several: got \"" + names + "\"");
  CHECK_THROWS_AS(load_translator(a + "," + (folder / "none")), FileError);
}

TEST_CASE("ensemble: it has the parameters of all its members, the mean of their losses, and is in no file") {
  const Translator one = random_translator(1), other = random_translator(2);
  const Translator pair = together(random_translator(1), random_translator(2));
  CHECK(count(parameters(pair.model())) == 2 * count(parameters(one.model())));
  CHECK(parameters(pair.model()).front().name == "members.0.source_embedding.weight");
  const TranslationBatch batch = make_batch({{{4, 5}, {6, 4, 5}}}, {0});
  const auto loss = [&](const Translator& translator) {
    return static_cast<double>(translator.model().loss(batch, {}).value().item());
  };
  CHECK(loss(pair) == Approx((loss(one) + loss(other)) / 2).epsilon(1e-5));
  CHECK_THROWS_AS(pair.save("ensemble.safetensors"), std::logic_error);
}

TEST_CASE("ensemble: its layers of attention have the heads of all members, the last ones together") {
  TransformerConfig deeper;
  deeper.width = deeper.feed_forward = 16;
  deeper.heads = 4;
  deeper.encoder_layers = 1;
  deeper.decoder_layers = 2;
  const auto other = [&] { return Translator(deeper, abc, abc, Random(2)); };
  const EncodedPair pair{{4, 5}, {6, 4, 5}};
  const std::vector<Tensor> one = attention_to_source(random_translator(1).model(), pair),
                            two = attention_to_source(other().model(), pair);
  const std::vector<Tensor> both = attention_to_source(together(random_translator(1), other()).model(), pair);
  REQUIRE(both.size() == 2);
  CHECK(difference(both[0], two[0], 0) == "");
  CHECK(difference(both[1], concat({one[0], two[1]}, 1), 0) == "");
}

// Says "a" or "b", and looks at one place of the source alone while it says the first word.
Translator looks_at(Index place) {
  auto model = std::make_unique<TableModel>(
      [](std::int32_t, const std::vector<std::int32_t>& prefix) -> std::vector<double> {
        if (prefix.size() == 1) return {0, 0, 0, 0, 0.6, 0.4, 0};
        return {0, 0, 1, 0, 0, 0, 0};
      },
      [=](const std::vector<std::int32_t>&) {
        std::vector<Real> paid(3, Real(0));
        paid[static_cast<std::size_t>(place)] = 1;
        return paid;
      });
  return Translator(std::move(model), abc, abc);
}

TEST_CASE("ensemble: what it looks at is the mean of what its members look at, in whatever order they are") {
  BeamOptions search;
  search.coverage_penalty = 1;
  search.length_penalty = 0;
  // Two words are written, "a" and the end. Each member leaves two of three places without attention, and
  // both together leave one; the others get a half of each word's.
  const double mean = std::log(0.6) + std::log(1.0) + std::log(1.0) + std::log(1e-9);
  for (const bool turned : {false, true}) {
    const Translator pair = turned ? together(looks_at(1), looks_at(0)) : together(looks_at(0), looks_at(1));
    CHECK(pair.search({"a b"}, search).front().front().score == Approx(mean).epsilon(1e-5));
  }
}

TEST_CASE(
    "ensemble: one whose members forget words behind windows writes what it writes without forgetting") {
  const auto with_window = [](Index window, std::uint64_t seed) {
    TransformerConfig config;
    config.width = config.feed_forward = 16;
    config.heads = 2;
    config.encoder_layers = config.decoder_layers = 1;
    config.window = window;
    return Translator(config, abc, abc, Random(seed));
  };
  BeamOptions search;
  search.beam_size = search.n_best = 3;
  search.coverage_penalty = 0.2;
  search.max_length = 8;
  for (const Index window : {0, 3}) {
    const Translator pair = together(with_window(2, 1), with_window(window, 2));
    const std::vector<std::vector<Hypothesis>> all = pair.search({"a b c"}, search);
    REQUIRE(all.front().size() == 3);
    int longer = 0;  // than the windows
    const EvaluationScope evaluation;
    for (const Hypothesis& found : all.front()) {
      const ScoredTranslation whole =
          score(pair.model(), make_source_batch({pair.encode({"a b c", ""}).source}), {found.tokens}).front();
      const double end = found.finished ? 0 : whole.words.back().log_probability;
      if (found.tokens.size() > 3) ++longer;
      CHECK(found.log_probability == Approx(whole.log_probability - end).epsilon(1e-5));
    }
    CHECK(longer > 0);
  }
}

TEST_CASE("ensemble: its notes are the lines that all members have") {
  const auto with = [](const std::string& notes) {
    Translator translator = one_word(1, 0, 0);
    translator.set_notes(notes);
    return translator;
  };
  CHECK(together(with("beam = 4\nboth-ways = true\nseed = 1\n"), with("beam = 4\nseed = 2\n")).notes() ==
        "beam = 4\n");
  CHECK(together(with("seed = 2\nbeam = 4"), with("beam = 4\nboth-ways = true\n")).notes() == "beam = 4\n");
  CHECK(together(with(""), with("beam = 4\n")).notes() == "");
}

TEST_CASE("ensemble: members must be there, and have one vocabulary") {
  CHECK_THROWS_WITH(ensemble({}), "ensemble: there must be a member: there is none");
  const Language others{Tokenizer(), Vocabulary::build({{"a", "b", "d"}})};
  CHECK_THROWS_WITH(
      together(random_translator(1), random_translator(1, others)),
      "ensemble: all members must read and write the same tokens: on the source side, member 2 has "
      "others than member 1; train all on the same sentences, cut in the same way");
}

TEST_CASE("ensemble: a word that all members hold nearly impossible keeps its probability") {
  const auto sure = [] { return one_word(1, 1e-60, 0); };
  const Translator pair = together(sure(), sure());
  const double alone = sure().score({{"a", "b"}}).front().log_probability;
  CHECK(alone == Approx(-60 * std::log(10)).epsilon(1e-5));
  CHECK(pair.score({{"a", "b"}}).front().log_probability == Approx(alone).epsilon(1e-5));
  CHECK(pair.score({{"a", "c"}}).front().log_probability == -std::numeric_limits<double>::infinity());
}

TEST_CASE("ensemble: where one member has no 8 bits, all stay as they are") {
  const Translator mixed = together(random_translator(1), one_word(1, 0, 0));
  CHECK_THROWS_WITH(mixed.model().set_precision(Precision::int8),
                    "ensemble: member 2: translation model: a model of this kind has no products in 8 bits");
  CHECK(mixed.model().precision() == Precision::real);
}
