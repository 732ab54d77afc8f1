#include <gradual/nn/interchange/load_translator.hpp>

#include <filesystem>

#include <gradual/core/files/path.hpp>
#include <gradual/nn/interchange/ctranslate2.hpp>
#include <gradual/nn/interchange/marian.hpp>

namespace gradual {

Translator load_translator(const std::string& path) {
  std::error_code error;
  return std::filesystem::is_directory(path_of(path), error) ? read_marian(path) : Translator::load(path);
}

const Names<TranslatorFormat>& translator_formats() {
  static const Names<TranslatorFormat> names("export: the format",
                                             {{"gradual", TranslatorFormat::gradual},
                                              {"marian", TranslatorFormat::marian},
                                              {"ctranslate2", TranslatorFormat::ctranslate2}});
  return names;
}

void export_translator(const Translator& translator, TranslatorFormat format, const std::string& path) {
  switch (format) {
    case TranslatorFormat::gradual:
      return translator.save(path);
    case TranslatorFormat::marian:
      return write_marian(translator, path);
    case TranslatorFormat::ctranslate2:
      return write_ctranslate2(translator, path);
  }
}

}  // namespace gradual
