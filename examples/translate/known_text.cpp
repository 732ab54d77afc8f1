#include "known_text.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string_view>

#include <gradual/core/error.hpp>
#include <gradual/core/files/path.hpp>
#include <gradual/nn/interchange/load_translator.hpp>
#include <gradual/nn/text/corpus.hpp>
#include <gradual/nn/text/utf8.hpp>
#include <gradual/nn/translation/run/corpora.hpp>

#include "../command_mistakes.hpp"
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

}  // namespace

Translator load_model(const std::string& name) {
  for (const std::string& path : paths_of_translators(name)) {
    if (std::filesystem::exists(path_of(path))) continue;
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

std::string folder_of(const std::string& name) {
  const std::string model = paths_of_translators(name).front();
  if (std::filesystem::is_directory(path_of(model))) return model;
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

std::vector<HeldOutSet> sets_to_try(const std::string& model) {
  try {
    return load_held_out(folder_of(model));
  } catch (const FileError&) {
    return {};
  }
}

namespace {

// Behind which bytes sentences end, by marks of many scripts; several marks in a row end one.
std::vector<std::size_t> ends_of_sentences(const std::string& text) {
  std::vector<std::size_t> ends;
  for (std::size_t at = 0, after = 0; at < text.size(); at = after) {
    bool is_mark = false;
    after = at + 1;
    for (const char* mark : {".", "?", "!", "…", "。", "！", "？", "।", "؟", "۔"}) {
      const std::string_view each(mark);
      if (text.compare(at, each.size(), each) == 0) is_mark = true, after = at + each.size();
    }
    const bool begins_next = after == text.size() || text[after] == ' ' || (text[after] & 0x80) != 0;
    if (is_mark && begins_next) ends.push_back(after);
  }
  return ends;
}

bool all_end_with_marks(const std::vector<HeldOutSet>& sets) {
  return std::all_of(sets.begin(), sets.end(), [](const HeldOutSet& set) {
    return std::all_of(set.pairs.begin(), set.pairs.end(),
                       [](const SentencePair& pair) { return !ends_of_sentences(pair.source).empty(); });
  });
}

// The first two words that stand side by side twice, in small letters; none: "".
std::string repeated_words(const std::string& sentence) {
  std::istringstream stream(lower_case(sentence));
  std::set<std::string> seen;
  std::string before, word;
  for (stream >> before; stream >> word; before = word)
    if (!seen.insert(before + " " + word).second) return before + " " + word;
  return "";
}

}  // namespace

LearntFrom::LearntFrom(const std::vector<HeldOutSet>& held_out) {
  for (const HeldOutSet& set : held_out)
    for (const SentencePair& pair : set.pairs) longest = std::max(longest, count_words(pair.source));
  all_have_marks = longest > 0 && all_end_with_marks(held_out);
}

std::vector<std::string> sentences_in(const std::string& text) {
  std::vector<std::string> sentences;
  const auto add = [&](std::size_t begin, std::size_t end) {
    std::string sentence = clean_sentence(text.substr(begin, end - begin));
    if (!sentence.empty()) sentences.push_back(std::move(sentence));
    return end;
  };
  std::size_t begin = 0;
  for (const std::size_t end : ends_of_sentences(text)) begin = add(begin, end);
  add(begin, text.size());
  return sentences;
}

DoubtNote doubt_about(const std::string& source, const std::string& translation, const LearntFrom& learnt,
                      bool finished) {
  const std::size_t read = ends_of_sentences(source).size(), written = ends_of_sentences(translation).size();
  // Scripts from 0xE0 on have marks of their own, not all of which are known here, or none.
  const bool is_known = written > 0 || std::none_of(translation.begin(), translation.end(), [](char byte) {
                          return static_cast<unsigned char>(byte) >= 0xE0;
                        });
  if (read >= 2 && written < read && is_known)
    return {Doubt::fewer_sentences,
            text("of ", read, " sentences it wrote ", written, ": give it one at a time")};
  const Index words = count_words(source);
  if (learnt.longest > 0 && words > learnt.longest)
    return {Doubt::longer,
            text("it learnt from sentences of at most about ", learnt.longest, " words, and this one has ",
                 words, ": it was never shown how to go on so long")};
  if (read == 0 && learnt.all_have_marks)
    return {Doubt::no_mark, "this has no full stop or other mark at its end, as all had that it learnt from"};
  if (!finished) return {Doubt::cut, "its translation came to no end, and was cut"};
  const std::string again = repeated_words(translation);
  if (!again.empty() && repeated_words(source).empty())
    return {Doubt::repeats,
            "it says \"" + again + "\" twice: it may never have learnt from sentences of this kind"};
  return {};
}

std::string note_on(const std::string& source, const std::string& translation,
                    const std::vector<HeldOutSet>& held_out) {
  return doubt_about(source, translation, LearntFrom(held_out)).words;
}

std::string option_of(const std::string& model) {
  return model == TranslateSettings().model ? "" : " --model " + model;
}

std::string next_commands(const std::string& model) {
  const std::string typed = typed_command("translate");
  const std::string which = option_of(model);
  const std::vector<std::string> sentences = sentences_to_try(sets_to_try(model), 1);
  std::string commands = "\nnext, type sentences to translate:\n" + typed + " translate" + which + "\n";
  if (!sentences.empty())
    commands += "see what every head looks at:\n" + typed + " attention " + in_quotes(sentences.front()) +
                which + "\n";
  return commands + "translate on a page:\n" + typed + " serve" + which;
}
