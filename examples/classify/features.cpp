#include "features.hpp"

#include <algorithm>

#include <gradual/nn/text/utf8.hpp>

#include "word_form.hpp"

using namespace gradual;

namespace {

std::vector<std::string> in_lower_case(const LabelledText& document) {
  std::vector<std::string> words;
  for (const std::string& word : document.words) words.push_back(lower_case(word));
  return words;
}

Vocabulary frequent_words(const Documents& documents, Index min_count) {
  std::vector<std::vector<std::string>> all;
  for (const LabelledText& document : documents) all.push_back(in_lower_case(document));
  return Vocabulary::build(all, min_count);
}

}  // namespace

Features::Features(const Documents& documents, Index min_count)
    : vocabulary_(frequent_words(documents, min_count)) {}

std::vector<WordFeatures> Features::of(const LabelledText& document) const {
  const std::vector<std::int32_t> numbers = vocabulary_.encode(in_lower_case(document));
  std::vector<WordFeatures> result;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const std::string& word = document.words[i];
    result.push_back(
        {numbers[i], affixes_of(word, piece_count - 1), static_cast<std::int32_t>(shape_of(word))});
    for (std::int32_t& piece : result.back().pieces) ++piece;
  }
  return result;
}

std::vector<WordFeatures> Features::with_words_hidden(std::vector<WordFeatures> document, double r,
                                                      Random random) const {
  for (WordFeatures& each : document) {
    if (each.word == Vocabulary::unknown) continue;
    if (random.uniform() >= r / (r + static_cast<double>(vocabulary_.count(each.word)))) continue;
    each.word = Vocabulary::unknown;
    each.pieces.fill(0);
  }
  return document;
}

DocumentBatch Features::batch(const std::vector<std::vector<WordFeatures>>& documents) const {
  std::size_t longest = 1;
  for (const auto& document : documents) longest = std::max(longest, document.size());
  std::vector<std::int32_t> words, pieces, shapes, places, lengths;
  std::vector<Real> present;
  for (const auto& document : documents) {
    lengths.push_back(static_cast<std::int32_t>(document.size()));
    for (std::size_t w = 0; w < longest; ++w) {
      const WordFeatures& each = w < document.size() ? document[w] : WordFeatures{Vocabulary::pad, {}, 0};
      words.push_back(each.word);
      pieces.insert(pieces.end(), each.pieces.begin(), each.pieces.end());
      shapes.push_back(each.shape);
      places.push_back(static_cast<std::int32_t>(std::min<Index>(static_cast<Index>(w), place_count - 1)));
      present.push_back(w < document.size() ? Real(1) : Real(0));
    }
  }
  const auto B = static_cast<Index>(documents.size()), S = static_cast<Index>(longest);
  return {Indices({B, S}, words),  Indices({B, S, 5}, pieces), Indices({B, S}, shapes),
          Indices({B, S}, places), Tensor({B, S, 1}, present), Indices({B}, lengths)};
}
