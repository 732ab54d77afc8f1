// Gradients of attention under a local window and with a bias by distance.
#include "support/operations.hpp"

using namespace gradual;

namespace {

constexpr Index H = 2, width = 3;

void check_attention(Index n, const AttentionMask& mask) {
  AttentionOptions options;
  options.mask = mask;
  check_operation(
      [=](const auto& x) mutable {
        options.bias = x[3];
        return attention({x[0]}, {x[1]}, {x[2]}, H, width, width, options);
      },
      {random_tensor({2, n, H * width}, 1), random_tensor({2, n, H * width}, 2),
       random_tensor({2, n, H * width}, 3), random_tensor({H, 2 * n - 1}, 4)});
}

}  // namespace

TEST_CASE("attention: gradients match finite differences with a bias by distance") { check_attention(4, {}); }

TEST_CASE("attention: gradients match finite differences under a window, in blocks of queries") {
  AttentionOptions options;
  options.mask.window = 5;
  GradientCheckOptions some;
  some.samples = 40;
  const Var q = Var::parameter(random_tensor({1, 150, 3}, 1)),
            k = Var::parameter(random_tensor({1, 150, 3}, 2)),
            v = Var::parameter(random_tensor({1, 150, 2}, 3)),
            bias = Var::parameter(random_tensor({1, 299}, 4));
  for (const bool causal : {false, true}) {
    for (const double p : {0.0, 0.3}) {
      INFO("causal " << causal << ", dropout " << p);
      options.mask.causal = causal;
      options.dropout = p > 0 ? DropoutMask(p, 5) : DropoutMask();
      options.bias = bias;
      const GradientCheck check =
          check_gradients([&] { return weighted_sum(attention({q}, {k}, {v}, 1, 3, 2, options)); },
                          {{"q", q}, {"k", k}, {"v", v}, {"bias", bias}}, some);
      INFO(check);
      CHECK(check);
    }
  }
}
