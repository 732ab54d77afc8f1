// From labelled sentences to a classifier in a file, and what it says of another: is it English or French?
#include <cstdlib>
#include <iostream>

#include <gradual/nn/data/toy_corpus.hpp>
#include <gradual/nn/language/text_classifier.hpp>
#include <gradual/nn/training/trainer.hpp>

using namespace gradual;

int main(int argc, char** argv) {
  const Index steps = argc > 1 ? std::strtol(argv[1], nullptr, 10) : 100;
  if (steps < 1) {
    std::cerr << "usage: smallest_classifier [TRAINING STEPS]\n";
    return 2;
  }
  std::vector<std::string> sentences;  // English and French by turns
  for (const SentencePair& pair : make_toy_corpus(1).train)
    sentences.insert(sentences.end(), {pair.source, pair.target});
  const TextClassifier classifier(StackConfig(), learn_language(sentences, {}), {"English", "French"},
                                  Random(1));
  Adam adam(parameters(classifier.model()));
  Trainer trainer(classifier.model(), adam, {Decay::cosine, 1e-3, 10, steps});
  trainer.times(5, [](const TrainingStep& now) { std::cout << now.step << "  " << now.loss << std::endl; });
  Random random(2);
  trainer.run([&](Index) {
    std::vector<std::string> texts;
    std::vector<std::int32_t> labels;
    for (int i = 0; i < 32; ++i) {
      const Index drawn = random.below(static_cast<Index>(sentences.size()));
      texts.push_back(sentences[static_cast<std::size_t>(drawn)]);
      labels.push_back(static_cast<std::int32_t>(drawn % 2));
    }
    return classifier.loss(texts, labels);
  });
  classifier.save("classifier.safetensors");
  std::cout << TextClassifier::load("classifier.safetensors").classify({"Le petit chat dort."}).front()
            << "\n";
}
