#include <gradual/nn/transformer/config.hpp>

#include <gradual/core/error.hpp>
#include <gradual/nn/attention/scores/score.hpp>
#include <gradual/nn/positions/positions.hpp>
#include <gradual/nn/seq2seq/config_checks.hpp>

namespace gradual {
namespace {

void check_positive(const char* name, Index value) { check_size("transformer", name, value); }
void check_not_negative(const char* name, Index value) { check_size("transformer", name, value, 0); }
void check_probability(const char* name, double value) { check_dropout("transformer", name, value); }

}  // namespace

void LayerConfig::check() const {
  check_positive("width", width);
  check_positive("heads", heads);
  check_not_negative("key_value_heads", key_value_heads);
  check_positive("feed_forward", feed_forward);
  check_size("transformer", "max_length", max_length, 1, largest_length);
  check_not_negative("window", window);
  check_probability("dropout", dropout);
  check_probability("attention_dropout", attention_dropout);
  check_probability("feed_forward_dropout", dropped_in_feed_forward());
  if (width % heads != 0)
    throw std::invalid_argument(
        text("transformer: heads must divide width: heads is ", heads, ", width is ", width));
}

bool LayerConfig::ends() const {
  const Index head = width / heads;
  return position_kinds().at(positions).ends ||
         make_score(attention, {head, head, head, max_length}, Random(0))->ends();
}

void StackConfig::check() const {
  check_positive("vocabulary", vocabulary);
  check_not_negative("layers", layers);
  LayerConfig::check();
}

void TransformerConfig::check() const {
  check_positive("source_vocabulary", source_vocabulary);
  check_positive("target_vocabulary", target_vocabulary);
  check_not_negative("encoder_layers", encoder_layers);
  check_positive("decoder_layers", decoder_layers);
  check_probability("word_dropout", word_dropout);
  LayerConfig::check();
  if (shared_embeddings && source_vocabulary != target_vocabulary)
    throw std::invalid_argument(
        text("transformer: shared embeddings need one vocabulary: source_vocabulary is ", source_vocabulary,
             ", target_vocabulary is ", target_vocabulary));
}

}  // namespace gradual
