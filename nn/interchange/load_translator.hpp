// A translator from wherever it comes.
#pragma once

#include <string>
#include <vector>

#include <gradual/core/names.hpp>
#include <gradual/nn/translation/translator.hpp>

namespace gradual {

/// Reads a file that Translator::save() wrote, or a folder in Hugging Face's Marian layout; several of them
/// with commas in between are an ensemble(). Throws what Translator::load(), read_marian(), that and
/// paths_of_translators() throw.
Translator load_translator(const std::string& paths);
/// The paths of several with commas in between; a file or folder whose name has a comma is one. Throws
/// std::invalid_argument where a name is empty.
std::vector<std::string> paths_of_translators(const std::string& paths);
/// The files that are read of each of them: itself, or what a folder has of settings, words and weights.
std::vector<std::string> files_of_translators(const std::string& paths);

/// The formats that translators are written in: gradual (a file), marian and ctranslate2 (folders).
enum class TranslatorFormat { gradual, marian, ctranslate2 };
/// Their names.
const Names<TranslatorFormat>& translator_formats();
/// Writes a translator. Throws std::invalid_argument, with the name of the setting, for what the format has
/// no word for, and FileError.
void export_translator(const Translator& translator, TranslatorFormat format, const std::string& path);

}  // namespace gradual
