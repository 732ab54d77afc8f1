// Several classifiers that differ in chance alone, and answer together.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include <gradual/nn/training/trainer.hpp>

#include "model.hpp"

struct TrainingOptions {
  gradual::Index models = 1, epochs = 12, batch = 32, min_count = 2;
  double learning_rate = 0.002, weight_decay = 0.01;
  double hide_words = 1;  // see Features::with_words_hidden
  std::uint64_t seed = 1;
};

/// Sees the trainer of each model, which will make so many steps, before it begins: (trainer, steps, model).
using Watch = std::function<void(gradual::Trainer&, gradual::Index, gradual::Index)>;

/// What was found for one document.
struct Verdict {
  std::vector<double> probabilities;  // [C] of the labels, in byte order
  std::vector<double> word_weights;   // how much each word was listened to; they sum to 1
};

/// The mean of several models is right more often than each of them (Lakshminarayanan et al. 2017): where
/// they guess, they guess differently.
class Committee {
 public:
  /// Trains on the documents.
  Committee(const Documents& documents, ModelSizes sizes, const TrainingOptions& options,
            const Watch& watch = {});

  gradual::Index parameter_count() const;
  std::vector<Verdict> judge(const Documents& documents) const;

 private:
  struct Lesson;  // a document in numbers
  void train(DocumentClassifier& model, const std::vector<Lesson>& lessons, const TrainingOptions& options,
             gradual::Random random,
             const std::function<void(gradual::Trainer&, gradual::Index)>& watch) const;
  void ask(const DocumentClassifier& model, const DocumentBatch& batch, Verdict* verdicts) const;

  LabelNames names_;
  Features features_;
  std::vector<std::unique_ptr<DocumentClassifier>> models_;
};
