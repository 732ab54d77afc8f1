// From labelled sentences to a classifier in a file, and what it says of another: is it English or French?
#include <iostream>

#include <gradual/core/files/safetensors.hpp>
#include <gradual/nn/data/toy_corpus.hpp>
#include <gradual/nn/seq2seq/batches.hpp>
#include <gradual/nn/text/tokenizer.hpp>
#include <gradual/nn/training/trainer.hpp>
#include <gradual/nn/transformer/classifier.hpp>

using namespace gradual;

int main(int argc, char** argv) {
  const Index steps = argc > 1 ? std::stol(argv[1]) : 100;
  std::vector<std::string> sentences;  // English and French by turns
  for (const SentencePair& pair : make_toy_corpus(1).train) {
    sentences.push_back(pair.source);
    sentences.push_back(pair.target);
  }
  const Language words = learn_language(sentences, {});
  StackConfig config;
  config.vocabulary = words.vocabulary.size();
  Classifier model(config, 2, Pooling::attention, Random(1));
  Adam adam(parameters(model));
  Trainer trainer(model, adam, {Decay::cosine, 1e-3, 10, steps});
  trainer.times(5, [](const TrainingStep& now) { std::cout << now.step << "  " << now.loss << std::endl; });
  Random random(2);
  trainer.run([&](Index) {
    std::vector<std::vector<std::int32_t>> ids;
    std::vector<std::int32_t> labels;
    for (int i = 0; i < 32; ++i) {
      const Index drawn = random.below(static_cast<Index>(sentences.size()));
      ids.push_back(words.encode(sentences[static_cast<std::size_t>(drawn)]));
      labels.push_back(static_cast<std::int32_t>(drawn % 2));
    }
    const SourceBatch batch = make_source_batch(ids);
    return model.loss(batch.ids, batch.lengths, Indices({32}, labels));
  });
  save_tensors("classifier.safetensors", {values_of(parameters(model)), {}, {}});

  Classifier loaded(config, 2, Pooling::attention, Random(3));
  set_parameters(parameters(loaded), load_tensors("classifier.safetensors").tensors);
  set_training(loaded, false);
  const SourceBatch question = make_source_batch({words.encode("Le petit chat dort.")});
  const Tensor scores = loaded.logits(question.ids, question.lengths).value();
  std::cout << (scores({0, 0}) > scores({0, 1}) ? "English" : "French") << "\n";
}
