// What goes into the parts of 03: halves and quarters, so that the small cases can be worked out by hand.
#include <cmath>

#include "../exercise.hpp"
#include "03-attention/attention.hpp"

using namespace gradual;

namespace {

// Sentences, queries, keys, and the numbers of a query or of a value. Where all are equal, a factor that
// should have been transposed fits without.
struct Sizes {
  Index B, T, S, d;
};
const Sizes sizes[] = {{1, 1, 2, 4}, {1, 2, 2, 4}, {1, 3, 3, 3}, {2, 2, 3, 4}, {2, 4, 2, 9}, {2, 5, 17, 16}};

// The largest of them has some more queries and keys: how many, the seed says.
Sizes drawn_sizes(Random& random, Index size) {
  Sizes s = sizes[size];
  if (size < 5) return s;
  s.T += random.below(4);
  s.S += random.below(4);
  return s;
}

Values scores_inputs(Random random, Index size) {
  const auto [B, T, S, d] = drawn_sizes(random, size);
  return {{{"q", draw(random.split(), {B, T, d}, -2, 2, 0.5)},
           {"k", draw(random.split(), {B, S, d}, -2, 2, 0.5)}},
          {},
          {}};
}

// 1 for some keys of each query, at least one, and 0 for the others.
Tensor some_keys(Random random, Index T, Index S) {
  Tensor visible = draw(random.split(), {T, S}, 0, 1, 1);
  for (Index t = 0; t < T; ++t) visible.mutable_data()[t * S + random.below(S)] = 1;
  return visible;
}

Tensor times_ln2(const Tensor& x) {
  Tensor y = x;
  for (Index i = 0; i < y.size(); ++i) y.mutable_data()[i] *= std::log(Real(2));
  return y;
}

// One query sees nothing.
Tensor with_an_empty_row(Tensor visible, Index t) {
  const Index S = visible.dim(1);
  for (Index s = 0; s < S; ++s) visible.mutable_data()[t * S + s] = 0;
  return visible;
}

// The scores of hidden keys are far above the others.
Tensor raised_where_hidden(Tensor scores, const Tensor& visible) {
  for (Index i = 0; i < scores.size(); ++i)
    if (visible.data()[i % visible.size()] == 0) scores.mutable_data()[i] += 200;
  return scores;
}

Values weights_inputs(Random random, Index size) {
  const auto values = [](const Tensor& scores, const Tensor& visible) {
    return Values{{{"scores", scores}, {"visible", visible}}, {}, {}};
  };
  const Random first = random.split(), second = random.split();
  switch (size) {
    case 0:
      return values(times_ln2(draw(first, {1, 1, 3}, 0, 3, 1)), Tensor({1, 3}, {1, 1, 0}));
    case 1:
      return values(times_ln2(draw(first, {1, 2, 3}, -2, 3, 1)), some_keys(second, 2, 3));
    case 2:
      return values(draw(first, {1, 3, 3}, -2, 2, 0.5),
                    with_an_empty_row(some_keys(second, 3, 3), random.below(3)));
    case 3:
      return values(draw(first, {2, 2, 4}, 100, 400, 50), some_keys(second, 2, 4));
    case 4: {
      Tensor visible = some_keys(second, 2, 4);
      visible.mutable_data()[random.below(8)] = 0;
      return values(raised_where_hidden(draw(first, {1, 2, 4}, -2, 2, 0.5), visible), visible);
    }
    case 5:
      return values(draw(first, {2, 3, 4}, -2, 2, 0.25), some_keys(second, 3, 4));
    case 6:
      return values(draw(first, {3, 4, 4}, -2, 2, 0.25),
                    with_an_empty_row(some_keys(second, 4, 4), random.below(4)));
    case 7:  // none of them is near 0
      return values(draw(first, {2, 3, 4}, -400, -120, 20), some_keys(second, 3, 4));
    default:
      return values(draw(first, {2, 5, 33}, -4, 4, 0.125), some_keys(second, 5, 33));
  }
}

// Values of as many numbers as there are keys fit transposed, too.
const Sizes average_sizes[] = {{1, 1, 2, 2}, {1, 2, 2, 2}, {1, 3, 3, 3},
                               {2, 2, 3, 4}, {2, 4, 5, 3}, {2, 6, 17, 8}};

// As dropout leaves them, the weights of the last cases do not sum to 1.
Tensor weights(Random random, Index size, Index last) {
  const auto [B, T, S, d] = average_sizes[size];
  return size == last ? draw(random, {B, T, S}, 0, 1, 0.25) : draw_weights(random, {B, T, S});
}

Values average_inputs(Random random, Index size) {
  const auto [B, T, S, d] = average_sizes[size];
  return {{{"weights", weights(random.split(), size, 4)}, {"v", draw(random.split(), {B, S, d}, -4, 4, 0.5)}},
          {},
          {}};
}

Values average_slopes_inputs(Random random, Index size) {
  const auto [B, T, S, d] = average_sizes[size];
  Values in = average_inputs(random.split(), size);
  in.tensors.emplace_back("dy", draw(random.split(), {B, T, d}, -2, 2, 0.5));
  return in;
}

Values score_slopes_inputs(Random random, Index size) {
  Values in = scores_inputs(random.split(), size);
  const Tensor &q = tensor(in, "q"), &k = tensor(in, "k");
  const Shape shape{q.dim(0), q.dim(1), k.dim(1)};
  in.tensors.emplace_back("weights", draw_weights(random.split(), shape));
  in.tensors.emplace_back("d_weights", draw(random.split(), shape, -4, 4, 0.5));
  return in;
}

const Exercise scores_of_keys{
    "03.1", 6, scores_inputs, [](const Values& in) {
      return Values{{{"scores", attention_scores(tensor(in, "q"), tensor(in, "k"))}}, {}, {}};
    }};
const Exercise weights_under_a_mask{
    "03.2", 9, weights_inputs, [](const Values& in) {
      return Values{{{"weights", attention_weights(tensor(in, "scores"), tensor(in, "visible"))}}, {}, {}};
    }};
const Exercise average_of_values{
    "03.3", 6, average_inputs, [](const Values& in) {
      return Values{{{"y", attention_average(tensor(in, "weights"), tensor(in, "v"))}}, {}, {}};
    }};
const Exercise slopes_of_the_average{"03.4", 6, average_slopes_inputs, [](const Values& in) {
                                       const AverageGradients d = attention_average_backward(
                                           tensor(in, "weights"), tensor(in, "v"), tensor(in, "dy"));
                                       return Values{{{"d_weights", d.weights}, {"dv", d.v}}, {}, {}};
                                     }};
const Exercise slopes_of_the_scores{"03.5", 6, score_slopes_inputs, [](const Values& in) {
                                      const ScoreGradients d = attention_scores_backward(
                                          tensor(in, "q"), tensor(in, "k"), tensor(in, "weights"),
                                          tensor(in, "d_weights"));
                                      return Values{{{"dq", d.q}, {"dk", d.k}}, {}, {}};
                                    }};

}  // namespace
