// Gradients of products, normalization, attention and losses against finite differences.
#include "support/operations.hpp"

using namespace gradual;

TEST_CASE("matmul: gradients match finite differences, for all transposes and kinds of batches") {
  for (const bool ta : {false, true}) {
    for (const bool tb : {false, true}) {
      const Shape a = ta ? Shape{4, 3} : Shape{3, 4}, b = tb ? Shape{2, 4} : Shape{4, 2};
      const auto batched = [](std::vector<Index> batch, const Shape& matrix) {
        batch.insert(batch.end(), matrix.begin(), matrix.end());
        return Shape(batch);
      };
      const std::vector<std::pair<Shape, Shape>> shapes{{a, b},
                                                        {batched({2}, a), batched({2}, b)},
                                                        {batched({2}, a), b},
                                                        {a, batched({2}, b)},
                                                        {batched({2, 1}, a), batched({3}, b)}};
      for (const auto& [left, right] : shapes) {
        INFO(left << (ta ? " transposed" : "") << " times " << right << (tb ? " transposed" : ""));
        check_operation(
            [&](const auto& x) {
              return matmul(x[0], x[1], {ta, tb});
            },
            {random_tensor(left, 1), random_tensor(right, 2)});
      }
    }
  }
}

TEST_CASE("matmul: the gradient of a product of a variable with itself matches finite differences") {
  check_operation([](const auto& x) { return matmul(x[0], x[1]); },
                  {random_tensor({3, 3}, 1), random_tensor({3, 3}, 2)});
  check_operation(
      [](const auto& x) {
        return matmul(x[0], x[0], {false, true});
      },
      {random_tensor({2, 3}, 1)});
}

TEST_CASE("linear: gradients match finite differences, with and without a bias") {
  const Tensor x = random_tensor({2, 3, 5}, 1), weight = random_tensor({4, 5}, 2);
  check_operation([](const auto& in) { return linear(in[0], in[1], in[2]); },
                  {x, weight, random_tensor({4}, 3)});
  check_operation([](const auto& in) { return linear(in[0], in[1]); }, {x, weight});
  check_operation([](const auto& in) { return linear(in[0], in[1]); }, {random_tensor({5}, 4), weight});
}

TEST_CASE("softmax: gradients match finite differences") {
  const Tensor x = random_tensor({3, 7}, 1, -4, 4);
  check_operation([](const auto& in) { return softmax(in[0]); }, {x});
  check_operation([](const auto& in) { return log_softmax(in[0]); }, {x});
}

TEST_CASE("masked_softmax: gradients match finite differences, of a row without a key, too") {
  const Indices of_sentences({2}, {3, 0}), of_queries({2, 2}, {1, 4, 0, 2});
  const Tensor x = random_tensor({2, 2, 4}, 1);
  // Scores under the mask would count as unused, so they are used otherwise as well.
  check_operation([&](const auto& in) { return in[0] * in[0] + masked_softmax(in[0], of_sentences); }, {x});
  check_operation([&](const auto& in) { return in[0] * in[0] + masked_softmax(in[0], of_queries); }, {x});
}

TEST_CASE("layer_norm: gradients match finite differences") {
  const Tensor gain = random_tensor({7}, 2), bias = random_tensor({7}, 3);
  const auto norm = [](const auto& in) { return layer_norm(in[0], in[1], in[2]); };
  check_operation(norm, {random_tensor({2, 3, 7}, 1), gain, bias});
  check_operation(norm, {random_tensor({7}, 1), gain, bias});
}

TEST_CASE("rms_norm: gradients match finite differences, added to one that x has already, too") {
  const Tensor gain = random_tensor({7}, 2);
  const auto norm = [](const auto& in) { return rms_norm(in[0], in[1]); };
  check_operation(norm, {random_tensor({2, 3, 7}, 1), gain});
  check_operation(norm, {random_tensor({7}, 1), gain});
  check_operation([](const auto& in) { return in[0] + tanh(rms_norm(in[0], in[1])) * in[0]; },
                  {random_tensor({4, 7}, 1), gain});
}

TEST_CASE("layer_norm: a gradient that x has already, as in a residual block, is added to") {
  check_operation([](const auto& in) { return in[0] + tanh(layer_norm(in[0], in[1], in[2])) * in[0]; },
                  {random_tensor({4, 6}, 1), random_tensor({6}, 2), random_tensor({6}, 3)});
}

namespace {

constexpr Index H = 2, width = 3, value_width = 2;

void check_attention(Index B, Index T, Index S, const AttentionOptions& options) {
  check_operation(
      [&](const auto& x) { return attention({x[0]}, {x[1]}, {x[2]}, H, width, value_width, options); },
      {random_tensor({B, T, H * width}, 1), random_tensor({B, S, H * width}, 2),
       random_tensor({B, S, H * value_width}, 3)});
}

}  // namespace

TEST_CASE("attention: gradients match finite differences, without a mask and with each kind of mask") {
  AttentionOptions options;
  SECTION("no mask") { check_attention(2, 3, 4, options); }
  SECTION("padding") {
    options.mask.valid_lengths = Indices({2}, {4, 4});
    check_attention(2, 3, 4, options);
  }
  SECTION("one length for each query, in both sentences up to the last key") {
    options.mask.valid_lengths = Indices({2, 3}, {1, 4, 2, 0, 3, 4});
    check_attention(2, 3, 4, options);
  }
  SECTION("causal") {
    options.mask.causal = true;
    check_attention(2, 4, 4, options);
  }
  SECTION("causal, the queries being the last of the keys") {
    options.mask.causal = true;
    check_attention(1, 2, 4, options);
  }
  SECTION("dropout of the weights") {
    options.dropout = DropoutMask(0.3, 5);
    check_attention(2, 3, 4, options);
  }
}

TEST_CASE("attention: gradients of packed columns match finite differences") {
  const auto packed = [](const auto& x) {
    return attention({x[0], 0}, {x[0], 6}, {x[0], 12}, H, width, width);
  };
  check_operation(packed, {random_tensor({2, 3, 18}, 1)});
  const auto apart = [](const auto& x) {  // columns 6 … 8 and 15 … 17 are not used by attention
    return attention({x[0], 9}, {x[0], 0}, {x[1], 2}, H, width, value_width) + sum(x[0] * x[0]) +
           sum(x[1] * x[1]);
  };
  check_operation(apart, {random_tensor({2, 3, 18}, 1), random_tensor({2, 3, 7}, 2)});
}

TEST_CASE("attention: gradients of columns that overlap add up") {
  check_operation([](const auto& x) { return attention({x[0]}, {x[0]}, {x[0]}, H, width, width); },
                  {random_tensor({2, 3, 6}, 1)});
  check_operation(
      [](const auto& x) {
        return attention({x[0], 0}, {x[0], 4}, {x[0], 6}, H, width, width);
      },
      {random_tensor({1, 3, 12}, 1)});
}

TEST_CASE("attention: with more keys than weights are kept for, gradients match finite differences") {
  const Tensor q = random_tensor({1, 66, 3}, 1), k = random_tensor({1, 130, 3}, 2),
               v = random_tensor({1, 130, 2}, 3);
  GradientCheckOptions some;
  some.samples = 30;
  for (const bool causal : {false, true}) {
    for (const double p : {0.0, 0.3}) {
      INFO("causal " << causal << ", dropout " << p);
      AttentionOptions options;
      options.mask.causal = causal;
      options.mask.valid_lengths = Indices({1}, {129});
      if (p > 0) options.dropout = DropoutMask(p, 5);
      const Var x = Var::parameter(q), y = Var::parameter(k), z = Var::parameter(v);
      const GradientCheck check =
          check_gradients([&] { return weighted_sum(attention({x}, {y}, {z}, 1, 3, 2, options)); },
                          {{"q", x}, {"k", y}, {"v", z}}, some);
      INFO(check);
      CHECK(check);
    }
  }
}

TEST_CASE("cross_entropy: gradients match finite differences, with ignored targets and label smoothing") {
  const Tensor logits = random_tensor({2, 3, 5}, 1, -3, 3);
  const Tensor x = random_tensor({2, 3, 4}, 2), weight = random_tensor({5, 4}, 3);
  const Indices targets({2, 3}, {0, 4, 2, 2, 1, 0});
  for (const std::int32_t ignored : {-1, 2}) {
    for (const double smoothing : {0.0, 0.1}) {
      INFO("ignored " << ignored << ", smoothing " << smoothing);
      const CrossEntropyOptions options{ignored, smoothing};
      check_operation([&](const auto& in) { return cross_entropy(in[0], targets, options); }, {logits});
      check_operation([&](const auto& in) { return Real(3) * cross_entropy(in[0], targets, options); },
                      {logits});
      check_operation(
          [&](const auto& in) { return Real(3) * linear_cross_entropy(in[0], in[1], targets, options); },
          {x, weight});
    }
  }
}

TEST_CASE("cross_entropy: gradients match finite differences where two passes must agree") {
  const Tensor logits = random_tensor({2, 3, 5}, 1, -3, 3);
  const Tensor x = random_tensor({2, 3, 4}, 2), weight = random_tensor({5, 4}, 3);
  const Indices targets({2, 3}, {0, 4, 2, 0, 4, 2});
  for (const std::int32_t ignored : {-1, 2}) {
    const CrossEntropyOptions options{ignored, 0.1, 2.5};
    check_operation([&](const auto& in) { return Real(3) * cross_entropy(in[0], targets, options); },
                    {logits});
    check_operation(
        [&](const auto& in) { return Real(3) * linear_cross_entropy(in[0], in[1], targets, options); },
        {x, weight});
  }
}
