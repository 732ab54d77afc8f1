#include "trial.hpp"

#include <algorithm>
#include <ctime>
#include <utility>

#include "ngrams.hpp"

using namespace gradual;

namespace {

constexpr double share_of_ngrams = 0.5;

std::size_t likeliest(const std::vector<double>& probabilities) {
  return static_cast<std::size_t>(std::max_element(probabilities.begin(), probabilities.end()) -
                                  probabilities.begin());
}

}  // namespace

const std::string& Trial::label(std::size_t i) const { return labels[likeliest(verdicts[i].probabilities)]; }

Trial try_out(DocumentSplit documents, const ModelSizes& sizes, const TrainingOptions& options,
              const Watch& watch, const Watch& watch_without_places) {
  Trial trial;
  const auto trained = [](const auto& train, Cost& cost) {
    const std::clock_t start = std::clock();
    auto classifier = train();
    cost = {classifier.parameter_count(), static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC};
    return classifier;
  };
  const Committee committee =
      trained([&] { return Committee(documents.train, sizes, options, watch); }, trial.attention_cost);
  const NgramClassifier ngrams =
      trained([&] { return NgramClassifier(documents.train, options.seed); }, trial.ngram_cost);
  trial.labels = LabelNames(documents.train).labels;
  trial.verdicts = committee.judge(documents.held_out);
  if (watch_without_places) {
    ModelSizes without = sizes;
    without.places = false;
    const Committee other =
        trained([&] { return Committee(documents.train, without, options, watch_without_places); },
                trial.without_places_cost);
    for (const Verdict& each : other.judge(documents.held_out)) {
      const std::size_t said = likeliest(each.probabilities);
      trial.without_places.push_back(trial.labels[said]);
      trial.without_places_sure.push_back(each.probabilities[said]);
      trial.without_places_weights.push_back(each.word_weights);
    }
  }
  const double percent = 100 / static_cast<double>(documents.held_out.size());
  for (std::size_t i = 0; i < documents.held_out.size(); ++i) {
    const LabelledText& document = documents.held_out[i];
    std::vector<double>& answer = trial.verdicts[i].probabilities;
    const std::vector<double> other = ngrams.judge(document);
    trial.by_attention.push_back(trial.label(i));
    trial.attention_sure.push_back(answer[likeliest(answer)]);
    trial.by_ngrams.push_back(trial.labels[likeliest(other)]);
    trial.ngrams_sure.push_back(other[likeliest(other)]);
    for (std::size_t c = 0; c < answer.size(); ++c)
      answer[c] = (1 - share_of_ngrams) * answer[c] + share_of_ngrams * other[c];
    trial.right.attention += trial.by_attention[i] == document.label ? percent : 0;
    trial.right.ngrams += trial.by_ngrams[i] == document.label ? percent : 0;
    if (watch_without_places)
      trial.right.without_places += trial.without_places[i] == document.label ? percent : 0;
    trial.right.both += trial.label(i) == document.label ? percent : 0;
  }
  trial.documents = std::move(documents);
  return trial;
}
