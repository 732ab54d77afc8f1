#include "learn.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include <gradual/nn/drawing/line_text.hpp>
#include <gradual/nn/drawing/number_text.hpp>
#include <gradual/nn/training/trainer.hpp>
#include <gradual/nn/transformer/frozen_translator.hpp>

using namespace gradual;

namespace {

using Words = std::vector<std::string>;

const Words french = {"il", "elle", "fait", "a", "froid", "chaud", "end"};
const Words english = {"begin", "it", "he", "she", "is", "cold", "hot", "end"};

// "il" is "it" before "fait" and "he" before "a": the encoder has to look further than a word.
const std::vector<std::pair<Words, Words>> pairs = {
    {{"il", "fait", "froid", "end"}, {"it", "is", "cold", "end"}},
    {{"il", "fait", "chaud", "end"}, {"it", "is", "hot", "end"}},
    {{"il", "a", "froid", "end"}, {"he", "is", "cold", "end"}},
    {{"il", "a", "chaud", "end"}, {"he", "is", "hot", "end"}},
    {{"elle", "a", "froid", "end"}, {"she", "is", "cold", "end"}},
    {{"elle", "a", "chaud", "end"}, {"she", "is", "hot", "end"}}};

TranslationBatch all_pairs() {
  std::vector<std::int32_t> read, shown, wanted;
  for (const auto& [source, target] : pairs) {
    const std::vector<std::int32_t> source_ids = ids_of(source, french), target_ids = ids_of(target, english);
    read.insert(read.end(), source_ids.begin(), source_ids.end());
    shown.push_back(0);  // begin
    shown.insert(shown.end(), target_ids.begin(), target_ids.end() - 1);
    wanted.insert(wanted.end(), target_ids.begin(), target_ids.end());
  }
  const auto count = static_cast<Index>(pairs.size());
  const Shape shape{count, 4};
  return {{Indices(shape, read), Indices({count}, std::vector<std::int32_t>(pairs.size(), 4))},
          Indices(shape, shown),
          Indices(shape, wanted)};
}

}  // namespace

std::string learn_frozen_translator() {
  constexpr std::uint64_t seed = 158;  // of 200 one whose attention is easy to read
  constexpr Index steps = 600;
  TransformerConfig config = frozen_translator_config();
  config.source_vocabulary = static_cast<Index>(french.size());
  config.target_vocabulary = static_cast<Index>(english.size());
  Transformer model(config, Random(seed));
  const TranslationBatch batch = all_pairs();
  CrossEntropyOptions options;
  options.label_smoothing = 0.1;  // without, the weights grow for ever
  Adam adam(parameters(model));
  Trainer(model, adam, {Decay::cosine, 0.02, 20, steps}).run([&](Index) {
    return model.loss(batch, options);
  });

  std::string result = "# A transformer of width 4, written by `attention_by_hand train`.\n";
  result += "source = " + list_text(french) + "\ntarget = " + list_text(english) + "\n";
  for (const auto& [name, variable] : parameters(model)) {
    const Tensor& numbers = variable.value();
    for (Index i = 0; i < numbers.size(); ++i) {
      if (i % numbers.dim(-1) == 0) result += (i == 0 ? "" : "\n") + name + " =";
      result += " " + fixed_text(static_cast<double>(numbers.data()[i]), 2);
    }
    result += "\n";
  }
  return result;
}
