#include <gradual/nn/transformer/frozen_translator.hpp>

#include <nn/transformer/frozen_translator.conf.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <sstream>
#include <stdexcept>

#include <gradual/core/error.hpp>

namespace gradual {
namespace {

// What stands behind the "=" of a name's lines, line after line.
std::map<std::string, std::vector<std::string>> entries_of(std::string_view content) {
  std::map<std::string, std::vector<std::string>> entries;
  std::istringstream lines{std::string(content)};
  for (std::string line; std::getline(lines, line);) {
    if (line.empty() || line[0] == '#') continue;
    std::istringstream parts(line);
    std::string name, equals;
    if (!(parts >> name >> equals) || equals != "=")
      throw std::invalid_argument(text("frozen translator: a line must be \"name = …\": got \"", line, "\""));
    for (std::string each; parts >> each;) entries[name].push_back(each);
  }
  return entries;
}

Real number_of(const std::string& digits) {
  double number = 0;
  const char* const end = digits.data() + digits.size();
  if (const auto [rest, error] = std::from_chars(digits.data(), end, number);
      rest != end || error != std::errc() || !std::isfinite(number))
    throw std::invalid_argument(text("frozen translator: a weight must be a number: got \"", digits, "\""));
  return static_cast<Real>(number);
}

}  // namespace

TransformerConfig frozen_translator_config() {
  TransformerConfig config;
  config.width = 4;
  config.heads = 2;
  config.feed_forward = 8;
  config.encoder_layers = config.decoder_layers = 1;
  config.dropout = 0;
  return config;
}

FrozenTranslator read_frozen_translator(std::string_view content) {
  std::map<std::string, std::vector<std::string>> entries = entries_of(content);
  TransformerConfig config = frozen_translator_config();
  config.source_vocabulary = static_cast<Index>(entries["source"].size());
  config.target_vocabulary = static_cast<Index>(entries["target"].size());
  FrozenTranslator result{entries["source"], entries["target"], Transformer(config, Random(0))};
  entries.erase("source");
  entries.erase("target");
  std::vector<std::pair<std::string, Tensor>> values;
  for (const auto& [name, variable] : parameters(result.model)) {
    std::vector<Real> numbers;
    for (const std::string& digits : entries[name]) numbers.push_back(number_of(digits));
    entries.erase(name);
    if (static_cast<Index>(numbers.size()) != variable.value().size())
      throw std::invalid_argument(text("frozen translator: ", name, " must have ", variable.value().size(),
                                       " numbers: it has ", numbers.size()));
    values.emplace_back(name, Tensor(variable.value().shape(), numbers));
  }
  if (!entries.empty())
    throw std::invalid_argument(text("frozen translator: each line must be of a parameter: got \"",
                                     entries.begin()->first, "\""));
  set_parameters(parameters(result.model), values);
  set_training(result.model, false);
  return result;
}

FrozenTranslator frozen_translator() { return read_frozen_translator(embedded::frozen_translator_conf); }

std::vector<std::int32_t> ids_of(const std::vector<std::string>& words,
                                 const std::vector<std::string>& known) {
  std::vector<std::int32_t> ids;
  for (const std::string& word : words) {
    const auto found = std::find(known.begin(), known.end(), word);
    if (found == known.end())
      throw std::invalid_argument(text("sentence: each word must be a known one: got \"", word, "\""));
    ids.push_back(static_cast<std::int32_t>(found - known.begin()));
  }
  return ids;
}

}  // namespace gradual
