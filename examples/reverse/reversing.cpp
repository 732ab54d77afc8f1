#include "reversing.hpp"

#include <algorithm>

#include <gradual/nn/data/reversal.hpp>
#include <gradual/nn/decoding/greedy.hpp>

using namespace gradual;

namespace {

// Batches of like length, as long as they are wanted.
class Batches {
 public:
  Batches(const Settings& settings, Random random)
      : task_(settings.words, settings.longest), tokens_(settings.batch_tokens), random_(random) {}

  TranslationBatch next() {
    if (rows_.empty()) refill();
    const TranslationBatch batch = make_batch(pairs_, rows_.back());
    rows_.pop_back();
    return batch;
  }

 private:
  void refill() {
    constexpr int drawn_at_once = 4000;
    pairs_.clear();
    for (int i = 0; i < drawn_at_once; ++i) pairs_.push_back(task_.draw(random_));
    rows_ = batches_of_like_length(pairs_, tokens_, random_.split());
  }

  ReversalTask task_;
  Index tokens_;
  Random random_;
  std::vector<EncodedPair> pairs_;
  std::vector<std::vector<Index>> rows_;
};

}  // namespace

std::vector<Judged> write_backwards(const Transformer& model, const std::vector<EncodedPair>& pairs) {
  constexpr std::size_t in_batch = 128;
  std::vector<Judged> judged;
  for (std::size_t first = 0; first < pairs.size(); first += in_batch) {
    const std::size_t last = std::min(pairs.size(), first + in_batch);
    std::vector<std::vector<std::int32_t>> sources;
    for (std::size_t i = first; i < last; ++i) sources.push_back(pairs[i].source);
    DecodingOptions options;
    options.max_length = static_cast<Index>(sources.back().size()) + 2;  // a word too many is a mistake
    const std::vector<Hypothesis> found = greedy(model, make_source_batch(sources), options);
    for (std::size_t i = first; i < last; ++i) judged.push_back({pairs[i], found[i - first].tokens});
  }
  return judged;
}

double exact(const std::vector<Judged>& judged) {
  const auto right = std::count_if(judged.begin(), judged.end(), [](const Judged& j) { return j.right(); });
  return static_cast<double>(right) / static_cast<double>(std::max<std::size_t>(judged.size(), 1));
}

LearningCurve train(Transformer& model, const Settings& settings, const std::vector<EncodedPair>& unseen,
                    const std::function<void(const LearningCurve::Point&)>& seen) {
  Adam adam(parameters(model), {0.9, 0.99, 1e-9, 0});
  Trainer trainer(model, adam, settings.schedule);
  Batches batches(settings, Random(settings.seed).split());
  std::vector<EncodedPair> some;  // of all lengths
  for (std::size_t i = 0; i < unseen.size(); i += std::max<std::size_t>(1, unseen.size() / 200))
    some.push_back(unseen[i]);
  LearningCurve curve;
  curve.follow(
      trainer, 10, [&] { return exact(write_backwards(model, some)); }, seen);
  trainer.run([&](Index) { return model.loss(batches.next(), {}); });
  return curve;
}
