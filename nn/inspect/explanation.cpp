#include <gradual/nn/inspect/explanation.hpp>

#include <gradual/nn/drawing/number_text.hpp>
#include <gradual/nn/drawing/readable_text.hpp>
#include <gradual/nn/inspect/search_tree.hpp>

namespace gradual {
namespace {

Html word_content(const ExplainedWord& word, const std::vector<std::string>& source) {
  std::vector<std::pair<std::string, double>> bars = word.rivals;
  bars.insert(bars.begin(), {word.word, word.probability});
  for (auto& [name, probability] : bars) name = token_label(name);
  std::vector<std::string> labels;
  for (const std::string& read : source) labels.push_back(token_label(read));
  Html content;
  content.bars("Probability here, and the nearest rivals'", bars);
  if (!word.attention.empty()) content.weighted_words("Looked at", labels, word.attention);
  return content;
}

void add_ranked(Html& page, const std::vector<RankedTranslation>& ranked) {
  std::vector<std::vector<std::string>> rows;
  for (const RankedTranslation& each : ranked)
    rows.push_back({each.text, fixed_text(each.score, 3), fixed_text(each.log_probability, 3)});
  page.heading(4, ranked.size() == 1 ? "What was found" : "The best that were found");
  page.table({"Translation", "Score", "log P"}, rows);
  page.paragraph(
      "log P is the natural logarithm of the probability of all words together; the score divides it by a "
      "penalty that grows with the length, and the highest wins. ⏎ ends a sentence; among subwords, ▁ begins "
      "a word.");
}

}  // namespace

AttentionMap attention_map(const Explanation& explanation) {
  AttentionMap map{{}, explanation.source_words, {}, ""};
  for (const ExplainedWord& word : explanation.words) {
    map.queries.push_back(word.word);
    for (const double weight : word.attention) map.weights.push_back(static_cast<float>(weight));
  }
  return map;
}

Html explanation_content(const Explanation& explanation) {
  std::vector<Html::Choice> words;
  for (const ExplainedWord& word : explanation.words)
    words.push_back({token_label(word.word), word_content(word, explanation.source_words),
                     fixed_text(word.probability, 2)});
  Html page;
  page.choices("Word", words, Html::Chooser::words);
  const AttentionMap map = attention_map(explanation);
  if (!map.weights.empty()) page.heading(4, "Where each word looked").pictures({draw_attention_map(map)});
  add_ranked(page, explanation.ranked);
  page.heading(4, "What the search explored");
  page.picture(
      draw_search_tree(explanation.tree, explanation.tree_words),
      "In each step the candidates, the likeliest on top, with log P of all words up to there. Filled: "
      "the way to the translation. Framed: kept. Round: ended. Faint: dropped.");
  return page;
}

}  // namespace gradual
