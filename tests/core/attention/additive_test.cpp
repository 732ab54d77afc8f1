// Additive scores: shapes that do not fit, empty ones, and numbers without end.
#include <gradual/core/attention/additive.hpp>

#include <cmath>

#include "support/catch.hpp"
#include "support/tensors.hpp"
#include "support/threads.hpp"

using namespace gradual;

TEST_CASE("additive scores: inputs and gradients that do not fit, or are missing, are refused") {
  const Tensor q = Tensor::ones({2, 3, 4}), k = Tensor::ones({2, 5, 4}), v = Tensor::ones({4});
  const Tensor dy = Tensor::ones({2, 3, 5});
  const auto refused = [&](const Tensor& a, const Tensor& b, const Tensor& c) {
    CHECK_THROWS_AS(additive_scores(a, b, c), std::invalid_argument);
    CHECK_THROWS_AS(additive_scores_backward(a, b, c, dy), std::invalid_argument);
  };
  refused({}, k, v);
  refused(q, {}, v);
  refused(q, k, {});
  refused(q, Tensor::ones({1, 5, 4}), v);
  refused(q, Tensor::ones({2, 5, 3}), v);
  refused(q, k, Tensor::ones({3}));
  for (const Tensor& wrong : {Tensor(), Tensor::ones({2, 5, 3}), Tensor::ones({2, 3, 4}), Tensor::ones({30})})
    CHECK_THROWS_WITH(
        additive_scores_backward(q, k, v, wrong),
        text("additive_scores: the gradient must have the shape of the scores, [B, T, S]: queries "
             "are [2, 3, 4], keys are [2, 5, 4], the gradient is ",
             wrong.shape()));
}

TEST_CASE("additive scores: no sentences, queries, keys or width give no scores, or zeros") {
  const auto scores = [](Index B, Index T, Index S, Index H) {
    const Tensor q = Tensor::ones({B, T, H}), k = Tensor::ones({B, S, H}), v = Tensor::ones({H});
    const Tensor y = additive_scores(q, k, v);
    const AdditiveGradients gradients = additive_scores_backward(q, k, v, Tensor::ones({B, T, S}));
    CHECK(gradients.q.shape() == q.shape());
    CHECK(gradients.k.shape() == k.shape());
    CHECK(same_bits(gradients.v, Tensor::zeros({H})));
    return y;
  };
  CHECK(scores(0, 2, 3, 4).shape() == Shape{0, 2, 3});
  CHECK(scores(2, 0, 3, 4).shape() == Shape{2, 0, 3});
  CHECK(scores(2, 2, 0, 4).shape() == Shape{2, 2, 0});
  CHECK(same_bits(scores(2, 2, 3, 0), Tensor::zeros({2, 2, 3})));
}

TEST_CASE("additive scores: infinite sums are at the ends of tanh, what is no number stays none") {
  const Tensor q({1, 4, 1}, {infinity, -infinity, Real(std::nan("")), Real(0.5)}), k({1, 1, 1}, {2}),
      v({1}, {3});
  const Tensor y = additive_scores(q, k, v);
  CHECK(y({0, 0, 0}) == 3);
  CHECK(y({0, 1, 0}) == -3);
  CHECK(std::isnan(y({0, 2, 0})));
  CHECK(y({0, 3, 0}) == Approx(3 * std::tanh(2.5)));
  const AdditiveGradients gradients = additive_scores_backward(q, k, v, Tensor::ones({1, 4, 1}));
  CHECK(gradients.q({0, 0, 0}) == 0);
  CHECK(gradients.q({0, 1, 0}) == 0);
  CHECK(std::isnan(gradients.q({0, 2, 0})));
}
