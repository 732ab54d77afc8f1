#include <gradual/nn/interchange/marian.hpp>

#include <algorithm>
#include <filesystem>

#include <gradual/core/allocation_limit.hpp>
#include <gradual/core/files/atomic_file.hpp>
#include <gradual/core/files/folder.hpp>
#include <gradual/core/files/path.hpp>
#include <gradual/nn/interchange/file_bytes.hpp>
#include <gradual/nn/interchange/marian_text.hpp>
#include <gradual/nn/interchange/marian_weights.hpp>
#include <gradual/nn/interchange/transformer_of.hpp>
#include <gradual/nn/json.hpp>
#include <gradual/nn/model_file.hpp>

namespace gradual {
namespace {

TensorFile weights_in(const std::string& folder) {
  const auto is_there = [&](const char* name) {
    return std::filesystem::exists(path_of(folder + "/" + name));
  };
  if (!is_there("model.safetensors") && is_there("pytorch_model.bin"))
    throw FileError(folder + "/pytorch_model.bin",
                    "is a pickle, which is a program; have transformers write the model as safetensors with "
                    "save_pretrained()");
  return load_tensors(folder + "/model.safetensors");
}

// The name of the unknown token, where another than the usual one is said.
std::string unknown_in(const std::string& folder) {
  const char* name = "tokenizer_config.json";
  if (!std::filesystem::exists(path_of(folder + "/" + name))) return "<unk>";
  return from_file(folder, name, [](const std::string& path) {
    const nlohmann::json json = read_json(bytes_of_file(path));
    const auto token = json.find("unk_token");
    if (token == json.end()) return std::string("<unk>");
    return token->is_object() ? token->at("content").get<std::string>() : token->get<std::string>();
  });
}

std::int32_t place_of(const std::vector<std::string>& tokens, const std::string& token) {
  const auto found = std::find(tokens.begin(), tokens.end(), token);
  return found == tokens.end() ? -1 : static_cast<std::int32_t>(found - tokens.begin());
}

// The settings name the ids of what is written. A source with words of its own is only read: it needs neither
// padding nor a begin.
MarianLanguage language_in(const std::string& folder, const char* subwords, const char* words, Index size,
                           const MarianSettings& settings, bool is_written) {
  const std::vector<std::string> tokens = from_file(
      folder, words, [&](const std::string& path) { return tokens_from_marian(bytes_of_file(path), size); });
  MarianReserved reserved{place_of(tokens, "<pad>"), place_of(tokens, "<bos>"), settings.end,
                          place_of(tokens, unknown_in(folder))};
  if (is_written) {
    reserved.padding = settings.padding == settings.begin ? -1 : settings.padding;
    reserved.begin = settings.begin;
  }
  return from_file(folder, subwords, [&](const std::string& path) {
    return language_from_marian(tokens, bytes_of_file(path), reserved);
  });
}

}  // namespace

Translator read_marian(const std::string& folder) {
  const auto settings = from_file(folder, "config.json", [](const std::string& path) {
    return settings_from_marian(bytes_of_file(path));
  });
  const bool separate = settings.separate_vocabularies;
  const MarianLanguage source =
      language_in(folder, "source.spm", "vocab.json", settings.model.source_vocabulary, settings, !separate);
  const MarianLanguage target =
      language_in(folder, "target.spm", separate ? "target_vocab.json" : "vocab.json",
                  settings.model.target_vocabulary, settings, true);
  const TensorFile file = weights_in(folder);
  return from_file(folder, "model.safetensors", [&](const std::string&) {
    TransformerConfig config = settings.model;
    config.output_bias = true;
    Translator translator = [&] {
      const AllocationLimit limit(bytes_to_load(file));  // the settings are a stranger's
      return Translator(config, source.language, target.language, Random(0));
    }();
    set_weights_from_marian(dynamic_cast<Transformer&>(translator.model()), settings, file, source.ids,
                            target.ids);
    return translator;
  });
}

void write_marian(const Translator& translator, const std::string& folder) {
  Transformer& model = transformer_of(translator, "marian");
  const TransformerConfig& config = model.config();
  const std::string settings = settings_to_marian(config),
                    words = tokens_to_marian(translator.source().vocabulary);
  const std::string source = subwords_to_marian(translator.source()),
                    target = subwords_to_marian(translator.target());
  const Json tokenizer = {{"tokenizer_class", "MarianTokenizer"},
                          {"separate_vocabs", !config.shared_embeddings},
                          {"bos_token", "<bos>"},
                          {"eos_token", "<eos>"},
                          {"unk_token", "<unk>"},
                          {"pad_token", "<pad>"},
                          {"model_max_length", translator.longest_sentence()}};
  make_folder(folder);
  const auto write = [&](const char* name, const std::string& bytes) {
    write_file_atomically(folder + "/" + name, bytes);
  };
  write("config.json", settings);
  write("generation_config.json", search_for_marian(config));
  write("tokenizer_config.json", json_text(tokenizer, 2) + "\n");
  write("vocab.json", words);
  if (!config.shared_embeddings) write("target_vocab.json", tokens_to_marian(translator.target().vocabulary));
  write("source.spm", source);
  write("target.spm", target);
  save_tensors(folder + "/model.safetensors", weights_to_marian(model));
}

}  // namespace gradual
