// The words of a Marian model, and how it cuts a text into them: vocab.json, source.spm and target.spm.
#pragma once

#include <string>
#include <vector>

#include <gradual/nn/interchange/marian_settings.hpp>
#include <gradual/nn/text/tokenizer.hpp>

namespace gradual {

/// For each of our words its id there; -1 for one that is not there, which the model then never writes.
using WordOrder = std::vector<std::int32_t>;

/// The tokens of a vocab.json, by their ids. Throws std::invalid_argument unless those are 0 … size - 1.
std::vector<std::string> tokens_from_marian(const std::string& vocabulary_json, Index size);
/// The vocab.json of a vocabulary.
std::string tokens_to_marian(const Vocabulary& vocabulary);

/// The ids of the tokens that stand for no text, each one of the vocabulary's; -1 for padding or a begin that
/// is not there.
struct MarianReserved {
  std::int32_t padding, begin, end, unknown;
};

/// The words of a side, and the ids that they have there.
struct MarianWords {
  Vocabulary vocabulary;
  WordOrder ids;
};

/// The words that these tokens are. The four reserved ones come first, as everywhere here; padding that is
/// another of them, too, is that one alone. Throws std::invalid_argument for a begin, end and unknown token
/// that are not distinct, for words that are not, and for language codes (`>>fra<<`), which choose between
/// several targets.
MarianWords words_from_marian(const std::vector<std::string>& tokens, MarianReserved reserved);

/// The subword model of a side. Throws std::invalid_argument, with the name of the setting, for text that is
/// not cut into subwords or is turned into lower case: Marian's tokenizer does neither.
std::string subwords_to_marian(const Language& language);

}  // namespace gradual
