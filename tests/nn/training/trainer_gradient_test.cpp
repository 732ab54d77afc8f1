// In double: a float adds up some 1e-7 of the gradient in another order.
#include <gradual/nn/training/trainer.hpp>

#include <numeric>

#include <gradual/nn/seq2seq/batches.hpp>
#include <gradual/nn/transformer/transformer.hpp>

#include "support/catch.hpp"

using namespace gradual;

namespace {

std::vector<std::int32_t> words(Index count, Random& random) {
  std::vector<std::int32_t> ids;
  for (Index i = 0; i < count; ++i) ids.push_back(static_cast<std::int32_t>(4 + random.below(10)));
  return ids;
}

// Ten sentences, and one short one.
std::vector<EncodedPair> eleven_pairs() {
  Random random(3);
  std::vector<EncodedPair> pairs;
  for (Index i = 0; i < 10; ++i) pairs.push_back({words(6 + i % 3, random), words(8 - i % 4, random)});
  pairs.push_back({words(1, random), words(1, random)});
  return pairs;
}

struct AfterOneStep {
  TrainingStep step;
  std::vector<Tensor> gradients;  // by an optimizer that follows them as they are
};

// The batches end before these rows; of a team each process has its share of them.
AfterOneStep train_once(const std::vector<Index>& cuts, const Team* team = nullptr) {
  TransformerConfig config;
  config.source_vocabulary = config.target_vocabulary = 14;
  config.width = 8;
  config.heads = 2;
  config.feed_forward = 16;
  config.dropout = 0;
  Transformer model(config, Random(1));
  const std::vector<NamedParameter> all = parameters(model);
  std::vector<Tensor> before;
  for (const NamedParameter& each : all) before.push_back(each.variable.value() * Real(1));
  const std::vector<EncodedPair> pairs = eleven_pairs();
  Sgd sgd(all);
  TrainerOptions options;
  options.clip = 0;
  options.accumulate = static_cast<Index>(cuts.size());
  Trainer trainer(model, sgd, {Decay::constant, 1, 0, 1}, options);
  if (team) trainer.share_work(*team);
  const TrainingStep step = trainer.step([&](Index n) -> BatchLoss {
    const auto i = static_cast<std::size_t>(n);
    const Index first = n == 0 ? 0 : cuts[i - 1];
    std::vector<Index> rows(static_cast<std::size_t>(cuts[i] - first));
    std::iota(rows.begin(), rows.end(), first);
    if (team) rows = team->share_of(rows);
    if (rows.empty()) return {Var(), 0};
    const TranslationBatch batch = make_batch(pairs, rows);
    return {model.loss(batch, {}), batch.words()};
  });
  AfterOneStep after{step, {}};
  for (std::size_t i = 0; i < all.size(); ++i) after.gradients.push_back(before[i] - all[i].variable.value());
  return after;
}

void check_same(const AfterOneStep& cut, const AfterOneStep& whole) {
  CHECK(cut.step.loss == Approx(whole.step.loss).epsilon(1e-9));
  CHECK(cut.step.gradient_norm == Approx(whole.step.gradient_norm).epsilon(1e-9));
  double largest = 0;
  for (std::size_t i = 0; i < whole.gradients.size(); ++i)
    for (Index k = 0; k < whole.gradients[i].size(); ++k)
      largest = std::max(
          largest, std::abs(static_cast<double>(cut.gradients[i].data()[k] - whole.gradients[i].data()[k])));
  CHECK(largest < 1e-9 * whole.step.gradient_norm);
}

}  // namespace

TEST_CASE(
    "trainer: batches that are accumulated give the loss and gradient of one large batch, however cut") {
  const AfterOneStep whole = train_once({11});
  std::vector<std::vector<Index>> cuts{{10, 11}, {1, 11}, {3, 3, 7, 11}, {0, 11}, {4, 8, 11, 11}};
  cuts.emplace_back(11);
  std::iota(cuts.back().begin(), cuts.back().end(), Index(1));  // each sentence by itself
  for (const std::vector<Index>& each : cuts) {
    INFO(each.size() << " batches, the first of " << each.front() << " sentences");
    check_same(train_once(each), whole);
  }
}

// Of one process, unless `mpirun` starts the test.
TEST_CASE("trainer: processes that share the batches give the loss and gradient of one that has them all") {
  Communicator communicator;
  const Team team(communicator);
  const AfterOneStep whole = train_once({11});
  for (const std::vector<Index>& each : {std::vector<Index>{11}, {3, 3, 7, 11}, {10, 11}}) {
    INFO(each.size() << " batches, " << communicator.size() << " processes");
    check_same(train_once(each, &team), whole);
  }
}
