// What the heads of attention are good for: a model without one of them.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <gradual/nn/diagnosis/bootstrap.hpp>
#include <gradual/nn/module.hpp>
#include <gradual/nn/seq2seq/model.hpp>

namespace gradual {

/// A head of an attention layer, by what reads its result: without these columns of weights, nothing does.
struct ModelHead {
  /// The columns of a weight that read the head.
  struct Columns {
    Var weight;         ///< [out, in]
    Index first, last;  ///< columns first … last - 1
  };
  std::string layer;  ///< such as "encoder.0.self_attention"
  Index number;       ///< in its layer, counted from 0
  std::vector<Columns> readers;

  /// Such as "encoder.0.self_attention, head 2", counted from 1.
  std::string name() const;
};

/// The heads of all attention layers that a computation has recorded (AttentionRecorder) and whose results
/// go through a weight [D, D] called LAYER.output.weight, as those of MultiHeadAttention and layers like it:
/// of H heads, each has D/H columns. The layers of other kinds have to be described by hand.
std::vector<ModelHead> attention_heads(const std::vector<NamedParameter>& parameters,
                                       const std::function<void()>& compute);
/// The heads of a translation model; the attention of a RecurrentTranslator is one.
std::vector<ModelHead> attention_heads(TranslationModel& model);

/// While it lives, a head gives zeros: the columns that read it are 0. Throws std::invalid_argument where
/// there are no such columns.
class WithoutHead {
 public:
  /// From here to its end, the head gives zeros.
  explicit WithoutHead(const ModelHead& head);
  ~WithoutHead();
  WithoutHead(const WithoutHead&) = delete;
  WithoutHead& operator=(const WithoutHead&) = delete;

 private:
  std::vector<std::pair<Var, Tensor>> kept_;
};

/// What became of a score without a head.
struct HeadEffect {
  ModelHead head;      ///< which one
  ScoreChange change;  ///< of the score without it
};

/// Takes out each head in turn and judges the model anew. `judge` gives what each example counts, the same
/// examples each time: BleuCounts of sentences, MeanCounts of losses or of right labels.
template <class Counts>
std::vector<HeadEffect> ablate_heads(const std::vector<ModelHead>& heads,
                                     const std::function<std::vector<Counts>()>& judge,
                                     std::uint64_t seed = 1) {
  const EvaluationScope evaluation;
  const NoGrad no_grad;
  const std::vector<Counts> whole = judge();
  std::vector<HeadEffect> effects;
  for (const ModelHead& head : heads) {
    const WithoutHead without(head);
    effects.push_back({head, bootstrap_change(whole, judge(), Random(seed))});
  }
  return effects;
}

}  // namespace gradual
