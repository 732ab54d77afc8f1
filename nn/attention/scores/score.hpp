// What all attention scores have in common, and making one by its name.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include <gradual/autograd/operations.hpp>
#include <gradual/core/random.hpp>
#include <gradual/nn/part.hpp>

namespace gradual {

/// How well each key answers each query: a number for each pair, which a softmax turns into weights.
class Score {
 public:
  virtual ~Score() = default;
  virtual void visit(Visitor&) {}

  /// Throws std::invalid_argument when queries and keys of these sizes cannot be compared.
  virtual void check_widths(Index query_width, Index key_width) const = 0;
  /// Whether it compares with ScoreSizes::most_keys keys at most.
  virtual bool ends() const { return false; }
  /// What depends on the keys [B, S, D_k] alone, so that a decoder computes it once for all its steps.
  virtual Var prepare(const Var& keys) const { return keys; }
  /// Scores [B, T, S] of queries [B, T, D_q] and prepared keys.
  virtual Var compare(const Var& queries, const Var& prepared) const = 0;

  /// Scores [B, T, S] of queries [B, T, D_q] and keys [B, S, D_k]. Throws std::invalid_argument when they do
  /// not fit each other or the score.
  Var operator()(const Var& queries, const Var& keys) const;
};

/// The sizes that make_score() builds a score for.
struct ScoreSizes {
  Index query_width, key_width;  // numbers of a query, and of a key
  Index hidden_width = 0;        // of additive and concat; 0: the width of the queries
  Index most_keys = 256;         // of location, which has one weight vector for each place
};

/// Makes a score with new parameters, for vectors of these sizes.
using MakeScore = std::function<Part<Score>(const ScoreSizes& sizes, Random random)>;
/// The scores by their names: additive, concat, cosine, dot, general, location, scaled_dot, and those that a
/// program adds.
Registry<MakeScore>& score_kinds();
/// All of these names.
std::vector<std::string> score_names();
/// A score by its name. Throws std::invalid_argument for a name that is not known, and for sizes that the
/// score cannot compare.
Part<Score> make_score(const std::string& name, const ScoreSizes& sizes, Random random);

}  // namespace gradual
