#include "translate_text.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iostream>
#include <vector>

#include <nlohmann/json.hpp>

#include <gradual/core/error.hpp>
#include <gradual/nn/drawing/number_text.hpp>
#include <gradual/nn/text/utf8.hpp>
#include <gradual/nn/translation/translator.hpp>

#include "../terminal/colour.hpp"
#include "../terminal/line_reader.hpp"
#include "known_text.hpp"

using namespace gradual;
using Json = nlohmann::ordered_json;

namespace {

// A line of the input, and what is wrong with it where the model cannot translate it.
struct Line {
  std::string sentence, problem;
  bool is_empty;                          // it has no tokens
  std::vector<std::string> unknown = {};  // tokens that the model does not know
  bool is_to_translate() const { return problem.empty() && !is_empty; }
};

Line checked(const Translator& translator, const std::string& typed) {
  if (const auto byte = first_invalid_byte(typed))
    return {typed, text("not UTF-8: byte ", *byte + 1, " of the line begins no character"), false};
  Line line{clean_sentence(typed), "", false};
  const auto tokens = static_cast<Index>(translator.source().encode(line.sentence).size());
  line.is_empty = tokens == 0;
  if (tokens > translator.longest_sentence())
    line.problem =
        text("too long: ", tokens, " tokens; this model translates at most ", translator.longest_sentence());
  line.unknown = translator.source().unknown_tokens(line.sentence);
  return line;
}

std::vector<std::vector<Hypothesis>> found_for(const Translator& translator,
                                               const std::vector<std::string>& sentences,
                                               const TranslateSettings& settings, Random& random) {
  if (!settings.sampling) return translator.search(sentences, settings.search);
  std::vector<std::vector<Hypothesis>> found(sentences.size());
  for (Index n = 0; n < settings.search.n_best; ++n) {
    std::vector<Hypothesis> drawn =
        translator.draw(sentences, settings.search, settings.chance, random.split());
    for (std::size_t i = 0; i < sentences.size(); ++i) found[i].push_back(std::move(drawn[i]));
  }
  return found;
}

void print(const Translator& translator, const Line& line, const std::vector<Hypothesis>& found,
           const TranslateSettings& settings) {
  Json translations = Json::array();
  for (const Hypothesis& hypothesis : found) {
    const std::string translation = translator.text_of(line.sentence, hypothesis);
    translations.push_back({{"translation", translation},
                            {"score", hypothesis.score},
                            {"log_probability", hypothesis.log_probability}});
    if (settings.json) continue;
    if (settings.search.n_best > 1) std::printf("%9.4f  ", hypothesis.score);
    std::printf("%s\n", translation.c_str());
  }
  if (settings.json) {
    Json json = {{"source", line.sentence},
                 {"translation", found.empty() ? "" : translations[0]["translation"]}};
    if (settings.search.n_best > 1) json["translations"] = translations;
    if (!line.unknown.empty()) json["unknown"] = line.unknown;
    if (!line.problem.empty()) json["error"] = line.problem;
    std::printf("%s\n", json.dump(-1, ' ', false, Json::error_handler_t::replace).c_str());
  } else if (found.empty()) {
    std::printf("\n");  // as many lines come out as go in
  }
  std::fflush(stdout);
}

// For who sits at the prompt: what of an answer is a guess, and what can be asked instead.
class Doubts {
 public:
  Doubts(const Translator& translator, const TranslateSettings& settings)
      : translator_(translator), settings_(settings) {}

  void open() const {
    std::cout << "Type a sentence; \\ at the end of a line goes on in the next; Ctrl-D ends.\n";
    const std::vector<std::string> sentences = sentences_to_try(settings_.model, 1);
    if (!sentences.empty()) std::cout << "It learnt from sentences such as: " << sentences.front() << "\n";
    std::cout << std::flush;
  }

  void about(const Line& line, const std::string& translation) {
    if (!line.unknown.empty()) {
      say("it does not know " + list_of(line.unknown) + " and guesses");
      if (!told_) say("it knows " + known_words(translator_.source(), 30));
      told_ = true;
      return;
    }
    constexpr double doubtful = 0.5;  // the probability of a word that is in doubt
    const std::vector<ScoredWord> words = translator_.score({{line.sentence, translation}}, 0).front().words;
    std::string doubts;
    for (const ScoredWord& word : words)
      if (word.token != Vocabulary::eos && std::exp(word.log_probability) < doubtful)
        doubts += (doubts.empty() ? "" : ", ") + translator_.target().vocabulary.token(word.token) + " (" +
                  percent_text(std::exp(word.log_probability), 0) + ")";
    if (!doubts.empty()) say("it is in doubt about: " + doubts);
  }

 private:
  static void say(const std::string& words) {
    std::cout << in_colour("  " + words, Colour::soft) << std::endl;
  }

  const Translator& translator_;
  const TranslateSettings& settings_;
  bool told_ = false;  // what it knows
};

// Translates lines together, which is faster, and prints them in their order.
void translate_lines(const Translator& translator, std::vector<Line>& lines,
                     const TranslateSettings& settings, Random& random, Doubts* doubts) {
  std::vector<std::string> sentences;
  for (const Line& line : lines)
    if (line.is_to_translate()) sentences.push_back(line.sentence);
  const std::vector<std::vector<Hypothesis>> found = found_for(translator, sentences, settings, random);
  std::size_t next = 0;
  for (const Line& line : lines) {
    const std::vector<Hypothesis> of_line =
        line.is_to_translate() ? found[next++] : std::vector<Hypothesis>{};
    print(translator, line, of_line, settings);
    if (doubts && !of_line.empty() && !settings.json)
      doubts->about(line, translator.text_of(line.sentence, of_line.front()));
  }
  lines.clear();
}

}  // namespace

void translate_text(const Translator& translator, const TranslateSettings& settings) {
  constexpr std::size_t lines_together = 256;
  settings.chance.check();
  if (!settings.sampling && settings.search.n_best > settings.search.beam_size)
    throw std::invalid_argument(text("--n-best must be at most --beam: got ", settings.search.n_best,
                                     ", the beam is ", settings.search.beam_size));
  LineReader reader(settings.input);
  Random random(settings.seed);
  Doubts doubts(translator, settings);
  if (reader.interactive()) doubts.open();
  std::vector<Line> lines;
  std::vector<std::string> unknown;
  Index number = 0, failed = 0, guessed = 0;
  while (const std::optional<std::string> typed = reader.next()) {
    ++number;
    const Line line = checked(translator, *typed);
    if (!line.problem.empty() && reader.interactive()) {
      std::cerr << line.problem << std::endl;
      continue;
    }
    lines.push_back(line);
    if (!line.problem.empty()) {
      ++failed;
      std::cerr << (settings.input.empty() ? "standard input" : settings.input) << ":" << number << ": "
                << line.problem << std::endl;
    }
    if (!line.unknown.empty()) ++guessed;
    for (const std::string& each : line.unknown)
      if (std::find(unknown.begin(), unknown.end(), each) == unknown.end()) unknown.push_back(each);
    if (reader.interactive() || lines.size() == lines_together)
      translate_lines(translator, lines, settings, random, reader.interactive() ? &doubts : nullptr);
  }
  translate_lines(translator, lines, settings, random, nullptr);
  if (guessed > 0 && !reader.interactive())
    std::cerr << text(guessed, " of ", number,
                      " lines have words that the model does not know, and are guesses: ", list_of(unknown))
              << std::endl;
  if (failed > 0) throw std::runtime_error(text(failed, " of ", number, " lines could not be translated"));
}

void score_translations(const ScoreSettings& settings) {
  const Translator translator = load_model(settings.model);
  const std::vector<SentencePair> pairs = read_tsv(settings.tsv);
  const std::vector<ScoredTranslation> scores = translator.score(pairs, settings.rivals);
  const Vocabulary& vocabulary = translator.target().vocabulary;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    Json words = Json::array();
    if (!settings.json)
      std::printf("%9.4f  %s\t%s\n", scores[i].log_probability, pairs[i].source.c_str(),
                  pairs[i].target.c_str());
    for (const ScoredWord& word : scores[i].words) {
      Json rivals = Json::object();
      std::string line;
      for (const TokenProbability& rival : word.rivals) {
        rivals[vocabulary.token(rival.token)] = rival.probability;
        char probability[16];
        std::snprintf(probability, sizeof probability, " %.4f", rival.probability);
        line += "   " + vocabulary.token(rival.token) + probability;
      }
      words.push_back({{"token", vocabulary.token(word.token)},
                       {"log_probability", word.log_probability},
                       {"rivals", rivals}});
      if (!settings.json && settings.rivals > 0)
        std::printf("           %8.4f  %-16s%s\n", word.log_probability, vocabulary.token(word.token).c_str(),
                    line.c_str());
    }
    if (settings.json)
      std::printf("%s\n", Json{{"source", pairs[i].source},
                               {"target", pairs[i].target},
                               {"log_probability", scores[i].log_probability},
                               {"words", words}}
                              .dump()
                              .c_str());
  }
}
