// What goes into the parts of 01: inputs and dy; what comes out: the value, and what each rule makes of dy.
#include <gradual/autograd/operations.hpp>

#include "../exercise.hpp"

using namespace gradual;

namespace {

Values one_input(const Tensor& x, Random random, bool is_smallest) {
  return {{{"x", x}, {"dy", is_smallest ? Tensor::ones(x.shape()) : draw(random, x.shape(), -2, 2, 0.25)}},
          {},
          {}};
}

Values tanh_inputs(Random random, Index size) {
  const Shape shapes[] = {{2}, {2, 3}, {4, 5}, {2, 3, 33}};
  return one_input(draw(random.split(), shapes[size], -2, 2, 0.25), random.split(), size == 0);
}

Values softplus_inputs(Random random, Index size) {
  switch (size) {
    case 0:
      return one_input(draw(random.split(), {2}, -2, 2, 0.5), random.split(), true);
    case 1:
      return one_input(draw(random.split(), {2, 3}, -2, 2, 0.25), random.split(), false);
    case 2:
      return one_input(draw(random.split(), {2, 2}, 90, 200, 10), random.split(), false);
    case 3:
      return one_input(draw(random.split(), {2, 2}, -200, -90, 10), random.split(), false);
    default:
      return one_input(draw(random.split(), {4, 33}, -8, 8, 0.25), random.split(), false);
  }
}

Values call_function(const Operation& operation, const Values& in) {
  return {{{"y", operation.value}, {"dx", operation.da(tensor(in, "dy"))}}, {}, {}};
}

// Two operands and the shape of their result: equal ones, then a row, a column and a row, one number.
struct Shapes {
  Shape a, b, y;
};
const Shapes shapes[] = {{{2}, {2}, {2}},          {{2, 3}, {2, 3}, {2, 3}}, {{2, 3}, {3}, {2, 3}},
                         {{2, 1}, {1, 3}, {2, 3}}, {{1}, {2, 2}, {2, 2}},    {{2, 3, 4}, {3, 1}, {2, 3, 4}}};

// From 0.5 on: what is divided by must not be 0.
Values two_inputs(Random random, Index size) {
  const auto [a, b, y] = shapes[size];
  return {{{"a", draw(random.split(), a, -3, 3, 0.5)},
           {"b", draw(random.split(), b, 0.5, 3, 0.5)},
           {"dy", draw(random.split(), y, -2, 2, 0.5)}},
          {},
          {}};
}

Values call_both(const Operation& operation, const Values& in) {
  const Tensor& dy = tensor(in, "dy");
  return {{{"y", operation.value}, {"da", operation.da(dy)}, {"db", operation.db(dy)}}, {}, {}};
}

// As many outputs as inputs at first, where a matrix and its transpose both fit.
Values layer_inputs(Random random, Index size) {
  const Shape of_x[] = {{1, 2}, {2, 2}, {3, 3}, {2, 3}, {2, 2, 3}};
  const Index outputs[] = {2, 2, 3, 4, 3};
  const Shape x = of_x[size];
  Shape y = x.slice(0, x.rank() - 1);
  y.push_back(outputs[size]);
  return {{{"x", draw(random.split(), x, -2, 2, 0.5)},
           {"W", draw(random.split(), {outputs[size], x[-1]}, -2, 2, 0.5)},
           {"b", draw(random.split(), {outputs[size]}, -2, 2, 0.5)},
           {"dy", draw(random.split(), y, -2, 2, 0.5)}},
          {},
          {}};
}

Values call_layer(const Values& in) {
  const Var x = Var::parameter(tensor(in, "x")), weight = Var::parameter(tensor(in, "W")),
            bias = Var::parameter(tensor(in, "b"));
  const Var y = linear(x, weight, bias);
  const Tensor value = y.value(), without = linear(x, weight, Var()).value();
  backward(y, tensor(in, "dy"));
  return {
      {{"y", value}, {"dx", x.grad()}, {"dW", weight.grad()}, {"db", bias.grad()}, {"y without b", without}},
      {},
      {}};
}

const Exercise function{"01.1", 4, tanh_inputs,
                        [](const Values& in) { return call_function(tanh_operation(tensor(in, "x")), in); }};
const Exercise overflow{"01.2", 5, softplus_inputs, [](const Values& in) {
                          return call_function(softplus_operation(tensor(in, "x")), in);
                        }};
const Exercise product{"01.3", 6, two_inputs, [](const Values& in) {
                         return call_both(multiply_operation(tensor(in, "a"), tensor(in, "b")), in);
                       }};
const Exercise quotient{"01.4", 6, two_inputs, [](const Values& in) {
                          return call_both(divide_operation(tensor(in, "a"), tensor(in, "b")), in);
                        }};
const Exercise layer{"01.5", 5, layer_inputs, call_layer};

}  // namespace
