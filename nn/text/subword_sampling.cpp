#include <gradual/nn/text/subword_sampling.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <utility>

#include <gradual/core/error.hpp>
#include <gradual/nn/text/utf8.hpp>

namespace gradual {
namespace {

// The bytes at which the letters of a word begin, and its end.
std::vector<std::size_t> places_of_letters(std::string_view word) {
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < word.size(); ++i)
    if (begins_character(word[i])) places.push_back(i);
  places.push_back(word.size());
  return places;
}

// A piece of a word, and the two that it was merged of.
struct MergedPiece {
  std::string_view text;
  std::size_t left, right;
  bool is_letter;
};

// A piece that may end where a cut is looked for.
struct LastPiece {
  std::size_t first;  // letter
  double weight;      // α·log p
};

}  // namespace

SubwordSampler::SubwordSampler(SubwordKind kind, std::vector<SubwordPiece> pieces, double strength)
    : kind_(kind), strength_(strength), pieces_(std::move(pieces)) {
  if (!(strength >= 0 && strength <= 1))
    throw std::invalid_argument(
        text("subwords: the strength of sampling must lie in [0, 1]: got ", strength));
  if (pieces_.empty())
    throw std::invalid_argument("subwords: there must be pieces to sample: there are none");
  double lowest = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < pieces_.size(); ++i) {
    known_.emplace(pieces_[i].text, i);
    lowest = std::min(lowest, pieces_[i].score);
    longest_ = std::max(longest_, pieces_[i].text.size());
  }
  unknown_ = lowest - 10;  // as SentencePiece has it
}

const SubwordPiece* SubwordSampler::find(std::string_view text) const {
  const auto found = known_.find(text);
  return found == known_.end() ? nullptr : &pieces_[found->second];
}

std::vector<std::string> SubwordSampler::operator()(std::string_view word, Random& random) const {
  if (const auto byte = first_invalid_byte(word))
    throw std::invalid_argument(text("subwords: a word must be UTF-8: byte ", *byte, " is not"));
  const std::vector<std::size_t> places = places_of_letters(word);
  return kind_ == SubwordKind::bpe ? merged(word, places, random) : drawn(word, places, random);
}

std::vector<std::string> SubwordSampler::merged(std::string_view word, const std::vector<std::size_t>& places,
                                                Random& random) const {
  std::vector<MergedPiece> all;  // that were ever made
  std::vector<std::size_t> row;  // those that the word consists of now
  for (std::size_t i = 0; i + 1 < places.size(); ++i) {
    row.push_back(all.size());
    all.push_back({word.substr(places[i], places[i + 1] - places[i]), 0, 0, true});
  }
  const auto both = [&](std::size_t i) {  // what the i-th in the row and the next one spell
    const std::string_view a = all[row[i]].text, b = all[row[i + 1]].text;
    return std::string_view(a.data(), a.size() + b.size());
  };
  std::vector<const SubwordPiece*> merges;  // of the i-th and the next one; null: there is none
  for (std::size_t i = 0; i + 1 < row.size(); ++i) merges.push_back(find(both(i)));
  while (true) {
    std::size_t best = merges.size();
    for (std::size_t i = 0; i < merges.size(); ++i) {
      if (!merges[i] || random.uniform() < strength_) continue;
      if (best == merges.size() || merges[i]->score > merges[best]->score) best = i;
    }
    if (best == merges.size()) break;
    all.push_back({both(best), row[best], row[best + 1], false});
    row[best] = all.size() - 1;
    row.erase(row.begin() + static_cast<std::ptrdiff_t>(best) + 1);
    merges.erase(merges.begin() + static_cast<std::ptrdiff_t>(best));
    if (best > 0) merges[best - 1] = find(both(best - 1));
    if (best < merges.size()) merges[best] = find(both(best));
  }
  // A piece that is not used becomes again what it was merged of.
  std::vector<std::string> result;
  std::vector<std::size_t> left(row.rbegin(), row.rend());
  while (!left.empty()) {
    const MergedPiece piece = all[left.back()];
    left.pop_back();
    if (piece.is_letter || find(piece.text)->used) {
      result.emplace_back(piece.text);
    } else {
      left.push_back(piece.right);
      left.push_back(piece.left);
    }
  }
  return result;
}

std::vector<std::string> SubwordSampler::drawn(std::string_view word, const std::vector<std::size_t>& places,
                                               Random& random) const {
  const std::size_t letters = places.size() - 1;
  // sums[j] = log Σ over all cuts of the first j letters of Π p^α
  std::vector<double> sums(letters + 1, 0);
  std::vector<std::vector<LastPiece>> ends(letters + 1);
  for (std::size_t j = 1; j <= letters; ++j) {
    double largest = -std::numeric_limits<double>::infinity();
    for (std::size_t i = j; i-- > 0 && (i + 1 == j || places[j] - places[i] <= longest_);) {
      const SubwordPiece* piece = find(word.substr(places[i], places[j] - places[i]));
      if (piece && piece->used)
        ends[j].push_back({i, strength_ * piece->score});
      else if (i + 1 == j)
        ends[j].push_back({i, strength_ * unknown_});
      else
        continue;
      largest = std::max(largest, sums[i] + ends[j].back().weight);
    }
    double total = 0;
    for (const LastPiece& each : ends[j]) total += std::exp(sums[each.first] + each.weight - largest);
    sums[j] = largest + std::log(total);
  }
  std::vector<std::string> result;
  for (std::size_t j = letters; j > 0;) {
    double left = random.uniform();
    std::size_t first = ends[j].back().first;  // rounding can leave a little
    for (const LastPiece& each : ends[j]) {
      left -= std::exp(sums[each.first] + each.weight - sums[j]);
      if (left >= 0) continue;
      first = each.first;
      break;
    }
    result.emplace_back(word.substr(places[first], places[j] - places[first]));
    j = first;
  }
  std::reverse(result.begin(), result.end());
  return result;
}

}  // namespace gradual
