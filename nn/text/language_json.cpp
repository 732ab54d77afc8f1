#include <gradual/nn/text/language_json.hpp>

#include <stdexcept>

#include <gradual/nn/json.hpp>

namespace gradual {
namespace {

// The metadata are text, and the subword model is bytes.
std::string to_hex(const std::string& bytes) {
  constexpr const char* digits = "0123456789abcdef";
  std::string hex;
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    hex += digits[byte / 16];
    hex += digits[byte % 16];
  }
  return hex;
}

std::string from_hex(const std::string& hex) {
  const auto digit = [](char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    throw std::runtime_error("the subword model is not in hexadecimal digits");
  };
  std::string bytes;
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2)
    bytes += static_cast<char>(16 * digit(hex[i]) + digit(hex[i + 1]));
  return bytes;
}

}  // namespace

std::string language_to_json(const Language& language) {
  const TokenizerSettings& settings = language.tokenizer.settings();
  Json json = {{"units", text_units().name(settings.units)},
               {"lower_case", settings.lower_case},
               {"spacing", spacings().name(settings.spacing)}};
  if (!settings.subword_model.empty()) json["subword_model"] = to_hex(settings.subword_model);
  json["vocabulary"] = language.vocabulary.tokens();
  return json_text(json);
}

Language language_from_json(const std::string& json_text) {
  const nlohmann::json json = read_json(json_text);
  TokenizerSettings settings;
  settings.units = text_units().value(json.at("units"));
  settings.lower_case = json.at("lower_case");
  settings.spacing = spacings().value(json.at("spacing"));
  if (json.contains("subword_model")) settings.subword_model = from_hex(json.at("subword_model"));
  return {Tokenizer(settings), Vocabulary(json.at("vocabulary").get<std::vector<std::string>>())};
}

}  // namespace gradual
