#include "known_text.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <set>

#include <gradual/core/error.hpp>
#include <gradual/core/files/path.hpp>
#include <gradual/nn/interchange/load_translator.hpp>
#include <gradual/nn/text/corpus.hpp>
#include <gradual/nn/translation/run/corpora.hpp>

#include "../command_mistakes.hpp"
#include "../terminal/colour.hpp"
#include "../terminal/console.hpp"
#include "translate_text.hpp"

using namespace gradual;

namespace {

// What it looks like, in words, where a path cannot be a model; "" for what may be one, though damaged.
std::string look_of_no_model(const std::string& path) {
  if (std::filesystem::is_directory(path_of(path)))
    return std::filesystem::exists(path_of(path + "/settings.conf")) ? "is the folder of a run" : "";
  std::ifstream file(path_of(path), std::ios::binary);
  std::string bytes(1024, ' ');
  file.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  bytes.resize(static_cast<std::size_t>(file.gcount()));
  if (bytes.empty()) return file.is_open() ? "is an empty file" : "";
  // A model begins with the length of its header in eight bytes, some of which are 0; text has no such bytes.
  if (std::any_of(bytes.begin(), bytes.end(), [](char byte) { return byte >= 0 && byte < '\t'; })) return "";
  const std::size_t first = bytes.find_first_not_of(" \t\r\n");
  return first != std::string::npos && (bytes[first] == '{' || bytes[first] == '[') ? "looks like JSON"
                                                                                    : "looks like text";
}

std::string folder_of_one(const std::string& model) {
  if (std::filesystem::is_directory(path_of(model))) return model;
  const auto slash = model.find_last_of('/');
  return slash == std::string::npos ? "." : model.substr(0, std::max<std::size_t>(slash, 1));  // "/" itself
}

struct FolderOfSets {
  std::string folder;
  std::vector<HeldOutSet> sets;  // of pairs as the first model translates them
};

// What lies beside each model of several, and beside the one that translates back: that may have learnt both
// ways, and then has its sets as the first one has them.
std::vector<FolderOfSets> sets_beside_all(const std::string& models, const std::string& reverse_model) {
  std::vector<FolderOfSets> found;
  for (const std::string& model : paths_of_translators(models))
    found.push_back({folder_of_one(model), load_held_out(folder_of_one(model))});
  if (reverse_model.empty()) return found;
  for (const std::string& model : paths_of_translators(reverse_model)) {
    std::vector<HeldOutSet> sets = load_held_out(folder_of_one(model)), turned = turned_round(sets);
    sets.insert(sets.end(), turned.begin(), turned.end());
    found.push_back({folder_of_one(model), std::move(sets)});
  }
  return found;
}

std::size_t count_sources(const HeldOutSet& set) {
  std::set<std::string> sources;
  for (const SentencePair& pair : set.pairs) sources.insert(pair.source);
  return sources.size();
}

// What is left of the first one's sets.
std::vector<HeldOutSet> left_to_test(const std::vector<FolderOfSets>& all) {
  std::vector<std::vector<HeldOutSet>> others;
  for (std::size_t i = 1; i < all.size(); ++i) {
    for (const HeldOutSet& set : all.front().sets)
      if (!has_kind_of(set, all[i].sets))
        std::cerr << set.name << ": there is no such set in " << all[i].folder
                  << ": whether that model was trained on these sentences is not known\n";
    others.push_back(all[i].sets);
  }
  std::vector<HeldOutSet> left = kept_back_by_all(all.front().sets, others);
  for (std::size_t i = 0; i < left.size(); ++i)
    if (const std::size_t here = count_sources(left[i]), before = count_sources(all.front().sets[i]);
        here < before)
      std::cerr << left[i].name << ": " << here << " of " << before
                << " sentences are tested, which all of these models "
                << (left[i].name == "test" ? "have in their test sets\n" : "kept back\n");
  left.erase(
      std::remove_if(left.begin(), left.end(), [](const HeldOutSet& set) { return set.pairs.empty(); }),
      left.end());
  return left;
}

}  // namespace

Translator load_model(const std::string& name) {
  for (const std::string& path : paths_of_translators(name)) {
    std::error_code problem;
    const auto status = std::filesystem::status(path_of(path), problem);
    if (std::filesystem::exists(status)) continue;
    if (status.type() == std::filesystem::file_type::none)
      throw FileError(path, "cannot be looked at: " + problem.message());
    const std::string typed = typed_command("translate");
    if (path != TranslateSettings().model)
      throw FileError(path, "there is no model here; train one with\n" + typed + " train --out FOLDER");
    throw FileError(path, "there is no model yet; train one first:\n" + typed + " train");
  }
  for (const std::string& path : paths_of_translators(name))
    if (const std::string looks = look_of_no_model(path); !looks.empty()) {
      const std::string within = path + "/model.safetensors";
      throw FileError(path,
                      "this is no model: it " + looks +
                          "; give the model.safetensors that training left, such as " +
                          (std::filesystem::exists(path_of(within)) ? within : TranslateSettings().model));
    }
  return load_translator(name);
}

void require_apart(const std::string& written, const std::vector<std::string>& read) {
  const std::filesystem::path there = path_of(written);
  for (const std::string& names : read) {
    if (names.empty()) continue;
    for (const std::string& path : files_of_translators(names)) {
      std::error_code not_there;
      if (std::filesystem::equivalent(path_of(path), there, not_there))
        throw FileError(written, "cannot be written: it is " + path + ", which is read");
      const auto folder = std::filesystem::absolute(path_of(path), not_there).parent_path();
      if (std::filesystem::equivalent(folder, there, not_there))
        throw FileError(written, "cannot be written: " + path + ", which is read, lies there");
    }
  }
}

void require_folder_of(const std::string& written) {
  const std::filesystem::path folder = path_of(written).parent_path();
  if (!folder.empty() && !std::filesystem::is_directory(folder))
    throw FileError(written, "cannot be written: there is no folder " + name_of(folder));
}

std::string folder_of(const std::string& name) { return folder_of_one(paths_of_translators(name).front()); }

std::vector<HeldOutSet> test_sets(const std::string& model, const std::string& tsv,
                                  const std::string& reverse_model) {
  if (!tsv.empty()) return {{tsv, read_tsv(tsv)}};
  const std::vector<FolderOfSets> all = sets_beside_all(model, reverse_model);
  if (all.front().sets.empty())
    throw FileError(
        all.front().folder,
        "there are no held-out sentences (held-out.tsv or test.tsv) here; name a file with --tsv");
  std::vector<HeldOutSet> sets = left_to_test(all);
  if (sets.empty())
    throw FileError(
        all.front().folder,
        "there must be held-out sentences here that no other of these models was trained on; name a "
        "file with --tsv");
  return sets;
}

std::vector<HeldOutSet> sets_to_try(const std::string& model) {
  try {
    return load_held_out(folder_of(model));
  } catch (const FileError&) {
    return {};
  }
}

bool were_kept_back(const std::vector<std::string>& sentences, const std::string& model,
                    const std::string& reverse_model) {
  std::vector<std::vector<HeldOutSet>> all;
  try {
    for (FolderOfSets& each : sets_beside_all(model, reverse_model)) all.push_back(std::move(each.sets));
  } catch (const FileError&) {
    return false;
  }
  HeldOutSet asked;
  for (const std::string& sentence : sentences) asked.pairs.push_back({sentence, ""});
  const auto is_known = [&](const std::vector<HeldOutSet>& sets) { return has_kind_of(asked, sets); };
  return std::all_of(all.begin(), all.end(), is_known) &&
         kept_back_by_all({asked}, all).front().pairs.size() == sentences.size();
}

std::string option_of(const std::string& model) {
  return model == TranslateSettings().model ? "" : " --model " + as_argument(model);
}

std::string command_with(const std::string& model, const std::string& arguments) {
  const std::string command = typed_command("translate") + " " + arguments, option = option_of(model);
  const bool fits =
      output_columns() == 0 || command.size() + option.size() <= static_cast<std::size_t>(output_columns());
  return command + (fits || option.empty() ? "" : " \\\n   ") + option;
}

std::string next_commands(const std::string& model) {
  std::string commands;
  const auto add = [&](const char* why, const std::string& arguments) {
    commands += "\n" + in_colour(why, Colour::soft) + "\n" + command_with(model, arguments);
  };
  add("next, type sentences to translate:", "translate");
  for (const std::string& sentence : sentences_to_try(sets_to_try(model), 1))
    add("see what every head looks at:", "attention " + in_quotes(sentence));
  add("translate on a page:", "serve");
  return commands;
}
