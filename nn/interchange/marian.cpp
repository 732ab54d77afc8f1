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

std::int32_t place_of(const std::vector<std::string>& tokens, const std::string& token) {
  const auto found = std::find(tokens.begin(), tokens.end(), token);
  return found == tokens.end() ? -1 : static_cast<std::int32_t>(found - tokens.begin());
}

// One side of a translation, and the ids that its words have there.
struct Side {
  Language language;
  WordOrder ids;
};

class SideReader {
 public:
  SideReader(std::string folder, const MarianSettings& settings, const MarianTokenizer& tokenizer)
      : folder_(std::move(folder)), settings_(settings), tokenizer_(tokenizer) {}

  Side source() const {
    const bool shared = settings_.model.shared_embeddings;
    return side("source.spm", "vocab.json", settings_.model.source_vocabulary, true, shared);
  }
  Side target() const {
    const bool separate = tokenizer_.separate_vocabularies;
    return side("target.spm", separate ? "target_vocab.json" : "vocab.json",
                settings_.model.target_vocabulary, false, true);
  }

 private:
  Side side(const char* subwords, const char* words, Index size, bool is_read, bool is_written) const {
    MarianWords known = from_file(folder_, words, [&](const std::string& path) {
      const std::vector<std::string> tokens = tokens_from_marian(bytes_of_file(path), size);
      return words_from_marian(tokens, reserved(tokens, is_read, is_written));
    });
    return from_file(folder_, subwords, [&](const std::string& path) {
      TokenizerSettings settings;
      settings.units = TextUnits::subwords;
      settings.subword_model = bytes_of_file(path);
      return Side{Language(Tokenizer(settings), std::move(known.vocabulary)), std::move(known.ids)};
    });
  }

  // The settings name the tokens of what is written. A sentence that is read ends with the tokenizer's, and
  // needs neither padding nor a begin.
  MarianReserved reserved(const std::vector<std::string>& tokens, bool is_read, bool is_written) const {
    const auto id_of = [&](const std::string& token) {
      const std::int32_t id = place_of(tokens, token);
      if (id < 0)
        throw std::invalid_argument("marian: the vocabulary must have the token \"" + token +
                                    "\": it lacks it");
      return id;
    };
    const std::int32_t unknown = id_of(tokenizer_.unknown),
                       end = is_read ? id_of(tokenizer_.end) : settings_.end;
    if (!is_written) return {place_of(tokens, "<pad>"), place_of(tokens, "<bos>"), end, unknown};
    if (end != settings_.end)
      throw std::invalid_argument(
          text("marian: eos_token_id must be the id of the tokenizer's eos_token, which is ", end, ": got ",
               settings_.end));
    return {settings_.padding, settings_.begin, end, unknown};
  }

  std::string folder_;
  const MarianSettings& settings_;
  const MarianTokenizer& tokenizer_;
};

// The folder of a run has a file of the name that the weights get here.
void require_no_model(const std::string& folder) {
  const std::string path = folder + "/model.safetensors";
  TensorFile file;
  try {
    file = load_tensors(path, [](const std::string&) { return false; });
  } catch (const FileError&) {
    return;  // none, or nothing that could be lost
  }
  for (const auto& each : file.metadata)
    if (each.first.rfind("gradual_", 0) == 0)
      throw FileError(path, "would be lost: it is a model as training leaves it; name a folder of its own");
}

}  // namespace

Translator read_marian(const std::string& folder) {
  const auto settings = from_file(folder, "config.json", [](const std::string& path) {
    return settings_from_marian(bytes_of_file(path));
  });
  const auto tokenizer = from_file(folder, "tokenizer_config.json", [&](const std::string& path) {
    const MarianTokenizer said = std::filesystem::exists(path_of(path))
                                     ? tokenizer_from_marian(bytes_of_file(path))
                                     : MarianTokenizer();
    if (said.separate_vocabularies && settings.model.shared_embeddings)
      throw std::invalid_argument(
          "marian: separate_vocabs must be false where the two sides share their embeddings: got true");
    return said;
  });
  const SideReader sides(folder, settings, tokenizer);
  const Side source = sides.source(), target = sides.target();
  const TensorFile file = weights_of_folder(folder);
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
  require_no_model(folder);
  require_none_of(folder, {"special_tokens_map.json", "added_tokens.json", "tokenizer.json"});
  Transformer& model = transformer_of(translator, "marian");
  const TransformerConfig& config = model.config();
  const Index places = translator.longest_sentence() + 1;  // and the end token
  const std::string settings = settings_to_marian(config, places),
                    words = tokens_to_marian(translator.source().vocabulary);
  const std::string source = subwords_to_marian(translator.source()),
                    target = subwords_to_marian(translator.target());
  const Json tokenizer = {{"tokenizer_class", "MarianTokenizer"},
                          {"separate_vocabs", !config.shared_embeddings},
                          {"bos_token", "<bos>"},
                          {"eos_token", "<eos>"},
                          {"unk_token", "<unk>"},
                          {"pad_token", "<pad>"},
                          {"model_max_length", places}};
  make_folder(folder);
  const auto write = [&](const char* name, const std::string& bytes) {
    write_file_atomically(folder + "/" + name, bytes);
  };
  write("config.json", settings);
  write("generation_config.json", search_for_marian());
  write("tokenizer_config.json", json_text(tokenizer, 2) + "\n");
  write("vocab.json", words);
  if (!config.shared_embeddings) write("target_vocab.json", tokens_to_marian(translator.target().vocabulary));
  write("source.spm", source);
  write("target.spm", target);
  save_tensors(folder + "/model.safetensors", weights_to_marian(model));
}

}  // namespace gradual
