// The step of a beam and the BLEU of this assignment in the place of the library's: linked before the
// library, they are what every translation is searched and scored by.
#include "08-search/search.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include <gradual/core/error.hpp>
#include <gradual/nn/decoding/sentence_beam.hpp>
#include <gradual/nn/text/scores/word_numbers.hpp>

namespace gradual {
namespace {

// The best words after `live` beginnings as a table [live, V], −∞ where a word is not among them.
Tensor table_of(const TopClasses& top, Index first_row, Index live) {
  const auto begin = top.ids.begin() + first_row * top.count, end = begin + live * top.count;
  const Index width = begin == end ? 0 : std::max<Index>(0, 1 + *std::max_element(begin, end));
  Tensor table = Tensor::full({live, width}, -std::numeric_limits<Real>::infinity());
  for (Index i = 0; i < live * top.count; ++i) {
    const auto place = static_cast<std::size_t>(first_row * top.count + i);
    if (top.ids[place] >= 0)
      table.mutable_data()[i / top.count * width + top.ids[place]] = top.log_probabilities[place];
  }
  return table;
}

Sentence words_of(const std::u32string& numbers) { return {numbers.begin(), numbers.end()}; }

}  // namespace

std::vector<Index> SentenceBeam::advance(const TopClasses& top, Index first_row) {
  std::vector<double> so_far;
  for (const Live& each : live_) so_far.push_back(each.log_probability);
  std::vector<Live> survivors;
  std::vector<Index> parents;
  Index rank = 0;
  for (const Choice& choice :
       beam_step(so_far, table_of(top, first_row, live_count()), options_.beam_size, options_.end)) {
    const Live& parent = live_[static_cast<std::size_t>(choice.parent)];
    const Live next{static_cast<Index>(tree_.nodes.size()), choice.log_probability, parent.attention};
    tree_.nodes.push_back({choice.word, parent.node, step_, rank++, choice.log_probability, choice.fate});
    if (choice.fate == BeamNode::Fate::ended) end(next, true);
    if (choice.fate != BeamNode::Fate::kept) continue;
    survivors.push_back(next);
    parents.push_back(choice.parent);
  }
  live_ = std::move(survivors);
  ++step_;
  return parents;
}

BleuScore bleu(const std::vector<std::string>& hypotheses,
               const std::vector<std::vector<std::string>>& references, BleuOptions options) {
  if (hypotheses.empty() || hypotheses.size() != references.size())
    throw std::invalid_argument(
        text("bleu: each hypothesis must have its references, and there must be one: "
             "there are ",
             hypotheses.size(), " hypotheses and references for ", references.size()));
  for (std::size_t i = 0; i < references.size(); ++i)
    if (references[i].empty())
      throw std::invalid_argument(
          text("bleu: each hypothesis must have a reference: sentence ", i, " has none"));
  WordNumbers numbers(options);
  NgramCounts counts;
  bool is_same = true;
  for (std::size_t i = 0; i < hypotheses.size(); ++i) {
    std::vector<Sentence> right;
    for (const std::string& reference : references[i]) right.push_back(words_of(numbers(reference)));
    count_ngrams(words_of(numbers(hypotheses[i])), right, counts);
    is_same = is_same && right.size() == references[0].size();
  }
  BleuScore score = bleu_of(counts);
  score.signature = text("nrefs:", is_same ? std::to_string(references[0].size()) : "var",
                         "|case:", options.lowercase ? "lc" : "mixed",
                         "|eff:no|tok:", bleu_tokens().name(options.tokens), "|smooth:exp|version:gradual");
  return score;
}

}  // namespace gradual
