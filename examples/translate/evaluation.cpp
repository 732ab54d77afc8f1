#include "evaluation.hpp"

#include <algorithm>
#include <chrono>
#include <map>

#include <nlohmann/json.hpp>

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

Evaluation evaluate(const Translator& translator, const HeldOutSet& set, const TestSettings& settings) {
  Evaluation result;
  result.name = set.name;
  std::map<std::string, std::size_t> known;
  const bool lower = translator.target().tokenizer.settings().lower_case;
  const auto as_trained = [&](const std::string& sentence) {
    return lower ? lower_case(sentence) : sentence;
  };
  for (const SentencePair& pair : set.pairs) {
    const auto [place, is_new] = known.emplace(pair.source, result.sentences.size());
    if (is_new) result.sentences.push_back({pair.source, {}, ""});
    result.sentences[place->second].references.push_back(as_trained(pair.target));
  }
  std::vector<std::string> sources, translations;
  std::vector<std::vector<std::string>> references;
  for (const Judged& sentence : result.sentences) {
    sources.push_back(sentence.source);
    references.push_back(sentence.references);
  }
  const auto start = std::chrono::steady_clock::now();
  translations = translator.translate(sources, settings.search);
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  std::size_t right = 0;
  for (std::size_t i = 0; i < translations.size(); ++i) {
    result.sentences[i].translation = translations[i];
    if (result.sentences[i].right()) ++right;
  }
  result.exact =
      static_cast<double>(right) / static_cast<double>(std::max<std::size_t>(translations.size(), 1));
  result.bleu = bleu(translations, references, settings.bleu);
  result.chrf = chrf(translations, references, settings.bleu.lowercase);
  return result;
}

double greedy_bleu(const Translator& translator, const std::vector<SentencePair>& pairs,
                   const BleuOptions& options) {
  return evaluate(translator, {"", pairs}, {Translator::greedy_options(), options}).bleu.score;
}

std::string Evaluation::line() const {
  char line[160];
  std::snprintf(line, sizeof line, "%-14s %6.2f %% of %zu sentences exactly right, BLEU %.2f, chrF %.2f",
                name.c_str(), 100 * exact, sentences.size(), bleu.score, chrf.score);
  return line;
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
                       {"seconds", each.seconds}};
  return json;
}
