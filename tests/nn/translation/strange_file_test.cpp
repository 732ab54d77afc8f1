// Model files that a stranger wrote: what they cost is bounded by their size, and what is wrong with them is
// said.
#include <chrono>
#include <functional>
#include <string>

#include <nlohmann/json.hpp>

#include <gradual/core/error.hpp>
#include <gradual/core/files/safetensors.hpp>
#include <gradual/core/memory.hpp>
#include <gradual/nn/recurrent/translator.hpp>
#include <gradual/nn/text/subwords.hpp>
#include <gradual/nn/translation/translator.hpp>

#include "support/catch.hpp"
#include "support/files.hpp"

using namespace gradual;
using Json = nlohmann::json;

namespace {

constexpr std::int64_t mebibyte = 1 << 20;

Translator tiny_translator(const std::string& positions = "sinusoidal") {
  TransformerConfig config;
  config.width = 8;
  config.heads = 2;
  config.feed_forward = 8;
  config.encoder_layers = config.decoder_layers = 1;
  config.positions = positions;
  config.max_length = 20;
  const Language language{Tokenizer(TokenizerSettings()), Vocabulary::build({{"a", "b", "c"}})};
  return Translator(config, language, language, Random(1));
}

// What is wrong with the file of a translator whose description was changed, and that it costs little to say.
std::string problem_of(const Translator& translator, const std::function<void(Json&)>& change) {
  const TestFolder folder;
  const std::string path = folder / "model";
  translator.save(path);
  TensorFile file = load_tensors(path);
  Json description = Json::parse(file.metadata["description"]);
  change(description);
  file.metadata["description"] = description.dump();
  save_tensors(path, file);
  reset_peak_memory();
  const std::int64_t before = memory_statistics().bytes_in_use;
  const std::string message = message_of<FileError>([&] { Translator::load(path); });
  CHECK(memory_statistics().peak_bytes - before < 100 * mebibyte);
  CHECK(message.rfind(path, 0) == 0);
  return message;
}

std::string problem_with_setting(const char* setting, const Json& value,
                                 const Translator& translator = tiny_translator()) {
  return problem_of(translator, [&](Json& description) { description["model"][setting] = value; });
}

std::string varint(std::size_t number) {
  std::string bytes;
  for (; number > 127; number >>= 7) bytes += static_cast<char>(number % 128 + 128);
  return bytes + static_cast<char>(number);
}
std::string field(int number, const std::string& content) {
  return varint(static_cast<std::size_t>(number * 8 + 2)) + varint(content.size()) + content;
}

}  // namespace

TEST_CASE("strange model file: a larger model than the file holds is refused before memory is taken for it") {
  for (const auto& [setting, value] : {std::pair<const char*, Index>("encoder_layers", 1000000),
                                       {"decoder_layers", Index(1) << 40},
                                       {"width", 1 << 20},
                                       {"width", Index(1) << 62},
                                       {"feed_forward", 1 << 24},
                                       {"feed_forward", Index(1) << 60}}) {
    INFO(setting << " " << value);
    CHECK_THAT(problem_with_setting(setting, value), Contains("cannot be used") || Contains("damaged"));
  }
  CHECK_THAT(problem_with_setting("feed_forward", 1 << 24),
             Contains("its settings describe a larger model than it holds"));
  CHECK_THAT(problem_with_setting("feed_forward", Index(1) << 60),
             Contains("transformer: feed_forward must be at most 1073741824"));
  CHECK_THAT(problem_with_setting("max_length", 1 << 28, tiny_translator("learned")),
             Contains("its settings describe a larger model than it holds"));

  RecurrentConfig config;
  config.embedding_width = config.hidden_width = 8;
  const Language language{Tokenizer(TokenizerSettings()), Vocabulary::build({{"a"}})};
  const Translator recurrent(config, language, language, Random(1));
  CHECK_THAT(problem_with_setting("hidden_width", 1 << 20, recurrent),
             Contains("its settings describe a larger model than it holds"));
  // Three gates of such a width would be more than there are numbers.
  CHECK_THAT(problem_with_setting("hidden_width", Index(1) << 62, recurrent),
             Contains("recurrent translator: hidden_width must be at most 1073741824"));
}

TEST_CASE(
    "strange model file: one that names far more small layers than it holds is refused after few of them") {
  const std::int64_t before = memory_statistics().bytes_in_use;
  for (const char* layers : {"encoder_layers", "decoder_layers"}) {
    CHECK_THAT(problem_of(tiny_translator(),
                          [&](Json& description) {
                            description["model"]["width"] = description["model"]["feed_forward"] = 4;
                            description["model"][layers] = 65536;
                          }),
               Contains("its settings describe a larger model than it holds"));
    CHECK(memory_statistics().peak_bytes - before < 32 * mebibyte);
  }
}

TEST_CASE("strange model file: a length that sinusoids have no end for costs nothing") {
  const TestFolder folder;
  const Translator translator = tiny_translator();
  translator.save(folder / "model");
  TensorFile file = load_tensors(folder / "model");
  Json description = Json::parse(file.metadata["description"]);
  description["model"]["max_length"] = Index(1) << 40;
  file.metadata["description"] = description.dump();
  save_tensors(folder / "model", file);
  CHECK(Translator::load(folder / "model").translate({"a b"}) == translator.translate({"a b"}));
}

TEST_CASE("strange model file: sizes are whole numbers") {
  for (const Json& value : {Json(8.5), Json(8.0), Json(true), Json("8"), Json(UINT64_MAX), Json(nullptr)}) {
    INFO(value);
    CHECK_THAT(problem_with_setting("width", value), Contains("damaged"));
  }
  CHECK_THAT(problem_with_setting("width", 8.5), Contains("\"width\" is not a whole number"));
  CHECK_THAT(problem_with_setting("heads", -2), Contains("heads must be positive"));
}

TEST_CASE("strange model file: JSON that is nested deep is refused, wherever it is") {
  const TestFolder folder;
  tiny_translator().save(folder / "model");
  const TensorFile file = load_tensors(folder / "model");
  const std::string deep = std::string(100000, '[') + std::string(100000, ']');
  const auto problem = [&](const std::string& description) {
    TensorFile changed = file;
    changed.metadata["description"] = description;
    save_tensors(folder / "model", changed);
    return message_of<FileError>([&] { Translator::load(folder / "model"); });
  };
  const std::string known = file.metadata.at("description");
  CHECK_THAT(problem(deep), Contains("damaged: its JSON is nested too deep"));
  for (const char* place : {"\"model\":", "\"source\":", "\"vocabulary\":", "\"width\":"}) {
    std::string changed = known;
    changed.insert(known.find(place) + std::string(place).size(), deep + ",\"before\":");
    CHECK_THAT(problem(changed), Contains("nested too deep"));
  }
}

TEST_CASE("strange model file: many members and many small parameters take no longer than their number") {
  const TestFolder folder;
  tiny_translator().save(folder / "model");
  TensorFile file = load_tensors(folder / "model");
  std::string& description = file.metadata["description"];
  std::string members;
  for (int i = 0; i < 200000; ++i) members += "\"" + std::to_string(i) + "\":0,";
  description.insert(1, members);
  save_tensors(folder / "model", file);
  CHECK(Translator::load(folder / "model").translate({"a"}).size() == 1);  // minutes where each looks at all
}

TEST_CASE("strange model file: a subword model that leads SentencePiece astray is refused") {
  if (!Subwords::available()) return;
  SubwordOptions options;
  options.size = 24;
  const std::string model = train_subwords({"the cat sleeps", "the hat steps", "cats let the hats"}, options);
  CHECK(Subwords(model).join(Subwords(model).split("the cat")) == "the cat");
  const auto problem = [&](const std::string& bytes) {
    return message_of<std::invalid_argument>([&] { Subwords strange(bytes); });
  };
  // A map of characters: the length of a trie of 256 units, which are leaves but for the first, and texts.
  const auto map_of = [](const std::string& first, std::size_t units, const std::string& texts) {
    const std::size_t bytes = 4 * units;
    std::string map{static_cast<char>(bytes & 255), static_cast<char>(bytes >> 8), 0, 0};
    for (std::size_t i = 0; i < units; ++i) map += i == 0 ? first : std::string("\0\0\0\x80", 4);
    return map + texts;
  };
  const std::string still("\0\4\0\0", 4), ends("\0", 1), far("\0\x04\x10\0", 4), leaf("\0\1\0\0", 4);
  const std::string far_leaf("\0\x04\x10\x80", 4);  // the walk begins at the first unit, whatever it is
  for (const int normalizer : {3, 5}) {
    const auto map_problem = [&](const std::string& map) {
      return problem(model + field(normalizer, field(2, map)));
    };
    CHECK_THAT(map_problem(std::string(4, '\x7f') + std::string(64, '\xff')), Contains("is cut short"));
    CHECK_THAT(map_problem("abc"), Contains("is cut short"));
    CHECK_THAT(map_problem(map_of(far, 256, ends)), Contains("leads out of itself"));
    CHECK_THAT(map_problem(map_of(far_leaf, 256, ends)), Contains("leads out of itself"));
    CHECK_THAT(map_problem(map_of(still, 255, ends)), Contains("leads out of itself"));
    CHECK_THAT(map_problem(map_of(still, 256, "a")), Contains("do not end"));
    CHECK_THAT(map_problem(map_of(still, 256, "")), Contains("do not end"));
    CHECK_THAT(map_problem(map_of(leaf, 256, ends)), Contains("names a text that it does not have"));
    CHECK_THAT(problem(model + field(normalizer, field(7, "?"))), Contains("its normalizer has a field 7"));
    Subwords harmless(model + field(normalizer, field(2, map_of(still, 256, ends))));
  }
  CHECK_THAT(problem(model + field(4, "a test")), Contains("it has a field 4"));
  CHECK_THAT(problem(model + field(1, "piece") + varint(8 * 1 + 2) + varint(1000) + "short"),
             Contains("it ends inside a field"));
  CHECK_THAT(problem(model + varint(8 * 1 + 3)), Contains("of no kind"));
  CHECK_THAT(problem(model + std::string(20, '\xff')), Contains("a number is too long"));
}
