#include "ngrams.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <set>

#include <gradual/core/error.hpp>
#include <gradual/core/threads.hpp>
#include <gradual/nn/text/utf8.hpp>

#include "word_form.hpp"

using namespace gradual;

namespace {

// In lower case, and all numbers of one length alike.
std::string plain(const std::string& word) {
  std::string result = lower_case(word);
  for (char& c : result)
    if (std::isdigit(static_cast<unsigned char>(c))) c = '0';
  return result;
}

std::string question_word_of(const std::vector<std::string>& words) {
  static const std::set<std::string> all = {"what",  "who", "how",   "when", "where",
                                            "which", "why", "whose", "whom", "name"};
  const auto found =
      std::find_if(words.begin(), words.end(), [](const auto& word) { return all.count(word) > 0; });
  return found == words.end() ? "none" : *found;
}

// Each feature once, by a name. The first letter keeps features of different sorts apart.
std::set<std::string> features_of(const LabelledText& document) {
  std::vector<std::string> words;
  for (const std::string& word : document.words) words.push_back(plain(word));
  const std::string question = question_word_of(words);
  std::set<std::string> features = {"question " + question,
                                    text("length ", std::min<std::size_t>(words.size(), 12))};
  for (std::size_t i = 0; i < words.size(); ++i) {
    features.insert("w " + words[i]);
    features.insert("q " + question + " " + words[i]);
    features.insert(text("shape ", static_cast<int>(shape_of(document.words[i]))));
    const std::u32string letters = decode_utf8(words[i]);
    for (std::size_t n = 3; n <= 5 && n < letters.size(); ++n) {
      features.insert("begins " + encode_utf8(letters.substr(0, n)));
      features.insert("ends " + encode_utf8(letters.substr(letters.size() - n)));
    }
  }
  features.insert("first 2 " + words[0] + " " + (words.size() > 1 ? words[1] : ""));
  if (words.size() > 2) features.insert("first 3 " + words[0] + " " + words[1] + " " + words[2]);
  words.insert(words.begin(), "<");
  words.push_back(">");
  for (std::size_t i = 0; i + 1 < words.size(); ++i) {
    features.insert("2 " + words[i] + " " + words[i + 1]);
    if (i + 2 == words.size()) break;
    features.insert("3 " + words[i] + " " + words[i + 1] + " " + words[i + 2]);
    features.insert("around " + words[i] + " " + words[i + 2]);
  }
  return features;
}

}  // namespace

NgramClassifier::NgramClassifier(const Documents& documents, std::uint64_t seed) : names_(documents) {
  std::vector<std::int32_t> kinds;
  for (const LabelledText& each : documents) {
    kinds.push_back(names_.kind_number(each));
    for (const std::string& feature : features_of(each)) {
      const auto place = numbers_.emplace(feature, static_cast<std::int32_t>(numbers_.size())).first;
      if (static_cast<std::size_t>(place->second) == rarity_.size()) rarity_.push_back(0);
      ++rarity_[static_cast<std::size_t>(place->second)];
    }
  }
  for (double& each : rarity_)  // ln((1 + n) / (1 + n_f)) + 1 of n documents, n_f with the feature
    each = std::log((1 + static_cast<double>(documents.size())) / (1 + each)) + 1;
  std::vector<SparseRow> rows;
  for (const LabelledText& each : documents) rows.push_back(row_of(each));
  weights_.resize(names_.kinds.size());
  parallel_for(static_cast<Index>(weights_.size()), [&](Index kind) {
    weights_[static_cast<std::size_t>(kind)] =
        train_linear_svm(rows, kinds, static_cast<std::int32_t>(kind),
                         static_cast<Index>(numbers_.size()) + 1, 1, Random(seed));
  });
}

SparseRow NgramClassifier::row_of(const LabelledText& document) const {
  SparseRow row;
  double square = 0;
  for (const std::string& feature : features_of(document)) {
    const auto found = numbers_.find(feature);
    if (found == numbers_.end()) continue;
    const double weight = rarity_[static_cast<std::size_t>(found->second)];
    row.emplace_back(found->second, static_cast<float>(weight));
    square += weight * weight;
  }
  for (auto& [feature, value] : row) value /= static_cast<float>(std::sqrt(square));
  row.emplace_back(static_cast<std::int32_t>(numbers_.size()), 1.0f);
  return row;
}

Index NgramClassifier::parameter_count() const {
  return static_cast<Index>(weights_.size() * weights_.front().size());
}

std::vector<double> NgramClassifier::judge(const LabelledText& document) const {
  constexpr double sharpness = 4;
  const SparseRow row = row_of(document);
  std::vector<double> decisions;
  for (const std::vector<double>& weights : weights_) decisions.push_back(dot(weights, row));
  const double largest = *std::max_element(decisions.begin(), decisions.end());
  std::vector<double> probabilities(names_.labels.size(), 0);
  double total = 0;
  for (std::size_t kind = 0; kind < decisions.size(); ++kind) {
    const double share = std::exp(sharpness * (decisions[kind] - largest));
    probabilities[names_.label_of_kind[kind]] += share;
    total += share;
  }
  for (double& each : probabilities) each /= total;
  return probabilities;
}
