#include <gradual/nn/decoding/token_choice.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

#include <gradual/core/error.hpp>

namespace gradual {
namespace {

// Makes the probabilities sum to 1.
void normalize(std::vector<TokenProbability>& choices) {
  double total = 0;
  for (const TokenProbability& choice : choices) total += choice.probability;
  for (TokenProbability& choice : choices) choice.probability /= total;
}

}  // namespace

void SamplingOptions::check() const {
  if (!(temperature > 0 && std::isfinite(temperature)))
    throw std::invalid_argument(text("sampling: the temperature must be above 0: got ", temperature));
  if (top_k < 0) throw std::invalid_argument(text("sampling: top_k must not be negative: got ", top_k));
  if (!(top_p > 0 && top_p <= 1))
    throw std::invalid_argument(text("sampling: top_p must lie above 0 and up to 1: got ", top_p));
}

std::vector<TokenProbability> choices(const Real* logits, Index vocabulary, const SamplingOptions& options,
                                      const std::vector<std::int32_t>& excluded) {
  options.check();
  constexpr double infinity = std::numeric_limits<double>::infinity();
  std::vector<TokenProbability> all;
  for (Index i = 0; i < vocabulary; ++i) {
    const auto logit = static_cast<double>(logits[i]);
    const auto token = static_cast<std::int32_t>(i);
    if (!(logit < infinity)) return {};
    if (logit == -infinity || std::find(excluded.begin(), excluded.end(), token) != excluded.end()) continue;
    all.push_back({token, logit});
  }
  const Index kept = options.top_k == 0 ? static_cast<Index>(all.size())
                                        : std::min(options.top_k, static_cast<Index>(all.size()));
  std::partial_sort(all.begin(), all.begin() + kept, all.end(), [](const auto& a, const auto& b) {
    return a.probability != b.probability ? a.probability > b.probability : a.token < b.token;
  });
  all.resize(static_cast<std::size_t>(kept));
  if (all.empty()) return all;
  const double largest = all.front().probability;  // which is taken away first: a quotient may be infinite
  for (TokenProbability& choice : all)
    choice.probability = std::exp((choice.probability - largest) / options.temperature);
  normalize(all);

  double reached = 0;
  std::size_t count = 0;
  while (count < all.size() && reached < options.top_p) reached += all[count++].probability;
  all.resize(count);
  normalize(all);
  return all;
}

std::int32_t choose_token(const Real* logits, Index vocabulary, const SamplingOptions& options,
                          Random& random, const std::vector<std::int32_t>& excluded) {
  const std::vector<TokenProbability> all = choices(logits, vocabulary, options, excluded);
  double left = random.uniform();
  for (const TokenProbability& choice : all) {
    left -= choice.probability;
    if (left < 0) return choice.token;
  }
  return all.empty() ? -1 : all.back().token;  // rounding can leave a little
}

}  // namespace gradual
