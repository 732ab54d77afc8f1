#include <gradual/nn/translation/minimum_risk.hpp>

#include <algorithm>
#include <map>
#include <stdexcept>
#include <utility>

#include <gradual/core/error.hpp>
#include <gradual/core/threads.hpp>

namespace gradual {

UtilityFunction utility_of(const MinimumRiskOptions& options) {
  switch (options.utility) {
    case Utility::chrf:
      return [](const std::string& candidate, const std::string& right) {
        return candidate == right ? 100 : chrf({candidate}, {{right}}).score;
      };
    case Utility::bleu:
      return [counted = options.bleu](const std::string& candidate, const std::string& right) {
        return candidate == right ? 100 : bleu_counts({candidate}, {{right}}, counted)[0].sentence_score();
      };
  }
  throw std::invalid_argument("minimum risk: no such utility");
}

std::vector<double> expected_utilities(const std::vector<std::string>& candidates,
                                       const std::vector<std::string>& samples,
                                       const UtilityFunction& utility) {
  if (samples.empty())
    throw std::invalid_argument("minimum risk: there must be samples to compare with: there are none");
  std::map<std::string, double> times;  // a model that is sure says the same again and again
  for (const std::string& sample : samples) ++times[sample];
  std::vector<double> result;
  for (const std::string& candidate : candidates) {
    double sum = 0;
    for (const auto& [sample, count] : times) sum += count * utility(candidate, sample);
    result.push_back(sum / static_cast<double>(samples.size()));
  }
  return result;
}

std::vector<std::vector<Hypothesis>> search_by_minimum_risk(const Translator& translator,
                                                            const std::vector<std::string>& sentences,
                                                            const BeamOptions& search,
                                                            const MinimumRiskOptions& options,
                                                            Random random) {
  if (search.n_best < 1)
    throw std::invalid_argument(text("minimum risk: n_best must be positive: got ", search.n_best));
  const UtilityFunction utility = utility_of(options);
  BeamOptions one = search;
  one.n_best = 1;
  std::vector<std::vector<Hypothesis>> result = translator.search(sentences, one);
  const std::vector<std::vector<Hypothesis>> drawn =
      translator.draw(sentences, options.samples, search, options.temperature, random);
  parallel_tasks(static_cast<Index>(sentences.size()), [&](Index task) {
    const auto place = static_cast<std::size_t>(task);
    std::vector<std::string> candidates, samples;
    std::vector<Hypothesis> hypotheses;  // of the candidates
    const auto add_candidate = [&](const Hypothesis& hypothesis, const std::string& words) {
      if (std::find(candidates.begin(), candidates.end(), words) != candidates.end()) return;
      candidates.push_back(words);
      hypotheses.push_back(hypothesis);
    };
    const Hypothesis& searched = result[place].front();
    add_candidate(searched, translator.text_of(sentences[place], searched));
    for (const Hypothesis& each : drawn[place]) {
      samples.push_back(translator.text_of(sentences[place], each));
      add_candidate(each, samples.back());
    }
    const std::vector<double> expected = expected_utilities(candidates, samples, utility);
    for (std::size_t i = 0; i < hypotheses.size(); ++i) hypotheses[i].score = expected[i];
    // Of equal ones the first: what the search found, then what was drawn first.
    std::stable_sort(hypotheses.begin(), hypotheses.end(),
                     [](const Hypothesis& a, const Hypothesis& b) { return a.score > b.score; });
    if (static_cast<Index>(hypotheses.size()) > search.n_best)
      hypotheses.resize(static_cast<std::size_t>(search.n_best));
    result[place] = std::move(hypotheses);
  });
  return result;
}

}  // namespace gradual
