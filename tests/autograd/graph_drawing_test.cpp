#include <gradual/autograd/graph_drawing.hpp>

#include <cstdio>
#include <cstdlib>
#include <set>

#include <gradual/autograd/operations.hpp>

#include "support/catch.hpp"
#include "support/tensors.hpp"

using namespace gradual;

namespace {

Var parameter(const Shape& shape, const std::string& name) {
  return Var::parameter(Tensor::ones(shape)).named(name);
}

bool dot_is_installed() { return std::system("dot -V >/dev/null 2>&1") == 0; }

// True when Graphviz draws it without a complaint.
bool dot_accepts(const std::string& drawing) {
  std::FILE* dot = ::popen("dot -Tsvg >/dev/null 2>&1", "w");
  std::fputs(drawing.c_str(), dot);
  return ::pclose(dot) == 0;
}

}  // namespace

TEST_CASE("graph drawing: parameters, operations, shapes and arrows of a small network") {
  const Var x = Tensor::ones({5, 3});
  const Var weight = parameter({2, 3}, "weight"), bias = parameter({2}, "bias");
  const Var loss = sum(tanh(linear(x, weight, bias)));
  const std::string expected =
      "digraph {\n"
      "  rankdir=BT; node [fontname=\"sans-serif\"];\n"
      "  n1 [label=\"weight\\n[2, 3]\", shape=box, style=filled, fillcolor=lightblue];\n"
      "  n2 [label=\"bias\\n[2]\", shape=box, style=filled, fillcolor=lightblue];\n"
      "  n3 [label=\"linear\\n[5, 2]\", shape=box, style=rounded];\n"
      "  n4 [label=\"tanh\\n[5, 2]\", shape=box, style=rounded];\n"
      "  n5 [label=\"sum\\n[]\", shape=box, style=rounded];\n"
      "  n1 -> n3;\n"
      "  n2 -> n3;\n"
      "  n3 -> n4;\n"
      "  n4 -> n5;\n"
      "}\n";
  CHECK(graph_as_dot(loss) == expected);
}

TEST_CASE("graph drawing: the same computation gives the same text however many nodes came before") {
  const auto drawing = [] {
    const Var a = parameter({2}, "a"), b = parameter({2}, "b");
    return graph_as_dot(exp(a) * b + a);
  };
  const std::string first = drawing();
  exp(parameter({3}, "other"));
  CHECK(drawing() == first);
}

TEST_CASE("graph drawing: a variable used twice has two arrows and one box") {
  const Var x = parameter({2}, "x");
  const std::string drawing = graph_as_dot(x * x);
  CHECK_THAT(drawing, Contains("  n1 -> n2;\n  n1 -> n2;\n}"));
  CHECK_THAT(drawing, !Contains("n3"));
}

TEST_CASE("graph drawing: constants are left out, under rules for each input and under joint rules") {
  const Var x = parameter({2, 2}, "x");
  const Var constant = Tensor::ones({2, 2});
  CHECK_THAT(graph_as_dot(x + constant), Contains("  n1 -> n2;\n}"));
  CHECK_THAT(graph_as_dot(concat({constant, x}, 0)), Contains("  n1 -> n2;\n}"));
}

TEST_CASE(
    "graph drawing: results that were named show their name and operation, parameters without one say so") {
  const Var x = Var::parameter(Tensor::ones({4}));
  const Var y = exp(x).named("rate");
  CHECK_THAT(graph_as_dot(y),
             Contains("n1 [label=\"parameter\\n[4]\"") && Contains("n2 [label=\"rate (exp)\\n[4]\""));
}

TEST_CASE("graph drawing: quotes, backslashes and line ends in names are escaped") {
  const Var x = parameter({1}, "a\"b\\c\nd");
  const std::string drawing = graph_as_dot(exp(x), "said \"so\"");
  CHECK_THAT(drawing, Contains("label=\"a\\\"b\\\\c\\nd\\n[1]\""));
  CHECK_THAT(drawing, Contains("labelloc=t; label=\"said \\\"so\\\"\";"));
}

TEST_CASE("graph drawing: a parameter alone is a graph of one box") {
  CHECK_THAT(graph_as_dot(parameter({2}, "x")), Contains("n1 [label=\"x\\n[2]\"") && !Contains("->"));
}

TEST_CASE("graph drawing: a constant and a released graph are refused") {
  const Var x = parameter({}, "x");
  CHECK_THROWS_AS(graph_as_dot(Var(Tensor::ones({2}))), std::logic_error);
  CHECK_THROWS_WITH(graph_as_dot(x.detached()),
                    "graph_as_dot: y must depend on a parameter: it is a constant, which has no graph");
  const Var y = exp(x);
  backward(y, Graph::keep);
  CHECK_NOTHROW(graph_as_dot(y));
  backward(y);
  CHECK_THROWS_AS(graph_as_dot(y), std::logic_error);
  CHECK_THROWS_WITH(graph_as_dot(y),
                    "graph_as_dot: backward released the result of exp, of shape []; draw it before, "
                    "or keep it with backward(y, Graph::keep)");
}

TEST_CASE("graph drawing: a chain of 100,000 operations is drawn") {
  Var y = parameter({}, "x");
  for (int i = 0; i < 100000; ++i) y = y + Real(1);
  CHECK_THAT(graph_as_dot(y), Contains("  n100000 -> n100001;\n}"));
}

TEST_CASE("graph drawing: Graphviz accepts it") {
  if (!dot_is_installed()) return;
  REQUIRE_FALSE(dot_accepts("digraph { broken"));
  const Var x = parameter({2, 3}, "a \"quoted\" \\ name\nin two lines \\"), gain = parameter({3}, "é");
  const Var y = layer_norm(x, gain, parameter({3}, "")) * x;
  CHECK(dot_accepts(graph_as_dot(sum(y), "title with a \\")));
}
