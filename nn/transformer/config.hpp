// What describes a transformer.
#pragma once

#include <string>

#include <gradual/core/names.hpp>
#include <gradual/nn/layers/layers.hpp>
#include <gradual/nn/layers/positions.hpp>

namespace gradual {

/// Where the layer norms stand: before each part (Xiong et al. 2020), which trains without care, or after the
/// residual sum (Vaswani et al. 2017).
enum class NormPlace { before, after };
inline const Names<NormPlace>& norm_places() {
  static const Names<NormPlace> names("transformer: the place of the norms",
                                      {{"before", NormPlace::before}, {"after", NormPlace::after}});
  return names;
}

/// The sizes and choices of an encoder–decoder transformer.
struct TransformerConfig {
  Index source_vocabulary = 0;
  Index target_vocabulary = 0;
  Index width = 128;
  Index heads = 4;
  Index feed_forward = 256;
  Index encoder_layers = 2;
  Index decoder_layers = 2;
  double dropout = 0.1;
  double attention_dropout = 0;
  /// How heads compare queries with keys: a score by its name (see score_names). There is a fast kernel for
  /// scaled_dot.
  std::string attention = "scaled_dot";
  NormPlace norm = NormPlace::before;
  Activation activation = Activation::relu;
  PositionKind positions = PositionKind::sinusoidal;
  Index max_length = 256;
  /// How many places to either side self-attention sees; 0: all.
  Index window = 0;
  /// Source and target share one embedding; needs one vocabulary.
  bool shared_embeddings = false;
  /// The output layer uses the target embedding (Press and Wolf 2017).
  bool tied_output = true;

  /// Throws std::invalid_argument that names the first bad value.
  void check() const;
};

}  // namespace gradual
