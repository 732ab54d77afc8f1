// What goes into the parts of 02. Scores of the small cases are multiples of ln 2, so that their exponentials
// are powers of 2 and weights can be worked out by hand.
#include <cmath>

#include <gradual/core/rows/rows.hpp>

#include "../exercise.hpp"

using namespace gradual;

namespace {

Tensor times_ln2(Tensor x) {
  Real* numbers = x.mutable_data();
  for (Index i = 0; i < x.size(); ++i) numbers[i] *= std::log(Real(2));
  return x;
}

// Every row `step` above the one before: what one row subtracts is wrong for the next.
Tensor in_steps(Tensor x, Real step) {
  Real* numbers = x.mutable_data();
  for (Index i = 0; i < x.size(); ++i) numbers[i] += step * static_cast<Real>(i / x.dim(-1));
  return x;
}

Tensor scores(Random random, Index size) {
  switch (size) {
    case 0:
      return times_ln2(draw(random, {1, 2}, 0, 3, 1));
    case 1:
      return times_ln2(draw(random, {2, 3}, -2, 3, 1));
    case 2:
      return draw(random, {2, 3, 4}, -2, 2, 0.25);
    case 3:
      return draw(random, {2, 4}, 100, 400, 50);
    case 4:
      return in_steps(draw(random, {3, 3}, -1, 1, 0.25), 150);
    case 5:
      return draw(random, {3, 1, 5}, -400, -100, 20);
    default:
      return draw(random, {7, 33}, -4, 4, 0.125);
  }
}

const Shape shapes[] = {{1, 2}, {2, 2}, {2, 3}, {2, 3, 4}, {3, 1, 5}, {7, 33}};

// One slope of 1 at first, whose effects can be told apart.
Tensor slopes(Random random, Index size) {
  const Shape shape = shapes[size];
  if (size > 0) return draw(random, shape, -2, 2, 0.25);
  Tensor dy = Tensor::zeros(shape);
  dy.mutable_data()[random.below(shape.size())] = 1;
  return dy;
}

Tensor logarithms(Tensor weights) {
  Real* numbers = weights.mutable_data();
  for (Index i = 0; i < weights.size(); ++i) numbers[i] = std::log(numbers[i]);
  return weights;
}

Values scores_alone(Random random, Index size) { return {{{"x", scores(random, size)}}, {}, {}}; }

// Two different ones at first: mistakes can be equal where weights are.
Tensor weights(Random random, Index size) {
  if (size > 0) return draw_weights(random, shapes[size]);
  const Real share = static_cast<Real>(1 + random.below(9)) / 20;
  return Tensor({1, 2}, {share, 1 - share});
}

Values weights_and_slopes(Random random, Index size) {
  return {{{"y", weights(random.split(), size)}, {"dy", slopes(random.split(), size)}}, {}, {}};
}

Values logarithms_and_slopes(Random random, Index size) {
  Values values = weights_and_slopes(random, size);
  values.tensors[0].second = logarithms(values.tensors[0].second);
  return values;
}

// Different lengths, of which `least` is the smallest possible.
Indices lengths(Random random, const Shape& shape, Index least, Index width) {
  std::vector<std::int32_t> some;
  for (Index length : random.permutation(width + 1 - least))
    if (static_cast<Index>(some.size()) < shape.size())
      some.push_back(static_cast<std::int32_t>(length + least));
  return {shape, some};
}

Values scores_and_lengths(Random random, Index size) {
  const auto values = [](const Tensor& x, const Indices& valid) {
    return Values{{{"x", x}}, {{"valid", valid}}, {}};
  };
  const Random own = random.split();
  switch (size) {
    case 0:
      return values(times_ln2(draw(random, {1, 3}, 0, 2, 1)), Indices({1}, {2}));
    case 1:
      return values(times_ln2(draw(random, {2, 3}, 0, 2, 1)), lengths(own, {2}, 1, 3));
    case 2:
      return values(draw(random, {2, 3}, -1, 1, 0.5), Indices({2}, {0, 3}));
    case 3:
      return values(draw(random, {2, 3, 4}, -2, 2, 0.25), lengths(own, {2}, 0, 4));
    case 4:
      return values(draw(random, {2, 2, 5}, -2, 2, 0.25), lengths(own, {2, 2}, 0, 5));
    case 5:
      return values(draw(random, {2, 4}, 100, 400, 50), lengths(own, {2}, 1, 4));
    case 6:  // none of them is near 0
      return values(draw(random, {2, 4}, -400, -120, 20), lengths(own, {2}, 1, 4));
    default:
      return values(draw(random, {3, 4, 33}, -4, 4, 0.125), lengths(own, {3, 4}, 0, 33));
  }
}

Values result(const char* name, const Tensor& x) { return {{{name, x}}, {}, {}}; }

const Exercise weights_from_scores{"02.1", 7, scores_alone,
                                   [](const Values& in) { return result("y", softmax(tensor(in, "x"))); }};
const Exercise their_logarithms{"02.2", 7, scores_alone,
                                [](const Values& in) { return result("y", log_softmax(tensor(in, "x"))); }};
const Exercise slope{"02.3", 6, weights_and_slopes, [](const Values& in) {
                       return result("dx", softmax_backward(tensor(in, "y"), tensor(in, "dy")));
                     }};
const Exercise slope_of_logarithms{
    "02.4", 6, logarithms_and_slopes,
    [](const Values& in) { return result("dx", log_softmax_backward(tensor(in, "y"), tensor(in, "dy"))); }};
const Exercise not_there{"02.5", 8, scores_and_lengths, [](const Values& in) {
                           return result("y", masked_softmax(tensor(in, "x"), indices(in, "valid")));
                         }};

}  // namespace
