// A language of four words, and sentences of it.
#pragma once

#include <string>
#include <vector>

#include <gradual/nn/translation/translator.hpp>

namespace gradual {

inline const Language four_words{Tokenizer(), Vocabulary::build({{"the", "cat", "sleeps", "."}})};
inline const std::vector<std::string> sentences = {"the cat sleeps .", "cat", "sleeps the cat the cat"};

}  // namespace gradual
