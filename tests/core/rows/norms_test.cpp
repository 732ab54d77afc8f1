// Layer norm and RMS norm against their equations, in double.
#include <gradual/core/rows/norms.hpp>

#include <cmath>
#include <limits>

#include <gradual/core/elements/arithmetic.hpp>

#include "support/catch.hpp"
#include "support/tensors.hpp"
#include "support/threads.hpp"

using namespace gradual;

TEST_CASE("layer norm: a mean far larger than the deviation costs few digits") {
  const Tensor x({4}, {10001, 10002, 10003, 10004}), ones = Tensor::ones({4}), zeros = Tensor::zeros({4});
  NormStatistics statistics;
  const Tensor y = layer_norm(x, ones, zeros, 0, statistics);
  const double unit = 1 / std::sqrt(1.25);
  CHECK(difference(y, Tensor({4}, {Real(-1.5 * unit), Real(-0.5 * unit), Real(0.5 * unit), Real(1.5 * unit)}),
                   1e-5) == "");
}

TEST_CASE("norms: numbers whose squares are too large for a Real have the same norm as small ones") {
  const Real most = std::numeric_limits<Real>::max(), huge = std::sqrt(most) * 100;
  const Tensor ones = Tensor::ones({2}), zeros = Tensor::zeros({2}), dy({2}, {1, 3});
  for (const Real x : {huge, most / 2, most}) {
    NormStatistics layer, rms;
    CHECK(difference(layer_norm(Tensor({2}, {x, -x}), ones, zeros, Real(1e-5), layer),
                     Tensor({2}, {1, -1})) == "");
    CHECK(difference(rms_norm(Tensor({2}, {x, 0}), ones, Real(1e-5), rms),
                     Tensor({2}, {std::sqrt(Real(2)), 0})) == "");
    Tensor dx({2});
    const NormGradients gradients = layer_norm_backward(Tensor({2}, {x, -x}), ones, layer, dy, dx, false);
    CHECK(difference(gradients.gain, Tensor({2}, {1, -3}), 1e-6) == "");
    CHECK(std::abs(dx.data()[0]) < 1e-6);  // (dy - 2 - x̂·(-1)) / deviation = 0
  }
  NormStatistics statistics;
  const Tensor y =
      layer_norm(Tensor({3}, {most, most, -most}), Tensor::ones({3}), Tensor::zeros({3}), 0, statistics);
  CHECK(difference(y, Tensor({3}, {std::sqrt(Real(0.5)), std::sqrt(Real(0.5)), -std::sqrt(Real(2))})) == "");
  const Tensor unknown =
      layer_norm(Tensor({2}, {std::numeric_limits<Real>::infinity(), 0}), ones, zeros, 0, statistics);
  CHECK(std::isnan(unknown.data()[0]));
}

TEST_CASE("norms: numbers whose squares are too small for a Real have the same norm as large ones") {
  const Real least = std::numeric_limits<Real>::min(), tiny = std::sqrt(least) / 100;
  const Tensor ones = Tensor::ones({2}), zeros = Tensor::zeros({2}), dy({2}, {1, 3});
  for (const Real x : {std::sqrt(least), tiny, least * 4}) {
    NormStatistics layer, rms;
    CHECK(difference(layer_norm(Tensor({2}, {x, -x}), ones, zeros, 0, layer), Tensor({2}, {1, -1})) == "");
    CHECK(difference(layer_norm(Tensor({2}, {3 * x, x}), ones, zeros, 0, layer), Tensor({2}, {1, -1})) == "");
    CHECK(difference(rms_norm(Tensor({2}, {x, 0}), ones, 0, rms), Tensor({2}, {std::sqrt(Real(2)), 0})) ==
          "");
    Tensor dx({2});
    const Tensor d_gain = rms_norm_backward(Tensor({2}, {x, 0}), ones, rms, dy, dx, false);
    CHECK(difference(d_gain, Tensor({2}, {std::sqrt(Real(2)), 0})) == "");
  }
  NormStatistics rms;  // twice 1/x is no number
  Tensor dx({2});
  const Real x = least * Real(0.375);
  CHECK(difference(rms_norm(Tensor({2}, {x, -x}), ones, 0, rms), Tensor({2}, {1, -1})) == "");
  CHECK(difference(rms_norm_backward(Tensor({2}, {x, -x}), ones, rms, dy, dx, false), Tensor({2}, {1, -3})) ==
        "");
  NormStatistics statistics;  // of a row of one number there is nothing to divide, however small ε is
  CHECK(same_bits(layer_norm(Tensor::full({2}, Real(1e30)), ones, zeros, least / 2, statistics), zeros));
}

TEST_CASE("rms norm: a row worked out by hand") {
  NormStatistics statistics;
  // mean(x²) = (9 + 16) / 2 = 12.5, and 12.5 + 3.5 = 4²
  CHECK(rms_norm(Tensor({2}, {3, 4}), Tensor({2}, {1, 2}), 3.5, statistics).to_vector() ==
        std::vector<Real>{0.75, 2});
  CHECK(statistics.inverse_deviation.item() == 0.25);
}

TEST_CASE("norms: what does not fit is refused") {
  NormStatistics statistics;
  const Tensor scalar = Tensor::scalar(1), x = Tensor::ones({2, 3}), three = Tensor::ones({3}),
               two = Tensor::ones({2});
  Tensor dx({2, 3});
  CHECK_THROWS_WITH(layer_norm(scalar, three, three, 0, statistics),
                    "layer_norm: x must have at least one axis: x is []");
  CHECK_THROWS_WITH(rms_norm(Tensor(), three, 0, statistics),
                    "rms_norm: x must have at least one axis: x is []");
  CHECK_THROWS_WITH(layer_norm(x, two, three, 0, statistics),
                    "layer_norm: the gain must have the size of the last axis: x is [2, 3], gain is [2]");
  CHECK_THROWS_WITH(rms_norm(x, two, 0, statistics),
                    "rms_norm: the gain must have the size of the last axis: x is [2, 3], gain is [2]");
  CHECK_THROWS_WITH(layer_norm(x, three, two, 0, statistics), "layer_norm: the bias must be [3]: it is [2]");
  CHECK_THROWS_WITH(layer_norm(x, three, Tensor(), 0, statistics), "layer_norm: the bias must be defined");
  CHECK_THROWS_WITH(rms_norm(x, three, -1, statistics), "rms_norm: ε must be 0 or more: got -1");
  rms_norm(x, three, 0, statistics);
  CHECK_THROWS_WITH(rms_norm_backward(x, three, statistics, two, dx, false),
                    "rms_norm_backward: dy must be [2, 3]: it is [2]");
  CHECK_THROWS_WITH(rms_norm_backward(x, three, statistics, x, statistics.mean, false),
                    "rms_norm_backward: dx must be defined");
  CHECK_THROWS_WITH(layer_norm_backward(x, three, statistics, x, dx, false),
                    "layer_norm_backward: the mean must be defined");
  Tensor row({1, 3});
  CHECK_THROWS_WITH(rms_norm_backward(x.rows(0, 1), three, statistics, x.rows(0, 1), row, false),
                    "rms_norm_backward: the inverse deviation must be [1]: it is [2]");
}

TEST_CASE("norms: the bits are the same for 1, 2 and 4 threads") {
  check_same_bits_for_any_thread_count([] {
    const Tensor x = random_tensor({900, 130}, 1), dy = random_tensor({900, 130}, 2);
    const Tensor gain = random_tensor({130}, 3), bias = random_tensor({130}, 4);
    NormStatistics layer, rms;
    const Tensor y = layer_norm(x, gain, bias, Real(1e-5), layer), z = rms_norm(x, gain, Real(1e-5), rms);
    Tensor dx(x.shape()), dz(x.shape());
    const NormGradients gradients = layer_norm_backward(x, gain, layer, dy, dx, false);
    const Tensor d_gain = rms_norm_backward(x, gain, rms, dy, dz, false);
    return std::vector<Tensor>{y,  layer.mean, layer.inverse_deviation, dx, gradients.gain, gradients.bias, z,
                               dz, d_gain};
  });
}
