// From a text to a language model in a file, and more text.
#include <cstdlib>
#include <iostream>

#include <gradual/nn/data/toy_corpus.hpp>
#include <gradual/nn/language/character_model.hpp>
#include <gradual/nn/language/windows.hpp>
#include <gradual/nn/training/trainer.hpp>

using namespace gradual;

int main(int argc, char** argv) {
  const Index steps = argc > 1 ? std::strtol(argv[1], nullptr, 10) : 800;
  if (steps < 1) {
    std::cerr << "usage: smallest_language_model [TRAINING STEPS]\n";
    return 2;
  }
  std::string text;
  for (const SentencePair& pair : make_toy_corpus(1).train) text += pair.source + "\n";
  StackConfig config;
  config.positions = "alibi";  // it writes as well beyond the 64 characters that it learns from
  const CharacterModel model(config, Characters::of(text), Random(1));
  const std::vector<std::int32_t> characters = model.characters().encode(text);
  Adam adam(parameters(model.model()));
  Trainer trainer(model.model(), adam, {Decay::cosine, 3e-3, 100, steps});
  trainer.times(8, [](const TrainingStep& now) { std::cout << now.step << "  " << now.loss << std::endl; });
  Random random(2);
  trainer.run([&](Index) {
    const TextWindows windows = random_windows(characters, 16, 64, random);  // 16 of 64 characters
    return model.model().loss(windows.input, windows.output);
  });
  model.save("language_model.safetensors");
  std::cout << CharacterModel::load("language_model.safetensors").write_on("\n", 200, {}, random) << "\n";
}
