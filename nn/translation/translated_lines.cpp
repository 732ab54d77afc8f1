#include <gradual/nn/translation/translated_lines.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numeric>
#include <optional>
#include <set>
#include <stdexcept>
#include <utility>

#include <gradual/core/error.hpp>
#include <gradual/nn/drawing/line_text.hpp>
#include <gradual/nn/drawing/readable_text.hpp>
#include <gradual/nn/fnv.hpp>
#include <gradual/nn/json.hpp>
#include <gradual/nn/text/utf8.hpp>

namespace gradual {
namespace {

// Says that so many tokens are more than the model translates or scores; nothing where they are not.
std::string length_problem(const Translator& translator, std::size_t tokens, const char* does) {
  const Index most = translator.longest_sentence();
  if (static_cast<Index>(tokens) <= most) return "";
  return text("too long: ", tokens, " tokens; this model ", does, " at most ", most);
}

// A line with its number of tokens, which is left at 0 where there is a problem.
TranslatedLine checked_line(const Translator& translator, const std::string& typed, Index& tokens) {
  tokens = 0;
  if (const auto byte = first_invalid_byte(typed))
    return {typed, text("not UTF-8: byte ", *byte, " of the line begins no character"), {}, {}};
  TranslatedLine line{clean_sentence(typed), "", {}, {}};
  const std::size_t count = translator.source().encode(line.sentence).size();
  line.problem = length_problem(translator, count, "translates");
  if (!line.problem.empty()) return line;
  tokens = static_cast<Index>(count);
  line.unknown = translator.source().unknown_tokens(line.sentence);
  return line;
}

std::vector<std::vector<Hypothesis>> found_for(const Translator& translator,
                                               const std::vector<std::string>& sentences,
                                               const LineOptions& options, Random& random) {
  if (options.minimum_risk.samples > 0)
    return search_by_minimum_risk(translator, sentences, options.search, options.minimum_risk,
                                  random.split());
  if (!options.sampling) return translator.search(sentences, options.search);
  std::vector<std::vector<Hypothesis>> found(sentences.size());
  for (Index n = 0; n < options.search.n_best; ++n) {
    std::vector<Hypothesis> drawn =
        translator.draw(sentences, options.search, options.chance, random.split());
    for (std::size_t i = 0; i < sentences.size(); ++i) found[i].push_back(std::move(drawn[i]));
  }
  return found;
}

std::string in_one_line(const Json& json) { return clean_json_text(json) + "\n"; }

template <class... Values>
std::string printed(const char* format, Values... values) {
  char buffer[64];
  std::snprintf(buffer, sizeof buffer, format, values...);
  return buffer;
}

// With all digits that tell it from others.
std::string in_full(double number) { return Json(number).dump(); }

std::string name_of_model(const Translator& translator) {
  const ModelConfig config = translator.config();
  Fnv hash;
  hash.add_bytes(config.kind + config.settings);
  for (const NamedParameter& each : parameters(translator.model())) {
    const Tensor& numbers = each.variable.value();
    hash.add_bytes({reinterpret_cast<const char*>(numbers.data()),
                    static_cast<std::size_t>(numbers.size()) * sizeof(Real)});
  }
  return text("model ", hash.sum, " with vocabularies ", translator.vocabularies());
}

std::string name_of_reverse(const Translator& translator) {
  const Translator::Reverse& reverse = translator.reverse();
  if (reverse.weight == 0) return "";
  return text(", weight of the way back ", in_full(reverse.weight), " by ",
              reverse.translator ? name_of_model(*reverse.translator) : "itself");
}

std::string name_of_shortlist(const Translator& translator) {
  if (!translator.shortlist()) return "";
  Fnv hash;
  hash.add_bytes(translator.shortlist()->lines());
  return text(", shortlist ", hash.sum);
}

}  // namespace

void LineOptions::check() const {
  chance.check();
  if (sampling && minimum_risk.samples > 0)
    throw std::invalid_argument("--mbr chooses among what it draws, --sample does not: one of them");
  if (!draws() && search.n_best > search.beam_size)
    throw std::invalid_argument(
        text("--n-best must be at most --beam: got ", search.n_best, ", the beam is ", search.beam_size));
}

std::vector<TranslatedLine> translate_lines(const Translator& translator,
                                            const std::vector<std::string>& lines, const LineOptions& options,
                                            Random& random) {
  std::vector<TranslatedLine> result;
  std::vector<std::size_t> to_translate;
  std::vector<std::string> sentences;
  for (const std::string& typed : lines) {
    Index tokens = 0;
    result.push_back(checked_line(translator, typed, tokens));
    if (tokens == 0) continue;
    to_translate.push_back(result.size() - 1);
    sentences.push_back(result.back().sentence);
  }
  std::vector<std::vector<Hypothesis>> found = found_for(translator, sentences, options, random);
  for (std::size_t i = 0; i < found.size(); ++i) result[to_translate[i]].found = std::move(found[i]);
  return result;
}

std::string written(const Translator& translator, const TranslatedLine& line, const LineOptions& options) {
  std::string lines;
  Json translations = Json::array();
  for (const Hypothesis& hypothesis : line.found) {
    std::string translation = translator.text_of(line.sentence, hypothesis);
    translations.push_back({{"translation", translation},
                            {"score", hypothesis.score},
                            {"log_probability", hypothesis.log_probability},
                            {"finished", hypothesis.finished}});
    // A vocabulary of other people's may have tokens that would end a line.
    std::replace_if(
        translation.begin(), translation.end(), [](char c) { return c == '\n' || c == '\r'; }, ' ');
    if (options.search.n_best > 1) lines += printed("%9.4f  ", hypothesis.score);
    lines += translation + "\n";
  }
  if (!options.json) return line.found.empty() ? "\n" : lines;  // as many lines come out as go in
  Json json = {{"source", line.sentence},
               {"translation", line.found.empty() ? "" : translations[0]["translation"]}};
  if (options.search.n_best > 1) json["translations"] = translations;
  if (!line.unknown.empty()) json["unknown"] = line.unknown;
  if (!line.problem.empty()) json["error"] = line.problem;
  return in_one_line(json);
}

std::vector<ScoredTranslation> score_with_rivals(const Translator& translator,
                                                 const std::vector<SentencePair>& pairs, Index rivals) {
  const std::vector<std::int32_t> never_written = DecodingOptions().suppressed;
  const auto more = static_cast<Index>(never_written.size());
  std::vector<ScoredTranslation> scores = translator.score(
      pairs, rivals <= 0 ? rivals : std::min(rivals, translator.target().vocabulary.size()) + more);
  const auto is_never_written = [&](const TokenProbability& rival) {
    return std::count(never_written.begin(), never_written.end(), rival.token) > 0;
  };
  for (ScoredTranslation& score : scores)
    for (ScoredWord& word : score.words) {
      auto& all = word.rivals;
      all.erase(std::remove_if(all.begin(), all.end(), is_never_written), all.end());
      if (static_cast<Index>(all.size()) > rivals) all.resize(static_cast<std::size_t>(rivals));
    }
  return scores;
}

std::vector<ScoredLine> score_lines(const Translator& translator, const std::vector<std::string>& lines,
                                    const std::string& path, Index first, Index rivals) {
  std::vector<ScoredLine> result;
  std::vector<std::size_t> to_score;
  std::vector<SentencePair> pairs;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const Index number = first + static_cast<Index>(i);
    const std::optional<SentencePair> pair = pair_of_line(lines[i], path, number);
    if (!pair) continue;
    const EncodedPair ids = translator.encode(*pair);
    const std::size_t longer = std::max(ids.source.size(), ids.target.size());
    result.push_back({number, *pair, length_problem(translator, longer, "scores"), {}});
    if (!result.back().problem.empty()) continue;
    to_score.push_back(result.size() - 1);
    pairs.push_back(*pair);
  }
  std::vector<ScoredTranslation> scores = score_with_rivals(translator, pairs, rivals);
  for (std::size_t i = 0; i < scores.size(); ++i) {
    ScoredLine& line = result[to_score[i]];
    if (std::isnan(scores[i].log_probability))
      throw std::runtime_error(text("score: a model must give probabilities: it gives nan for ", path, ":",
                                    line.number,
                                    "; it diverged while it was trained, or its file is damaged"));
    line.score = std::move(scores[i]);
  }
  return result;
}

std::string written(const Translator& translator, const ScoredLine& line, bool with_rivals, bool json) {
  const SentencePair& pair = line.pair;
  if (!line.problem.empty())
    return json ? in_one_line({{"source", pair.source}, {"target", pair.target}, {"error", line.problem}})
                : "\n";
  const Vocabulary& vocabulary = translator.target().vocabulary;
  std::string lines =
      printed("%9.4f  ", line.score.log_probability) + pair.source + "\t" + pair.target + "\n";
  Json words = Json::array();
  for (const ScoredWord& word : line.score.words) {
    Json rivals = Json::object();
    std::string others;
    for (const TokenProbability& rival : word.rivals) {
      rivals[vocabulary.token(rival.token)] = rival.probability;
      others += "   " + token_label(vocabulary.token(rival.token)) + printed(" %.4f", rival.probability);
    }
    const std::string& token = vocabulary.token(word.token);
    words.push_back({{"token", token}, {"log_probability", word.log_probability}, {"rivals", rivals}});
    if (!with_rivals) continue;
    const std::string label = token_label(token), padding(label.size() < 16 ? 16 - label.size() : 0, ' ');
    lines += "           " + printed("%8.4f", word.log_probability) + "  " + label + padding + others + "\n";
  }
  if (!json) return lines;
  return in_one_line({{"source", pair.source},
                      {"target", pair.target},
                      {"log_probability", line.score.log_probability},
                      {"words", words}});
}

KnownWords known_words(const Language& language) {
  const TextUnits units = language.tokenizer.settings().units;
  const std::vector<std::string>& all = language.vocabulary.tokens();
  std::vector<std::string> tokens(all.begin() + Vocabulary::unknown + 1, all.end());
  if (units == TextUnits::words) {  // full stops are none
    const auto is_no_word = [](const std::string& token) {
      const std::u32string letters = decode_utf8(token);
      return letters.empty() || !(is_letter(letters.front()) || is_number(letters.front()));
    };
    tokens.erase(std::remove_if(tokens.begin(), tokens.end(), is_no_word), tokens.end());
  }
  KnownWords known{{},
                   units == TextUnits::words        ? "words"
                   : units == TextUnits::characters ? "letters"
                                                    : "pieces of words",
                   static_cast<Index>(tokens.size())};
  const std::set<std::string> all_tokens(tokens.begin(), tokens.end());
  std::set<std::string> listed;
  for (const std::string& token : tokens) {
    const std::string small = units == TextUnits::words ? lower_case(token) : token;
    const std::string& shown = all_tokens.count(small) > 0 ? small : token;  // a name has but its capital
    if (listed.insert(shown).second) known.words.push_back(shown);
  }
  return known;
}

std::string known_words(const Language& language, std::size_t most) {
  const KnownWords known = known_words(language);
  const std::size_t count = known.words.size();
  std::vector<std::string> common(known.words.begin(),
                                  known.words.begin() + static_cast<std::ptrdiff_t>(std::min(count, most)));
  std::sort(common.begin(), common.end(), [](const std::string& a, const std::string& b) {
    return std::pair(lower_case(a), a) < std::pair(lower_case(b), b);
  });
  for (std::string& word : common) word = token_label(word);
  return text(count, " ", known.unit, count > most ? ", among them: " : ": ", list_text(common, ", "),
              count > most ? " …" : "");
}

std::string known_in_small_letters(const Language& language, const std::string& sentence) {
  if (language.unknown_tokens(sentence).empty()) return "";
  const std::string small = lower_case(sentence);
  std::vector<std::string> letters = split_characters(small);
  if (letters.empty()) return "";
  letters.front() = split_characters(sentence).front();
  for (const std::string& each : {std::accumulate(letters.begin(), letters.end(), std::string()), small})
    if (language.unknown_tokens(each).empty()) return each;
  return "";
}

std::string way_of(const Translator& translator, const LineOptions& options) {
  return text(name_of_model(translator), ", beam ", options.search.beam_size, ", length penalty ",
              in_full(options.search.length_penalty), ", coverage penalty ",
              in_full(options.search.coverage_penalty), ", at most ", options.search.max_length,
              " words, n-best ", options.search.n_best,
              translator.model().precision() == Precision::int8 ? ", in 8 bits" : "",
              name_of_shortlist(translator), name_of_reverse(translator), options.json ? ", JSON" : "");
}

std::string way_of_scoring(const Translator& translator, Index rivals, bool json) {
  return text(name_of_model(translator), ", scores, rivals ", rivals, json ? ", JSON" : "");
}

}  // namespace gradual
