#include "translator_by_hand.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include <gradual/core/error.hpp>

#include "layers_by_hand.hpp"

using gradual::FrozenTranslator;

namespace {

using Words = std::vector<std::string>;

std::map<std::string, gradual::Tensor> weights_of(gradual::Transformer model) {
  std::map<std::string, gradual::Tensor> weights;
  for (const auto& [name, variable] : gradual::parameters(model)) weights.emplace(name, variable.value());
  return weights;
}

// Reads the words, and calculates what comes after each of those that were written.
TranslationByHand pass(const FrozenTranslator& translator, const Words& words, const Words& so_far,
                       int places) {
  TranslationByHand result{Sheet(places), {}, nullptr, nullptr, nullptr, {}};
  Sheet& sheet = result.sheet;
  LayersByHand layers(sheet, weights_of(translator.model));
  const auto attend = [&](const std::string& name, const Table& x, const Table& memory, bool causal) {
    const LayersByHand::Heads heads = layers.attention(name, x, memory, causal);
    result.attention.insert(result.attention.end(), heads.weights.begin(), heads.weights.end());
    return heads.output;
  };

  sheet.section("1. Encoder input: the words as numbers",
                "A row of E for each word, times √4, plus the vector of its place. The same word at another "
                "place is another vector.");
  const Table& x = layers.embedded("x", "source_embedding.weight", translator.source_words, words);
  sheet.section(
      "2. Encoder self-attention: what each word asks, offers and tells",
      "A norm first: each row of x is shifted to the mean 0 and scaled to the deviation 1. Then every "
      "row is multiplied by the same three matrices. Their columns 1a and 1b belong to the first head, "
      "2a and 2b to the second.");
  const Table& x_normed = layers.normed("encoder.0.around_attention.norm", x);
  const Table& y = layers.added("y", x, *attend("encoder.0.self_attention", x_normed, x_normed, false));
  sheet.section(
      "3. Encoder feed-forward: each word for itself",
      "Two linear layers with relu between them: negative sums become 0. No word sees another here.");
  const Table& y_normed = layers.normed("encoder.0.around_feed_forward.norm", y);
  const Table& z = layers.added("z", y, layers.feed_forward("encoder.0.feed_forward", y_normed));
  sheet.section("4. Memory: what the encoder has made of the words",
                "A last norm. All that the decoder learns of the source is in these rows.");
  const Table& memory = layers.normed("encoder_norm", z, "memory");

  sheet.section("5. Decoder input: the words written so far",
                "It begins with \"begin\". Each row will say which word comes next, and goes into the "
                "following pass as a new row; the rows above stay as they were, since none looks ahead.");
  const Table& r = layers.embedded("r", "target_embedding.weight", translator.target_words, so_far);
  sheet.section("6. Decoder self-attention: under a causal mask",
                "As in the encoder, but a word sees only itself and those before it.");
  const Table& r_normed = layers.normed("decoder.0.around_self.norm", r);
  const Table& s = layers.added("s", r, *attend("decoder.0.self_attention", r_normed, r_normed, true));
  sheet.section("7. Cross-attention: from the decoder to the source",
                "Queries come from the words written, keys and values from the memory. Notice which French "
                "word each English one looks at.");
  const Table& s_normed = layers.normed("decoder.0.around_cross.norm", s);
  const Table& t = layers.added("t", s, *attend("decoder.0.cross_attention", s_normed, memory, false));
  sheet.section("8. Decoder feed-forward: each word for itself",
                "The feed-forward network, with weights of its own.");
  const Table& t_normed = layers.normed("decoder.0.around_feed_forward.norm", t);
  const Table& u = layers.added("u", t, layers.feed_forward("decoder.0.feed_forward", t_normed));
  sheet.section("9. The next word",
                "After a last norm each row is compared with the vector of every English word, the same E as "
                "above. The largest probability of a row is the word that is written next.");
  const Table& decoded = layers.normed("decoder_norm", u);
  result.memory = &memory;
  result.logits = &layers.logits("target_embedding.weight", translator.target_words, decoded);
  result.probabilities = &layers.softmax("probabilities", "weight", *result.logits);
  return result;
}

std::size_t likeliest(const std::vector<Worked>& row) {
  return static_cast<std::size_t>(
      std::max_element(row.begin(), row.end(),
                       [](const auto& a, const auto& b) { return a.value < b.value; }) -
      row.begin());
}

}  // namespace

TranslationByHand translate_by_hand(const FrozenTranslator& translator, const Words& words, int places) {
  constexpr std::size_t most_words = 8;
  Words read = words, so_far = {"begin"};
  if (read.empty() || read.size() > most_words)
    throw std::invalid_argument(
        gradual::text("--sentence: there must be 1 … ", most_words, " words: got ", read.size()));
  read.emplace_back("end");
  gradual::ids_of(read, translator.source_words);  // all must be known
  for (;;) {
    TranslationByHand result = pass(translator, read, so_far, places);
    const std::string& next = translator.target_words[likeliest(result.logits->cells.back())];
    if (next == "end" || so_far.size() == most_words) {
      result.written.assign(so_far.begin() + 1, so_far.end());
      return result;
    }
    so_far.push_back(next);
  }
}
