// Models that transformers made, with what it computed (fixtures/, by make_fixtures.py): tokens, logits,
// words.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include <gradual/core/elements/arrangement.hpp>
#include <gradual/core/files/safetensors.hpp>
#include <gradual/nn/interchange/load_translator.hpp>
#include <gradual/nn/interchange/marian.hpp>
#include <gradual/nn/interchange/marian_text.hpp>
#include <gradual/nn/transformer/transformer.hpp>

#include "support/catch.hpp"
#include "support/files.hpp"

using namespace gradual;
namespace fs = std::filesystem;

namespace {

using Ids = std::vector<std::int32_t>;

std::string fixture(const std::string& name) {
  return std::string(GRADUAL_SOURCES) + "/tests/nn/interchange/fixtures/" + name;
}

nlohmann::json json_of(const std::string& path) { return nlohmann::json::parse(content(path)); }

// The ids that Marian gives our words of a side.
Ids ids_there(const Language& language, const std::string& folder, const char* words) {
  const nlohmann::json config = json_of(folder + "/config.json"), known = json_of(folder + "/" + words);
  Ids ids{-1, config.at("decoder_start_token_id"), config.at("eos_token_id"), known.at("<unk>")};
  for (std::size_t i = 4; i < language.vocabulary.tokens().size(); ++i)
    ids.push_back(known.at(language.vocabulary.tokens()[i]));
  return ids;
}

Ids translated(const Ids& ids, const Ids& to) {
  Ids result;
  for (const std::int32_t id : ids) result.push_back(to[static_cast<std::size_t>(id)]);
  return result;
}
Ids inverse_of(const Ids& ids) {
  Ids result(ids.size(), -1);
  for (std::size_t i = 0; i < ids.size(); ++i)
    if (ids[i] >= 0) result[static_cast<std::size_t>(ids[i])] = static_cast<std::int32_t>(i);
  return result;
}

Indices row(const Ids& ids) { return {Shape{1, static_cast<Index>(ids.size())}, ids}; }

Ids indices_of(const TensorFile& file, const std::string& name) {
  for (const auto& [each, values] : file.indices)
    if (each == name) return {values.begin(), values.end()};
  throw std::out_of_range(name);
}

// A copy of a fixture whose files a test changes.
struct Changed {
  TestFolder folder;
  std::string path;
  explicit Changed(const std::string& name) : path(folder / "model") { fs::copy(fixture(name), path); }
  void set(const std::string& file, const std::string& key, const nlohmann::json& value) const {
    nlohmann::json json = json_of(path + "/" + file);
    json[key] = value;
    folder.write("model/" + file, json.dump());
  }
  // `change(tensors)` is given the tensors by their names.
  template <class Change>
  void tensors(Change change) const {
    TensorFile file = load_tensors(path + "/model.safetensors");
    std::map<std::string, Tensor> by_name(file.tensors.begin(), file.tensors.end());
    change(by_name);
    file.tensors.assign(by_name.begin(), by_name.end());
    save_tensors(path + "/model.safetensors", file);
  }
  std::string problem() const {
    return message_of<FileError>([&] { read_marian(path); });
  }
};

void check_equal_parameters(const Translator& one, const Translator& other) {
  const auto ours = parameters(one.model()), theirs = parameters(other.model());
  REQUIRE(ours.size() == theirs.size());
  for (std::size_t i = 0; i < ours.size(); ++i) {
    INFO(ours[i].name);
    CHECK(ours[i].name == theirs[i].name);
    CHECK(ours[i].variable.value().to_vector() == theirs[i].variable.value().to_vector());
  }
}

const std::string shared_table = "model.shared.weight", read_table = "model.encoder.embed_tokens.weight",
                  written_table = "model.decoder.embed_tokens.weight", output_table = "lm_head.weight";

const Language two_words{Tokenizer(), Vocabulary::build({{"one", "two"}})};

TransformerConfig config_of_two_words() {
  TransformerConfig config;
  config.width = 8;
  config.heads = 2;
  config.encoder_layers = config.decoder_layers = 1;
  return config;
}

const std::vector<std::string> all{"opus", "unscaled", "separate", "pegasus", "untied", "bytes"};

}  // namespace

TEST_CASE("Marian: tokens, logits within 1e-4 and words are those of transformers") {
  if (!Subwords::available()) return;
  for (const std::string& name : all) {
    INFO(name);
    const Translator translator = load_translator(fixture(name));
    const bool separate = name == "separate";
    const Ids source = ids_there(translator.source(), fixture(name), "vocab.json");
    const Ids target =
        ids_there(translator.target(), fixture(name), separate ? "target_vocab.json" : "vocab.json");
    const TensorFile expected = load_tensors(fixture(name) + "/expected.safetensors");
    const auto sentences =
        nlohmann::json::parse(expected.metadata.at("sentences")).get<std::vector<std::string>>();
    const auto& model = dynamic_cast<Transformer&>(translator.model());
    BeamOptions greedy = Translator::greedy_options();
    greedy.max_length = 12;
    REQUIRE(sentences.size() == 6);
    for (std::size_t i = 0; i < sentences.size(); ++i) {
      const std::string number = std::to_string(i);
      Ids ids = translator.source().encode(sentences[i]);
      ids.push_back(Vocabulary::eos);
      CHECK(translated(ids, source) == indices_of(expected, "source." + number));
      const EvaluationScope evaluation;
      const Var memory = model.encode({row(ids), {}});
      const Ids given = translated(indices_of(expected, "input." + number), inverse_of(target));
      const Tensor logits = model.logits(model.decode(row(given), memory, {})).value();  // [1, T, V]
      const Tensor& theirs = *expected.find("logits." + number);                         // [T, V there]
      Real most = 0;
      for (Index t = 0; t < theirs.dim(0); ++t)
        for (std::size_t v = 1; v < target.size(); ++v)
          most = std::max(most, std::abs(logits({0, t, static_cast<Index>(v)}) - theirs({t, target[v]})));
      CHECK(most < 1e-4);
      Ids said = translated(translator.search({sentences[i]}, greedy).front().front().tokens, target);
      Ids theirs_said = indices_of(expected, "said." + number);
      if (theirs_said.back() == target[Vocabulary::eos]) theirs_said.pop_back();
      CHECK(said == theirs_said);
    }
  }
}

TEST_CASE("Marian: a word that is in our vocabulary alone is never written, and takes no probability") {
  if (!Subwords::available()) return;
  const Translator translator = read_marian(fixture("opus"));
  const auto state = translator.model().start(make_source_batch({translator.source().encode("bade.")}));
  const Tensor logits = translator.model().next({Shape{1}, Ids{Vocabulary::bos}}, *state);
  CHECK(logits({0, Vocabulary::pad}) < -9000);
  CHECK(logits({0, Vocabulary::bos}) > -100);
}

TEST_CASE("Marian: what is written is read again as the same model, bit for bit") {
  if (!Subwords::available()) return;
  const TestFolder folder;
  for (const std::string& name : all) {
    INFO(name);
    const Translator first = read_marian(fixture(name));
    export_translator(first, TranslatorFormat::marian, folder / name);
    const Translator second = load_translator(folder / name);
    CHECK(second.source().vocabulary.tokens() == first.source().vocabulary.tokens());
    CHECK(second.target().vocabulary.tokens() == first.target().vocabulary.tokens());
    // What transformers leaves out of a translation are the tokens that are named here.
    const nlohmann::json named = json_of(folder / name + "/tokenizer_config.json");
    CHECK(named["pad_token"] == "<pad>");
    CHECK(named["bos_token"] == "<bos>");
    CHECK(named["eos_token"] == "<eos>");
    CHECK(named["unk_token"] == "<unk>");
    // As many places as the longest sentence takes, and its end.
    CHECK(named["model_max_length"] == 4097);
    CHECK(json_of(folder / name + "/config.json")["max_position_embeddings"] == 4097);
    check_equal_parameters(first, second);
    first.save(folder / (name + ".safetensors"));  // and as one of our own
    CHECK(load_translator(folder / (name + ".safetensors")).translate({"bade fi."}) ==
          first.translate({"bade fi."}));
  }
}

TEST_CASE("Marian: settings that no transformer of ours has are refused by their names") {
  const auto problem = [](const char* key, const nlohmann::json& value) {
    const Changed model("opus");
    model.set("config.json", key, value);
    return model.problem();
  };
  CHECK_THAT(problem("model_type", "bart"), Contains("model_type must be one of marian, pegasus"));
  CHECK_THAT(problem("activation_function", "tanh"), Contains("activation_function must be one of relu"));
  CHECK_THAT(problem("decoder_ffn_dim", 25),
             Contains("encoder_ffn_dim and decoder_ffn_dim must be equal: got 24 and 25"));
  CHECK_THAT(problem("decoder_attention_heads", 2), Contains("decoder_attention_heads must be equal"));
  CHECK_THAT(problem("pad_token_id", 76),
             Contains("pad_token_id must be the id of one of 76 tokens: got 76"));
  CHECK_THAT(problem("eos_token_id", 75),
             Contains("decoder_start_token_id must not be eos_token_id: both are 75"));
  CHECK_THAT(problem("d_model", "16"), Contains("config.json: cannot be used"));
  CHECK_THAT(problem("dropout", true), Contains("\"dropout\" is of another type: got true"));
  CHECK_THAT(problem("encoder_layers", -1), Contains("encoder_layers must not be negative"));
  CHECK_THAT(problem("forced_bos_token_id", 5),
             Contains("marian: forced_bos_token_id must be null: this model's is 5"));
}

TEST_CASE("Marian: files that are missing, damaged or larger than they say are refused") {
  if (!Subwords::available()) return;
  for (const char* file : {"config.json", "vocab.json", "source.spm", "target.spm", "model.safetensors"}) {
    INFO(file);
    const Changed gone("opus");
    fs::remove(gone.path + "/" + file);
    CHECK_THAT(gone.problem(), Contains(file));
    const Changed cut("opus");
    fs::resize_file(cut.path + "/" + file, fs::file_size(cut.path + "/" + file) / 2);
    CHECK_THAT(cut.problem(), Contains(file));
  }
  const Changed pickle("opus");
  fs::rename(pickle.path + "/model.safetensors", pickle.path + "/pytorch_model.bin");
  CHECK_THAT(pickle.problem(), Contains("is a pickle"));
  const Changed codes("opus");
  nlohmann::json words = json_of(codes.path + "/vocab.json");
  words.erase("<pad>");
  words[">>fra<<"] = 75;
  codes.folder.write("model/vocab.json", words.dump());
  codes.set("config.json", "pad_token_id", 74);
  codes.set("config.json", "decoder_start_token_id", 74);
  CHECK_THAT(codes.problem(),
             Contains("/vocab.json: cannot be used: marian: a model must have one target language: "
                      "this one has codes such as >>fra<<"));
  const Changed twice("opus");
  twice.set("vocab.json", "<pad>", 74);
  CHECK_THAT(twice.problem(), Contains("each token must have an id of its own"));
  const Changed huge("opus");
  huge.set("config.json", "encoder_ffn_dim", 100000000);
  huge.set("config.json", "decoder_ffn_dim", 100000000);
  CHECK_THAT(huge.problem(), Contains("describe a larger model than it holds"));
}

TEST_CASE("Marian: a tensor that is missing, of another shape or without a place is named") {
  if (!Subwords::available()) return;
  const auto problem = [](const std::string& name, const Tensor* value) {
    const Changed model("opus");
    model.tensors([&](auto& tensors) {
      tensors.erase(name);
      if (value) tensors[name] = *value;
    });
    return model.problem();
  };
  const std::string fc1 = "model.encoder.layers.0.fc1.weight",
                    places = "model.encoder.embed_positions.weight";
  const Tensor small = Tensor::zeros({24, 15}), strange = Tensor::zeros({40, 16});
  CHECK_THAT(problem(fc1, nullptr), Contains("there must be a tensor \"" + fc1 + "\""));
  CHECK_THAT(problem(fc1, &small), Contains("\"" + fc1 + "\" must fit the settings: its shape is [24, 15]"));
  CHECK_THAT(problem("model.encoder.adapter", &small),
             Contains("has no place for \"model.encoder.adapter\""));
  CHECK_THAT(problem(places, &strange),
             Contains("\"" + places + "\" must be the table of sinusoids of width 16: it is another"));
  const Tensor narrow({1, 8}, {0, 0, 0, 0, 1, 1, 1, 1});  // sinusoids, of another width
  CHECK_THAT(problem(places, &narrow), Contains("of width 16: it is another, of shape [1, 8]"));
  CHECK_THAT(problem("final_logits_bias", &small), Contains("must fit the vocabulary of 76"));
}

TEST_CASE("Marian: a table of sinusoids may be there, rounded to half precision too") {
  if (!Subwords::available()) return;
  const Changed model("opus");
  Tensor table({40, 16});
  for (Index place = 0; place < 40; ++place)
    for (Index i = 0; i < 8; ++i) {
      const double angle = static_cast<double>(place) / std::pow(10000, static_cast<double>(i) / 8);
      for (const auto& [column, number] :
           {std::pair(i, std::sin(angle)), std::pair(i + 8, std::cos(angle))}) {
        int exponent = 0;
        const double bits = std::trunc(std::frexp(number, &exponent) * 256);  // eight are left
        table.mutable_data()[place * 16 + column] = static_cast<Real>(std::ldexp(bits / 256, exponent));
      }
    }
  model.tensors([&](auto& tensors) { tensors["model.encoder.embed_positions.weight"] = table; });
  CHECK_NOTHROW(read_marian(model.path));
}

TEST_CASE("Marian: a tensor of whole numbers is refused by its name, be it that of one with a place") {
  if (!Subwords::available()) return;
  for (const std::string name : {"model.encoder.places", "final_logits_bias"}) {
    const Changed model("opus");
    TensorFile file = load_tensors(model.path + "/model.safetensors");
    file.tensors.erase(std::remove_if(file.tensors.begin(), file.tensors.end(),
                                      [&](const auto& each) { return each.first == name; }),
                       file.tensors.end());
    file.indices.emplace_back(name, Indices(Shape{1, 76}, Ids(76)));
    save_tensors(model.path + "/model.safetensors", file);
    CHECK_THAT(model.problem(),
               Contains("marian: a transformer has no place for whole numbers: \"" + name + "\" has them"));
  }
}

TEST_CASE("Marian: settings that force no first word are read as those that do not speak of it") {
  if (!Subwords::available()) return;
  const Changed model("opus");
  model.set("config.json", "forced_bos_token_id", nullptr);
  check_equal_parameters(read_marian(model.path), read_marian(fixture("opus")));
}

TEST_CASE("Marian: a table that several tensors share is read by whichever of its names is there") {
  if (!Subwords::available()) return;
  const auto renamed = [](const char* name, const std::string& from, const std::string& to) {
    INFO(to);
    const Changed model(name);
    model.tensors([&](auto& tensors) { tensors[to] = tensors.at(from); });
    check_equal_parameters(read_marian(model.path), read_marian(fixture(name)));  // under both
    model.tensors([&](auto& tensors) { tensors.erase(from); });
    check_equal_parameters(read_marian(model.path), read_marian(fixture(name)));
    model.tensors([&](auto& tensors) { tensors[from] = tensors.at(to) * Real(2); });
    CHECK_THAT(model.problem(), Contains("\" must be one table: they differ"));
  };
  for (const std::string& name : {read_table, written_table, output_table})
    renamed("opus", shared_table, name);
  renamed("separate", written_table, output_table);
}

TEST_CASE("Marian: without ties the tables of both sides count, and must be equal; older files have one") {
  if (!Subwords::available()) return;
  const Changed differing("untied");
  differing.tensors([](auto& tensors) { tensors[written_table] = tensors.at(written_table) * Real(2); });
  CHECK_THAT(differing.problem(),
             Contains("\"" + read_table + "\" and \"" + written_table + "\" must be one table: they differ"));
  const Changed older("untied");
  older.tensors([](auto& tensors) {
    tensors[shared_table] = tensors.at(read_table);
    tensors.erase(read_table);
    tensors.erase(written_table);
  });
  check_equal_parameters(read_marian(older.path), read_marian(fixture("untied")));
  const TestFolder folder;
  write_marian(read_marian(fixture("untied")), folder / "written");
  const TensorFile written = load_tensors(folder / "written/model.safetensors");
  const auto values = [&](const std::string& name) {
    const Tensor* tensor = written.find(name);
    return tensor ? tensor->to_vector() : std::vector<Real>();
  };
  for (const std::string& name : {shared_table, read_table, written_table}) {
    INFO(name);
    CHECK(values(name).size() >= 16 * 60);
    CHECK(values(name) == values(read_table));
  }
}

TEST_CASE("Marian: a file without scores that are added is one that adds zeros") {
  if (!Subwords::available()) return;
  const Changed model("opus");
  model.tensors([](auto& tensors) { tensors.erase("final_logits_bias"); });
  const Translator without = read_marian(model.path);
  model.tensors([](auto& tensors) { tensors["final_logits_bias"] = Tensor::zeros({1, 76}); });
  check_equal_parameters(without, read_marian(model.path));
}

TEST_CASE("Marian: a model whose embeddings alone are larger than what every model may take is read") {
  if (!Subwords::available()) return;
  constexpr Index words = 70000, width = 256;  // 72 MB
  const Changed large("opus");
  for (const char* key : {"vocab_size", "decoder_vocab_size"}) large.set("config.json", key, words);
  large.set("config.json", "d_model", width);
  nlohmann::json vocabulary = json_of(large.path + "/vocab.json");
  for (auto id = static_cast<Index>(vocabulary.size()); id < words; ++id)
    vocabulary["w" + std::to_string(id)] = id;
  large.folder.write("model/vocab.json", vocabulary.dump());
  large.tensors([&](auto& tensors) {
    for (auto& [name, tensor] : tensors) {
      std::vector<Index> sizes(tensor.shape().begin(), tensor.shape().end());
      std::replace(sizes.begin(), sizes.end(), Index(16), width);
      std::replace(sizes.begin(), sizes.end(), Index(76), words);
      tensor = Tensor::zeros(Shape(sizes));
    }
  });
  const Translator translator = read_marian(large.path);
  CHECK(translator.source().vocabulary.size() == words + 1);  // and our <pad>
}

TEST_CASE(
    "Marian: where each side has words of its own, a sentence ends with the tokenizer's token in them") {
  if (!Subwords::available()) return;
  // The same model, but for the places of two words of the source.
  const Changed moved("separate");
  nlohmann::json words = json_of(moved.path + "/vocab.json");
  std::string other;
  for (const auto& [token, id] : words.items())
    if (id == 5) other = token;
  words["</s>"] = 5;
  words[other] = 0;
  moved.folder.write("model/vocab.json", words.dump());
  moved.tensors([](auto& tensors) {
    Tensor& table = tensors.at(read_table);
    table = concat({table.rows(5, 6), table.rows(1, 5), table.rows(0, 1), table.rows(6, table.dim(0))}, 0);
  });
  const std::vector<std::string> sentences{"bade fi go.", "mé la no ra ku."};
  CHECK(read_marian(moved.path).translate(sentences) ==
        read_marian(fixture("separate")).translate(sentences));
  // Under another name.
  words["<end>"] = words.at("</s>");
  words.erase("</s>");
  moved.folder.write("model/vocab.json", words.dump());
  CHECK_THAT(moved.problem(),
             Contains("/vocab.json: cannot be used: marian: the vocabulary must have the token \"</s>\""));
  moved.set("tokenizer_config.json", "eos_token", {{"content", "<end>"}});
  CHECK(read_marian(moved.path).translate(sentences) ==
        read_marian(fixture("separate")).translate(sentences));
}

TEST_CASE("Marian: padding that is the end or the unknown token, too, is no word more") {
  if (!Subwords::available()) return;
  for (const char* token : {"</s>", "<unk>"}) {
    const Changed model("opus");  // whose padding is its begin
    model.set("config.json", "pad_token_id", json_of(model.path + "/vocab.json").at(token));
    check_equal_parameters(read_marian(model.path), read_marian(fixture("opus")));
  }
}

TEST_CASE("Marian: one vocabulary may serve two sides whose embeddings differ") {
  if (!Subwords::available()) return;
  const Changed model("opus");
  model.set("config.json", "share_encoder_decoder_embeddings", false);
  model.tensors([](auto& tensors) {
    tensors[read_table] = tensors[written_table] = tensors.at(shared_table);
    tensors.erase(shared_table);
  });
  const Translator two = read_marian(model.path), one = read_marian(fixture("opus"));
  const std::vector<std::string> sentences{"bade fi go.", "mé la no ra ku."};
  CHECK(two.translate(sentences) == one.translate(sentences));
  // Its own target_vocab.json would be another's numbers in one table.
  const Changed other("opus");
  other.set("tokenizer_config.json", "separate_vocabs", true);
  CHECK_THAT(other.problem(), Contains("separate_vocabs must be false where the two sides share"));
}

TEST_CASE("Marian: a Pegasus has one table for both sides, whatever its settings say") {
  if (!Subwords::available()) return;
  const Changed model("pegasus");
  model.set("config.json", "share_encoder_decoder_embeddings", false);
  check_equal_parameters(read_marian(model.path), read_marian(fixture("pegasus")));
}

TEST_CASE("Marian: special tokens are strings or objects, null is the usual one, and others are refused") {
  if (!Subwords::available()) return;
  const Changed model("opus");
  for (const nlohmann::json& usual :
       {nlohmann::json(), nlohmann::json("<unk>"), nlohmann::json{{"content", "<unk>"}}}) {
    model.set("tokenizer_config.json", "unk_token", usual);
    check_equal_parameters(read_marian(model.path), read_marian(fixture("opus")));
  }
  model.set("tokenizer_config.json", "unk_token", 5);
  CHECK_THAT(model.problem(), Contains("tokenizer_config.json: cannot be used: marian: unk_token must be a "
                                       "string or an object with \"content\": got 5"));
  model.set("tokenizer_config.json", "unk_token", "<none>");
  CHECK_THAT(model.problem(),
             Contains("/vocab.json: cannot be used: marian: the vocabulary must have the token \"<none>\""));
  model.set("tokenizer_config.json", "unk_token", nullptr);
  model.set("tokenizer_config.json", "eos_token", "<unk>");
  CHECK_THAT(model.problem(),
             Contains("eos_token_id must be the id of the tokenizer's eos_token, which is 1: got 0"));
}

TEST_CASE("Marian: the time that a vocabulary takes to write does not grow with the square of its words") {
  std::vector<std::string> words{"<pad>", "<bos>", "<eos>", "<unk>"};
  while (words.size() < 100000) words.push_back("w" + std::to_string(words.size()));
  const Vocabulary vocabulary(words);
  const auto begun = std::chrono::steady_clock::now();
  const std::string json = tokens_to_marian(vocabulary);
  CHECK(std::chrono::steady_clock::now() - begun < std::chrono::seconds(5));  // some 40 in squares
  CHECK(nlohmann::json::parse(json).at("w99999") == 99999);
}

TEST_CASE("Marian: no model that training left is written over") {
  const TestFolder folder;
  const Translator translator(config_of_two_words(), two_words, two_words, Random(1));
  translator.save(folder / "model.safetensors");
  CHECK_THAT(
      message_of<FileError>([&] { export_translator(translator, TranslatorFormat::marian, folder / ""); }),
      Contains("would be lost: it is a model as training leaves it"));
  CHECK_NOTHROW(load_translator(folder / "model.safetensors"));
}

TEST_CASE("Marian: names of another model's tokens, which would be read, are not written beside") {
  if (!Subwords::available()) return;
  for (const std::string name : {"special_tokens_map.json", "added_tokens.json", "tokenizer.json"}) {
    const TestFolder folder;
    fs::create_directory(folder / "model");
    folder.write("model/" + name, "{}");
    CHECK_THAT(message_of<FileError>([&] { write_marian(read_marian(fixture("opus")), folder / "model"); }),
               Contains(name + ": would be read instead of what is written"));
    CHECK_FALSE(fs::exists(folder / "model/config.json"));
  }
}

TEST_CASE("Marian: what cannot be written is refused by its name, and nothing is") {
  const TestFolder folder;
  TransformerConfig config = config_of_two_words();
  config.shared_embeddings = true;
  const auto problem = [&](void (*change)(TransformerConfig&), TranslatorFormat format) {
    TransformerConfig other = config;
    change(other);
    const Translator translator(other, two_words, two_words, Random(1));
    return message_of<std::invalid_argument>(
        [&] { export_translator(translator, format, folder / "there"); });
  };
  const auto of_marian = [&](void (*change)(TransformerConfig&)) {
    return problem(change, TranslatorFormat::marian);
  };
  CHECK_THAT(of_marian([](TransformerConfig& c) { c.positions = "rotary"; }),
             Contains("positions must be sinusoidal: this model's is rotary"));
  CHECK_THAT(of_marian([](TransformerConfig& c) { c.attention = "additive"; }),
             Contains("attention must be scaled_dot"));
  CHECK_THAT(of_marian([](TransformerConfig& c) { c.norm_kind = "rms_norm"; }),
             Contains("norm_kind must be layer_norm"));
  CHECK_THAT(of_marian([](TransformerConfig& c) { c.activation = "swiglu"; }),
             Contains("activation must be one of relu"));
  CHECK_THAT(of_marian([](TransformerConfig& c) { c.window = 3; }),
             Contains("window must be 0: this model's is 3"));
  CHECK_THAT(of_marian([](TransformerConfig& c) { c.key_value_heads = 1; }),
             Contains("key_value_heads must be 2"));
  CHECK_THAT(of_marian([](TransformerConfig& c) { c.shared_embeddings = false; }),
             Contains("must share its embeddings"));
  CHECK_THAT(of_marian([](TransformerConfig&) {}), Contains("units must be subwords: this model's is words"));
  const auto of_engine = [&](void (*change)(TransformerConfig&)) {
    return problem(change, TranslatorFormat::ctranslate2);
  };
  CHECK_THAT(of_engine([](TransformerConfig& c) { c.positions = "alibi"; }),
             Contains("positions must be one of sinusoidal"));
  CHECK_THAT(of_engine([](TransformerConfig& c) { c.encoder_layers = 0; }),
             Contains("ctranslate2: encoder_layers must be at least 1: this model's is 0"));
  CHECK_THAT(of_engine([](TransformerConfig& c) { c.attention = "general"; }),
             Contains("ctranslate2: attention must be scaled_dot"));
  if (Subwords::available()) {
    const Language read = read_marian(fixture("opus")).source();
    TokenizerSettings lower = read.tokenizer.settings();
    lower.lower_case = true;
    const Language small{Tokenizer(lower), read.vocabulary};
    const Translator translator(config, small, small, Random(1));
    CHECK_THAT(message_of<std::invalid_argument>([&] { write_marian(translator, folder / "there"); }),
               Contains("lower_case must be false: this model's is true"));
  }
  CHECK_FALSE(fs::exists(folder / "there"));
}
