#include "known_text.hpp"

#include <algorithm>
#include <filesystem>
#include <utility>

#include <gradual/core/error.hpp>
#include <gradual/nn/interchange/load_translator.hpp>
#include <gradual/nn/translation/ensemble.hpp>
#include <gradual/nn/translation/run/corpora.hpp>

#include "../command_mistakes.hpp"
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

std::vector<HeldOutSet> test_sets(const std::string& model, const std::string& tsv) {
  if (!tsv.empty()) return {{tsv, read_tsv(tsv)}};
  const std::string folder = folder_of(model);
  std::vector<HeldOutSet> sets = load_held_out(folder);
  if (sets.empty())
    throw FileError(
        folder, "there are no held-out sentences (held-out.tsv or test.tsv) here; name a file with --tsv");
  return sets;
}

std::vector<std::string> sentences_to_try(const std::string& model, std::size_t most) {
  constexpr std::size_t longest = 60;
  std::vector<std::string> found;
  std::vector<HeldOutSet> sets;
  try {
    sets = load_held_out(folder_of(model));
  } catch (const FileError&) {  // nothing is proposed from a damaged file
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
