#include "translate_text.hpp"

#include <cstdio>
#include <iostream>
#include <vector>

#include <nlohmann/json.hpp>

#include <gradual/core/error.hpp>
#include <gradual/nn/text/utf8.hpp>
#include <gradual/nn/translation/translator.hpp>

#include "line_reader.hpp"

using namespace gradual;
using Json = nlohmann::ordered_json;

namespace {

bool is_blank(const std::string& line) { return line.find_first_not_of(" \t\r") == std::string::npos; }

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

void print(const Translator& translator, const std::string& sentence, const std::vector<Hypothesis>& found,
           const TranslateSettings& settings) {
  Json translations = Json::array();
  for (const Hypothesis& hypothesis : found) {
    const std::string translation = translator.text_of(sentence, hypothesis);
    translations.push_back({{"translation", translation},
                            {"score", hypothesis.score},
                            {"log_probability", hypothesis.log_probability}});
    if (settings.json) continue;
    if (settings.search.n_best > 1) std::printf("%9.4f  ", hypothesis.score);
    std::printf("%s\n", translation.c_str());
  }
  if (settings.json) {
    Json line = {{"source", sentence}, {"translation", found.empty() ? "" : translations[0]["translation"]}};
    if (settings.search.n_best > 1) line["translations"] = translations;
    std::printf("%s\n", line.dump().c_str());
  } else if (found.empty()) {
    std::printf("\n");  // an empty line stays one
  }
  std::fflush(stdout);
}

// Translates lines together, which is faster, and prints them in their order.
void translate_lines(const Translator& translator, const std::vector<std::string>& lines,
                     const TranslateSettings& settings, Random& random) {
  std::vector<std::string> sentences;
  for (const std::string& line : lines)
    if (!is_blank(line)) sentences.push_back(line);
  const std::vector<std::vector<Hypothesis>> found = found_for(translator, sentences, settings, random);
  std::size_t next = 0;
  for (const std::string& line : lines)
    print(translator, line, is_blank(line) ? std::vector<Hypothesis>{} : found[next++], settings);
}

// What is wrong with a line that the model cannot translate.
std::string problem_of(const Translator& translator, const std::string& line) {
  if (const auto byte = first_invalid_byte(line))
    return text("not UTF-8: byte ", *byte + 1, " of the line begins no character");
  const std::size_t tokens = translator.source().encode(line).size();
  if (static_cast<Index>(tokens) > translator.longest_sentence())
    return text("too long: ", tokens, " tokens; this model translates at most ",
                translator.longest_sentence());
  return "";
}

}  // namespace

void translate_text(const Translator& translator, const TranslateSettings& settings) {
  constexpr std::size_t lines_together = 256;
  settings.chance.check();
  if (!settings.sampling && settings.search.n_best > settings.search.beam_size)
    throw std::invalid_argument(text("--n-best must be at most --beam: got ",
                                     settings.search.n_best, ", the beam is ", settings.search.beam_size));
  LineReader reader(settings.input);
  Random random(settings.seed);
  if (reader.interactive())
    std::cout << "Type a sentence; \\ at the end of a line goes on in the next; Ctrl-D ends." << std::endl;
  std::vector<std::string> lines;
  Index number = 0;
  while (std::optional<std::string> line = reader.next()) {
    ++number;
    const std::string problem = problem_of(translator, *line);
    if (!problem.empty() && !reader.interactive()) {
      translate_lines(translator, lines, settings, random);  // those before
      throw FileError::at_line(settings.input.empty() ? "standard input" : settings.input, number, problem);
    }
    if (!problem.empty()) {
      std::cerr << problem << std::endl;
      continue;
    }
    lines.push_back(*line);
    if (!reader.interactive() && lines.size() < lines_together) continue;
    translate_lines(translator, lines, settings, random);
    lines.clear();
  }
  translate_lines(translator, lines, settings, random);
}

void score_translations(const ScoreSettings& settings) {
  const Translator translator = Translator::load(settings.model);
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
