// The recurrent encoder–decoder, the model that attention was first made for.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <gradual/nn/attention/attention.hpp>
#include <gradual/nn/layers/layers.hpp>
#include <gradual/nn/recurrent/layer.hpp>
#include <gradual/nn/seq2seq/model.hpp>

namespace gradual {

/// The sizes and choices of a recurrent encoder–decoder.
struct RecurrentConfig {
  Index source_vocabulary = 0;  // how many words there are to read
  Index target_vocabulary = 0;  // how many words there are to write
  Index embedding_width = 128;  // numbers that stand for a word
  /// Of the decoder's state, and of the encoder's two directions together; even.
  Index hidden_width = 256;
  CellKind cell = CellKind::gru;  // GRU or LSTM
  /// A score by its name (see score_names), or "none".
  std::string attention = "additive";
  double dropout = 0.2;  // of embeddings and outputs, in training
  /// The share of words whose vectors training zeroes, on both sides; see WordDropout.
  double word_dropout = 0;
  /// The longest source sentence; only location attention needs to know.
  Index max_length = 256;
  /// Source and target share one embedding; needs one vocabulary.
  bool shared_embeddings = false;
  /// The output layer uses the target embedding (Press and Wolf 2017).
  bool tied_output = true;

  /// Throws std::invalid_argument that names the first bad value.
  void check() const;
};

/// A recurrent network as a translation model of any kind: "recurrent", and all but the vocabularies.
ModelConfig description_of(const RecurrentConfig& config);
/// The settings that description_of() wrote. Throws std::exception for any other text.
RecurrentConfig recurrent_config_from_json(const std::string& json);

/// A recurrent network reads the sentence in both directions; another, which starts from where both ended,
/// writes the translation.
///
/// With attention (Bahdanau, Cho and Bengio 2015), each step first averages the encoder's states by how well
/// they answer the decoder's state; that context goes into the cell beside the last word, and into the choice
/// of the next. Without (Sutskever, Vinyals and Le 2014), all that the decoder knows of the source is its
/// first state.
class RecurrentTranslator : public TranslationModel {
 public:
  /// Throws std::invalid_argument for a bad configuration.
  RecurrentTranslator(const RecurrentConfig& config, Random random);
  void visit(Visitor& visitor) override;
  /// What it was made of.
  const RecurrentConfig& config() const { return config_; }

  /// A source that was read: what the decoder attends to, and the state that it starts from.
  struct Memory {
    Var keys, values;    // [B, S, …], the keys as the score wants them
    AttentionMask mask;  // hides padding
    Var state;           // [B, state]
  };
  Memory encode(const SourceBatch& source) const;
  /// What the words after ids [B, T] are chosen from, [B, T, E]; moves the memory's state on by T steps.
  Var decode(const Indices& ids, Memory& memory) const;
  /// Scores of all words of the target vocabulary, [..., V], from what decode() gives.
  Var logits(const Var& decoded) const { return linear(decoded, output_weight()); }

  Var loss(const TranslationBatch& batch, const CrossEntropyOptions& options) const override;
  ModelConfig description() const override { return config_; }
  Index max_length() const override;
  std::unique_ptr<State> start(const SourceBatch& source) const override;
  Tensor next(const Indices& ids, State& state) const override;

 private:
  Var embed(const Indices& ids, const Embedding& table) const;
  const Var& output_weight() const { return config_.tied_output ? target_embedding.weight : output.weight; }

  RecurrentConfig config_;

 public:
  Embedding source_embedding, target_embedding;  // of the words that are read, and of those that are written
  RecurrentLayer encoder;                        // reads the source
  RecurrentCell decoder;                         // writes a word in each step
  Linear bridge;  // from the encoder's last states to the decoder's first, which is as wide
  std::optional<Attention> attention;  // from each step to what was read, or none
  Linear context_gates;  // what a context adds to the decoder's gates; without a weight where there is none
  Linear readout;        // from state, context and word to the width of the embedding
  Linear output;         // unused, and without a weight, when tied

 private:
  Dropout dropout_;
  WordDropout word_dropout_;
};

}  // namespace gradual
