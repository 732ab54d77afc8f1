#include <gradual/nn/translation/translator.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

#include <gradual/core/files/safetensors.hpp>
#include <gradual/nn/inspect/attention_maps.hpp>
#include <gradual/nn/recurrent/translator.hpp>
#include <gradual/nn/transformer/config_json.hpp>
#include <gradual/nn/transformer/transformer.hpp>

#include "nn/decoding/table_model.hpp"
#include "support/catch.hpp"
#include "support/files.hpp"

using namespace gradual;

namespace {

Translator small_translator(const std::string& attention = "scaled_dot") {
  TransformerConfig config;
  config.width = 16;
  config.heads = 2;
  config.feed_forward = 16;
  config.encoder_layers = 1;
  config.decoder_layers = 2;
  config.norm = NormPlace::after;
  config.positions = "learned";
  config.max_length = 40;
  config.attention = attention;
  TokenizerSettings english, french;
  english.lower_case = french.lower_case = true;
  french.spacing = Spacing::french;
  return Translator(config, {Tokenizer(english), Vocabulary::build({{"the", "cat", "sleeps", "."}})},
                    {Tokenizer(french), Vocabulary::build({{"le", "chat", "dort", "!"}})}, Random(5));
}

}  // namespace

TEST_CASE("translator: text becomes ids by its own vocabularies, lower-cased where it was trained so") {
  const Translator translator = small_translator();
  const EncodedPair pair = translator.encode({"The DOG sleeps.", "Le chat dort !"});
  const Vocabulary& source = translator.source().vocabulary;
  CHECK(pair.source == source.encode({"the", "dog", "sleeps", "."}));
  CHECK(pair.source[1] == Vocabulary::unknown);
  CHECK(pair.target == translator.target().vocabulary.encode({"le", "chat", "dort", "!"}));
  CHECK(translator.target().tokenizer.join({"le", "chat", "dort", "!"}) == "le chat dort !");
}

TEST_CASE(
    "translator: where a beam is wide there are fewer long sentences in a batch, for each has more "
    "hypotheses") {
  auto model =
      std::make_unique<TableModel>([](std::int32_t, const std::vector<std::int32_t>&) -> std::vector<double> {
        return {0, 0, 0, 0, 0.5, 0.5};  // a or b
      });
  const std::vector<Index>& rows = model->rows_seen;
  const Language words{Tokenizer(), Vocabulary::build({{"a", "b"}})};
  const Translator translator(std::move(model), words, words);
  std::string thousand_words;
  for (int i = 0; i < 1000; ++i) thousand_words += "a ";
  for (const auto& [beam, most] : std::vector<std::pair<Index, Index>>{{1, 16}, {5, 16}, {10, 8}, {100, 1}}) {
    CAPTURE(beam);
    BeamOptions options;
    options.beam_size = beam;
    options.max_length = 1;
    const std::size_t before = rows.size();
    translator.search(std::vector<std::string>(20, thousand_words), options);
    CHECK(*std::max_element(rows.begin() + static_cast<std::ptrdiff_t>(before), rows.end()) == most);
  }
}

TEST_CASE("translator: a sentence that no word can be found for is named, wherever it stands in its batch") {
  constexpr std::int32_t b = 5;
  auto model = std::make_unique<TableModel>([](std::int32_t first, const std::vector<std::int32_t>&) {
    return std::vector<double>(7, first == b ? std::numeric_limits<double>::quiet_NaN() : 1.0 / 7);
  });
  const Language words{Tokenizer(), Vocabulary::build({{"a", "b", "c"}})};
  const Translator translator(std::move(model), words, words);
  const std::vector<std::string> sentences = {"a a a", "a c", "b c", "c"};
  const auto named = Contains("sentence \"b c\", step 0");
  for (const Index beam : {Index(1), Index(3)}) {
    BeamOptions options;
    options.beam_size = beam;
    options.max_length = 2;
    CHECK_THROWS_WITH(translator.search(sentences, options), named);
    BeamTree tree;
    CHECK_THROWS_WITH(translator.search("b c", options, tree), named);
  }
  CHECK_THROWS_WITH(translator.draw(sentences, 2, {}, 1, Random(1)), named);
  const std::string accents = "b " + std::string(57, 'c') + "é";
  CHECK_THROWS_WITH(translator.search({"b \033[31m"}, Translator::greedy_options()),
                    Contains("sentence \"b ␛[31m\""));
  CHECK_THROWS_WITH(translator.search({accents}, Translator::greedy_options()),
                    Contains("sentence \"b " + std::string(57, 'c') + "…\", step 0"));
}

TEST_CASE("translator: what is saved and loaded translates alike and has the same settings") {
  const TestFolder folder;
  const std::string path = folder / "model.safetensors";
  const std::string attention = GENERATE("scaled_dot", "additive");
  const Translator translator = small_translator(attention);
  translator.save(path);
  const Translator loaded = Translator::load(path);
  CHECK(loaded.source().tokenizer.settings().lower_case);
  CHECK(loaded.target().tokenizer.settings().spacing == Spacing::french);
  const TransformerConfig config = transformer_config_from_json(loaded.config().settings);
  CHECK(config.norm == NormPlace::after);
  CHECK(config.positions == "learned");
  CHECK(config.attention == attention);
  const std::vector<std::string> sentences = {"the cat sleeps .", "the cat", "sleeps the the the"};
  CHECK(loaded.translate(sentences) == translator.translate(sentences));
}

TEST_CASE("translator: a model whose parameters are no longer those of its settings is not saved") {
  const TestFolder folder;
  Translator tied = small_translator();
  auto& model = dynamic_cast<Transformer&>(tied.model());
  model.source_embedding = model.target_embedding;
  CHECK_THROWS_WITH(tied.save(folder / "model"),
                    Contains("translator: its parameters must be those that its settings make: they make "
                             "\"target_embedding.weight\""));
  CHECK_FALSE(std::filesystem::exists(folder / "model"));
}

TEST_CASE("translator: a recurrent model with subwords is saved and loaded whole") {
  if (!Subwords::available()) return;
  const TestFolder folder;
  LanguageOptions options;
  options.units = TextUnits::subwords;
  options.subwords.size = 24;
  const Language language = learn_language({"the cat sleeps", "the hat steps", "cats let the hats"}, options);
  RecurrentConfig config;
  config.cell = CellKind::lstm;
  config.attention = "general";
  config.embedding_width = config.hidden_width = 8;
  config.shared_embeddings = true;
  const Translator translator(config, language, language, Random(3));
  translator.save(folder / "model");
  const Translator loaded = Translator::load(folder / "model");
  CHECK(recurrent_config_from_json(loaded.config().settings).cell == CellKind::lstm);
  CHECK(recurrent_config_from_json(loaded.config().settings).attention == "general");
  CHECK(loaded.source().encode("the cats let") == language.encode("the cats let"));
  CHECK(loaded.translate({"the cat", "hats"}) == translator.translate({"the cat", "hats"}));
}

TEST_CASE(
    "translator: a word that the target vocabulary does not know is shown as the word it was written for") {
  const Translator translator = small_translator();
  Hypothesis hypothesis;
  hypothesis.tokens = {Vocabulary::unknown, translator.target().vocabulary.encode({"dort"})[0]};
  CHECK(translator.text_of("Xyzzy", hypothesis) == "xyzzy dort");
  // Where a search may write them, padding and begin are no words, and nothing follows the end.
  hypothesis.tokens.insert(hypothesis.tokens.begin(), {Vocabulary::bos, Vocabulary::pad});
  hypothesis.tokens.insert(hypothesis.tokens.end(), {Vocabulary::eos, Vocabulary::unknown});
  CHECK(translator.text_of("Xyzzy", hypothesis) == "xyzzy dort");
}

TEST_CASE("translator: what is drawn depends on the seed alone") {
  const Translator translator = small_translator();
  const std::vector<std::string> sentences = {"the cat sleeps .", "cat"};
  SamplingOptions adventurous;
  adventurous.temperature = 3;
  const auto drawn = translator.draw(sentences, {}, adventurous, Random(1));
  const auto again = translator.draw(sentences, {}, adventurous, Random(1));
  CHECK(drawn[0].tokens == again[0].tokens);
  CHECK(drawn[0].tokens != translator.draw(sentences, {}, adventurous, Random(2))[0].tokens);
}

TEST_CASE(
    "translator: lengths of other sentences, in options that were used before, are no sentence's here") {
  const Translator translator = small_translator();
  BeamOptions search;
  search.max_lengths = {1, 1};
  BeamTree tree;
  const auto expected = translator.search(std::vector<std::string>{"the cat"}, BeamOptions()).front();
  CHECK(translator.search("the cat", search, tree).front().tokens == expected.front().tokens);
  CHECK(translator.draw({"the cat"}, search, {}, Random(4))[0].tokens ==
        translator.draw({"the cat"}, {}, {}, Random(4))[0].tokens);
}

TEST_CASE("translator: a drawn translation has the score that it was drawn with") {
  const Translator translator = small_translator();
  const Hypothesis drawn = translator.draw({"cat"}, {}, {}, Random(4))[0];
  REQUIRE(drawn.finished);
  const auto scores = translator.score({{"the cat", "chat"}, {"cat", translator.text_of("cat", drawn)}}, 1);
  CHECK(scores[1].words.size() == drawn.tokens.size() + 1);  // with the end token
  CHECK(scores[1].log_probability == Approx(drawn.log_probability));
  CHECK(scores[1].words[0].rivals.size() == 1);
}

TEST_CASE("translator: notes are kept in the file") {
  const TestFolder folder;
  Translator translator = small_translator();
  translator.set_notes("steps = 3\n");
  translator.save(folder / "model");
  CHECK(Translator::load(folder / "model").notes() == "steps = 3\n");
}

TEST_CASE("translator: translations come in the order of the sentences, and are not endless") {
  const Translator translator = small_translator();
  const std::vector<std::string> together =
      translator.translate({"the cat sleeps . the cat sleeps .", "cat"});
  CHECK(together[1] == translator.translate({"cat"})[0]);
  CHECK(split_words(together[1]).size() <= 12);
}

TEST_CASE("translator: a file that is none, is cut short or is of another format is refused by name") {
  const TestFolder folder;
  const std::string path = folder / "model.safetensors";
  small_translator().save(path);
  TensorFile file = load_tensors(path);
  file.metadata["gradual_translator"] = "99";
  save_tensors(path, file);
  CHECK_THROWS_WITH(Translator::load(path), Contains(path) && Contains("format 99, this program reads 3"));
  file.metadata.erase("gradual_translator");
  save_tensors(path, file);
  CHECK_THROWS_WITH(Translator::load(path), Contains("not a translator"));
  file.metadata["gradual_translator"] = "3";
  file.tensors.pop_back();
  save_tensors(path, file);
  CHECK_THROWS_WITH(Translator::load(path), Contains(path) && Contains("each needs a value"));
  file.metadata["description"] = "{}";
  save_tensors(path, file);
  CHECK_THROWS_WITH(Translator::load(path), Contains(path) && Contains("damaged"));
}

TEST_CASE("attention maps: one for each head, layer and kind, labelled with the words") {
  const Translator translator = small_translator();
  const SentenceAttention attention = attention_of(translator, "the cat sleeps .");
  REQUIRE(attention.kinds.size() == 3);
  CHECK(attention.kinds[0].layers.size() == 2);  // decoder to source
  CHECK(attention.kinds[1].layers.size() == 1);  // encoder
  const AttentionMap& map = attention.kinds[0].layers[1][1];
  CHECK(map.keys == std::vector<std::string>{"the", "cat", "sleeps", ".", "⏎"});
  CHECK(map.queries.back() == "⏎");
  CHECK(map.weights.size() == map.keys.size() * map.queries.size());
}

TEST_CASE("attention maps: they are of the translation that the search finds") {
  const Translator translator = small_translator();
  BeamOptions search;
  search.max_length = 3;  // cut short: greedy search goes on
  for (const Index beam : {1, 3}) {
    search.beam_size = beam;
    const SentenceAttention attention = attention_of(translator, "the cat sleeps .", search);
    const Hypothesis found = translator.search({"the cat sleeps ."}, search)[0][0];
    CHECK(attention.translation == translator.text_of("the cat sleeps .", found));
    CHECK(attention.kinds[0].layers[0][0].queries.size() == found.tokens.size() + 1);
  }
}

namespace {

// A translator from the other side, and so other weights.
std::shared_ptr<Translator> back_of(const Translator& translator, Index max_length = 40) {
  TransformerConfig config = transformer_config_from_json(translator.config().settings);
  config.max_length = max_length;
  return std::make_shared<Translator>(config, translator.target(), translator.source(), Random(7));
}

// Translations of some sentences by a beam of four, whose search keeps all or the best.
std::vector<std::vector<Hypothesis>> best_of_four(const Translator& translator, Index n_best) {
  BeamOptions options;
  options.beam_size = 4;
  options.n_best = n_best;
  options.max_length = 6;
  options.length_penalty = 0.8;
  return translator.search({"the cat sleeps .", "the cat"}, options);
}

}  // namespace

// log P/lp(Y) + λ·log P'/lp(X), written down once more from what search and score say each by itself.
TEST_CASE("translator: both ways, translations are in the order of their scores there and back") {
  const double weight = 0.7;
  Translator translator = small_translator();
  const auto back = back_of(translator);
  const auto one_way = best_of_four(translator, 4);
  translator.set_reverse({back, weight});
  const auto both_ways = best_of_four(translator, 4);
  const std::vector<std::string> sentences = {"the cat sleeps .", "the cat"};
  const std::vector<double> words = {4, 2};
  bool reordered = false;
  for (std::size_t i = 0; i < 2; ++i) {
    REQUIRE(both_ways[i].size() == one_way[i].size());
    for (std::size_t k = 0; k < both_ways[i].size(); ++k) {
      const Hypothesis& its = both_ways[i][k];
      const auto found = std::find_if(one_way[i].begin(), one_way[i].end(),
                                      [&](const Hypothesis& other) { return other.tokens == its.tokens; });
      REQUIRE(found != one_way[i].end());
      reordered = reordered || found - one_way[i].begin() != static_cast<std::ptrdiff_t>(k);
      const std::string text = translator.text_of(sentences[i], its);
      if (text.empty()) continue;
      const double back_again = back->score({{text, sentences[i]}}).front().log_probability;
      const double there = static_cast<double>(its.tokens.size()) + (its.finished ? 1 : 0);
      CHECK(its.score == Approx(its.log_probability / std::pow((5 + there) / 6, 0.8) +
                                weight * back_again / std::pow((5 + words[i] + 1) / 6, 0.8)));
      if (k > 0 && its.finished == both_ways[i][k - 1].finished)
        CHECK(its.score <= both_ways[i][k - 1].score);
    }
    CHECK(best_of_four(translator, 1)[i].front().tokens == both_ways[i].front().tokens);
    CHECK(best_of_four(translator, 1)[i].size() == 1);
  }
  CHECK(reordered);
}

TEST_CASE(
    "translator: both ways, a search that is looked at finds the same, and its tree ends where they end") {
  Translator translator = small_translator();
  translator.set_reverse({back_of(translator), 0.7});
  BeamOptions options;
  options.beam_size = 4;
  options.n_best = 3;
  options.max_length = 6;
  BeamTree tree;
  const auto seen = translator.search("the cat", options, tree);
  const auto found = translator.search({"the cat"}, options).front();
  REQUIRE(seen.size() == found.size());
  REQUIRE(tree.results.size() == found.size());
  for (std::size_t k = 0; k < found.size(); ++k) {
    CHECK(seen[k].tokens == found[k].tokens);
    CHECK(seen[k].score == Approx(found[k].score));
    const BeamNode& end = tree.nodes[static_cast<std::size_t>(tree.results[k])];
    CHECK(end.log_probability == Approx(found[k].log_probability));
  }
}

TEST_CASE("translator: both ways, too, no more translations can be asked for than the beam holds") {
  Translator translator = small_translator();
  translator.set_reverse({back_of(translator), 0.7});
  BeamOptions options;
  options.beam_size = 2;
  options.n_best = 3;
  BeamTree tree;
  CHECK_THROWS_AS(translator.search({"the cat"}, options), std::invalid_argument);
  CHECK_THROWS_AS(translator.search("the cat", options, tree), std::invalid_argument);
}

TEST_CASE("translator: no weight, and a search with nothing to choose from, are as one way") {
  Translator translator = small_translator();
  const auto back = back_of(translator);
  const auto texts = translator.translate({"the cat"});
  const auto best = best_of_four(translator, 1);
  translator.set_reverse({back, 0});
  CHECK(best_of_four(translator, 1)[0].front().score == best[0].front().score);
  translator.set_reverse({back, 5});
  CHECK(translator.translate({"the cat"}) == texts);
}

TEST_CASE(
    "translator: both ways, the way back can be called off, too, before each translation and each word") {
  Translator translator = small_translator();
  Index called = 0, most = std::numeric_limits<Index>::max();
  BeamOptions options;
  options.beam_size = 4;
  options.max_length = 6;
  options.before_word = [&] {
    if (++called > most) throw std::runtime_error("called off");
  };
  const std::vector<std::string> sentence{"the cat"};
  translator.search(sentence, options);
  const Index one_way = called;
  translator.set_reverse({back_of(translator), 0.7});
  called = 0;
  translator.search(sentence, options);
  const Index back = called - one_way;
  CHECK(back == 4 + 3);  // four translations; two words and an end, of all at once
  for (Index n = 0; n < back; ++n) {
    called = 0;
    most = one_way + n;
    CHECK_THROWS_WITH(translator.search(sentence, options), "called off");
  }
}

TEST_CASE("translator: only what has one vocabulary for both sides leads back by itself") {
  Translator two = small_translator();
  CHECK_THROWS_WITH(
      two.set_reverse({nullptr, 0.5}),
      "translator: to lead back by itself it must have one vocabulary for both sides: it has two");
  CHECK_NOTHROW(two.set_reverse({nullptr, 0}));
  CHECK_THROWS_WITH(two.set_reverse({nullptr, -1}),
                    "translator: the weight of the way back must be a number of at least 0: it is -1");
  CHECK_THROWS_AS(two.set_reverse({nullptr, std::numeric_limits<double>::quiet_NaN()}),
                  std::invalid_argument);
  CHECK_THROWS_AS(two.set_reverse({nullptr, std::numeric_limits<double>::infinity()}), std::invalid_argument);
  const Translator source = small_translator();
  Translator one(source.config(), source.source(), source.source(), Random(5));
  one.set_reverse({nullptr, 0.5});
  CHECK(best_of_four(one, 2)[0].size() == 2);
}

// The way back has places for two words and an end.
TEST_CASE(
    "translator: a translation that is too long for the way back stands behind the others, and all others in "
    "their order") {
  Translator translator = small_translator();
  const auto back = back_of(translator, 3);
  const auto one_way = best_of_four(translator, 4);
  translator.set_reverse({back, 0.7});
  const auto both_ways = best_of_four(translator, 4);
  for (std::size_t k = 0; k < 4; ++k) {  // the source itself is too long a translation
    CHECK(both_ways[0][k].tokens == one_way[0][k].tokens);
    CHECK(std::isinf(both_ways[0][k].score));
  }
  std::size_t too_long = 0;
  for (std::size_t k = 0; k < 4; ++k) {
    const bool is_long = both_ways[1][k].tokens.size() > 2;
    too_long += is_long ? 1 : 0;
    CHECK(std::isinf(both_ways[1][k].score) == (is_long || both_ways[1][k].tokens.empty()));
  }
  CHECK(too_long > 0);
}
