#include <gradual/nn/inspect/explain.hpp>

#include <algorithm>
#include <cmath>
#include <exception>
#include <string>

#include <gradual/core/elements/reductions.hpp>
#include <gradual/core/files/config_lines.hpp>
#include <gradual/nn/decoding/score.hpp>
#include <gradual/nn/seq2seq/source_attention.hpp>
#include <gradual/nn/translation/translated_lines.hpp>

namespace gradual {
namespace {

// A token as people read it.
std::string shown(const Vocabulary& vocabulary, std::int32_t token) {
  if (token == Vocabulary::bos) return "▷";
  if (token == Vocabulary::eos) return "⏎";
  return vocabulary.token(token);
}

// The mean over the heads of the last layer's attention to the source, [T][S]; empty where there is none.
std::vector<std::vector<double>> attention_of_words(const TranslationModel& model, const EncodedPair& pair) {
  const std::vector<Tensor> layers = attention_to_source(model, pair);
  if (layers.empty()) return {};
  const Index heads = layers.back().dim(1), S = layers.back().dim(3);
  const Tensor total = sum(layers.back(), {1});
  std::vector<std::vector<double>> rows(static_cast<std::size_t>(layers.back().dim(2)));
  for (std::size_t t = 0; t < rows.size(); ++t) {
    for (Index s = 0; s < S; ++s)
      rows[t].push_back(static_cast<double>(total.data()[static_cast<Index>(t) * S + s]) /
                        static_cast<double>(heads));
  }
  return rows;
}

std::vector<ExplainedWord> words_of(const Translator& translator, const EncodedPair& pair, bool finished,
                                    Index rivals, const std::function<void()>& before_word) {
  const Vocabulary& vocabulary = translator.target().vocabulary;
  ScoringOptions options;
  const std::vector<std::int32_t> never_written = DecodingOptions().suppressed;
  options.rivals = rivals + static_cast<Index>(never_written.size());
  if (!finished) options.end = -1;
  options.before_word = before_word;
  const ScoredTranslation scored =
      score(translator.model(), make_source_batch({pair.source}), {pair.target}, options).front();
  const std::vector<std::vector<double>> attention = attention_of_words(translator.model(), pair);
  std::vector<ExplainedWord> words;
  for (const ScoredWord& word : scored.words) {
    ExplainedWord explained{shown(vocabulary, word.token), std::exp(word.log_probability), {}, {}};
    for (const TokenProbability& rival : word.rivals) {
      if (std::count(never_written.begin(), never_written.end(), rival.token) == 0 &&
          static_cast<Index>(explained.rivals.size()) < rivals)
        explained.rivals.emplace_back(shown(vocabulary, rival.token), rival.probability);
    }
    if (!attention.empty()) explained.attention = attention[words.size()];
    words.push_back(std::move(explained));
  }
  return words;
}

// That of its training, as its notes have it. A model is a file from anywhere: of notes that are none of ours
// nothing is known.
std::optional<double> label_smoothing_of(const Translator& translator) {
  try {
    for (const ConfigLine& line : lines_of(translator.notes()))
      if (line.key == "label-smoothing")
        if (const double share = std::stod(line.value); share >= 0 && share < 1) return share;
  } catch (const std::exception&) {
  }
  return {};
}

}  // namespace

Explanation explain(const Translator& translator, const std::string& sentence, const BeamOptions& options,
                    Index rivals) {
  const EvaluationScope evaluation;
  const Language &from = translator.source(), &to = translator.target();
  Explanation explanation;
  explanation.source = sentence;
  explanation.source_words = from.tokenizer.split(sentence);
  explanation.unknown = from.unknown_tokens(sentence);
  explanation.known_as = known_in_small_letters(from, sentence);
  explanation.label_smoothing = label_smoothing_of(translator);
  if (translator.shortlist())
    explanation.add_note(
        "the words' probabilities are among all words, while the search wrote those of its shortlist alone");
  if (translator.model().precision() == Precision::int8)
    explanation.add_note(
        "the attention is that of the weights as they are, while the search multiplied in 8 bits");
  explanation.scored_by_length = options.length_penalty > 0;
  if (options.coverage_penalty > 0)
    explanation.also_scored.push_back("how little of the source was overlooked");
  if (translator.reverse().weight > 0 && options.beam_size > 1)
    explanation.also_scored.push_back("how well the way back leads to the source");
  const std::vector<Hypothesis> found = translator.search(sentence, options, explanation.tree);
  const Hypothesis& best = found.front();
  explanation.words = words_of(translator, {from.vocabulary.encode(explanation.source_words), best.tokens},
                               best.finished, rivals, options.before_word);
  explanation.source_words.push_back("⏎");
  for (const Hypothesis& hypothesis : found) {
    if (options.before_word) options.before_word();  // attention to unknown words takes time, too
    explanation.ranked.push_back(
        {translator.text_of(sentence, hypothesis), hypothesis.score, hypothesis.log_probability});
  }
  for (const BeamNode& node : explanation.tree.nodes)
    explanation.tree_words.push_back(shown(to.vocabulary, node.token));
  return explanation;
}

}  // namespace gradual
