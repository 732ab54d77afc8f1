// How sure a difference is: the same examples, drawn again and again.
#pragma once

#include <algorithm>
#include <stdexcept>
#include <vector>

#include <gradual/core/error.hpp>
#include <gradual/core/random.hpp>

namespace gradual {

/// What examples count of something of which the mean is wanted, such as the loss of a text or 1 for a right
/// label.
struct MeanCounts {
  double sum = 0, weight = 0;  ///< weight: how many the sum is of, such as words

  MeanCounts& operator+=(const MeanCounts& other) {
    sum += other.sum;
    weight += other.weight;
    return *this;
  }
  double score() const { return weight == 0 ? 0 : sum / weight; }
};

/// A difference of two scores, and where the middle 95 % of it lie.
struct ScoreChange {
  double change = 0, low = 0, high = 0;  ///< the change, and the ends of its interval

  /// Whether 0 lies outside.
  bool is_sure() const { return low > 0 || high < 0; }
};

/// score(after) - score(before), where a score is that of the added counts of all examples, and its interval
/// by the paired bootstrap: both are taken again of the same examples, drawn with replacement (Efron 1979;
/// Koehn 2004). `Counts` is such as MeanCounts or BleuCounts. Throws std::invalid_argument unless there are
/// as many of both, at least one, and a draw at least.
template <class Counts>
ScoreChange bootstrap_change(const std::vector<Counts>& before, const std::vector<Counts>& after,
                             Random random, Index draws = 1000) {
  const auto count = static_cast<Index>(before.size());
  if (before.empty() || before.size() != after.size() || draws < 1)
    throw std::invalid_argument(
        text("bootstrap: there must be examples, as many before as after, and draws: "
             "before has ",
             count, ", after ", after.size(), ", draws are ", draws));
  const auto difference = [&](auto example) {  // of `count` examples
    Counts old, now;
    for (Index i = 0; i < count; ++i) {
      const auto chosen = static_cast<std::size_t>(example(i));
      old += before[chosen];
      now += after[chosen];
    }
    return now.score() - old.score();
  };
  std::vector<double> drawn;
  for (Index draw = 0; draw < draws; ++draw)
    drawn.push_back(difference([&](Index) { return random.below(count); }));
  std::sort(drawn.begin(), drawn.end());
  const auto at = [&](double share) {
    return drawn[static_cast<std::size_t>(share * static_cast<double>(draws - 1))];
  };
  return {difference([](Index i) { return i; }), at(0.025), at(0.975)};
}

}  // namespace gradual
