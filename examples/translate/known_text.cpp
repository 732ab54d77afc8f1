#include "known_text.hpp"

#include <algorithm>
#include <filesystem>
#include <utility>

#include <gradual/core/error.hpp>
#include <gradual/nn/drawing/readable_text.hpp>
#include <gradual/nn/interchange/load_translator.hpp>
#include <gradual/nn/translation/ensemble.hpp>

#include "../command_mistakes.hpp"
#include "corpora.hpp"
#include "translate_text.hpp"

using namespace gradual;

namespace {

// As the argument of a command that a shell reads.
std::string in_quotes(const std::string& sentence) {
  std::string quoted = "\"";
  for (const char c : sentence) {
    if (std::string("\"\\$`!").find(c) != std::string::npos) quoted += '\\';
    quoted += c;
  }
  return quoted + "\"";
}

// The models that a name names: several with commas in between, unless there is one of that very name.
std::vector<std::string> models_of(const std::string& name) {
  if (std::filesystem::exists(name)) return {name};
  std::vector<std::string> models;
  for (std::size_t begin = 0; begin <= name.size();) {
    const std::size_t end = std::min(name.find(',', begin), name.size());
    models.push_back(name.substr(begin, end - begin));
    begin = end + 1;
  }
  return models;
}

}  // namespace

Translator load_model(const std::string& path) {
  const std::vector<std::string> models = models_of(path);
  if (models.size() > 1) {
    std::vector<Translator> members;
    for (const std::string& each : models) members.push_back(load_model(each));
    return ensemble(std::move(members));
  }
  if (!std::filesystem::exists(path)) {
    const std::string typed = typed_command("translate");
    if (path != TranslateSettings().model)
      throw FileError(path, "there is no model here; train one with\n" + typed + " train --out FOLDER");
    throw FileError(path, "there is no model yet; train one first:\n" + typed + " train");
  }
  return load_translator(path);
}

std::string folder_of(const std::string& name) {
  const std::string model = models_of(name).front();
  if (std::filesystem::is_directory(model)) return model;
  const auto slash = model.find_last_of('/');
  return slash == std::string::npos ? "." : model.substr(0, slash);
}

std::vector<std::string> sentences_to_try(const std::string& model, std::size_t most) {
  constexpr std::size_t longest = 60;
  std::vector<std::string> found;
  std::vector<HeldOutSet> sets;
  try {
    sets = load_held_out(folder_of(model));
  } catch (const FileError&) {  // a model that was carried elsewhere: there is nothing to propose
    return found;
  }
  for (std::size_t i = 0; found.size() < most; ++i) {
    bool any = false;
    for (const HeldOutSet& set : sets) {
      if (i >= set.pairs.size()) continue;
      any = true;
      const std::string& sentence = set.pairs[i].source;
      if (sentence.size() <= longest && found.size() < most &&
          std::find(found.begin(), found.end(), sentence) == found.end())
        found.push_back(sentence);
    }
    if (!any) break;
  }
  return found;
}

const SentencePair* pair_for_a_line(const std::vector<HeldOutSet>& sets) {
  constexpr std::size_t shortest = 20, longest = 40;  // bytes
  for (const HeldOutSet& set : sets)
    for (const SentencePair& pair : set.pairs)
      if (pair.source.size() >= shortest && pair.source.size() <= longest) return &pair;
  return nullptr;
}

std::string list_of(const std::vector<std::string>& words) {
  constexpr std::size_t most = 12;
  std::string list;
  for (std::size_t i = 0; i < std::min(words.size(), most); ++i)
    list += (list.empty()            ? ""
             : i + 1 == words.size() ? " and "
                                     : ", ") +
            ("\"" + readable_text(words[i]) + "\"");
  return list + (words.size() > most ? ", …" : "");
}

std::string known_words(const Language& language, std::size_t most) {
  const std::vector<std::string>& tokens = language.vocabulary.tokens();
  const std::size_t count = tokens.size() - Vocabulary::unknown - 1;
  std::string list =
      text(count, language.tokenizer.settings().units == TextUnits::words        ? " words: "
                  : language.tokenizer.settings().units == TextUnits::characters ? " letters: "
                                                                                 : " pieces of words: ");
  for (std::size_t i = 0; i < std::min(count, most); ++i)
    list += (i == 0 ? "" : " ") + token_label(tokens[Vocabulary::unknown + 1 + i]);
  return list + (count > most ? " …" : "");
}

std::string next_commands(const std::string& model) {
  const std::string typed = typed_command("translate");
  const std::string which = model == TranslateSettings().model ? "" : " --model " + model;
  const std::vector<std::string> sentences = sentences_to_try(model, 1);
  std::string commands =
      "\nnext: type sentences to translate; see what every head looks at; translate on a page\n";
  commands += typed + " translate" + which + "\n";
  if (!sentences.empty()) commands += typed + " attention " + in_quotes(sentences.front()) + which + "\n";
  return commands + typed + " serve" + which;
}
