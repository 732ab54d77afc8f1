#include <gradual/nn/transformer/config.hpp>

#include <gradual/core/error.hpp>

namespace gradual {

void TransformerConfig::check() const {
  const auto positive = [](const char* name, Index value) {
    if (value <= 0)
      throw std::invalid_argument(text("transformer: ", name, " must be positive: got ", value));
  };
  const auto not_negative = [](const char* name, Index value) {
    if (value < 0)
      throw std::invalid_argument(text("transformer: ", name, " must not be negative: got ", value));
  };
  const auto probability = [](const char* name, double value) {
    if (!(value >= 0 && value < 1))
      throw std::invalid_argument(text("transformer: ", name, " must lie in [0, 1): got ", value));
  };
  positive("source_vocabulary", source_vocabulary);
  positive("target_vocabulary", target_vocabulary);
  positive("width", width);
  positive("heads", heads);
  positive("feed_forward", feed_forward);
  not_negative("encoder_layers", encoder_layers);
  positive("decoder_layers", decoder_layers);
  positive("max_length", max_length);
  not_negative("window", window);
  probability("dropout", dropout);
  probability("attention_dropout", attention_dropout);
  if (width % heads != 0)
    throw std::invalid_argument(
        text("transformer: heads must divide width: heads is ", heads, ", width is ", width));
  if (shared_embeddings && source_vocabulary != target_vocabulary)
    throw std::invalid_argument(
        text("transformer: shared embeddings need one vocabulary: source_vocabulary is ", source_vocabulary,
             ", target_vocabulary is ", target_vocabulary));
}

}  // namespace gradual
