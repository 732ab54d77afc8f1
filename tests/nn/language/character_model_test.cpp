#include <gradual/nn/language/character_model.hpp>

#include <gradual/core/error.hpp>
#include <gradual/core/files/safetensors.hpp>
#include <gradual/nn/transformer/config_json.hpp>

#include "support/catch.hpp"
#include "support/files.hpp"

using namespace gradual;

namespace {

StackConfig small_config() {
  StackConfig config;
  config.width = 16;
  config.heads = 2;
  config.feed_forward = 16;
  config.layers = 1;
  config.positions = "rotary";
  config.max_length = 8;
  return config;
}

}  // namespace

TEST_CASE("character model: what is saved and loaded writes the same") {
  const TestFolder folder;
  const std::string path = folder / "model.safetensors";
  const CharacterModel model(small_config(), Characters::of("né à l'\n"), Random(3));
  model.save(path);
  const CharacterModel loaded = CharacterModel::load(path);
  CHECK(loaded.characters().list() == model.characters().list());
  CHECK(loaded.model().config().vocabulary == model.characters().size());
  CHECK(loaded.write_on("né", 40, {}, Random(5)) == model.write_on("né", 40, {}, Random(5)));
}

TEST_CASE("character model: one whose parameters were changed by hand is not saved") {
  const TestFolder folder;
  const CharacterModel model(small_config(), Characters::of("abc"), Random(3));
  model.model().embedding = Embedding(4, 16, Random(1));
  CHECK_THROWS_WITH(
      model.save(folder / "model"),
      "character model: its parameters must be those that its settings make: they make "
      "\"embedding.weight\" of shape [3, 16] where it has \"embedding.weight\" of shape [4, 16]");
}

TEST_CASE("character model: dropout is off when it writes") {
  StackConfig config = small_config();
  config.dropout = 0.5;
  const CharacterModel model(config, Characters::of("abcdefgh"), Random(3));
  CHECK(model.write_on("a", 40, {1, 1, 1}, Random(5)) == model.write_on("a", 40, {1, 1, 1}, Random(6)));
}

TEST_CASE("character model: a prompt with a character that the model does not know is refused") {
  const CharacterModel model(small_config(), Characters::of("abc"), Random(3));
  CHECK_THROWS_WITH(model.write_on("abz", 3, {}, Random(1)), Contains("got \"z\" at place 3"));
}

TEST_CASE("character model: files that are none, or damaged, are refused with their path") {
  const TestFolder folder;
  CHECK_THROWS_WITH(CharacterModel::load(folder / "none"), Contains("none: cannot be read"));
  save_tensors(folder / "other", {});
  CHECK_THROWS_WITH(CharacterModel::load(folder / "other"), Contains("other: not a character model"));
  const CharacterModel model(small_config(), Characters::of("abc"), Random(3));
  model.save(folder / "model");
  TensorFile file = load_tensors(folder / "model");
  file.metadata["characters"] = R"(["a","b"])";  // one too few for the embedding
  save_tensors(folder / "model", file);
  CHECK_THROWS_WITH(CharacterModel::load(folder / "model"),
                    Contains("model: cannot be used: parameters: shapes must be equal"));
  file.metadata["gradual_character_model"] = "7";
  save_tensors(folder / "model", file);
  CHECK_THROWS_WITH(CharacterModel::load(folder / "model"), Contains("format 7, this program reads 2"));
}
