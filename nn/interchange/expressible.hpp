// Refusing by name what the other side's format has no word for.
#pragma once

#include <algorithm>
#include <ios>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <gradual/core/error.hpp>
#include <gradual/nn/drawing/line_text.hpp>
#include <gradual/nn/transformer/config.hpp>

namespace gradual {

/// The names that two sides have for the same things: ours first.
using NamePairs = std::vector<std::pair<std::string, std::string>>;

/// Throws std::invalid_argument, "marian: positions must be sinusoidal: this model's is rotary".
template <class Value, class Expected>
void require_setting(const char* format, const char* setting, const Value& value, const Expected& expected) {
  if (!(value == expected))
    throw std::invalid_argument(
        text(std::boolalpha, format, ": ", setting, " must be ", expected, ": this model's is ", value));
}

/// Throws std::invalid_argument, "ctranslate2: positions must be one of learned, none: this model's is
/// alibi".
[[noreturn]] inline void refuse_name(const char* format, const char* setting, const std::string& name,
                                     const std::vector<std::string>& known) {
  throw std::invalid_argument(
      text(format, ": ", setting, " must be one of ", list_text(known, ", "), ": this model's is ", name));
}
/// Refuses a name that is none of these.
inline void require_one_of(const char* format, const char* setting, const std::string& name,
                           const std::vector<std::string>& known) {
  if (std::find(known.begin(), known.end(), name) == known.end()) refuse_name(format, setting, name, known);
}

/// What the formats have one word for alone: scaled dot products of as many heads as there are, and the
/// layers around them. Throws as require_setting().
inline void require_plain_attention(const char* format, const TransformerConfig& config) {
  require_setting(format, "attention", config.attention, "scaled_dot");
  require_setting(format, "attention_layer", config.attention_layer, "multi_head");
  require_setting(format, "encoder_layer", config.encoder_layer, "standard");
  require_setting(format, "decoder_layer", config.decoder_layer, "standard");
  require_setting(format, "window", config.window, 0);
  if (config.key_value_heads != 0)
    require_setting(format, "key_value_heads", config.key_value_heads, config.heads);
}

/// The name of one side for a name of the other. Throws as refuse_name() for one that has none.
inline std::string other_name(const char* format, const char* setting, const std::string& name,
                              const NamePairs& names, std::string NamePairs::value_type::*from,
                              std::string NamePairs::value_type::*to) {
  std::vector<std::string> known;
  for (const auto& pair : names) {
    if (pair.*from == name) return pair.*to;
    known.push_back(pair.*from);
  }
  refuse_name(format, setting, name, known);
}

/// The other side's name. Throws as other_name() for what has none there.
inline std::string name_there(const char* format, const char* setting, const std::string& ours,
                              const NamePairs& names) {
  using Pair = NamePairs::value_type;
  return other_name(format, setting, ours, names, &Pair::first, &Pair::second);
}

/// Our name. Throws as other_name() for what has none here.
inline std::string name_here(const char* format, const char* setting, const std::string& theirs,
                             const NamePairs& names) {
  using Pair = NamePairs::value_type;
  return other_name(format, setting, theirs, names, &Pair::second, &Pair::first);
}

}  // namespace gradual
