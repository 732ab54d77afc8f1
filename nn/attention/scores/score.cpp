#include <gradual/nn/attention/scores/score.hpp>

#include <gradual/core/error.hpp>
#include <gradual/nn/attention/scores/additive.hpp>
#include <gradual/nn/attention/scores/concat.hpp>
#include <gradual/nn/attention/scores/cosine.hpp>
#include <gradual/nn/attention/scores/dot.hpp>
#include <gradual/nn/attention/scores/general.hpp>
#include <gradual/nn/attention/scores/location.hpp>

namespace gradual {
namespace {

Index hidden_width(const ScoreSizes& sizes) {
  return sizes.hidden_width > 0 ? sizes.hidden_width : sizes.query_width;
}

}  // namespace

Var Score::operator()(const Var& queries, const Var& keys) const {
  if (queries.rank() != 3 || keys.rank() != 3 || queries.dim(0) != keys.dim(0))
    throw std::invalid_argument(text("score: queries must be [B, T, D_q] and keys [B, S, D_k]: queries are ",
                                     queries.shape(), ", keys are ", keys.shape()));
  check_widths(queries.dim(2), keys.dim(2));
  return compare(queries, prepare(keys));
}

Registry<MakeScore>& score_kinds() {
  static Registry<MakeScore> all(
      "score: the name", "score_kinds().add",
      {{"additive",
        [](const ScoreSizes& s, Random random) {
          return AdditiveScore(s.query_width, s.key_width, hidden_width(s), random);
        }},
       {"concat",
        [](const ScoreSizes& s, Random random) {
          return ConcatScore(s.query_width, s.key_width, hidden_width(s), random);
        }},
       {"cosine", [](const ScoreSizes&, Random) { return CosineScore(); }},
       {"dot", [](const ScoreSizes&, Random) { return DotScore(); }},
       {"general",
        [](const ScoreSizes& s, Random random) { return GeneralScore(s.query_width, s.key_width, random); }},
       {"location",
        [](const ScoreSizes& s, Random random) { return LocationScore(s.query_width, s.most_keys, random); }},
       {"scaled_dot", [](const ScoreSizes&, Random) { return ScaledDotScore(); }}});
  return all;
}

std::vector<std::string> score_names() { return score_kinds().names(); }

Part<Score> make_score(const std::string& name, const ScoreSizes& sizes, Random random) {
  const Part<Score> score = score_kinds().at(name)(sizes, random).named(name);
  score->check_widths(sizes.query_width, sizes.key_width);
  return score;
}

}  // namespace gradual
