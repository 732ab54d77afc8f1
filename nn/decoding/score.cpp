#include <gradual/nn/decoding/score.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include <gradual/core/error.hpp>

namespace gradual {
namespace {

using Words = std::vector<std::int32_t>;

// The best `count` words of a row that are not the one that was said.
std::vector<TokenProbability> rivals_of(std::int32_t said, const TopClasses& best, Index row, Index count) {
  std::vector<TokenProbability> rivals;
  for (Index i = row * best.count; i < (row + 1) * best.count; ++i) {
    const std::int32_t token = best.ids[static_cast<std::size_t>(i)];
    if (token < 0 || token == said || static_cast<Index>(rivals.size()) == count) continue;
    rivals.push_back(
        {token, std::exp(static_cast<double>(best.log_probabilities[static_cast<std::size_t>(i)]))});
  }
  return rivals;
}

// Keeps the sentences that have something to say at this step; false when none has.
bool drop_finished(std::vector<Index>& sentences, const std::vector<Words>& said, std::size_t step,
                   TranslationModel::State* state) {
  std::vector<Index> rows, remaining;
  for (std::size_t row = 0; row < sentences.size(); ++row) {
    if (said[static_cast<std::size_t>(sentences[row])].size() <= step) continue;
    rows.push_back(static_cast<Index>(row));
    remaining.push_back(sentences[row]);
  }
  if (rows.size() < sentences.size() && !rows.empty()) state->select(rows);
  sentences = std::move(remaining);
  return !rows.empty();
}

}  // namespace

std::vector<ScoredTranslation> score(const TranslationModel& model, const SourceBatch& source,
                                     const std::vector<Words>& translations, const ScoringOptions& options) {
  const Index count = source.ids.dim(0);
  if (static_cast<Index>(translations.size()) != count)
    throw std::invalid_argument(text("score: there must be one translation for each sentence: ", count,
                                     " sentences, ", translations.size(), " translations"));
  if (options.rivals < 0)
    throw std::invalid_argument(text("score: rivals must not be negative: got ", options.rivals));
  std::vector<Words> said = translations;  // what the model is to say
  if (options.end >= 0) {
    for (Words& words : said) words.push_back(options.end);
  }
  std::vector<ScoredTranslation> scored(said.size());
  std::vector<Index> sentences(said.size());  // whose row is whose
  std::iota(sentences.begin(), sentences.end(), Index(0));
  const auto state = count > 0 ? model.start(source) : nullptr;
  for (std::size_t step = 0; drop_finished(sentences, said, step, state.get()); ++step) {
    if (options.before_word) options.before_word();
    Words before;
    for (Index sentence : sentences)
      before.push_back(step == 0 ? options.begin : said[static_cast<std::size_t>(sentence)][step - 1]);
    const Tensor logits = model.next({Shape{static_cast<Index>(before.size())}, std::move(before)}, *state);
    const Tensor log_probabilities = log_softmax(logits);
    TopClasses best{};
    if (options.rivals > 0) best = top_log_softmax(logits, std::min(options.rivals, logits.dim(1) - 1) + 1);
    for (Index row = 0; row < logits.dim(0); ++row) {
      const auto sentence = static_cast<std::size_t>(sentences[static_cast<std::size_t>(row)]);
      const std::int32_t token = said[sentence][step];
      if (token < 0 || token >= logits.dim(1))
        throw std::invalid_argument(text("score: words must lie in 0 … ", logits.dim(1) - 1, ": sentence ",
                                         sentence, " has ", token));
      const auto log_probability = static_cast<double>(log_probabilities({row, token}));
      scored[sentence].words.push_back({token, log_probability, rivals_of(token, best, row, options.rivals)});
      scored[sentence].log_probability += log_probability;
    }
  }
  return scored;
}

}  // namespace gradual
