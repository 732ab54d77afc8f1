// From sentence pairs to a trained translator in a file, and a translation.
#include <cstdlib>
#include <iostream>

#include <gradual/nn/data/toy_corpus.hpp>
#include <gradual/nn/training/trainer.hpp>
#include <gradual/nn/translation/learn_translator.hpp>
#include <gradual/nn/translation/training_text.hpp>

using namespace gradual;

int main(int argc, char** argv) {
  const Index steps = argc > 1 ? std::strtol(argv[1], nullptr, 10) : 800;
  if (steps < 1) {
    std::cerr << "usage: smallest_translator [TRAINING STEPS]\n";
    return 2;
  }
  ListStream<SentencePair> pairs(make_toy_corpus(1).train);  // or *open_tsv("pairs.tsv"), of any size
  const Translator translator = learn_translator(TransformerConfig(), pairs);
  TrainingText text(translator, pairs, 1024, 1);  // batches of 1024 tokens, in an order that seed 1 decides
  Adam adam(parameters(translator.model()));
  Trainer trainer(translator.model(), adam, {Decay::cosine, 2e-3, 100, steps});
  trainer.times(8, [](const TrainingStep& now) { std::cout << now.step << "  " << now.loss << std::endl; });
  trainer.run([&](Index n) { return translator.model().loss(text.batch(n), {}); });
  translator.save("translator.safetensors");
  std::cout << Translator::load("translator.safetensors").translate({"The small cat sleeps."}).front()
            << "\n";
}
