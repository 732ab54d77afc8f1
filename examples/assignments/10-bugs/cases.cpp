// What goes into the parts of 10.
#include <gradual/autograd/operations.hpp>
#include <gradual/core/rows/loss.hpp>
#include <gradual/nn/seq2seq/batches.hpp>
#include <gradual/nn/training/optimizer.hpp>
#include <gradual/nn/training/schedule.hpp>

#include "../exercise.hpp"

using namespace gradual;

namespace {

Indices list(const std::vector<Index>& numbers) {
  const std::vector<std::int32_t> narrow(numbers.begin(), numbers.end());
  return {Shape{static_cast<Index>(numbers.size())}, narrow};
}

Tensor as_tensor(const Indices& numbers) {
  Tensor result(numbers.shape());
  for (Index i = 0; i < numbers.size(); ++i) result.mutable_data()[i] = static_cast<Real>(numbers[i]);
  return result;
}

// How it falls, and the steps of the warm-up and of all.
struct Rates {
  Decay decay;
  Index warmup, total;
};
const Rates of_rates[] = {{Decay::linear, 2, 4},
                          {Decay::linear, 3, 4},
                          {Decay::linear, 4, 10},
                          {Decay::cosine, 5, 20},
                          {Decay::constant, 3, 9},
                          {Decay::cosine, 0, 8},
                          {Decay::inverse_square_root, 0, 16},
                          {Decay::inverse_square_root, 9, 40},
                          {Decay::linear, 20, 100}};

Values rate_inputs(Random random, Index size) {
  const Rates& s = of_rates[size];
  std::vector<Index> steps;
  if (size == 0) {
    steps = {1, 2, 3, 4};
  } else {
    steps = {1, s.warmup, s.warmup + 1, s.total, s.total + 2};
    for (int i = 0; i < 3; ++i) steps.push_back(1 + random.below(s.total));
  }
  if (steps[1] == 0) steps[1] = 1;
  return {{{"peak", draw(random.split(), {1}, 1, size == 0 ? 1 : 4, 0.5)}},
          {{"warmup, total", list({s.warmup, s.total})},
           {"decay (0 constant, 1 inverse root, 2 linear, 3 cosine)", list({static_cast<Index>(s.decay)})},
           {"steps", list(steps)}},
          {}};
}

Values rate_call(const Values& in) {
  const Indices &sizes = in.indices[0].second, &steps = indices(in, "steps");
  const Schedule schedule{static_cast<Decay>(in.indices[1].second[0]),
                          static_cast<double>(tensor(in, "peak").data()[0]), sizes[0], sizes[1]};
  Tensor rates({steps.size()});
  for (Index i = 0; i < steps.size(); ++i) rates.mutable_data()[i] = static_cast<Real>(schedule(steps[i]));
  return {{{"rates", rates}}, {}, {}};
}

struct Updates {
  Shape shape;
  Index steps;
  bool is_same, decays, is_clipped;
};
const Updates of_updates[] = {{{1}, 3, true, false, false},
                              {{2}, 3, false, false, false},
                              {{2, 3}, 4, false, true, false},
                              {{3}, 5, false, true, true},
                              {{2, 4}, 12, false, true, true}};

Values update_inputs(Random random, Index size) {
  const Updates& s = of_updates[size];
  Values values;
  values.tensors.emplace_back("p",
                              size == 0 ? Tensor::zeros(s.shape) : draw(random.split(), s.shape, -2, 2, 0.5));
  for (Index step = 0; step < s.steps; ++step)
    values.tensors.emplace_back(
        "gradient " + std::to_string(step + 1),
        s.is_same ? Tensor::ones(s.shape) : draw(random.split(), s.shape, 0.5, 3, 0.5));
  values.tensors.emplace_back("rate", Tensor({1}, {Real(0.5)}));
  values.tensors.emplace_back("weight decay", Tensor({1}, {s.decays ? Real(0.25) : Real(0)}));
  values.tensors.emplace_back("scale", Tensor({1}, {s.is_clipped ? Real(0.125) : Real(1)}));
  return values;
}

// The parameter after each step; the scale of clipping is that of every second one.
Values update_call(const Values& in) {
  const auto number = [&](const char* name) { return static_cast<double>(tensor(in, name).data()[0]); };
  Var p = Var::parameter(tensor(in, "p"));
  AdamOptions options;
  options.weight_decay = number("weight decay");
  Adam adam({{"p", p}}, options);
  Values out;
  for (const auto& [name, gradient] : in.tensors) {
    if (name.rfind("gradient", 0) != 0) continue;
    p.zero_grad();
    backward(sum(p * Var(gradient)));
    adam.step(number("rate"), out.tensors.size() % 2 == 1 ? number("scale") : 1);
    out.tensors.emplace_back("p after " + std::to_string(out.tensors.size() + 1), p.value());
  }
  return out;
}

const std::vector<std::vector<Index>>& of_lengths() {  // source and target, pair after pair
  static const std::vector<std::vector<Index>> all = {
      {1, 2}, {2, 1, 3, 4}, {4, 2, 1, 3, 2, 2}, {5, 6, 3, 0, 2, 4, 1, 9, 7, 7}};
  return all;
}

Values batch_inputs(Random random, Index size) {
  const std::vector<Index>& lengths = of_lengths()[static_cast<std::size_t>(size)];
  const auto pairs = static_cast<Index>(lengths.size()) / 2;
  Values values;
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    std::vector<Index> words;
    for (Index k = 0; k < lengths[i]; ++k) words.push_back(4 + random.below(20));
    values.indices.emplace_back((i % 2 == 0 ? "source " : "target ") + std::to_string(i / 2), list(words));
  }
  std::vector<Index> rows = {pairs - 1};  // the last first
  for (Index i = 0; i < pairs - 1; ++i) rows.push_back((i + 1 + random.below(2)) % pairs);
  values.indices.emplace_back("rows", list(rows));
  return values;
}

Values batch_call(const Values& in) {
  std::vector<EncodedPair> pairs;
  for (const auto& [name, words] : in.indices) {
    if (name.rfind("source", 0) == 0) pairs.push_back({{words.begin(), words.end()}, {}});
    if (name.rfind("target", 0) == 0) pairs.back().target = {words.begin(), words.end()};
  }
  const Indices& wanted = indices(in, "rows");
  const TranslationBatch batch = make_batch(pairs, {wanted.begin(), wanted.end()});
  return {{{"source", as_tensor(batch.source.ids)},
           {"lengths", as_tensor(batch.source.lengths)},
           {"input", as_tensor(batch.input)},
           {"output", as_tensor(batch.output)}},
          {},
          {}};
}

// Rows, words, how many rows are padding, and ε.
struct Rows {
  Shape rows;
  Index V, padding;
  double smoothing;
};
const Rows of_rows[] = {{{2}, 2, 1, 0},    {{1}, 3, 1, 0.25},   {{2}, 3, 0, 0.25},
                        {{4}, 3, 2, 0.25}, {{2, 3}, 5, 2, 0.5}, {{3, 4}, 17, 5, 0.125}};

Values loss_inputs(Random random, Index size) {
  Rows s = of_rows[size];
  if (size == 5) s.V += random.below(5);  // how many words, the seed says
  std::vector<std::int32_t> targets;
  const Index rows = s.rows.size();
  for (Index r = 0; r < rows; ++r)
    targets.push_back(r >= rows - s.padding ? -1
                                            : static_cast<std::int32_t>(size == 0 ? 0 : random.below(s.V)));
  const Tensor logits = size == 0            ? Tensor::zeros({2, 2})
                        : s.rows.rank() == 1 ? draw(random.split(), {s.rows[0], s.V}, -2, 2, 0.5)
                                             : draw(random.split(), {s.rows[0], s.rows[1], s.V}, -2, 2, 0.5);
  return {{{"logits", logits}, {"smoothing", Tensor({1}, {static_cast<Real>(s.smoothing)})}},
          {{"targets", Indices(s.rows, targets)}},
          {}};
}

Values loss_call(const Values& in) {
  CrossEntropyOptions options;
  options.label_smoothing = static_cast<double>(tensor(in, "smoothing").data()[0]);
  const LossGradients result = cross_entropy(tensor(in, "logits"), indices(in, "targets"), options, true);
  return {{{"loss", Tensor({1}, {result.loss})},
           {"gradient", result.inputs},
           {"counted", Tensor({1}, {static_cast<Real>(result.counted)})}},
          {},
          {}};
}

const Exercise rates{"10.1", 9, rate_inputs, rate_call};
const Exercise updates{"10.2", 5, update_inputs, update_call};
const Exercise batches{"10.3", 4, batch_inputs, batch_call};
const Exercise losses{"10.4", 6, loss_inputs, loss_call};

}  // namespace
