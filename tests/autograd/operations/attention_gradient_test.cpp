// Gradients of attention for every combination of its masks, bias and dropout, against finite differences.
#include "support/operations.hpp"

using namespace gradual;

TEST_CASE("attention: gradients match finite differences for every combination of masks, bias and dropout") {
  const Index B = 2, H = 2, T = 3, S = 4, d = 2;
  const std::vector<Indices> lengths = {{}, Indices({B}, {3, 4}), Indices({B, T}, {0, 2, 4, 1, 4, 3})};
  for (const bool causal : {false, true}) {
    for (const Index window : {0, 1, 2}) {
      for (const Indices& valid : lengths) {
        for (const bool biased : {false, true}) {
          for (const double p : {0.0, 0.3}) {
            INFO("causal " << causal << ", window " << window << ", lengths " << valid.shape() << ", bias "
                           << biased << ", dropout " << p);
            AttentionOptions options;
            options.mask = {valid, causal, window};
            if (p > 0) options.dropout = DropoutMask(p, 5);
            std::vector<Var> inputs = {Var::parameter(random_tensor({B, T, H * d}, 1)),
                                       Var::parameter(random_tensor({B, S, H * d}, 2)),
                                       Var::parameter(random_tensor({B, S, H * d}, 3))};
            if (biased) inputs.push_back(Var::parameter(random_tensor({H, T + S - 1}, 4)));
            check_gradients_of(
                [&](const std::vector<Var>& x) {
                  if (biased) options.bias = x[3];
                  Var y = attention({x[0]}, {x[1]}, {x[2]}, H, d, d, options);
                  for (const Var& each : x) y = y + sum(each * each);  // what no query sees is used as well
                  return y;
                },
                inputs);
          }
        }
      }
    }
  }
}
