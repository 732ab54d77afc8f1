// Gradients of the norms and feed-forward networks that a transformer can be made of.
#include <gradual/nn/layers/feed_forward.hpp>
#include <gradual/nn/layers/norms.hpp>

#include "support/modules.hpp"

using namespace gradual;

TEST_CASE("norms: gradients match finite differences, for each of the library's") {
  for (const std::string name : {"layer_norm", "rms_norm"}) {
    INFO(name);
    Part<Layer> norm = make_norm(name, 5, Random(1));
    const Var x = random_variable({2, 3, 5}, 1);
    check_module(norm, {{"x", x}}, [&] { return norm(x); });
  }
}

TEST_CASE("feed-forward: gradients match finite differences, for each of the library's") {
  for (const std::string name : {"relu", "gelu", "swiglu"}) {
    INFO(name);
    Part<Layer> network = make_feed_forward(name, {4, 6, 0}, Random(1));
    const Var x = random_variable({2, 3, 4}, 1);
    check_module(network, {{"x", x}}, [&] { return network(x); });
  }
}
