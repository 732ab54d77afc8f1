#include <gradual/nn/interchange/marian_text.hpp>

#include <algorithm>
#include <utility>

#include <gradual/nn/interchange/expressible.hpp>
#include <gradual/nn/interchange/tokens_by_id.hpp>
#include <gradual/nn/json.hpp>

namespace gradual {

std::vector<std::string> tokens_from_marian(const std::string& vocabulary_json, Index size) {
  const nlohmann::json json = read_json(vocabulary_json);
  if (!json.is_object() || static_cast<Index>(json.size()) != size)
    throw std::invalid_argument(
        text("marian: the vocabulary must have the ", size, " tokens of the settings: it has ", json.size()));
  return tokens_by_id("marian", json);
}

std::string tokens_to_marian(const Vocabulary& vocabulary) {
  Json::object_t ids;  // a list, in which json[token] would look for each token among all that are there
  for (const std::string& token : vocabulary.tokens()) ids.emplace_back(token, ids.size());
  return json_text(Json(std::move(ids)), 0) + "\n";
}

MarianWords words_from_marian(const std::vector<std::string>& tokens, MarianReserved reserved) {
  const auto& [padding, begin, end, unknown] = reserved;
  if (begin == end || begin == unknown || end == unknown)
    throw std::invalid_argument(
        text("marian: the tokens of a begin, an end and what is unknown must be distinct: their ids are ",
             begin, ", ", end, " and ", unknown));
  if (padding == begin || padding == end || padding == unknown) reserved.padding = -1;
  WordOrder ids{padding, begin, end, unknown};
  std::vector<std::string> words{"<pad>", "<bos>", "<eos>", "<unk>"};
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (std::find(ids.begin(), ids.begin() + 4, static_cast<std::int32_t>(i)) != ids.begin() + 4) continue;
    const std::string& token = tokens[i];
    if (token.size() > 4 && token.compare(0, 2, ">>") == 0 && token.compare(token.size() - 2, 2, "<<") == 0)
      throw std::invalid_argument(
          "marian: a model must have one target language: this one has codes such as " + token);
    words.push_back(token);
    ids.push_back(static_cast<std::int32_t>(i));
  }
  return {Vocabulary(words), std::move(ids)};
}

std::string subwords_to_marian(const Language& language) {
  const TokenizerSettings& settings = language.tokenizer.settings();
  require_setting("marian", "units", text_units().name(settings.units), std::string("subwords"));
  require_setting("marian", "lower_case", settings.lower_case, false);
  return language.tokenizer.restricted_subword_model();
}

}  // namespace gradual
