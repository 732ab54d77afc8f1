#include "features.hpp"

#include <algorithm>
#include <cctype>

#include <gradual/core/error.hpp>
#include <gradual/nn/text/utf8.hpp>

using namespace gradual;

namespace {

// All numbers are alike: every digit becomes 0.
std::string plain(const std::string& word) {
  std::string result = lower_case(word);
  for (char& c : result)
    if (std::isdigit(static_cast<unsigned char>(c))) c = '0';
  return result;
}

std::vector<std::vector<std::string>> plain_words(const std::vector<Document>& documents) {
  std::vector<std::vector<std::string>> result;
  for (const Document& document : documents) {
    result.emplace_back();
    for (const std::string& word : document.words) result.back().push_back(plain(word));
  }
  return result;
}

std::int32_t hashed(const std::string& piece) {
  std::uint32_t hash = 2166136261u;  // FNV-1a
  for (const char c : piece) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619u;
  return 1 + static_cast<std::int32_t>(hash % (Features::piece_count - 1));
}

// "Whales": whether it begins a name, its beginnings and its endings.
std::vector<std::int32_t> pieces_of(const std::string& word) {
  std::vector<std::int32_t> pieces;
  std::string shape;
  for (const char c : word.substr(0, 4))
    shape += std::isupper(static_cast<unsigned char>(c))   ? 'A'
             : std::isdigit(static_cast<unsigned char>(c)) ? '0'
             : std::isalpha(static_cast<unsigned char>(c)) ? 'a'
                                                           : c;
  pieces.push_back(hashed("shape " + shape));
  const std::vector<std::string> letters = split_characters(plain(word));
  std::string beginning, ending;
  for (std::size_t size = 1; size <= 5 && size < letters.size(); ++size) {
    beginning += letters[size - 1];
    ending = letters[letters.size() - size] + ending;
    if (size >= 3) pieces.push_back(hashed("begins " + beginning));
    if (size >= 2 && size <= 4) pieces.push_back(hashed("ends " + ending));
  }
  return pieces;
}

}  // namespace

Features::Features(const std::vector<Document>& documents, Index min_count)
    : vocabulary_(Vocabulary::build(plain_words(documents), min_count)), labels_(labels_of(documents)) {}

std::int32_t Features::label_number(const std::string& label) const {
  const auto found = std::find(labels_.begin(), labels_.end(), label);
  if (found != labels_.end()) return static_cast<std::int32_t>(found - labels_.begin());
  std::string known;
  for (const std::string& each : labels_) known += (known.empty() ? "" : ", ") + each;
  throw std::invalid_argument("classify: the label must occur in training: got \"" + label +
                              "\", known are " + known);
}

DocumentBatch Features::batch(const std::vector<const Document*>& documents) const {
  Index longest = 1, most_pieces = 1;
  std::vector<std::vector<std::vector<std::int32_t>>> pieces;
  for (const Document* document : documents) {
    longest = std::max(longest, static_cast<Index>(document->words.size()));
    pieces.emplace_back();
    for (const std::string& word : document->words) {
      pieces.back().push_back(pieces_of(word));
      most_pieces = std::max(most_pieces, static_cast<Index>(pieces.back().back().size()));
    }
  }
  const auto count = static_cast<Index>(documents.size());
  std::vector<std::int32_t> words(static_cast<std::size_t>(count * longest), Vocabulary::pad);
  std::vector<std::int32_t> piece_ids(static_cast<std::size_t>(count * longest * most_pieces), 0), lengths,
      labels;
  DocumentBatch batch;
  batch.shares = Tensor::zeros({count, longest, most_pieces});
  for (std::size_t d = 0; d < documents.size(); ++d) {
    const Document& document = *documents[d];
    for (std::size_t w = 0; w < document.words.size(); ++w) {
      const std::size_t place = d * static_cast<std::size_t>(longest) + w;
      words[place] = vocabulary_.encode({plain(document.words[w])}).front();
      const std::vector<std::int32_t>& own = pieces[d][w];
      for (std::size_t p = 0; p < own.size(); ++p) {
        piece_ids[place * static_cast<std::size_t>(most_pieces) + p] = own[p];
        batch.shares.mutable_data()[place * static_cast<std::size_t>(most_pieces) + p] =
            1 / static_cast<Real>(own.size());
      }
    }
    lengths.push_back(static_cast<std::int32_t>(document.words.size()));
    labels.push_back(label_number(document.label));
  }
  batch.words = Indices({count, longest}, words);
  batch.pieces = Indices({count, longest, most_pieces}, piece_ids);
  batch.lengths = Indices({count}, lengths);
  batch.labels = Indices({count}, labels);
  return batch;
}
