// What describes a transformer.
#pragma once

#include <string>

#include <gradual/core/names.hpp>
#include <gradual/core/real.hpp>
#include <gradual/nn/seq2seq/model_config.hpp>

namespace gradual {

/// Where the layer norms stand: before each part (Xiong et al. 2020), which trains without care, or after the
/// residual sum (Vaswani et al. 2017).
enum class NormPlace { before, after };
/// Their names.
inline const Names<NormPlace>& norm_places() {
  static const Names<NormPlace> names("transformer: the place of the norms",
                                      {{"before", NormPlace::before}, {"after", NormPlace::after}});
  return names;
}

/// What a layer of a transformer is made of. Parts have names: those of the library, and those that a program
/// adds to the registry of their kind (docs/open-models.md).
struct LayerConfig {
  Index width = 128;             ///< D, numbers of a word
  Index heads = 4;               ///< H, of attention
  Index key_value_heads = 0;     ///< heads of keys and values, each for several of queries; 0: one for each
  Index feed_forward = 256;      ///< inner width of the feed-forward networks
  double dropout = 0.1;          ///< the share of numbers that are dropped in training
  double attention_dropout = 0;  ///< the same of attention weights
  /// The same of the inner numbers of feed-forward networks; -1: as `dropout`. Vaswani et al. 2017, §5.4,
  /// drop none there.
  double feed_forward_dropout = -1;
  NormPlace norm = NormPlace::before;          ///< before the parts of a layer or after them
  std::string norm_kind = "layer_norm";        ///< see norms()
  std::string activation = "relu";             ///< a feed-forward network: see feed_forwards()
  std::string attention_layer = "multi_head";  ///< see attention_layers()
  /// How heads compare queries with keys: see score_kinds(). There is a fast kernel for scaled_dot.
  std::string attention = "scaled_dot";
  std::string positions = "sinusoidal";  ///< see position_kinds()
  Index max_length = 256;                ///< places that learned positions have
  /// How many places to either side self-attention sees; 0: all.
  Index window = 0;

  /// Throws std::invalid_argument that names the first bad value.
  void check() const;
  /// The share of the inner numbers of feed-forward networks that are dropped.
  double dropped_in_feed_forward() const {
    return feed_forward_dropout == -1 ? dropout : feed_forward_dropout;
  }
  /// Whether the positions or the score know no more than max_length places.
  bool ends() const;
};

/// A stack of layers over one vocabulary: a language model or a classifier.
struct StackConfig : LayerConfig {
  Index vocabulary = 0;            ///< how many words there are
  Index layers = 2;                ///< one on top of another
  std::string layer = "standard";  ///< see encoder_layers()

  /// Throws std::invalid_argument that names the first bad value.
  void check() const;
};

/// The sizes and choices of an encoder–decoder transformer.
struct TransformerConfig : LayerConfig {
  Index source_vocabulary = 0;             ///< how many words there are to read
  Index target_vocabulary = 0;             ///< how many words there are to write
  Index encoder_layers = 2;                ///< which read
  Index decoder_layers = 2;                ///< which write
  std::string encoder_layer = "standard";  ///< see encoder_layers()
  std::string decoder_layer = "standard";  ///< see decoder_layers()
  /// Source and target share one embedding; needs one vocabulary.
  bool shared_embeddings = false;
  /// The output layer uses the target embedding (Press and Wolf 2017).
  bool tied_output = true;
  /// A number is added to the score of each word, learned like the rest, as Marian does.
  bool output_bias = false;
  /// The share of words whose vectors training zeroes, on both sides; see WordDropout.
  double word_dropout = 0;

  /// Throws std::invalid_argument that names the first bad value.
  void check() const;
};

/// A transformer as a translation model of any kind: "transformer", and all but the vocabularies.
ModelConfig description_of(const TransformerConfig& config);

}  // namespace gradual
