#include <gradual/nn/translation/ibm_model1.hpp>

#include <algorithm>
#include <stdexcept>

#include <gradual/core/error.hpp>

namespace gradual {
namespace {

void check_pairs(const std::vector<EncodedPair>& pairs, int rounds) {
  if (rounds < 1) throw std::invalid_argument(text("ibm_model1: rounds must be positive: got ", rounds));
  for (const EncodedPair& pair : pairs)
    for (const auto* words : {&pair.source, &pair.target})
      for (const std::int32_t word : *words)
        if (word < 0) throw std::invalid_argument(text("ibm_model1: words must not be negative: got ", word));
}

}  // namespace

IbmModel1::IbmModel1(const std::vector<EncodedPair>& pairs, int rounds) {
  check_pairs(pairs, rounds);
  for (const EncodedPair& pair : pairs) {
    for (const std::int32_t e : pair.source) {
      if (static_cast<std::size_t>(e) >= table_.size()) table_.resize(static_cast<std::size_t>(e) + 1);
      for (const std::int32_t f : pair.target) table_[static_cast<std::size_t>(e)][f] = 1;
    }
  }
  for (int round = 0; round < rounds; ++round) {
    std::vector<Row> counts(table_.size());
    for (const EncodedPair& pair : pairs) {
      for (const std::int32_t f : pair.target) {
        double total = 0;
        for (const std::int32_t e : pair.source) total += probability(f, e);
        for (const std::int32_t e : pair.source)
          counts[static_cast<std::size_t>(e)][f] += probability(f, e) / total;
      }
    }
    for (Row& row : counts) {
      double total = 0;
      for (const auto& each : row) total += each.second;
      for (auto& each : row) each.second /= total;
    }
    table_ = std::move(counts);
  }
}

double IbmModel1::probability(std::int32_t target, std::int32_t source) const {
  if (source < 0 || source >= source_words()) return 0;
  const Row& row = table_[static_cast<std::size_t>(source)];
  const auto found = row.find(target);
  return found == row.end() ? 0 : found->second;
}

std::vector<std::int32_t> IbmModel1::likeliest(std::int32_t source, std::size_t most) const {
  if (source < 0 || source >= source_words()) return {};
  const Row& row = table_[static_cast<std::size_t>(source)];
  std::vector<std::pair<std::int32_t, double>> all(row.begin(), row.end());
  std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) {
    return a.second != b.second ? a.second > b.second : a.first < b.first;
  });
  std::vector<std::int32_t> words;
  for (std::size_t i = 0; i < std::min(most, all.size()); ++i) words.push_back(all[i].first);
  return words;
}

}  // namespace gradual
