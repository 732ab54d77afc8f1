#include "committee.hpp"

#include <algorithm>
#include <numeric>

#include <gradual/autograd/operations.hpp>
#include <gradual/nn/attention/recorder.hpp>

using namespace gradual;

namespace {

// The order of an epoch: at random, but documents of like length share a batch, so that little is padding.
std::vector<std::vector<std::size_t>> batches_of(const std::vector<std::size_t>& lengths, Index size,
                                                 Random random) {
  const auto batch = static_cast<std::size_t>(size), among = 16 * batch, count = lengths.size();
  std::vector<std::size_t> order;
  for (const Index i : random.permutation(static_cast<Index>(count)))
    order.push_back(static_cast<std::size_t>(i));
  std::vector<std::vector<std::size_t>> batches;
  for (std::size_t first = 0; first < count; first += among) {
    const auto begin = order.begin() + static_cast<std::ptrdiff_t>(first);
    const auto end = order.begin() + static_cast<std::ptrdiff_t>(std::min(first + among, count));
    std::stable_sort(begin, end, [&](std::size_t a, std::size_t b) { return lengths[a] < lengths[b]; });
  }
  for (const Index b : random.permutation(static_cast<Index>((count + batch - 1) / batch))) {
    const std::size_t first = static_cast<std::size_t>(b) * batch;
    batches.emplace_back(order.begin() + static_cast<std::ptrdiff_t>(first),
                         order.begin() + static_cast<std::ptrdiff_t>(std::min(first + batch, count)));
  }
  return batches;
}

}  // namespace

struct Committee::Lesson {
  std::vector<WordFeatures> words;
  std::int32_t label, kind;
};

Committee::Committee(const Documents& documents, ModelSizes sizes, const TrainingOptions& options,
                     const Watch& watch)
    : names_(documents), features_(documents, options.min_count) {
  sizes.words = features_.words();
  sizes.labels = static_cast<Index>(names_.labels.size());
  sizes.kinds = names_.have_kinds() ? static_cast<Index>(names_.kinds.size()) : 0;
  std::vector<Lesson> lessons;
  for (const LabelledText& each : documents)
    lessons.push_back({features_.of(each), names_.label_number(each), names_.kind_number(each)});
  for (Index m = 0; m < options.models; ++m) {
    const Random random(options.seed + static_cast<std::uint64_t>(m));
    models_.push_back(std::make_unique<DocumentClassifier>(sizes, random));
    train(*models_.back(), lessons, options, random, [&](Trainer& trainer, Index steps) {
      if (watch) watch(trainer, steps, m);
    });
  }
}

void Committee::train(DocumentClassifier& model, const std::vector<Lesson>& lessons,
                      const TrainingOptions& options, Random random,
                      const std::function<void(Trainer&, Index)>& watch) const {
  std::vector<std::size_t> lengths;
  for (const Lesson& each : lessons) lengths.push_back(each.words.size());
  const auto batches = (static_cast<Index>(lessons.size()) + options.batch - 1) / options.batch;
  Adam adam(parameters(model), {0.9, 0.999, 1e-8, options.weight_decay});
  const Index steps = options.epochs * batches;
  Trainer trainer(model, adam, {Decay::linear, options.learning_rate, batches, steps});
  watch(trainer, steps);
  std::vector<std::vector<std::size_t>> epoch;
  trainer.run([&](Index n) {
    const Index in_epoch = n % batches;
    if (in_epoch == 0) epoch = batches_of(lengths, options.batch, random);
    std::vector<std::vector<WordFeatures>> documents;
    std::vector<std::int32_t> labels, kinds;
    for (const std::size_t i : epoch[static_cast<std::size_t>(in_epoch)]) {
      documents.push_back(features_.with_words_hidden(lessons[i].words, options.hide_words, random));
      labels.push_back(lessons[i].label);
      kinds.push_back(lessons[i].kind);
    }
    const Shape shape{static_cast<Index>(labels.size())};
    const DocumentClassifier::Scores scores = model(features_.batch(documents));
    const Var of_labels = cross_entropy(scores.labels, Indices(shape, labels));
    if (!scores.kinds.defined()) return of_labels;
    return (of_labels + cross_entropy(scores.kinds, Indices(shape, kinds))) * Real(0.5);
  });
}

Index Committee::parameter_count() const {
  Index total = 0;
  for (const auto& model : models_) total += count(parameters(*model));
  return total;
}

// Adds a model's share to the verdicts of a batch.
void Committee::ask(const DocumentClassifier& model, const DocumentBatch& batch, Verdict* verdicts) const {
  AttentionRecorder recorder;
  const DocumentClassifier::Scores scores = model(batch);
  const Tensor& weights = recorder.recorded().back().weights;  // [B, 1, 1, S]: the pooling comes last
  const Tensor labels = softmax(scores.labels).value();
  const double share = 1 / static_cast<double>(models_.size());
  const double of_each = scores.kinds.defined() ? share / 2 : share;
  for (Index d = 0; d < batch.lengths.size(); ++d) {
    Verdict& verdict = verdicts[d];
    for (std::size_t c = 0; c < names_.labels.size(); ++c)
      verdict.probabilities[c] += of_each * static_cast<double>(labels({d, static_cast<Index>(c)}));
    for (std::size_t w = 0; w < verdict.word_weights.size(); ++w)
      verdict.word_weights[w] += share * static_cast<double>(weights({d, 0, 0, static_cast<Index>(w)}));
  }
  if (!scores.kinds.defined()) return;
  const Tensor kinds = softmax(scores.kinds).value();
  for (Index d = 0; d < batch.lengths.size(); ++d)
    for (std::size_t k = 0; k < names_.kinds.size(); ++k)
      verdicts[d].probabilities[names_.label_of_kind[k]] +=
          of_each * static_cast<double>(kinds({d, static_cast<Index>(k)}));
}

std::vector<Verdict> Committee::judge(const Documents& documents) const {
  constexpr std::size_t together = 100;
  const NoGrad no_grad;
  std::vector<Verdict> verdicts;
  for (const LabelledText& each : documents)
    verdicts.push_back(
        {std::vector<double>(names_.labels.size(), 0), std::vector<double>(each.words.size(), 0)});
  for (std::size_t first = 0; first < documents.size(); first += together) {
    std::vector<std::vector<WordFeatures>> chosen;
    for (std::size_t i = first; i < std::min(first + together, documents.size()); ++i)
      chosen.push_back(features_.of(documents[i]));
    const DocumentBatch batch = features_.batch(chosen);
    for (const auto& model : models_) ask(*model, batch, &verdicts[first]);
  }
  return verdicts;
}
