// Translators for CTranslate2, a fast engine of search (https://github.com/OpenNMT/CTranslate2): a folder
// with model.bin, config.json and the vocabularies.
#pragma once

#include <string>

#include <gradual/nn/translation/translator.hpp>

namespace gradual {

/// Writes a folder that ctranslate2.Translator reads, of format 6, in which it stores models since 2.0:
///
///   4 bytes     6, then the name "TransformerSpec", 4 bytes with its revision 7
///   4 bytes     how many variables there are, and each: its name, a byte with its rank, 4 bytes for each
///               size, a byte with its type (0 float, 1 int8, 2 int16, 3 int32), 4 bytes with its length, its
///               numbers
///   4 bytes     how many variables are others under another name, and each: that name, and the other's
///
/// where a name is 2 bytes with its length, its bytes, and a zero. It takes tokens and gives tokens; where
/// the text is cut into subwords, source.spm and target.spm beside it do that. They leave capitals as they
/// are: a text for a model in lower case has to be in lower case before. Throws std::invalid_argument, with
/// the name of the setting or the tensor, for what it has no word for, and FileError.
void write_ctranslate2(const Translator& translator, const std::string& folder);

}  // namespace gradual
