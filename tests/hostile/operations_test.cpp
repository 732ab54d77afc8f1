// autograd/operations.hpp: values, and gradients under a gradient of ones.
#include <gradual/autograd/operations.hpp>

#include "hostile/drive.hpp"

using namespace gradual;
using namespace gradual::hostile;

namespace {

template <class Operation>
auto one(Operation operation) {
  return [=](Var x) { return slopes(operation(x), {x}); };
}
template <class Operation>
auto two(Operation operation) {
  return [=](Var x, Var y) { return slopes(operation(x, y), {x, y}); };
}

const EdgeList& triangle() {
  static const EdgeList edges(3, Indices({4}, {0, 1, 2, 0}), Indices({4}, {1, 2, 0, 2}));
  return edges;
}

const Header operations =
    Header("autograd/operations.hpp")
        .drives("dropout|value", [](Var x, double p) { return slopes(dropout(x, DropoutMask(p, 7)), {x}); },
                std::tuple(weight, 0.5))
        .drives("add_dropped|value|dropout",
                [](Var x, Var y, double p) { return slopes(add_dropped(x, y, DropoutMask(p, 7)), {x, y}); },
                std::tuple(weight, weight, 0.5))
        .drives("relu_dropped|value|dropout", [](Var x, double p) { return slopes(relu_dropped(x, DropoutMask(p, 7)), {x}); },
                std::tuple(weight, 0.5))
        .drives("concat|value", [](std::vector<Var> parts, Index axis) { return slopes(concat(parts, axis), parts); },
                std::tuple(std::vector<Var>{weight, weight}, Index(0)))
        .drives("stack|value", [](std::vector<Var> parts, Index axis) { return slopes(stack(parts, axis), parts); },
                std::tuple(std::vector<Var>{weight, weight}, Index(0)))
        .drives("einsum|value|shape", [](std::string pattern, Var a, Var b) { return slopes(einsum(pattern, a, b), {a, b}); },
                std::tuple(std::string("ij,kj->ik"), weight, weight))
        .drives("einsum|shape", [](std::string pattern, Tensor a, Tensor b) { return einsum(pattern, a, b); },
                std::tuple(std::string("ij,kj->ik"), weight.value(), weight.value()))
        .drives("tensor_of|value", [](Var x) { return tensor_of(x); }, std::tuple(weight), [](Var x) { return x.value(); })
        .drives("apply|value|neg", [](Var x) { return slopes(apply(negate_operation, x), {x}); }, std::tuple(weight))
        .drives("apply_both|value|add", [](Var x, Var y) { return slopes(apply_both(add_operation, x, y), {x, y}); },
                std::tuple(weight, three_weights))
        .drives("apply_both|value|add", [](Var x, Var y) { return slopes(apply_both(add_operation, x + 0, y), {x, y}); },
                std::tuple(weight, three_weights))
        .drives("slice|value",
                [](Var x, Index axis, Index first, Index last) { return slopes(slice(x, axis, first, last), {x}); },
                std::tuple(weight, Index(1), Index(0), Index(2)))
        .drives("gather|value|shape", [](Var x, Index axis, Indices i) { return slopes(gather(x, axis, i), {x}); },
                std::tuple(weight, Index(1), Indices({2, 3}, {0, 1, 2, 2, 1, 0})))
        .drives("embedding|value|shape", [](Indices i, Var table) { return slopes(embedding(i, table), {table}); },
                std::tuple(Indices({2}, {0, 1}), weight))
        .drives("matmul|value|shape",
                [](Var a, Var b, bool ta, bool tb) { return slopes(matmul(a, b, {ta, tb}), {a, b}); },
                std::tuple(weight, Var::parameter(numbers({3, 2})), false, false))
        .drives("linear|value",
                [](Var x, Var w, Var b) {
                  std::vector<Var> inputs{x, w};
                  if (b.defined()) inputs.push_back(b);
                  return slopes(linear(x, w, b), inputs);
                },
                std::tuple(weight, weight, Var::parameter(numbers({2}))))
        .drives("softmax|value", one([](Var x) { return softmax(x); }), std::tuple(weight))
        .drives("log_softmax|value", one([](Var x) { return log_softmax(x); }), std::tuple(weight))
        .drives("masked_softmax|value", [](Var x, Indices valid) { return slopes(masked_softmax(x, valid), {x}); },
                std::tuple(weight, Indices({2}, {1, 2})))
        .drives("layer_norm|value",
                [](Var x, Var gain, Var bias, Real e) { return slopes(layer_norm(x, gain, bias, e), {x, gain, bias}); },
                std::tuple(weight, three_weights, three_weights, Real(1e-5)))
        .drives("rms_norm|value", [](Var x, Var gain, Real e) { return slopes(rms_norm(x, gain, e), {x, gain}); },
                std::tuple(weight, three_weights, Real(1e-5)))
        .drives("attention|value|shape|dropout",
                [](Var x, Index first, Index heads, Index width, Indices lengths, bool causal, Index window, Var bias) {
                  AttentionOptions options;
                  options.mask = {lengths, causal, window};
                  options.bias = bias;
                  std::vector<Var> inputs{x};
                  if (bias.defined()) inputs.push_back(bias);
                  return slopes(attention({x, 0}, {x, first}, {x, 2}, heads, width, 1, options), inputs);
                },
                std::tuple(Var::parameter(numbers({2, 3, 4})), Index(2), Index(2), Index(1), no_lengths, false, Index(0),
                           Var()))
        .drives("additive_scores|value",
                [](Var q, Var k, Var v) { return slopes(additive_scores(q, k, v), {q, k, v}); },
                std::tuple(Var::parameter(numbers({2, 1, 3})), Var::parameter(numbers({2, 2, 3})), three_weights))
        .drives("rotate|value",
                [](Var x, Index columns, Index width, Index first) {
                  return slopes(rotate(x, {columns, width, first}), {x});
                },
                std::tuple(Var::parameter(numbers({2, 3, 4})), Index(4), Index(2), Index(0)))
        .drives("edge_softmax|value", one([](Var x) { return edge_softmax(x, triangle()); }),
                std::tuple(Var::parameter(numbers({4, 2}))))
        .drives("sum_along_edges|value", two([](Var w, Var x) { return sum_along_edges(w, x, triangle()); }),
                std::tuple(Var::parameter(numbers({4, 2})), Var::parameter(numbers({3, 4}))))
        .drives("gru_step|value",
                [](Index number, Indices lengths, Var inputs, Var recurrent, Var state) {
                  return slopes(gru_step({number, lengths}, inputs, recurrent, state), {inputs, recurrent, state});
                },
                std::tuple(Index(0), no_lengths, Var::parameter(numbers({2, 1, 3})), weight,
                           Var::parameter(numbers({2, 1}))))
        .drives("lstm_step|value",
                [](Index number, Indices lengths, Var inputs, Var recurrent, Var state) {
                  return slopes(lstm_step({number, lengths}, inputs, recurrent, state), {inputs, recurrent, state});
                },
                std::tuple(Index(0), no_lengths, Var::parameter(numbers({2, 3, 4})), Var::parameter(numbers({2, 4})),
                           Var::parameter(numbers({2, 2}))))
        .drives("stack_states|value",
                [](std::vector<Var> states, Index width, Indices lengths) {
                  return slopes(stack_states(states, width, lengths), states);
                },
                std::tuple(std::vector<Var>{weight, weight}, Index(2), Indices({2}, {1, 2})))
        .drives("cross_entropy|value",
                [](Var logits, Indices targets, int ignored, double smoothing, double consistency) {
                  return slopes(cross_entropy(logits, targets, {ignored, smoothing, consistency}), {logits});
                },
                std::tuple(weight, Indices({2}, {1, 1}), -1, 0.1, 0.5))
        .drives("linear_cross_entropy|value",
                [](Var x, Var w, Indices targets, int ignored, double smoothing, double consistency) {
                  return slopes(linear_cross_entropy(x, w, targets, {ignored, smoothing, consistency}), {x, w});
                },
                std::tuple(weight, weight, Indices({2}, {1, 1}), -1, 0.1, 0.5));

}  // namespace
