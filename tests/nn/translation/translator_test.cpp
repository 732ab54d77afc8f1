#include <gradual/nn/translation/translator.hpp>

#include <gradual/core/files/safetensors.hpp>
#include <gradual/nn/translation/attention_maps.hpp>

#include "support/catch.hpp"
#include "support/files.hpp"

using namespace gradual;
using Catch::Matchers::Contains;

namespace {

Translator small_translator() {
  TransformerConfig config;
  config.width = 16;
  config.heads = 2;
  config.feed_forward = 16;
  config.encoder_layers = 1;
  config.decoder_layers = 2;
  config.norm = NormPlace::after;
  config.positions = PositionKind::learned;
  config.max_length = 40;
  TextSettings settings;
  settings.lower_case = true;
  settings.target_spacing = Spacing::french;
  return Translator(config, Vocabulary::build({{"the", "cat", "sleeps", "."}}),
                    Vocabulary::build({{"le", "chat", "dort", "!"}}), settings, Random(5));
}

}  // namespace

TEST_CASE("translator: text becomes ids by its own vocabularies, lower-cased where it was trained so") {
  const Translator translator = small_translator();
  const EncodedPair pair = translator.encode({"The DOG sleeps.", "Le chat dort !"});
  const Vocabulary& source = translator.source_vocabulary();
  CHECK(pair.source == source.encode({"the", "dog", "sleeps", "."}));
  CHECK(pair.source[1] == Vocabulary::unknown);
  CHECK(pair.target == translator.target_vocabulary().encode({"le", "chat", "dort", "!"}));
  CHECK(translator.join({"le", "chat", "dort", "!"}) == "le chat dort !");
}

TEST_CASE("translator: what is saved and loaded translates alike and has the same settings") {
  const TestFolder folder;
  const std::string path = folder / "model.safetensors";
  const Translator translator = small_translator();
  translator.save(path);
  const Translator loaded = Translator::load(path);
  CHECK(loaded.text_settings().lower_case);
  CHECK(loaded.text_settings().target_spacing == Spacing::french);
  CHECK(loaded.model().config().norm == NormPlace::after);
  CHECK(loaded.model().config().positions == PositionKind::learned);
  const std::vector<std::string> sentences = {"the cat sleeps .", "the cat", "sleeps the the the"};
  CHECK(loaded.translate(sentences, 8) == translator.translate(sentences, 8));
}

TEST_CASE("translator: translations come in the order of the sentences, and are not endless") {
  const Translator translator = small_translator();
  const std::vector<std::string> together =
      translator.translate({"the cat sleeps . the cat sleeps .", "cat"}, 100);
  CHECK(together[1] == translator.translate({"cat"}, 100)[0]);
  CHECK(split_words(together[1]).size() <= 12);
}

TEST_CASE("translator: a file that is none, is cut short or is of another format is refused by name") {
  const TestFolder folder;
  const std::string path = folder / "model.safetensors";
  small_translator().save(path);
  TensorFile file = load_tensors(path);
  file.metadata["gradual_translator"] = "99";
  save_tensors(path, file);
  CHECK_THROWS_WITH(Translator::load(path), Contains(path) && Contains("format 99"));
  file.metadata.erase("gradual_translator");
  save_tensors(path, file);
  CHECK_THROWS_WITH(Translator::load(path), Contains("not a translator"));
  file.metadata["gradual_translator"] = "1";
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
