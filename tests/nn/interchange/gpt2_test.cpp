// A GPT-2 of random weights that transformers made, and what it computed (fixtures/gpt2, by
// make_fixtures.py).
#include <gradual/nn/interchange/gpt2.hpp>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include <gradual/core/files/safetensors.hpp>

#include "support/catch.hpp"
#include "support/files.hpp"

using namespace gradual;
namespace fs = std::filesystem;

namespace {

const std::string gpt2_folder = std::string(GRADUAL_SOURCES) + "/tests/nn/interchange/fixtures/gpt2";

std::string problem_of_gpt2(const std::string& file, const std::string& from, const std::string& to) {
  const TestFolder folder;
  fs::copy(gpt2_folder, folder / "model");
  std::string bytes = content(folder / ("model/" + file));
  const auto found = bytes.find(from);
  REQUIRE(found != std::string::npos);
  folder.write("model/" + file, bytes.replace(found, from.size(), to));
  return message_of<FileError>([&] { read_gpt2(folder / "model"); });
}

}  // namespace

TEST_CASE("GPT-2: tokens and logits within 1e-4 are those of transformers, at once and word by word") {
  const Gpt2 gpt2 = read_gpt2(gpt2_folder);
  const TensorFile expected = load_tensors(gpt2_folder + "/expected.safetensors");
  const auto texts = nlohmann::json::parse(expected.metadata.at("texts")).get<std::vector<std::string>>();
  REQUIRE(texts.size() == 4);
  const EvaluationScope evaluation;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    INFO(texts[i]);
    std::vector<std::int32_t> ids = gpt2.text.encode(texts[i]);
    CHECK(gpt2.text.decode(ids) == texts[i]);
    ids.resize(std::min<std::size_t>(ids.size(), 40));
    for (const auto& [name, values] : expected.indices)
      if (name == "ids." + std::to_string(i))
        CHECK(ids == std::vector<std::int32_t>(values.begin(), values.end()));
    const Tensor logits = gpt2.model->logits({Shape{1, static_cast<Index>(ids.size())}, ids}).value();
    const Tensor& theirs = *expected.find("logits." + std::to_string(i));
    REQUIRE(logits.size() == theirs.size());
    Real most = 0, most_by_word = 0;
    LanguageModel::State state;
    for (Index t = 0; t < theirs.dim(0); ++t) {
      const Tensor next = gpt2.model->next({Shape{1}, {ids[static_cast<std::size_t>(t)]}}, state);
      for (Index v = 0; v < theirs.dim(1); ++v) {
        most = std::max(most, std::abs(logits({0, t, v}) - theirs({t, v})));
        most_by_word = std::max(most_by_word, std::abs(next({0, v}) - theirs({t, v})));
      }
    }
    CHECK(most < 1e-4);
    CHECK(most_by_word < 1e-4);
  }
}

TEST_CASE("GPT-2: a text falls into contractions, words, numbers and signs, each with the space before it") {
  CHECK(split_as_gpt2("It's 12 o'clock;  they're") ==
        std::vector<std::string>{"It", "'s", " 12", " o", "'", "clock", ";", " ", " they", "'re"});
  CHECK(split_as_gpt2("a\n\n b\t") == std::vector<std::string>{"a", "\n\n", " b", "\t"});
  CHECK(split_as_gpt2("x \n") == std::vector<std::string>{"x", " \n"});
  CHECK(split_as_gpt2("").empty());
}

TEST_CASE("GPT-2: a pair is merged wherever it stands, and a left half at the end stays alone") {
  const BytePairs text(content(gpt2_folder + "/vocab.json"), "#version: 0.2\nd e\n");
  for (const std::string piece : {"dede", "ded", "dededede", "dedededed", "dededed", "deded"}) {
    std::vector<std::string> tokens;
    for (const std::int32_t id : text.encode(piece)) tokens.push_back(text.decode({id}));
    std::vector<std::string> expected(piece.size() / 2, "de");
    if (piece.size() % 2 != 0) expected.emplace_back("d");
    CHECK(tokens == expected);
  }
}

TEST_CASE("GPT-2: what a language model of ours cannot be is refused by its name") {
  CHECK(problem_of_gpt2("config.json", "\"model_type\": \"gpt2\"", "\"model_type\": \"bert\"")
            .find("model_type must be \"gpt2\"") != std::string::npos);
  CHECK(problem_of_gpt2("config.json", "\"gelu_new\"", "\"tanh\"")
            .find("activation_function must be one of gelu_new") != std::string::npos);
  CHECK(problem_of_gpt2("config.json", "1e-05", "1e-06").find("layer_norm_epsilon must be") !=
        std::string::npos);
  CHECK(problem_of_gpt2("model.safetensors", "ln_f.bias", "ln_g.bias")
            .find("there must be a tensor \"transformer.ln_f.bias\"") != std::string::npos);
  CHECK(problem_of_gpt2("vocab.json", "\"Ġ\":", "\"ĠĠĠq\":").find("must have each byte") !=
        std::string::npos);
  CHECK(problem_of_gpt2("merges.txt", "\n", "\nq q\n").find("\"q q\" makes none") != std::string::npos);
}
