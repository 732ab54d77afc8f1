#include <gradual/nn/inspect/explain.hpp>

#include <cctype>
#include <cmath>

#include <gradual/nn/recurrent/translator.hpp>
#include <gradual/nn/transformer/config.hpp>

#include "support/catch.hpp"

using namespace gradual;

namespace {

Translator small_translator(ModelConfig config) {
  return Translator(std::move(config), {Tokenizer(), Vocabulary::build({{"the", "cat", "sleeps", "."}})},
                    {Tokenizer(), Vocabulary::build({{"le", "chat", "dort", "souris", "."}})}, Random(5));
}

TransformerConfig small_transformer() {
  TransformerConfig config;
  config.width = config.feed_forward = 16;
  config.heads = 2;
  config.encoder_layers = config.decoder_layers = 2;
  return config;
}

const std::string sentence = "the cat sleeps.";

}  // namespace

TEST_CASE("explain: it finds what search finds, with the tree of it") {
  const Translator translator = small_translator(small_transformer());
  BeamOptions options;
  options.beam_size = options.n_best = 3;
  const Explanation explained = explain(translator, sentence, options);
  const std::vector<Hypothesis> found = translator.search({sentence}, options).front();
  REQUIRE(explained.ranked.size() == found.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    CHECK(explained.ranked[i].text == translator.text_of(sentence, found[i]));
    CHECK(explained.ranked[i].score == Approx(found[i].score));
  }
  CHECK(explained.tree.results.size() == found.size());
  CHECK(explained.tree_words.size() == explained.tree.nodes.size());
  CHECK(explained.source_words == std::vector<std::string>{"the", "cat", "sleeps", ".", "⏎"});
}

TEST_CASE("explain: the probabilities of the words multiply to that of the translation") {
  const Translator translator = small_translator(small_transformer());
  for (const Index beam : {1, 4}) {
    BeamOptions options;
    options.beam_size = beam;
    const Explanation explained = explain(translator, sentence, options);
    double log_probability = 0;
    for (const ExplainedWord& word : explained.words) log_probability += std::log(word.probability);
    CHECK(log_probability == Approx(explained.ranked[0].log_probability).epsilon(1e-4));
  }
}

TEST_CASE("explain: each word has its rivals, the likeliest first and itself not among them, and attention") {
  const Translator translator = small_translator(small_transformer());
  const Explanation explained = explain(translator, sentence, Translator::greedy_options());
  for (const ExplainedWord& word : explained.words) {
    REQUIRE(word.rivals.size() == 5);
    for (std::size_t i = 0; i < 5; ++i) {
      CHECK(word.rivals[i].first != word.word);
      if (i > 0) CHECK(word.rivals[i].second <= word.rivals[i - 1].second);
    }
    REQUIRE(word.attention.size() == explained.source_words.size());
    double total = 0;
    for (const double weight : word.attention) total += weight;
    CHECK(total == Approx(1));
  }
}

TEST_CASE("explain: a model without attention has none to show") {
  RecurrentConfig config;
  config.embedding_width = config.hidden_width = 8;
  config.attention = "none";
  const Translator translator = small_translator(config);
  const Explanation explained = explain(translator, sentence, Translator::greedy_options());
  CHECK_FALSE(explained.words.empty());
  for (const ExplainedWord& word : explained.words) CHECK(word.attention.empty());
}

TEST_CASE("explain: words that the model does not know, and no words at all, are translated too") {
  const Translator translator = small_translator(small_transformer());
  CHECK(explain(translator, "xyzzy 😀", Translator::greedy_options()).source_words ==
        std::vector<std::string>{"xyzzy", "😀", "⏎"});
  CHECK_FALSE(explain(translator, "", Translator::greedy_options()).words.empty());
}

TEST_CASE("explain: of a sentence in capitals it is said how the model knows it") {
  const Translator translator = small_translator(small_transformer());
  std::string loud = sentence;
  for (char& letter : loud) letter = static_cast<char>(std::toupper(static_cast<unsigned char>(letter)));
  CHECK(explain(translator, loud, Translator::greedy_options()).known_as == sentence);
  CHECK(explain(translator, sentence, Translator::greedy_options()).known_as.empty());
}

TEST_CASE("explain: where the search multiplied in 8 bits, it is noted that the attention is of all bits") {
  const Translator translator = small_translator(small_transformer());
  CHECK(explain(translator, sentence, Translator::greedy_options()).note.empty());
  translator.model().set_precision(Precision::int8);
  CHECK(explain(translator, sentence, Translator::greedy_options()).note ==
        "the attention is that of the weights as they are, while the search multiplied in 8 bits");
}

TEST_CASE("explain: the label smoothing of its training is in a model's notes, or not known") {
  Translator translator = small_translator(small_transformer());
  const auto found = [&](const std::string& notes) {
    translator.set_notes(notes);
    return explain(translator, sentence, Translator::greedy_options()).label_smoothing;
  };
  CHECK_FALSE(found("").has_value());
  CHECK(found("seed = 1\nlabel-smoothing = 0.05\n") == 0.05);
  CHECK(found("label-smoothing = 0\n") == 0.0);
  for (const char* odd :
       {"label-smoothing = much\n", "label-smoothing = 7\n", "label-smoothing", "label-smoothing = nan\n"})
    CHECK_FALSE(found(odd).has_value());
}
