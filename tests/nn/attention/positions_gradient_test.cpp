// Gradients of self-attention with each kind of position.
#include <gradual/nn/attention/multi_head.hpp>

#include "support/modules.hpp"
#include "support/operations.hpp"

using namespace gradual;

TEST_CASE("rotate: gradients match finite differences") {
  check_operation([](const auto& x) { return rotate(x[0], {4, 2, 3}); }, {random_tensor({2, 3, 5}, 1)});
}

TEST_CASE(
    "self-attention: gradients match finite differences, for each kind of position and within a window") {
  AttentionMask causal;
  causal.causal = true;
  for (const std::string& kind : position_kinds().names()) {
    for (const Index window : {0, 1}) {
      INFO(kind << ", window " << window);
      MultiHeadAttention attention(4, 2, 0, Random(3), "attention", {kind, window});
      const Var x = random_variable({2, 4, 4}, 1);
      check_module(attention, {{"x", x}}, [&] { return attention(x, causal) + attention(x); });
    }
  }
}
