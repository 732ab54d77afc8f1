// Every pass over rows against its plain version, over random shapes; in float and in double.
#include <gradual/core/reference/rows.hpp>

#include <gradual/core/reference/products.hpp>
#include <gradual/core/rows/loss.hpp>
#include <gradual/core/rows/norms.hpp>
#include <gradual/core/rows/rows.hpp>
#include <gradual/core/rows/top_rows.hpp>

#include "support/random_cases.hpp"

using namespace gradual;
using reference::Array;
using reference::array_of;

namespace {

// [N, S] or [B, T, S], sometimes empty, sometimes with rows of one element, seldom with long ones.
Shape shape_of_rows(RandomCase& random, Index least_width = 0) {
  const Index width = std::max(least_width, random.size(random.chance(0.1) ? 700 : 40));
  return random.chance() ? Shape{random.size(9), width} : Shape{random.size(4), random.size(5), width};
}

}  // namespace

TEST_CASE(
    "softmax and log-softmax equal their plain versions, forward and backward, for 1,000 random shapes") {
  for_random_cases(1000, [](RandomCase& random) {
    const Shape shape = shape_of_rows(random);
    const Tensor x = random.numbers(shape, -9, 9), dy = random.numbers(shape);
    const Tensor y = softmax(x), logs = log_softmax(x);
    CHECK(departure(y, reference::softmax(array_of(x)), 4) == "");
    CHECK(departure(logs, reference::log_softmax(array_of(x)), 6) == "");
    if (x.size() == 0) return;
    CHECK(departure(softmax_backward(y, dy), reference::softmax_backward(array_of(y), array_of(dy)), 4,
                    magnitude(array_of(y)) * 2) == "");
    const double total = 2.0 * static_cast<double>(shape[-1]);
    CHECK(departure(log_softmax_backward(logs, dy),
                    reference::log_softmax_backward(array_of(logs), array_of(dy)), 4, total) == "");
  });
}

TEST_CASE("masked softmax equals its plain version for 1,000 random shapes and lengths [B] and [B, T]") {
  for_random_cases(1000, [](RandomCase& random) {
    const Shape shape = shape_of_rows(random);
    const Index axes = shape.rank() == 3 && random.chance() ? 2 : 1;
    const Indices valid = random.whole(shape.slice(0, axes), 0, shape[-1]);
    const Tensor x = random.numbers(shape, -9, 9);
    CHECK(departure(masked_softmax(x, valid), reference::masked_softmax(array_of(x), valid), 4) == "");
  });
}

TEST_CASE(
    "layer norm and RMS norm equal their plain versions, forward and backward, for 1,000 random shapes") {
  for_random_cases(1000, [](RandomCase& random) {
    const Index rows = random.size(random.chance(0.05) ? 300 : 9),
                width = random.size(random.chance(0.1) ? 700 : 40);
    const double epsilon = random.chance() ? 1e-5 : 0.5, real_epsilon = static_cast<double>(Real(epsilon));
    const bool accumulate = random.chance();
    const Tensor x = random.numbers({rows, width}), dy = random.numbers({rows, width}),
                 gain = random.numbers({width}), bias = random.numbers({width}),
                 before = random.numbers({rows, width});
    const Array plain_x = array_of(x), plain_gain = array_of(gain), plain_dy = array_of(dy);
    NormStatistics layer, rms;
    const Tensor y = layer_norm(x, gain, bias, Real(epsilon), layer),
                 z = rms_norm(x, gain, Real(epsilon), rms);
    Tensor dx = before, dz = before;
    const NormGradients gradients = layer_norm_backward(x, gain, layer, dy, dx, accumulate);
    const Tensor d_gain = rms_norm_backward(x, gain, rms, dy, dz, accumulate);
    if (x.size() == 0) {
      CHECK((y.shape() == x.shape() && z.shape() == x.shape()));
      CHECK((magnitude(array_of(gradients.gain)) == 0 && magnitude(array_of(d_gain)) == 0));
      return;
    }
    // A deviation is known to some units of the numbers that it is made of.
    const double steep = 1 + 4 * magnitude(array_of(layer.inverse_deviation));
    CHECK(departure(y, reference::layer_norm(plain_x, plain_gain, array_of(bias), real_epsilon), 8, steep) ==
          "");
    CHECK(departure(z, reference::rms_norm(plain_x, plain_gain, real_epsilon), 8) == "");
    reference::NormGradients plain =
        reference::layer_norm_backward(plain_x, plain_gain, plain_dy, real_epsilon);
    if (accumulate) plain.x += array_of(before);
    CHECK(departure(dx, plain.x, 8, steep * steep * 4) == "");
    CHECK(departure(gradients.gain, plain.gain, 8, steep * 4 * std::sqrt(static_cast<double>(rows))) == "");
    CHECK(departure(gradients.bias, plain.bias, 8, 2 * std::sqrt(static_cast<double>(rows))) == "");
    plain = reference::rms_norm_backward(plain_x, plain_gain, plain_dy, real_epsilon);
    if (accumulate) plain.x += array_of(before);
    CHECK(departure(dz, plain.x, 8, 4 * magnitude(array_of(rms.inverse_deviation))) == "");
    CHECK(departure(d_gain, plain.gain, 8, 4 * std::sqrt(static_cast<double>(rows))) == "");
  });
}

TEST_CASE("cross-entropy, fused with its product or not, equals its plain version for 1,000 random shapes") {
  for_random_cases(1000, [](RandomCase& random) {
    const Index rows = random.size(random.chance(0.05) ? 100 : 12),
                classes = random.some(random.chance(0.1) ? 500 : 30), width = random.size(20);
    const CrossEntropyOptions options{static_cast<std::int32_t>(random.chance() ? -1 : 0),
                                      random.chance() ? 0.0 : 0.1};
    const Indices targets = random.whole({rows}, options.ignored == -1 ? random.from(-1, 0) : 0, classes - 1);
    const Tensor logits = random.numbers({rows, classes}, -9, 9), x = random.numbers({rows, width}),
                 weight = random.numbers({classes, width});
    const double share = 1 / static_cast<double>(std::max<Index>(rows, 1));
    const LossGradients ours = cross_entropy(logits, targets, options, true);
    const reference::Loss plain =
        reference::cross_entropy(array_of(logits), targets, options.ignored, options.label_smoothing);
    CHECK(departure(Tensor::scalar(ours.loss), Array(plain.value), 8, 9) == "");
    CHECK(departure(ours.inputs, plain.inputs, 8, share) == "");
    CHECK(cross_entropy(logits, targets, options, false).loss == ours.loss);

    const LossGradients fused = linear_cross_entropy(x, weight, targets, options, true);
    const reference::Loss plain_fused = reference::linear_cross_entropy(
        array_of(x), array_of(weight), targets, options.ignored, options.label_smoothing);
    const double largest_logit = 4.0 * static_cast<double>(width);
    CHECK(departure(Tensor::scalar(fused.loss), Array(plain_fused.value), 8, largest_logit) == "");
    CHECK(departure(fused.inputs, plain_fused.inputs, 8, share * (2 + largest_logit)) == "");
    CHECK(departure(fused.weight, plain_fused.weight, 8, 2 + largest_logit) == "");
  });
}

TEST_CASE(
    "the best classes are those of a plain ranking, of logits or of a product, for 1,000 random shapes") {
  for_random_cases(1000, [](RandomCase& random) {
    const Index rows = random.size(5), classes = random.some(random.chance(0.1) ? 900 : 60),
                width = random.some(20), count = random.some(classes + 3);
    // Whole numbers, which a product has exactly, too, with many equal ones among them.
    const Indices x_digits = random.whole({rows, width}, -2, 2),
                  weight_digits = random.whole({classes, width}, -1, 1);
    const Tensor x({rows, width}, {x_digits.begin(), x_digits.end()}),
        weight({classes, width}, {weight_digits.begin(), weight_digits.end()});
    const Array plain = reference::matmul(array_of(x), xt::transpose(array_of(weight)));
    std::vector<std::int32_t> excluded;
    for (Index i = random.from(0, 3); i > 0; --i)
      excluded.push_back(static_cast<std::int32_t>(random.from(0, classes - 1)));
    const auto ranking = reference::ranking(plain);
    const Array logs = reference::log_softmax(plain);
    const double largest_logit = std::max(1.0, magnitude(plain));
    for (const TopClasses& top : {top_log_softmax(reference::tensor_of(plain), count, excluded),
                                  top_log_softmax(x, PackedMatrix::of_weight(weight), count, excluded)}) {
      for (Index r = 0; r < rows; ++r) {
        std::vector<std::int32_t> expected;
        for (std::int32_t id : ranking[static_cast<std::size_t>(r)])
          if (std::find(excluded.begin(), excluded.end(), id) == excluded.end()) expected.push_back(id);
        expected.resize(static_cast<std::size_t>(count), -1);
        const std::vector<std::int32_t> ids(top.ids.begin() + r * count, top.ids.begin() + (r + 1) * count);
        CHECK(ids == expected);
        for (Index i = 0; i < count && expected[static_cast<std::size_t>(i)] >= 0; ++i) {
          const double log = logs(r, expected[static_cast<std::size_t>(i)]);
          CHECK(std::abs(static_cast<double>(top.log_probabilities[static_cast<std::size_t>(r * count + i)]) -
                         log) <=
                (sizeof(Real) == 4 ? build_slack * 4e-7 : 1e-12) * std::max(largest_logit, std::abs(log)));
        }
      }
    }
  });
}
