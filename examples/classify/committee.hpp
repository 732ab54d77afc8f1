// Several classifiers that differ in their first weights alone, and answer together.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "model.hpp"

struct TrainingOptions {
  gradual::Index models = 1, epochs = 10, batch = 50, min_count = 2;
  double learning_rate = 0.002, weight_decay = 0.01;
  std::uint64_t seed = 1;
};

/// What was found for one document.
struct Verdict {
  std::string label;                 // the likeliest
  double probability;                // by the mean of all models
  std::vector<double> word_weights;  // how much each word was listened to for that label; they sum to 1
};

/// The mean of several models is right more often than each of them (Lakshminarayanan et al. 2017): where
/// they guess, they guess differently.
class Committee {
 public:
  /// Trains on the documents; `progress`, unless empty, hears of each epoch: (model, epoch, loss).
  Committee(const std::vector<Document>& documents, ModelSizes sizes, const TrainingOptions& options,
            const std::function<void(gradual::Index, gradual::Index, double)>& progress = {});

  const Features& features() const { return features_; }
  gradual::Index parameter_count() const;
  std::vector<Verdict> judge(const std::vector<Document>& documents) const;

 private:
  void train(DocumentClassifier& model, const std::vector<Document>& documents,
             const TrainingOptions& options, gradual::Random random,
             const std::function<void(gradual::Index, double)>& progress);

  Features features_;
  std::vector<std::unique_ptr<DocumentClassifier>> models_;
};
