#include "verdict_weights.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <gradual/core/error.hpp>
#include <gradual/nn/drawing/line_text.hpp>
#include <gradual/nn/drawing/number_text.hpp>

using namespace gradual;

namespace {

// Means over the reviews with several verdicts: of the weight on the last one, and on one of those before.
struct LastAndEarlier {
  double last = 0, earlier = 0, reviews = 0;

  void add(const std::vector<double>& weights) {
    if (weights.size() < 2) return;
    double before = 0;
    for (std::size_t i = 0; i + 1 < weights.size(); ++i) before += weights[i];
    last += weights.back();
    earlier += before / static_cast<double>(weights.size() - 1);
    ++reviews;
  }
  std::string text_of(double sum) const { return fixed_text(sum / reviews, 2); }
};

}  // namespace

std::vector<double> on_verdicts(const LabelledText& review, const std::vector<double>& weights) {
  std::vector<double> found;
  for (const ReviewVerdict& each : verdicts(review)) found.push_back(on_sentence(each, weights));
  return found;
}

std::vector<ReviewVerdict> sentences_of(const LabelledText& review) {
  const std::vector<ReviewVerdict> all = verdicts(review);
  std::vector<ReviewVerdict> sentences;
  std::size_t begin = 0;
  for (std::size_t i = 0; i < review.words.size(); ++i) {
    if (review.words[i] != ".") continue;
    const auto its =
        std::find_if(all.begin(), all.end(), [&](const ReviewVerdict& each) { return each.begin == begin; });
    sentences.push_back(its == all.end() ? ReviewVerdict{"", begin, i + 1} : *its);
    begin = i + 1;
  }
  return sentences;
}

double on_sentence(const ReviewVerdict& sentence, const std::vector<double>& weights) {
  double sum = 0;
  for (std::size_t i = sentence.begin; i < sentence.end; ++i) sum += weights[i];
  return sum;
}

std::string which_counts(const LabelledText& review) {
  std::vector<std::string> labels;
  for (const ReviewVerdict& each : verdicts(review)) labels.push_back(each.label);
  if (labels.empty()) return "no verdict: neither";
  return list_text(labels, ", ") + (labels.size() == 1 ? ": the only verdict" : ": the last one counts");
}

std::string where_weights_are(const Trial& trial) {
  LastAndEarlier told, not_told;
  for (std::size_t i = 0; i < trial.verdicts.size(); ++i) {
    const LabelledText& review = trial.documents.held_out[i];
    told.add(on_verdicts(review, trial.verdicts[i].word_weights));
    if (!trial.without_places.empty()) not_told.add(on_verdicts(review, trial.without_places_weights[i]));
  }
  if (told.reviews == 0) return "";
  std::string sentence = text("Of several verdicts attention gives the last ", told.text_of(told.last),
                              ", each earlier ", told.text_of(told.earlier));
  if (not_told.reviews == 0) return sentence + ".";
  const bool alike = std::abs(not_told.last - not_told.earlier) < 0.1 * (not_told.last + not_told.earlier);
  return text(sentence, "; without places, ", not_told.text_of(not_told.last), " and ",
              not_told.text_of(not_told.earlier), alike ? ": about evenly, on average." : ".");
}

bool is_split(const LabelledText& review, const std::vector<double>& weights) {
  constexpr double nearly_all = 0.9, near = 0.2;
  const std::vector<ReviewVerdict> all = verdicts(review);
  if (all.size() < 2) return false;
  const std::vector<double> shares = on_verdicts(review, weights);
  const auto rival = std::max_element(shares.begin(), shares.end() - 1);
  const double last = shares.back();
  return last + *rival >= nearly_all && std::abs(last - *rival) <= near &&
         all[static_cast<std::size_t>(rival - shares.begin())].label != all.back().label;
}

bool are_outweighed(const LabelledText& review, const std::vector<double>& weights) {
  constexpr double near = 0.05;
  const std::vector<double> shares = on_verdicts(review, weights);
  if (shares.size() < 3) return false;
  const auto most_before = *std::max_element(shares.begin(), shares.end() - 1);
  const double before = std::accumulate(shares.begin(), shares.end() - 1, 0.0);
  const std::vector<ReviewVerdict> all = verdicts(review);
  return shares.back() > most_before && before > shares.back() - near &&
         std::none_of(all.begin(), all.end() - 1,
                      [&](const ReviewVerdict& each) { return each.label == all.back().label; });
}

std::string about_verdicts(const Trial& trial, std::size_t i) {
  const LabelledText& review = trial.documents.held_out[i];
  const std::string which = which_counts(review);
  if (trial.by_attention[i] != review.label)
    return which +
           (is_split(review, trial.verdicts[i].word_weights) ? ", but attention splits its weight" : "");
  const bool outweighed = !trial.without_places.empty() && trial.without_places[i] != review.label &&
                          are_outweighed(review, trial.without_places_weights[i]);
  return which +
         (outweighed ? "; without places it has most weight, but no more than the others together" : "");
}
