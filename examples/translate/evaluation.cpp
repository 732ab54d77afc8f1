#include "evaluation.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>

#include <nlohmann/json.hpp>

#include <gradual/core/error.hpp>
#include <gradual/nn/text/bleu.hpp>
#include <gradual/nn/text/utf8.hpp>

using namespace gradual;

bool Judged::right() const {
  return std::find(references.begin(), references.end(), translation) != references.end();
}

std::string Judged::lines() const {
  return (right() ? "  ✓ " : "  ✗ ") + source + "\n    " + translation +
         (right() ? "" : "\n    (" + references.front() + ")");
}

namespace {

// Perplexity and token accuracy, by forced scoring of the references.
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
  result.perplexity = std::exp(-log_probability / std::max(tokens, 1.0));
  result.token_accuracy = right / std::max(tokens, 1.0);
}

bool is_long(const Translator& translator, const SentencePair& pair) {
  const EncodedPair ids = translator.encode(pair);
  return static_cast<Index>(std::max(ids.source.size(), ids.target.size())) > translator.longest_sentence();
}

}  // namespace

std::vector<std::string> Evaluation::translations() const {
  std::vector<std::string> result;
  for (const Judged& each : sentences) result.push_back(each.translation);
  return result;
}

std::vector<std::vector<std::string>> Evaluation::references() const {
  std::vector<std::vector<std::string>> result;
  for (const Judged& each : sentences) result.push_back(each.references);
  return result;
}

std::string bleu_table(const Evaluation& evaluation) {
  std::string table = "  score  counted in                        case        signature\n";
  const auto add_row = [&](double score, const char* units, bool lowercase, const std::string& signature) {
    char row[100];
    std::snprintf(row, sizeof row, "%7.2f  %-32s  %-10s  ", score, units,
                  lowercase ? "lower case" : "as written");
    table += row + signature + "\n";
  };
  for (const bool lowercase : {false, true}) {
    for (const auto& [tokens, units] : {std::pair(BleuTokens::mteval_13a, "words and punctuation marks"),
                                        std::pair(BleuTokens::none, "what stands between spaces"),
                                        std::pair(BleuTokens::characters, "characters")}) {
      const BleuScore score = bleu(evaluation.translations(), evaluation.references(), {tokens, lowercase});
      add_row(score.score, units, lowercase, "BLEU|" + score.signature);
    }
    const ChrfScore score = chrf(evaluation.translations(), evaluation.references(), lowercase);
    add_row(score.score, "runs of up to six characters", lowercase, "chrF2|" + score.signature);
  }
  return table;
}

Evaluation evaluate(const Translator& translator, const HeldOutSet& set, const TestSettings& settings) {
  Evaluation result;
  result.name = set.name;
  std::vector<SentencePair> pairs;
  std::map<std::string, std::size_t> known;
  const bool lower = translator.target().tokenizer.settings().lower_case;
  const auto as_trained = [&](const std::string& sentence) {
    return lower ? lower_case(sentence) : sentence;
  };
  for (const SentencePair& pair : set.pairs) {
    if (is_long(translator, pair)) {
      ++result.too_long;
      continue;
    }
    pairs.push_back(pair);
    const auto [place, is_new] = known.emplace(pair.source, result.sentences.size());
    if (is_new) result.sentences.push_back({pair.source, {}, ""});
    result.sentences[place->second].references.push_back(as_trained(pair.target));
  }
  if (pairs.empty())
    throw std::invalid_argument(text("evaluate: some pairs must be left to translate: ", set.name, " has ",
                                     set.pairs.size(), ", all of them too long for the model"));
  std::vector<std::string> sources;
  for (const Judged& sentence : result.sentences) sources.push_back(sentence.source);
  const auto start = std::chrono::steady_clock::now();
  const std::vector<std::string> translations = translator.translate(sources, settings.search);
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  std::size_t right = 0;
  for (std::size_t i = 0; i < translations.size(); ++i) {
    result.sentences[i].translation = translations[i];
    if (result.sentences[i].right()) ++right;
  }
  result.exact =
      static_cast<double>(right) / static_cast<double>(std::max<std::size_t>(translations.size(), 1));
  result.bleu = bleu(translations, result.references(), settings.bleu);
  result.chrf = chrf(translations, result.references(), settings.bleu.lowercase);
  judge_tokens(translator, pairs, result);
  return result;
}

double greedy_bleu(const Translator& translator, const std::vector<SentencePair>& pairs,
                   const BleuOptions& options) {
  return evaluate(translator, {"", pairs}, {usual_search(), options}).bleu.score;
}

std::string Evaluation::line() const {
  char figures[160];
  std::snprintf(figures, sizeof figures,
                " %6.2f %% of %zu sentences exactly right, BLEU %.2f, chrF %.2f, perplexity %.2f",
                100 * exact, sentences.size(), bleu.score, chrf.score, perplexity);
  const std::size_t padding = name.size() < 14 ? 14 - name.size() : 0;
  return name + std::string(padding, ' ') + figures +
         (too_long > 0 ? text("; ", too_long, " pairs left out as too long") : "");
}

std::string Evaluation::first_sentences() const {
  std::string lines;
  for (std::size_t i = 0; i < std::min<std::size_t>(10, sentences.size()); ++i)
    lines += "\n" + sentences[i].lines();
  return lines;
}

nlohmann::ordered_json to_json(const std::vector<Evaluation>& evaluations) {
  nlohmann::ordered_json json;
  for (const Evaluation& each : evaluations)
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
  return json;
}
