#include "experiment.hpp"

#include <algorithm>
#include <chrono>
#include <functional>
#include <numeric>

#include <gradual/nn/training/trainer.hpp>

using namespace gradual;

namespace {

constexpr Index curve_points = 16;

// What the model says at the dots' patches, row by row.
std::vector<std::int32_t> answers_of(const Answerer& model, const PictureBatch& pictures, Index patch) {
  const NoGrad no_grad;
  const Tensor scores = model(Var(pictures.images)).value();  // [B, N, 10]
  const Index patches = scores.dim(1), classes = scores.dim(2), in_row = pictures.images.dim(3) / patch;
  std::vector<std::int32_t> answers;
  for (std::size_t b = 0; b < pictures.dots.size(); ++b) {
    for (const Box& dot : pictures.dots[b]) {
      const Index at = patch_at(dot.x + dot.width / 2, dot.y + dot.height / 2, patch, in_row);
      const Real* row = scores.data() + (static_cast<Index>(b) * patches + at) * classes;
      answers.push_back(static_cast<std::int32_t>(std::max_element(row, row + classes) - row));
    }
  }
  return answers;
}

double share_right(const std::vector<std::int32_t>& answers, const Indices& right) {
  const auto same = std::inner_product(answers.begin(), answers.end(), right.begin(), 0, std::plus<>(),
                                       [](std::int32_t a, std::int32_t b) { return a == b ? 1 : 0; });
  return 100.0 * same / static_cast<double>(answers.size());
}

// The patches that a box touches.
std::vector<Index> patches_of(const Box& box, Index patch, Index in_row) {
  std::vector<Index> result;
  for (Index y = box.y / patch; y <= (box.y + box.height - 1) / patch; ++y) {
    for (Index x = box.x / patch; x <= (box.x + box.width - 1) / patch; ++x) result.push_back(y * in_row + x);
  }
  return result;
}

}  // namespace

PictureBatch test_pictures(const Budget& budget) {
  return dots_and_digits(budget.test_pictures, budget.pictures, Random(budget.seed + 1000003));
}

Result run_experiment(const std::string& name, Answerer& model, const Budget& budget) {
  const Index patch = budget.model.image.patch;
  const PictureBatch test = test_pictures(budget);
  const auto all = parameters(model);
  Adam adam(all);
  Trainer trainer(all, adam,
                  {Decay::cosine, budget.learning_rate, std::max<Index>(budget.steps / 10, 1), budget.steps},
                  1.0);
  Random pictures(budget.seed + 17);
  Result result;
  result.name = name;
  result.parameters = count(all);
  const Index every = std::max<Index>(budget.steps / curve_points, 1);
  for (Index step = 1; step <= budget.steps; ++step) {
    const auto start = std::chrono::steady_clock::now();
    const PictureBatch batch = dots_and_digits(budget.batch, budget.pictures, pictures);
    trainer.step({[&] { return cross_entropy(model(Var(batch.images)), batch.targets(patch)); }});
    result.seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    if (step % every != 0 && step != budget.steps) continue;
    result.answers = answers_of(model, test, patch);
    result.accuracy = share_right(result.answers, test.answers);
    result.steps.push_back(static_cast<double>(step));
    result.accuracies.push_back(result.accuracy);
  }
  return result;
}

BestHead best_head(const std::vector<RecordedAttention>& layers, const PictureBatch& pictures, Index patch) {
  const Index in_row = pictures.images.dim(3) / patch;
  BestHead best;
  for (std::size_t layer = 0; layer < layers.size(); ++layer) {
    const Tensor& weights = layers[layer].weights;
    const Index heads = weights.dim(1), N = weights.dim(2);
    for (Index head = 0; head < heads; ++head) {
      double total = 0, area = 0, dots = 0;
      for (std::size_t b = 0; b < pictures.dots.size(); ++b) {
        for (std::size_t i = 0; i < pictures.dots[b].size(); ++i) {
          const Box& dot = pictures.dots[b][i];
          const Index at = patch_at(dot.x + dot.width / 2, dot.y + dot.height / 2, patch, in_row);
          const Real* row = weights.data() + ((static_cast<Index>(b) * heads + head) * N + at) * N;
          for (const Index other : patches_of(pictures.digits[b][i], patch, in_row)) {
            total += static_cast<double>(row[other]);
            area += 1 / static_cast<double>(N);
          }
          ++dots;
        }
      }
      if (total / dots > best.weight) best = {layer, head, total / dots, area / dots};
    }
  }
  return best;
}
