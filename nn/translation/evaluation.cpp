#include <gradual/nn/translation/evaluation.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <iterator>
#include <map>

#include <gradual/core/error.hpp>
#include <gradual/nn/drawing/number_text.hpp>
#include <gradual/nn/drawing/readable_text.hpp>
#include <gradual/nn/json.hpp>
#include <gradual/nn/text/bleu.hpp>
#include <gradual/nn/text/utf8.hpp>

namespace gradual {

bool Judged::right() const {
  return std::find(references.begin(), references.end(), translation) != references.end();
}

std::string Judged::lines() const {
  return (right() ? "  ✓ " : "  ✗ ") + readable_text(source) + "\n    " + readable_text(translation) +
         (right() ? "" : "\n    right: " + readable_text(references.front()));
}

namespace {

std::vector<std::string> translations(const std::vector<Judged>& sentences) {
  std::vector<std::string> result;
  for (const Judged& each : sentences) result.push_back(each.translation);
  return result;
}

std::vector<std::vector<std::string>> references(const std::vector<Judged>& sentences) {
  std::vector<std::vector<std::string>> result;
  for (const Judged& each : sentences) result.push_back(each.references);
  return result;
}

// Perplexity and token accuracy, by forced scoring of the references. Throws std::runtime_error where a
// model's weights lead to what is no number.
void judge_tokens(const Translator& translator, const std::vector<SentencePair>& pairs, Evaluation& result) {
  double log_probability = 0, right = 0, tokens = 0;
  for (const ScoredTranslation& each : translator.score(pairs, 1)) {
    log_probability += each.log_probability;
    for (const ScoredWord& word : each.words) {
      tokens += 1;
      right +=
          word.rivals.empty() || std::exp(word.log_probability) >= word.rivals.front().probability ? 1 : 0;
    }
  }
  if (std::isnan(log_probability))
    throw std::runtime_error("evaluate: the loss of a model must be a number: that of " + result.name +
                             " is nan; it diverged while it was trained, or its file is damaged");
  result.perplexity = std::exp(-log_probability / std::max(tokens, 1.0));
  result.token_accuracy = right / std::max(tokens, 1.0);
}

bool writes_lower_case(const Translator& translator) {
  return translator.target().tokenizer.settings().lower_case;
}

// One way to count, and what it says of the same translations.
struct NamedScore {
  const char* name;
  const char* units;
  bool lower_case;
  double score;
  std::string signature;
};

std::vector<NamedScore> all_scores(const Evaluation& evaluation) {
  const std::vector<Judged>& sentences = evaluation.sentences;
  std::vector<NamedScore> scores;
  for (const bool lower : {false, true}) {
    if (evaluation.lower_case && !lower) continue;
    for (const auto& [tokens, units] : {std::pair(BleuTokens::mteval_13a, "words and punctuation marks"),
                                        std::pair(BleuTokens::none, "what stands between spaces"),
                                        std::pair(BleuTokens::characters, "characters")}) {
      const BleuScore score = bleu(sentences, {tokens, lower});
      scores.push_back({"BLEU", units, lower, score.score, score.signature});
    }
    const ChrfScore score = chrf(translations(sentences), references(sentences), lower);
    scores.push_back({"chrF2", "runs of up to six characters", lower, score.score, score.signature});
  }
  return scores;
}

}  // namespace

BleuScore bleu(const std::vector<Judged>& sentences, const BleuOptions& options) {
  return gradual::bleu(translations(sentences), references(sentences), options);
}

std::vector<BleuCounts> bleu_counts(const std::vector<Judged>& sentences, const BleuOptions& options) {
  return gradual::bleu_counts(translations(sentences), references(sentences), options);
}

std::string bleu_table(const Evaluation& evaluation) {
  std::string table = "  score  counted in                        case        signature\n";
  for (const NamedScore& each : all_scores(evaluation)) {
    char row[100];
    std::snprintf(row, sizeof row, "%7.2f  %-32s  %-10s  ", each.score, each.units,
                  each.lower_case ? "lower case" : "as written");
    table += text(row, each.name, "|", each.signature, "\n");
  }
  return table;
}

std::vector<SentencePair> with_room(const Translator& translator, const std::vector<SentencePair>& pairs) {
  std::vector<SentencePair> result;
  std::copy_if(pairs.begin(), pairs.end(), std::back_inserter(result),
               [&](const SentencePair& pair) { return translator.has_room_for(pair); });
  return result;
}

std::vector<Judged> judge(const Translator& translator, const std::vector<SentencePair>& pairs,
                          const BeamOptions& search, const MinimumRiskOptions& minimum_risk, Random random) {
  std::vector<Judged> sentences;
  std::map<std::string, std::size_t> known;
  const bool lower = writes_lower_case(translator);
  for (const SentencePair& pair : pairs) {
    const auto [place, is_new] = known.emplace(pair.source, sentences.size());
    if (is_new) sentences.push_back({pair.source, {}, ""});
    sentences[place->second].references.push_back(lower ? lower_case(pair.target) : pair.target);
  }
  std::vector<std::string> sources;
  for (const Judged& sentence : sentences) sources.push_back(sentence.source);
  if (minimum_risk.samples > 0) {
    const auto found = search_by_minimum_risk(translator, sources, search, minimum_risk, random);
    for (std::size_t i = 0; i < found.size(); ++i)
      sentences[i].translation = translator.text_of(sources[i], found[i].front());
    return sentences;
  }
  const std::vector<std::string> found = translator.translate(sources, search);
  for (std::size_t i = 0; i < found.size(); ++i) sentences[i].translation = found[i];
  return sentences;
}

std::vector<SentencePair> pairs_with_room(const Translator& translator, const HeldOutSet& set) {
  std::vector<SentencePair> pairs = with_room(translator, set.pairs);
  if (pairs.empty())
    throw std::invalid_argument(text("evaluate: some pairs must be left to translate: ", set.name, " has ",
                                     set.pairs.size(), ", all of them too long for the model"));
  return pairs;
}

Evaluation evaluate(const Translator& translator, const HeldOutSet& set, const TestSettings& settings) {
  Evaluation result;
  result.name = set.name;
  const std::vector<SentencePair> pairs = pairs_with_room(translator, set);
  result.too_long = static_cast<Index>(set.pairs.size() - pairs.size());
  judge_tokens(translator, pairs, result);
  const auto start = std::chrono::steady_clock::now();
  result.lower_case = writes_lower_case(translator);
  const BleuOptions counted{settings.bleu.tokens, settings.bleu.lowercase || result.lower_case};
  MinimumRiskOptions minimum_risk = settings.minimum_risk;
  minimum_risk.bleu = counted;
  result.sentences = judge(translator, pairs, settings.search, minimum_risk, Random(settings.seed));
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  const auto right = std::count_if(result.sentences.begin(), result.sentences.end(),
                                   [](const Judged& sentence) { return sentence.right(); });
  result.exact = static_cast<double>(right) / static_cast<double>(result.sentences.size());
  result.bleu = bleu(result.sentences, counted);
  result.chrf = chrf(translations(result.sentences), references(result.sentences), counted.lowercase);
  return result;
}

ResultTable score_table() {
  return ResultTable({{"set", "", 0, "", 15},
                      {"exact", "exactly right", 2, " %"},
                      {"bleu", "BLEU", 2},
                      {"chrf", "chrF", 2},
                      {"perplexity", "perplexity", 2},
                      {"sentences", "sentences", 0, "", 0, "", true}});
}

std::vector<ResultTable::Cell> Evaluation::row() const {
  const std::string count = grouped_text(static_cast<Index>(sentences.size()));
  return {name,
          100 * exact,
          bleu.score,
          chrf.score,
          perplexity,
          count + (too_long > 0
                       ? text(", and ", too_long, too_long == 1 ? " pair" : " pairs", " left out as too long")
                       : "")};
}

std::string Evaluation::first_sentences() const {
  std::string lines;
  for (std::size_t i = 0; i < std::min<std::size_t>(10, sentences.size()); ++i)
    lines += "\n" + sentences[i].lines();
  return lines;
}

std::string figures(const std::vector<Evaluation>& evaluations, bool all_bleu) {
  Json json;
  for (const Evaluation& each : evaluations) {
    json[each.name] = {{"sentences", each.sentences.size()},
                       {"exact", each.exact},
                       {"bleu", each.bleu.score},
                       {"bleu_signature", each.bleu.signature},
                       {"chrf", each.chrf.score},
                       {"chrf_signature", each.chrf.signature},
                       {"perplexity", each.perplexity},
                       {"token_accuracy", each.token_accuracy},
                       {"too_long", each.too_long},
                       {"seconds", each.seconds}};
    for (const NamedScore& score : all_bleu ? all_scores(each) : std::vector<NamedScore>())
      json[each.name]["all_bleu"].push_back(
          {{"name", score.name}, {"score", score.score}, {"signature", score.signature}});
  }
  return clean_json_text(json);
}

}  // namespace gradual
