#include <gradual/nn/decoding/word_by_word.hpp>

#include <numeric>
#include <stdexcept>
#include <utility>

#include <gradual/core/error.hpp>

namespace gradual {

std::vector<Hypothesis> write_word_by_word(const char* operation, const TranslationModel& model,
                                           const SourceBatch& source, const DecodingOptions& options,
                                           const WordChooser& choose, Index each) {
  options.check(operation, source.ids.dim(0));
  if (each < 1)
    throw std::invalid_argument(
        text(operation, ": each sentence must have a translation: asked for ", each, " of each"));
  const auto count = static_cast<std::size_t>(source.ids.dim(0) * each);
  std::vector<Hypothesis> hypotheses(count);
  if (count == 0) return hypotheses;
  std::vector<Index> translations(count);  // which of them each row writes
  std::iota(translations.begin(), translations.end(), Index(0));
  std::vector<std::int32_t> words(count, options.begin);

  const auto state = model.start(source);
  if (each > 1) {
    std::vector<Index> sentences;
    for (const Index translation : translations) sentences.push_back(translation / each);
    state->select(sentences);
  }
  for (Index step = 0; step < options.max_length; ++step) {
    if (options.before_word) options.before_word();
    const std::vector<ChosenWord> chosen =
        choose({Shape{static_cast<Index>(words.size())}, words}, *state, translations);
    if (chosen.size() != words.size())
      throw std::invalid_argument(text(operation,
                                       ": a chooser must choose a word for each sentence: it chose ",
                                       chosen.size(), " for ", words.size()));
    std::vector<Index> going_on, remaining;  // rows, and their translations
    words.clear();
    for (std::size_t row = 0; row < chosen.size(); ++row) {
      const auto [token, log_probability] = chosen[row];
      const Index translation = translations[row], sentence = translation / each;
      if (token < 0) throw NoWordLeft(operation, sentence, step);
      Hypothesis& hypothesis = hypotheses[static_cast<std::size_t>(translation)];
      hypothesis.log_probability += log_probability;
      hypothesis.score = hypothesis.log_probability;
      hypothesis.finished = token == options.end;
      if (hypothesis.finished) continue;
      hypothesis.tokens.push_back(token);
      if (step + 1 == options.longest(sentence)) continue;
      going_on.push_back(static_cast<Index>(row));
      remaining.push_back(translation);
      words.push_back(token);
    }
    if (words.empty()) break;
    if (words.size() == chosen.size()) continue;
    translations = std::move(remaining);
    state->select(going_on);
  }
  return hypotheses;
}

}  // namespace gradual
