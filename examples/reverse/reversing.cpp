#include "reversing.hpp"

#include <algorithm>
#include <chrono>

#include <gradual/core/products/products.hpp>
#include <gradual/nn/data/reversal.hpp>
#include <gradual/nn/decoding/greedy.hpp>
#include <gradual/nn/training/trainer.hpp>

using namespace gradual;

namespace {

using Clock = std::chrono::steady_clock;

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

std::vector<Judged> write_backwards(Transformer& model, const std::vector<EncodedPair>& pairs) {
  constexpr std::size_t in_batch = 128;
  set_training(model, false);
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
  set_training(model, true);
  return judged;
}

double exact(const std::vector<Judged>& judged) {
  const auto right = std::count_if(judged.begin(), judged.end(), [](const Judged& j) { return j.right(); });
  return static_cast<double>(right) / static_cast<double>(std::max<std::size_t>(judged.size(), 1));
}

TrainingResult train(Transformer& model, const Settings& settings, const std::vector<EncodedPair>& unseen,
                     const std::function<void(const Standing&)>& report) {
  const std::vector<NamedParameter> all = parameters(model);
  Adam adam(all, {0.9, 0.99, 1e-9, 0});
  Trainer trainer(all, adam, settings.schedule, 1);
  Batches batches(settings, Random(settings.seed).split());
  std::vector<EncodedPair> some;  // of all lengths
  for (std::size_t i = 0; i < unseen.size(); i += std::max<std::size_t>(1, unseen.size() / 200))
    some.push_back(unseen[i]);

  set_training(model, true);
  TrainingResult result;
  double loss = 0;
  std::int64_t flops = 0;
  Index reported = 0;
  for (Index step = 1; step <= settings.steps; ++step) {
    const auto start = Clock::now();
    const std::int64_t flops_before = flop_count();
    const TranslationBatch batch = batches.next();
    loss += trainer.step({[&] { return model.loss(batch, {}); }}).loss;
    flops += flop_count() - flops_before;
    result.seconds += std::chrono::duration<double>(Clock::now() - start).count();
    if (step * 10 / settings.steps == (step - 1) * 10 / settings.steps) continue;
    const double share = exact(write_backwards(model, some));
    result.standings.push_back({step, loss / static_cast<double>(step - reported), share, result.seconds});
    report(result.standings.back());
    reported = step;
    loss = 0;
  }
  result.gflop_a_step = 1e-9 * static_cast<double>(flops) / static_cast<double>(settings.steps);
  return result;
}
