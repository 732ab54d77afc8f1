#include <gradual/nn/interchange/load_translator.hpp>

#include <algorithm>
#include <filesystem>
#include <stdexcept>
#include <utility>

#include <gradual/core/files/path.hpp>
#include <gradual/nn/interchange/ctranslate2.hpp>
#include <gradual/nn/interchange/marian.hpp>
#include <gradual/nn/translation/ensemble.hpp>

namespace gradual {

Translator load_translator(const std::string& paths) {
  std::vector<Translator> members;
  for (const std::string& path : paths_of_translators(paths)) {
    std::error_code error;
    const bool is_folder = std::filesystem::is_directory(path_of(path), error);
    members.push_back(is_folder ? read_marian(path) : Translator::load(path));
  }
  return members.size() == 1 ? std::move(members.front()) : ensemble(std::move(members));
}

std::vector<std::string> paths_of_translators(const std::string& paths) {
  std::error_code error;
  if (std::filesystem::exists(path_of(paths), error)) return {paths};
  std::vector<std::string> result;
  for (std::size_t begin = 0; begin <= paths.size();) {
    const std::size_t end = std::min(paths.find(',', begin), paths.size());
    result.push_back(paths.substr(begin, end - begin));
    if (result.back().empty())
      throw std::invalid_argument(
          "translator: a model must have a name, with commas between several: got \"" + paths + "\"");
    begin = end + 1;
  }
  return result;
}

std::vector<std::string> files_of_translators(const std::string& paths) {
  std::vector<std::string> files;
  for (const std::string& path : paths_of_translators(paths)) {
    std::error_code error;
    if (!std::filesystem::is_directory(path_of(path), error)) files.push_back(path);
    for (const auto& each : std::filesystem::directory_iterator(path_of(path), error)) {
      const std::filesystem::path ending = each.path().extension();
      if (ending == ".json" || ending == ".spm" || ending == ".safetensors")
        files.push_back(path + "/" + name_of(each.path().filename()));
    }
  }
  return files;
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
