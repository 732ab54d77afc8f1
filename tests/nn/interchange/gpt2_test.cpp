// A GPT-2 of random weights that transformers made, and what it computed (fixtures/gpt2, by
// make_fixtures.py).
#include <gradual/nn/interchange/gpt2.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include <gradual/core/elements/arrangement.hpp>
#include <gradual/core/elements/functions.hpp>
#include <gradual/core/files/half.hpp>
#include <gradual/core/files/safetensors.hpp>
#include <gradual/core/indices.hpp>

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

TEST_CASE("GPT-2: weights in half precision are those numbers in single precision") {
  const TensorFile all = load_tensors(gpt2_folder + "/model.safetensors");
  nlohmann::ordered_json header;
  std::string halves;
  TensorFile rounded;
  rounded.metadata = all.metadata;
  for (const auto& [name, tensor] : all.tensors) {
    const std::size_t begin = halves.size();
    Tensor cut = tensor;
    Real* numbers = cut.mutable_data();
    for (Index i = 0; i < cut.size(); ++i) {
      const auto number = static_cast<float>(numbers[i]);
      std::uint32_t bits;
      std::memcpy(&bits, &number, sizeof bits);
      halves += {static_cast<char>(bits >> 16), static_cast<char>(bits >> 24)};
      numbers[i] = static_cast<Real>(BFloat16{static_cast<std::uint16_t>(bits >> 16)});
    }
    header[name] = {{"dtype", "BF16"},
                    {"shape", std::vector<Index>(tensor.shape().begin(), tensor.shape().end())},
                    {"data_offsets", {begin, halves.size()}}};
    rounded.tensors.emplace_back(name, cut);
  }
  const TestFolder folder;
  for (const char* name : {"half", "single"}) fs::copy(gpt2_folder, folder / name);
  folder.write("half/model.safetensors", safetensors_bytes(header.dump(), halves));
  save_tensors(folder / "single/model.safetensors", rounded);
  const EvaluationScope evaluation;
  const Indices ids({1, 3}, {5, 7, 6});
  CHECK(read_gpt2(folder / "half").model->logits(ids).value().to_vector() ==
        read_gpt2(folder / "single").model->logits(ids).value().to_vector());
}

TEST_CASE("GPT-2: a text falls into contractions, words, numbers and signs, each with the space before it") {
  CHECK(split_as_gpt2("It's 12 o'clock;  they're") ==
        std::vector<std::string>{"It", "'s", " 12", " o", "'", "clock", ";", " ", " they", "'re"});
  CHECK(split_as_gpt2("a\n\n b\t") == std::vector<std::string>{"a", "\n\n", " b", "\t"});
  CHECK(split_as_gpt2("x \n") == std::vector<std::string>{"x", " \n"});
  CHECK(split_as_gpt2("").empty());
}

TEST_CASE("GPT-2: a pair is merged wherever it stands, and a left half at the end stays alone") {
  BytePairs text(content(gpt2_folder + "/vocab.json"));
  text.set_merges("#version: 0.2\nd e\n");
  for (const std::string piece : {"dede", "ded", "dededede", "dedededed", "dededed", "deded"}) {
    std::vector<std::string> tokens;
    for (const std::int32_t id : text.encode(piece)) tokens.push_back(text.decode({id}));
    std::vector<std::string> expected(piece.size() / 2, "de");
    if (piece.size() % 2 != 0) expected.emplace_back("d");
    CHECK(tokens == expected);
  }
}

TEST_CASE("GPT-2: merges that end inside a line were cut") {
  BytePairs text(content(gpt2_folder + "/vocab.json"));
  CHECK(message_of<std::invalid_argument>([&] { text.set_merges("#version: 0.2\nd e"); }) ==
        "byte pairs: each merge must end its line: the last, \"d e\", does not, so that the text may have "
        "been cut");
  for (const std::string merges : {"", "#version: 0.2", "#version: 0.2\n"}) {
    text.set_merges(merges);
    CHECK(text.encode("de").size() == 2);
  }
}

TEST_CASE("GPT-2: what a language model of ours cannot be is refused by its name") {
  CHECK(problem_of_gpt2("config.json", "\"model_type\": \"gpt2\"", "\"model_type\": \"bert\"")
            .find("model_type must be \"gpt2\"") != std::string::npos);
  CHECK(
      problem_of_gpt2("config.json", "\"gelu_new\"", "\"tanh\"")
          .find("activation_function must be one of relu, gelu, gelu_new, gelu_pytorch_tanh, swish, silu") !=
      std::string::npos);
  CHECK(problem_of_gpt2("config.json", "1e-05", "1e-06").find("layer_norm_epsilon must be") !=
        std::string::npos);
  CHECK(problem_of_gpt2("model.safetensors", "ln_f.bias", "ln_g.bias")
            .find("there must be a tensor \"transformer.ln_f.bias\"") != std::string::npos);
  CHECK(problem_of_gpt2("vocab.json", "\"Ġ\":", "\"ĠĠĠq\":").find("must have each byte") !=
        std::string::npos);
  CHECK_THAT(problem_of_gpt2("merges.txt", "\n", "\nq q\n"),
             Contains("/merges.txt: cannot be used: ") && Contains("\"q q\" makes none"));
  CHECK_THAT(problem_of_gpt2("config.json", "\"vocab_size\": 330", "\"vocab_size\": 329"),
             Contains("/vocab.json: cannot be used: gpt2: the vocabulary must have at most the 329 tokens of "
                      "the settings: it has 330"));
  CHECK_THAT(problem_of_gpt2("config.json", "\"vocab_size\": 330", "\"vocab_size\": 331"),
             Contains("\"transformer.wte.weight\" must have a row for each of the 331 tokens"));
}

TEST_CASE("GPT-2: a width too large to be multiplied is refused before it is") {
  CHECK_THAT(problem_of_gpt2("config.json", "\"n_embd\": 16", "\"n_embd\": 2305843009213693952"),
             Contains("gpt2: n_embd must be at most 1073741824: got 2305843009213693952"));
}

TEST_CASE(
    "GPT-2: what training drops is as the settings say, a tenth where they do not, and nothing inside") {
  const TestFolder folder;
  fs::copy(gpt2_folder, folder / "model");
  nlohmann::json config = nlohmann::json::parse(content(folder / "model/config.json"));
  const auto check = [&](double dropout, double attention_dropout) {
    folder.write("model/config.json", config.dump());
    const Gpt2 gpt2 = read_gpt2(folder / "model");
    CHECK(gpt2.model->config().dropout == dropout);
    CHECK(gpt2.model->config().attention_dropout == attention_dropout);
    CHECK(gpt2.model->config().dropped_in_feed_forward() == 0);
  };
  config["resid_pdrop"] = config["embd_pdrop"] = 0.25;
  config["attn_pdrop"] = 0.5;
  check(0.25, 0.5);
  for (const std::string key : {"resid_pdrop", "embd_pdrop", "attn_pdrop"}) config.erase(key);
  check(0.1, 0.1);
}

TEST_CASE("GPT-2: a tensor of whole numbers that is no mask is refused by its name") {
  const TestFolder folder;
  fs::copy(gpt2_folder, folder / "model");
  const std::string weights = folder / "model/model.safetensors";
  TensorFile file = load_tensors(weights);
  file.indices.emplace_back("transformer.h.0.attn.bias", Indices(Shape{2}, {1, 1}));
  save_tensors(weights, file);
  CHECK_NOTHROW(read_gpt2(folder / "model"));
  file.indices.emplace_back("transformer.places", Indices(Shape{2}, {0, 1}));
  save_tensors(weights, file);
  CHECK_THAT(
      message_of<FileError>([&] { read_gpt2(folder / "model"); }),
      Contains("gpt2: a language model has no place for whole numbers: \"transformer.places\" has them"));
}

TEST_CASE("GPT-2: rows of a padded embedding, and masks of any type, are left out") {
  const TestFolder folder;
  fs::copy(gpt2_folder, folder / "model");
  nlohmann::json config = nlohmann::json::parse(content(folder / "model/config.json"));
  config["vocab_size"] = 384;
  config["activation_function"] = "gelu_pytorch_tanh";  // the same under another name
  folder.write("model/config.json", config.dump());
  const std::string path = folder / "model/model.safetensors";
  TensorFile file = load_tensors(path);
  for (auto& [name, tensor] : file.tensors)
    if (name == "transformer.wte.weight")
      tensor = concat({tensor, Tensor::ones({384 - tensor.dim(0), tensor.dim(1)})}, 0);
  save_tensors(path, file);
  // A mask of one byte for each pair of places: an entry of the header, and its numbers at the end.
  std::string bytes = content(path);
  std::uint64_t length = 0;
  std::memcpy(&length, bytes.data(), sizeof length);
  nlohmann::json header = nlohmann::json::parse(bytes.substr(8, length));
  const std::size_t numbers = bytes.size() - 8 - length;
  header["transformer.h.0.attn.bias"] = {
      {"dtype", "BOOL"}, {"shape", {1, 1, 48, 48}}, {"data_offsets", {numbers, numbers + 48 * 48}}};
  folder.write("model/model.safetensors",
               safetensors_bytes(header.dump(), bytes.substr(8 + length) + std::string(48 * 48, '\1')));
  const auto ours = parameters(*read_gpt2(folder / "model").model),
             theirs = parameters(*read_gpt2(gpt2_folder).model);
  REQUIRE(ours.size() == theirs.size());
  for (std::size_t i = 0; i < ours.size(); ++i)
    CHECK(ours[i].variable.value().to_vector() == theirs[i].variable.value().to_vector());
}

TEST_CASE("GPT-2: an output of its own, shards and a pickle are refused with what to do") {
  const TestFolder folder;
  fs::copy(gpt2_folder, folder / "model");
  const std::string weights = folder / "model/model.safetensors";
  TensorFile file = load_tensors(weights);
  const Tensor words = *file.find("transformer.wte.weight");
  const auto problem = [&] { return message_of<FileError>([&] { read_gpt2(folder / "model"); }); };
  file.tensors.emplace_back("lm_head.weight", words);
  save_tensors(weights, file);
  CHECK(problem() == "no error");
  file.tensors.back().second = words * Real(2);
  save_tensors(weights, file);
  CHECK_THAT(problem(), Contains("\"lm_head.weight\" must be \"transformer.wte.weight\" again: they differ"));
  fs::rename(weights, folder / "model/pytorch_model.bin");
  CHECK_THAT(problem(), Contains("pytorch_model.bin: is a pickle") && Contains("save_pretrained(folder)"));
  folder.write("model/model.safetensors.index.json", "{}");
  CHECK_THAT(problem(),
             Contains("model.safetensors.index.json: names several files") && Contains("max_shard_size"));
}
