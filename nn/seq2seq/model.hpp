// What every model that translates can do, whatever is inside: be trained on batches, and write word by word.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <vector>

#include <gradual/autograd/operations.hpp>
#include <gradual/core/rows/top_rows.hpp>
#include <gradual/nn/layers/packed_weights.hpp>
#include <gradual/nn/module.hpp>
#include <gradual/nn/seq2seq/model_config.hpp>

namespace gradual {

/// Sentences as token ids; shorter ones are filled up with padding that the model does not see.
struct SourceBatch {
  Indices ids;      // [B, S]
  Indices lengths;  // [B]
  /// The only words that may be written, in ascending order, the end token among them; empty: all. See
  /// takes_shortlists().
  std::vector<std::int32_t> shortlist = {};
};

/// A source with what the model is to write: `input` starts with the begin token, `output` is the same one
/// place further on and ends with the end token. Behind that end `output` has `nothing`, which is no word:
/// losses count it as none without being told.
struct TranslationBatch {
  SourceBatch source;     // the sentences that are read
  Indices input, output;  // [B, T]

  static constexpr std::int32_t nothing = CrossEntropyOptions{}.ignored;
  /// How many words are to be written, the end tokens among them: what a mean loss is the mean of.
  Index words() const { return output.size() - std::count(output.begin(), output.end(), nothing); }
};

/// A model that reads one sentence and writes another.
class TranslationModel {
 public:
  virtual ~TranslationModel() = default;
  virtual void visit(Visitor& visitor) = 0;
  /// What makes such a model again, for files; without a kind for one that cannot be saved.
  virtual ModelConfig description() const { return {}; }
  /// The most tokens of a sentence on either side, with its end; 0: as many as there are.
  virtual Index max_length() const { return 0; }

  /// How start(), next() and next_best() multiply by the weights; what is learnt from is always as it is. To
  /// be set before the model starts to write.
  virtual Precision precision() const { return Precision::real; }
  /// Throws std::invalid_argument for a precision that this kind of model does not have.
  virtual void set_precision(Precision precision) {
    if (precision != Precision::real)
      throw std::invalid_argument("translation model: a model of this kind has no products in 8 bits");
  }

  /// Whether next_best() keeps to the shortlist of a source; else nobody does.
  virtual bool takes_shortlists() const { return false; }

  /// The mean cross-entropy of a batch over its words.
  virtual Var loss(const TranslationBatch& batch, const CrossEntropyOptions& options) const = 0;

  /// What a model remembers while it writes: the source, and the words so far.
  struct State {
    virtual ~State() = default;
    /// Keeps the sentences `rows`, in that order; a row may be named more than once.
    virtual void select(const std::vector<Index>& rows) = 0;
  };
  /// Reads the source. No gradients.
  virtual std::unique_ptr<State> start(const SourceBatch& source) const = 0;
  /// Logits [B, V] of the word after `ids` [B]. No gradients.
  virtual Tensor next(const Indices& ids, State& state) const = 0;
  /// The `count` likeliest words after `ids` [B], without those `excluded`. No gradients. A model may find
  /// them without a table of logits.
  virtual TopClasses next_best(const Indices& ids, State& state, Index count,
                               const std::vector<std::int32_t>& excluded) const {
    return top_log_softmax(next(ids, state), count, excluded);
  }
};

/// A state as the class that a model's start() makes. Throws std::invalid_argument for one that another kind
/// of model has started.
template <class Own>
Own& own_state(TranslationModel::State& state) {
  if (auto* const own = dynamic_cast<Own*>(&state)) return *own;
  throw std::invalid_argument(
      "translation model: a state must go on with the model that started it: this is another kind of "
      "model's");
}

}  // namespace gradual
