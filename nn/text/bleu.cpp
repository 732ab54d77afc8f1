#include <gradual/nn/text/bleu.hpp>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iomanip>
#include <sstream>
#include <stdexcept>
#include <string_view>
#include <unordered_map>
#include <utility>

#include <gradual/core/error.hpp>
#include <gradual/nn/text/scores/word_numbers.hpp>
#include <gradual/nn/text/utf8.hpp>

namespace gradual {
namespace {

constexpr std::size_t bleu_order = 4;
constexpr std::size_t chrf_order = 6;

using References = std::vector<std::vector<std::string>>;
/// A sentence as its words, each a number (BLEU), or as its characters (chrF).
using Symbols = std::u32string;
using NgramCounts = std::unordered_map<std::u32string_view, Index>;  // views into a Symbols that outlives it

NgramCounts count_ngrams(std::u32string_view symbols, std::size_t n) {
  NgramCounts counts;
  for (std::size_t i = 0; i + n <= symbols.size(); ++i) ++counts[symbols.substr(i, n)];
  return counts;
}

Index number_of_ngrams(const Symbols& symbols, std::size_t n) {
  return symbols.size() < n ? 0 : static_cast<Index>(symbols.size() - n + 1);
}

/// The n-grams of `counts` that are in `reference`, each no more often than there.
Index matches(const NgramCounts& counts, const NgramCounts& reference) {
  Index matched = 0;
  for (const auto& [ngram, count] : counts) {
    const auto found = reference.find(ngram);
    if (found != reference.end()) matched += std::min(count, found->second);
  }
  return matched;
}

void check_sizes(const char* operation, const std::vector<std::string>& hypotheses,
                 const References& references) {
  if (hypotheses.empty() || hypotheses.size() != references.size()) {
    throw std::invalid_argument(text(operation,
                                     ": each hypothesis must have its references, and there must be one: "
                                     "there are ",
                                     hypotheses.size(), " hypotheses and references for ",
                                     references.size()));
  }
  for (std::size_t i = 0; i < references.size(); ++i) {
    if (references[i].empty()) {
      throw std::invalid_argument(
          text(operation, ": each hypothesis must have a reference: sentence ", i, " has none"));
    }
  }
}

/// The start of a signature: "nrefs:1|case:mixed", or "nrefs:var" when their number differs between
/// sentences.
std::string signature_start(const References& references, bool lowercase) {
  const std::size_t count = references.front().size();
  const bool same =
      std::all_of(references.begin(), references.end(), [&](auto& r) { return r.size() == count; });
  return text("nrefs:", same ? std::to_string(count) : "var", "|case:", lowercase ? "lc" : "mixed");
}

const char* name_of(BleuTokens tokens) {
  switch (tokens) {
    case BleuTokens::mteval_13a:
      return "13a";
    case BleuTokens::none:
      return "none";
    case BleuTokens::characters:
      return "char";
  }
  throw std::invalid_argument("bleu: no such BleuTokens");
}

// ---------------------------------------------------------------------------------------------------------------
// BLEU

BleuCounts counts_of(const Symbols& hypothesis, const std::vector<Symbols>& references) {
  const auto length = static_cast<Index>(hypothesis.size());
  const auto distance = [length](const Symbols& reference) {
    const auto other = static_cast<Index>(reference.size());
    return std::make_pair(std::abs(other - length), other);
  };
  const auto nearest = std::min_element(references.begin(), references.end(),
                                        [&](auto& a, auto& b) { return distance(a) < distance(b); });
  BleuCounts counts;
  counts.hypothesis_length = length;
  counts.reference_length = static_cast<Index>(nearest->size());
  for (std::size_t n = 1; n <= bleu_order; ++n) {
    NgramCounts most;  // of each n-gram, in the reference that has most of it
    for (const Symbols& reference : references) {
      for (const auto& [ngram, count] : count_ngrams(reference, n))
        most[ngram] = std::max(most[ngram], count);
    }
    counts.matched[n - 1] = matches(count_ngrams(hypothesis, n), most);
    counts.all[n - 1] = number_of_ngrams(hypothesis, n);
  }
  return counts;
}

// ---------------------------------------------------------------------------------------------------------------
// chrF

/// For each length, the n-grams of the hypotheses, of the references, and those in both.
struct ChrfCounts {
  std::array<Index, chrf_order> hypothesis{}, reference{}, matched{};

  static ChrfCounts of(const Symbols& hypothesis, const Symbols& reference) {
    ChrfCounts counts;
    for (std::size_t n = 1; n <= chrf_order; ++n) {
      counts.reference[n - 1] = number_of_ngrams(reference, n);
      counts.hypothesis[n - 1] = counts.reference[n - 1] > 0 ? number_of_ngrams(hypothesis, n) : 0;
      counts.matched[n - 1] = matches(count_ngrams(hypothesis, n), count_ngrams(reference, n));
    }
    return counts;
  }

  void add(const ChrfCounts& other) {
    for (std::size_t i = 0; i < chrf_order; ++i) {
      hypothesis[i] += other.hypothesis[i];
      reference[i] += other.reference[i];
      matched[i] += other.matched[i];
    }
  }

  double score() const {
    double precision = 0, recall = 0, lengths = 0;
    for (std::size_t i = 0; i < chrf_order; ++i) {
      if (hypothesis[i] == 0 || reference[i] == 0) continue;
      precision += static_cast<double>(matched[i]) / static_cast<double>(hypothesis[i]);
      recall += static_cast<double>(matched[i]) / static_cast<double>(reference[i]);
      ++lengths;
    }
    if (precision + recall == 0) return 0;
    precision /= lengths;
    recall /= lengths;
    return 100 * 5 * precision * recall / (4 * precision + recall);
  }
};

Symbols characters(const std::string& sentence, bool lowercase) {
  Symbols all = decode_utf8(lowercase ? lower_case(sentence) : sentence);
  all.erase(std::remove_if(all.begin(), all.end(), is_space), all.end());
  return all;
}

}  // namespace

BleuCounts& BleuCounts::operator+=(const BleuCounts& other) {
  hypothesis_length += other.hypothesis_length;
  reference_length += other.reference_length;
  for (std::size_t i = 0; i < bleu_order; ++i) {
    matched[i] += other.matched[i];
    all[i] += other.all[i];
  }
  return *this;
}

double BleuCounts::brevity_penalty() const {
  if (hypothesis_length >= reference_length) return 1;
  if (hypothesis_length == 0) return 0;
  return std::exp(1 - static_cast<double>(reference_length) / static_cast<double>(hypothesis_length));
}

std::array<double, bleu_order> BleuCounts::smoothed_precisions() const {
  std::array<double, bleu_order> precisions{};
  if (matched[0] == 0) return precisions;
  double smoothing = 1;
  for (std::size_t i = 0; i < bleu_order && all[i] > 0; ++i) {
    const auto count = static_cast<double>(all[i]);
    if (matched[i] == 0) smoothing *= 2;
    precisions[i] =
        matched[i] == 0 ? 100 / (smoothing * count) : 100 * static_cast<double>(matched[i]) / count;
  }
  return precisions;
}

double BleuCounts::score() const {
  double log_sum = 0;  // minus infinity when a precision is 0, and the score then 0
  for (const double precision : smoothed_precisions()) log_sum += std::log(precision);
  return brevity_penalty() * std::exp(log_sum / bleu_order);
}

double BleuCounts::sentence_score() const {
  const std::array<double, bleu_order> precisions = smoothed_precisions();
  double log_sum = 0, orders = 0;
  for (std::size_t i = 0; i < bleu_order && all[i] > 0; ++i, ++orders) log_sum += std::log(precisions[i]);
  return orders == 0 ? 0 : brevity_penalty() * std::exp(log_sum / orders);
}

std::vector<BleuCounts> bleu_counts(const std::vector<std::string>& hypotheses, const References& references,
                                    BleuOptions options) {
  check_sizes("bleu", hypotheses, references);
  WordNumbers numbers(options);
  std::vector<BleuCounts> counts;
  for (std::size_t i = 0; i < hypotheses.size(); ++i) {
    std::vector<Symbols> right;
    for (const std::string& reference : references[i]) right.push_back(numbers(reference));
    counts.push_back(counts_of(numbers(hypotheses[i]), right));
  }
  return counts;
}

BleuScore bleu(const std::vector<std::string>& hypotheses, const References& references,
               BleuOptions options) {
  BleuCounts counts;
  for (const BleuCounts& sentence : bleu_counts(hypotheses, references, options)) counts += sentence;
  return {counts.score(),
          counts.smoothed_precisions(),
          counts.brevity_penalty(),
          counts.hypothesis_length,
          counts.reference_length,
          text(signature_start(references, options.lowercase), "|eff:no|tok:", name_of(options.tokens),
               "|smooth:exp|version:gradual")};
}

std::string summary(const BleuScore& score) {
  std::ostringstream out;
  out << std::fixed << "BLEU|" << score.signature << " = " << std::setprecision(2) << score.score;
  char separator = ' ';
  for (const double precision : score.precisions) {
    out << std::exchange(separator, '/') << std::setprecision(1) << precision;
  }
  const double ratio = score.reference_length == 0 ? 0
                                                   : static_cast<double>(score.hypothesis_length) /
                                                         static_cast<double>(score.reference_length);
  out << std::setprecision(3) << " (BP = " << score.brevity_penalty << " ratio = " << ratio
      << " hyp_len = " << score.hypothesis_length << " ref_len = " << score.reference_length << ')';
  return out.str();
}

ChrfScore chrf(const std::vector<std::string>& hypotheses, const References& references, bool lowercase) {
  check_sizes("chrf", hypotheses, references);
  ChrfCounts counts;
  for (std::size_t i = 0; i < hypotheses.size(); ++i) {
    const Symbols hypothesis = characters(hypotheses[i], lowercase);
    std::vector<ChrfCounts> candidates;
    for (const std::string& reference : references[i]) {
      candidates.push_back(ChrfCounts::of(hypothesis, characters(reference, lowercase)));
    }
    counts.add(
        *std::max_element(candidates.begin(), candidates.end(),
                          [](const ChrfCounts& a, const ChrfCounts& b) { return a.score() < b.score(); }));
  }
  return {counts.score(),
          signature_start(references, lowercase) + "|eff:yes|nc:6|nw:0|space:no|version:gradual"};
}

std::string summary(const ChrfScore& score) {
  std::ostringstream out;
  out << "chrF2|" << score.signature << " = " << std::fixed << std::setprecision(2) << score.score;
  return out.str();
}

}  // namespace gradual
