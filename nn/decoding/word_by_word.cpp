#include <gradual/nn/decoding/word_by_word.hpp>

#include <numeric>
#include <stdexcept>
#include <utility>

#include <gradual/core/error.hpp>

namespace gradual {

std::vector<Hypothesis> write_word_by_word(const char* operation, const TranslationModel& model,
                                           const SourceBatch& source, const DecodingOptions& options,
                                           const WordChooser& choose) {
  const auto count = static_cast<std::size_t>(source.ids.dim(0));
  options.check(operation, source.ids.dim(0));
  std::vector<Hypothesis> hypotheses(count);
  if (count == 0) return hypotheses;
  std::vector<Index> sentences(count);  // whose row is whose
  std::iota(sentences.begin(), sentences.end(), Index(0));
  std::vector<std::int32_t> words(count, options.begin);

  const auto state = model.start(source);
  for (Index step = 0; step < options.max_length; ++step) {
    if (options.before_word) options.before_word();
    const std::vector<ChosenWord> chosen =
        choose({Shape{static_cast<Index>(words.size())}, words}, *state, sentences);
    if (chosen.size() != words.size())
      throw std::invalid_argument(text(operation,
                                       ": a chooser must choose a word for each sentence: it chose ",
                                       chosen.size(), " for ", words.size()));
    std::vector<Index> going_on;  // rows
    words.clear();
    for (std::size_t row = 0; row < chosen.size(); ++row) {
      const auto [token, log_probability] = chosen[row];
      if (token < 0) throw no_word_left(operation, sentences[row], step);
      Hypothesis& hypothesis = hypotheses[static_cast<std::size_t>(sentences[row])];
      hypothesis.log_probability += log_probability;
      hypothesis.score = hypothesis.log_probability;
      hypothesis.finished = token == options.end;
      if (hypothesis.finished) continue;
      hypothesis.tokens.push_back(token);
      if (step + 1 == options.longest(sentences[row])) continue;
      going_on.push_back(static_cast<Index>(row));
      words.push_back(token);
    }
    if (words.empty()) break;
    if (words.size() == chosen.size()) continue;
    std::vector<Index> remaining;
    for (Index row : going_on) remaining.push_back(sentences[static_cast<std::size_t>(row)]);
    sentences = std::move(remaining);
    state->select(going_on);
  }
  return hypotheses;
}

}  // namespace gradual
