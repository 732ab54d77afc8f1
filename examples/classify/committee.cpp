#include "committee.hpp"

#include <algorithm>

#include <gradual/autograd/operations.hpp>
#include <gradual/nn/training/trainer.hpp>

using namespace gradual;

Committee::Committee(const std::vector<Document>& documents, ModelSizes sizes, const TrainingOptions& options,
                     const std::function<void(Index, Index, double)>& progress)
    : features_(documents, options.min_count) {
  sizes.words = features_.words();
  sizes.labels = static_cast<Index>(features_.labels().size());
  if (sizes.labels < 2)
    throw std::invalid_argument("classify: there must be at least two labels to tell apart");
  for (Index m = 0; m < options.models; ++m) {
    const Random random(options.seed + static_cast<std::uint64_t>(m));
    models_.push_back(std::make_unique<DocumentClassifier>(sizes, random));
    train(*models_.back(), documents, options, random, [&](Index epoch, double loss) {
      if (progress) progress(m, epoch, loss);
    });
  }
}

void Committee::train(DocumentClassifier& model, const std::vector<Document>& documents,
                      const TrainingOptions& options, Random random,
                      const std::function<void(Index, double)>& progress) {
  const auto count = static_cast<Index>(documents.size());
  const Index batches = (count + options.batch - 1) / options.batch, steps = options.epochs * batches;
  const std::vector<NamedParameter> all = parameters(model);
  Adam adam(all, {0.9, 0.98, 1e-9, options.weight_decay});
  Trainer trainer(all, adam, {Decay::cosine, options.learning_rate, steps / 20, steps}, 1);
  CrossEntropyOptions loss_options;
  loss_options.ignored = -1;  // label 0 counts
  set_training(model, true);
  for (Index epoch = 1; epoch <= options.epochs; ++epoch) {
    const std::vector<Index> order = random.permutation(count);
    double loss = 0;
    for (Index first = 0; first < count; first += options.batch) {
      std::vector<const Document*> chosen;
      for (Index i = first; i < std::min(first + options.batch, count); ++i)
        chosen.push_back(&documents[static_cast<std::size_t>(order[static_cast<std::size_t>(i)])]);
      const DocumentBatch batch = features_.batch(chosen);
      loss +=
          trainer.step({[&] { return cross_entropy(model(batch).logits, batch.labels, loss_options); }}).loss;
    }
    progress(epoch, loss / static_cast<double>(batches));
  }
  set_training(model, false);
}

Index Committee::parameter_count() const {
  Index total = 0;
  for (const auto& model : models_) total += count(parameters(*model));
  return total;
}

std::vector<Verdict> Committee::judge(const std::vector<Document>& documents) const {
  constexpr std::size_t together = 100;
  const NoGrad no_grad;
  const auto labels = static_cast<Index>(features_.labels().size());
  const double share = 1 / static_cast<double>(models_.size());
  std::vector<Verdict> verdicts;
  for (std::size_t first = 0; first < documents.size(); first += together) {
    std::vector<const Document*> chosen;
    for (std::size_t i = first; i < std::min(first + together, documents.size()); ++i)
      chosen.push_back(&documents[i]);
    const DocumentBatch batch = features_.batch(chosen);
    std::vector<Tensor> probabilities, weights;
    for (const auto& model : models_) {
      const DocumentClassifier::Answer answer = (*model)(batch);
      probabilities.push_back(softmax(answer.logits).value());
      weights.push_back(answer.weights.value());
    }
    for (Index d = 0; d < static_cast<Index>(chosen.size()); ++d) {
      std::vector<double> means(static_cast<std::size_t>(labels), 0);
      for (const Tensor& each : probabilities)
        for (Index c = 0; c < labels; ++c)
          means[static_cast<std::size_t>(c)] += share * static_cast<double>(each({d, c}));
      const Index best = std::max_element(means.begin(), means.end()) - means.begin();
      std::vector<double> words(chosen[static_cast<std::size_t>(d)]->words.size(), 0);
      for (const Tensor& each : weights)
        for (std::size_t w = 0; w < words.size(); ++w)
          words[w] += share * static_cast<double>(each({d, best, static_cast<Index>(w)}));
      verdicts.push_back(
          {features_.labels()[static_cast<std::size_t>(best)], means[static_cast<std::size_t>(best)], words});
    }
  }
  return verdicts;
}
