// What the tools cost, by the processor's time: gradual_tests "[cost]". No verdict depends on it.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <vector>

#include <gradual/autograd/anomaly.hpp>
#include <gradual/core/threads.hpp>
#include <gradual/nn/diagnosis/leaks.hpp>
#include <gradual/nn/seq2seq/batches.hpp>
#include <gradual/nn/training/optimizer.hpp>
#include <gradual/nn/transformer/transformer.hpp>

#include "support/catch.hpp"

using namespace gradual;

namespace {

double processor_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

// The least of ten, taken in turn with those of the others, so that a busy machine disturbs all alike.
template <class... Actions>
std::vector<double> least_seconds(int times, const Actions&... actions) {
  std::vector<double> least(sizeof...(actions), HUGE_VAL);
  for (int turn = 0; turn < 10; ++turn) {
    std::size_t which = 0;
    const auto take = [&](const auto& action) {
      const double start = processor_seconds();
      for (int i = 0; i < times; ++i) action();
      least[which] = std::min(least[which], (processor_seconds() - start) / times);
      ++which;
    };
    (take(actions), ...);
  }
  return least;
}

// A training step of the size of the toy corpus: 64 pairs of 12 tokens.
struct ToyStep {
  static TransformerConfig sizes() {
    TransformerConfig config;
    config.width = 64;
    config.heads = 4;
    config.feed_forward = 128;
    config.encoder_layers = config.decoder_layers = 2;
    config.source_vocabulary = config.target_vocabulary = 256;
    return config;
  }
  ToyStep() {
    Random random(1);
    std::vector<EncodedPair> pairs(64);
    for (EncodedPair& pair : pairs)
      for (int i = 0; i < 11; ++i) {
        pair.source.push_back(static_cast<std::int32_t>(4 + random.below(252)));
        pair.target.push_back(static_cast<std::int32_t>(4 + random.below(252)));
      }
    std::vector<Index> rows;
    for (Index i = 0; i < 64; ++i) rows.push_back(i);
    batch = make_batch(pairs, rows);
  }
  void operator()() {
    zero_gradients(all);
    backward(model.loss(batch, {}));
    adam.step(0.001, clipping_scale(gradient_norm(all), 1));
  }
  Transformer model{sizes(), Random(1)};
  std::vector<NamedParameter> all = parameters(model);
  Adam adam{all};
  TranslationBatch batch;
};

}  // namespace

TEST_CASE("cost: of the hook, of anomaly detection and of the leak check, beside a step of the toy size",
          "[.][cost]") {
  set_thread_count(1);
  struct Deaf : GraphObserver {
    void forward(const char*, const Var&, const std::vector<Var>&) override { ++heard; }
    void backward(const Node&, const Tensor&) override { ++heard; }
    int heard = 0;
  };
  ToyStep step;
  step();
  int heard = 0;
  {
    Deaf deaf;
    step();
    heard = deaf.heard;
  }
  const auto seconds = least_seconds(
      20, [&] { step(); },
      [&] {
        const Deaf deaf;
        step();
      },
      [&] {
        const AnomalyDetection detection;
        step();
      });
  volatile bool any = false;
  const double ask = least_seconds(1000000, [&] { any = GraphObserver::listening(); })[0];
  std::printf(
      "a step: %.3f ms; with an observer that does nothing: %.3f ms (%+.2f %%); with anomaly detection: "
      "%.3f ms (%+.2f %%)\n",
      seconds[0] * 1e3, seconds[1] * 1e3, 100 * (seconds[1] / seconds[0] - 1), seconds[2] * 1e3,
      100 * (seconds[2] / seconds[0] - 1));
  std::printf("to ask whether somebody listens: %.2f ns, %d times a step: %.4f %% of it\n", ask * 1e9, heard,
              100 * ask * heard / seconds[0]);
  const LeakSubject subject = leak_subject(step.model, 256, 256);
  const auto check = least_seconds(
      3, [&] { step(); }, [&] { CHECK(find_leaks(subject).empty()); });
  std::printf("the leak check: %.2f ms, %.2f steps\n", check[1] * 1e3, check[1] / check[0]);
}
