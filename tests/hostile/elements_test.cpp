// core/elements/: of tensors and of variables, with gradients under a gradient of ones.
#include <algorithm>
#include <cmath>

#include <gradual/autograd/operations.hpp>

#include "hostile/drive.hpp"

using namespace gradual;
using namespace gradual::hostile;

namespace {

const Tensor six = numbers({2, 3}), three = numbers({3});
const Var weight = Var::parameter(six), row = Var::parameter(three);
const Header arithmetic("core/elements/arithmetic.hpp"), functions("core/elements/functions.hpp"),
    reductions("core/elements/reductions.hpp"), arrangement("core/elements/arrangement.hpp");

// The value of an operation, and what its rules make of a gradient of ones.
std::vector<Tensor> worked_out(const Operation& y) {
  std::vector<Tensor> result{y.value};
  for (const Rule& rule : {y.da, y.db})
    if (rule) result.push_back(rule(Tensor::ones(y.value.shape())));
  return result;
}

// ---- What is right, element by element

using Plain = double (*)(double);
using PlainOfTwo = double (*)(double, double);

Tensor mapped(const Tensor& x, Plain f) {
  Tensor y = x;
  for (Real *v = y.mutable_data(), *end = v + y.size(); v != end; ++v)
    *v = static_cast<Real>(f(static_cast<double>(*v)));
  return y;
}
// f of elements of a and b that stand at the same place of the broadcast shape.
Tensor zipped(const Tensor& a, const Tensor& b, PlainOfTwo f) {
  const Shape shape = broadcast_shapes("plain", a.shape(), b.shape());
  Tensor y(shape);
  Real* to = y.mutable_data();
  for (Index n = 0; n < y.size(); ++n) {
    const auto element = [&](const Tensor& x) {
      Index rest = n, place = 0, stride = 1;
      for (Index back = 1; back <= shape.rank(); rest /= shape[-back], ++back) {
        if (back > x.rank()) continue;
        if (x.dim(-back) != 1) place += rest % shape[-back] * stride;
        stride *= x.dim(-back);
      }
      return static_cast<double>(x.data()[place]);
    };
    to[n] = static_cast<Real>(f(element(a), element(b)));
  }
  return y;
}

// ---- Functions of one element

using OperationOfOne = Operation (*)(const Tensor&);
template <class Call>
void drive_function(const std::string& name, OperationOfOne operation, Call call, Plain value, Plain slope) {
  const auto right = [=](Tensor x) { return std::vector<Tensor>{mapped(x, value), mapped(x, slope)}; };
  functions
      .drives(
          name + "_operation|" + name, [=](Tensor x) { return worked_out(operation(x)); }, std::tuple(six),
          right)
      .drives(
          name, [=](Tensor x) { return call(x); }, std::tuple(six),
          [=](Tensor x) { return mapped(x, value); })
      .drives(
          name + "|value", [=](Var x) { return slopes(call(x), {x}); }, std::tuple(weight),
          [=](Var x) {
            std::vector<Tensor> all = right(x.value());
            if (!x.requires_grad()) all.pop_back();
            return all;
          });
}
double gelu_slope(double v) {
  const double x = std::clamp(v, -40.0, 40.0);
  return std::erfc(-x * std::sqrt(0.5)) / 2 + x * std::exp(-x * x / 2) * 0.3989422804014327;
}
double silu_slope(double v) {
  const double x = std::clamp(v, -700.0, 700.0), y = 1 / (1 + std::exp(-x));
  return y + x * y * (1 - y);
}
const bool functions_of_one = [] {
  drive_function(
      "abs", abs_operation, [](const auto& x) { return abs(x); }, [](double v) { return std::abs(v); },
      [](double v) { return v > 0   ? 1.0
                            : v < 0 ? -1.0
                                    : 0 * v; });
  drive_function(
      "exp", exp_operation, [](const auto& x) { return exp(x); }, [](double v) { return std::exp(v); },
      [](double v) { return std::exp(v); });
  drive_function(
      "log", log_operation, [](const auto& x) { return log(x); }, [](double v) { return std::log(v); },
      [](double v) { return 1 / v; });
  drive_function(
      "log1p", log1p_operation, [](const auto& x) { return log1p(x); },
      [](double v) { return std::log1p(v); }, [](double v) { return 1 / (1 + v); });
  drive_function(
      "sqrt", sqrt_operation, [](const auto& x) { return sqrt(x); }, [](double v) { return std::sqrt(v); },
      [](double v) { return 0.5 / std::sqrt(v); });
  drive_function(
      "sin", sin_operation, [](const auto& x) { return sin(x); }, [](double v) { return std::sin(v); },
      [](double v) { return std::cos(v); });
  drive_function(
      "cos", cos_operation, [](const auto& x) { return cos(x); }, [](double v) { return std::cos(v); },
      [](double v) { return -std::sin(v); });
  drive_function(
      "tanh", tanh_operation, [](const auto& x) { return tanh(x); }, [](double v) { return std::tanh(v); },
      [](double v) { return 1 - std::tanh(v) * std::tanh(v); });
  drive_function(
      "sigmoid", sigmoid_operation, [](const auto& x) { return sigmoid(x); },
      [](double v) { return 1 / (1 + std::exp(-v)); },
      [](double v) { return 1 / (2 + std::exp(v) + std::exp(-v)); });
  drive_function(
      "softplus", softplus_operation, [](const auto& x) { return softplus(x); },
      [](double v) { return v > 30 ? v : std::log1p(std::exp(v)); },
      [](double v) { return 1 / (1 + std::exp(-v)); });
  drive_function(
      "relu", relu_operation, [](const auto& x) { return relu(x); },
      [](double v) { return v > 0 || v != v ? v : 0.0; }, [](double v) { return v > 0 ? 1.0 : 0.0; });
  drive_function(
      "elu", elu_operation, [](const auto& x) { return elu(x); },
      [](double v) { return v > 0 ? v : std::expm1(v); }, [](double v) { return v > 0 ? 1.0 : std::exp(v); });
  drive_function(
      "gelu", gelu_operation, [](const auto& x) { return gelu(x); },
      [](double v) { return v < -40 ? 0.0 : v * std::erfc(-v * std::sqrt(0.5)) / 2; },
      [](double v) { return gelu_slope(v); });
  drive_function(
      "silu", silu_operation, [](const auto& x) { return silu(x); },
      [](double v) { return v < -800 ? 0.0 : v / (1 + std::exp(-v)); },
      [](double v) { return silu_slope(v); });
  return true;
}();

const Header& functions_with_numbers =
    functions
        .drives(
            "pow_operation|pow", [](Tensor x, Real p) { return worked_out(pow_operation(x, p)); },
            std::tuple(six, Real(2)))
        .drives(
            "pow|value", [](Var x, Real p) { return slopes(pow(x, p), {x}); }, std::tuple(weight, Real(2)))
        .drives(
            "pow", [](Tensor x, Real p) { return pow(x, p); }, std::tuple(six, Real(2)),
            [](Tensor x, Real p) {
              return zipped(x, Tensor::scalar(p), [](double a, double b) { return std::pow(a, b); });
            })
        .drives(
            "leaky_relu_operation|leaky_relu",
            [](Tensor x, Real s) { return worked_out(leaky_relu_operation(x, s)); },
            std::tuple(six, Real(0.1)))
        .drives(
            "leaky_relu|value", [](Var x, Real s) { return slopes(leaky_relu(x, s), {x}); },
            std::tuple(weight, Real(0.1)))
        .drives(
            "leaky_relu", [](Tensor x, Real s) { return leaky_relu(x, s); }, std::tuple(six, Real(0.1)),
            [](Tensor x, Real s) {
              return zipped(x, Tensor::scalar(s), [](double a, double b) { return a > 0 ? a : b * a; });
            })
        .drives(
            "clip_operation|clip",
            [](Tensor x, Real a, Real b) { return worked_out(clip_operation(x, a, b)); },
            std::tuple(six, Real(-0.5), Real(0.5)))
        .drives(
            "clip|value", [](Var x, Real a, Real b) { return slopes(clip(x, a, b), {x}); },
            std::tuple(weight, Real(-0.5), Real(0.5)))
        .drives(
            "clip", [](Tensor x, Real a, Real b) { return clip(x, a, b); },
            std::tuple(six, Real(-0.5), Real(0.5)),
            [](Tensor x, Real a, Real b) {
              std::vector<Real> all = x.to_vector();
              for (Real& v : all) v = v == v ? std::clamp(v, a, b) : v;
              return Tensor(x.shape(), all);
            });

// ---- Arithmetic

using OperationOfTwo = Operation (*)(const Tensor&, const Tensor&);
template <class Call>
void drive_arithmetic(const std::string& name, const std::string& says, const std::string& operation_name,
                      OperationOfTwo operation, Call call, PlainOfTwo value) {
  const auto right = [=](Tensor a, Tensor b) { return zipped(a, b, value); };
  arithmetic
      .drives(
          operation_name + "|" + says, [=](Tensor a, Tensor b) { return worked_out(operation(a, b)); },
          std::tuple(six, three))
      .drives(
          operation_name + "|" + says, [=](Tensor a, Tensor b) { return operation(a, b).value; },
          std::tuple(six, three), right)
      .drives(
          name + "|" + says, [=](Tensor a, Tensor b) { return call(a, b); }, std::tuple(six, three), right)
      .drives(
          name + "|" + says + "|value",
          [=](Var a, Var b) {
            return slopes(call(a, b), {a, b});
          },
          std::tuple(weight, row))
      .drives(
          name + "|" + says, [=](Tensor a, Real b) { return call(a, b); }, std::tuple(six, Real(2)),
          [=](Tensor a, Real b) { return right(a, Tensor::scalar(b)); })
      .drives(
          name + "|" + says, [=](Real a, Tensor b) { return call(a, b); }, std::tuple(Real(2), six),
          [=](Real a, Tensor b) { return right(Tensor::scalar(a), b); });
}
template <class Call>
void drive_assignment(const std::string& name, const std::string& says, Call call, PlainOfTwo value) {
  arithmetic.drives(
      name + "|" + says,
      [=](Tensor a, Tensor b) {
        call(a, b);
        return a;
      },
      std::tuple(six, three), [=](Tensor a, Tensor b) { return zipped(a, b, value); });
}
template <class Call>
void drive_comparison(const std::string& name, const std::string& says, Call call, PlainOfTwo value) {
  const auto right = [=](Tensor a, Tensor b) { return zipped(a, b, value); };
  arithmetic
      .drives(
          name + "|" + says, [=](Tensor a, Tensor b) { return call(a, b); }, std::tuple(six, three), right)
      .drives(
          name + "|" + says + "|value", [=](Var a, Var b) { return call(a, b); }, std::tuple(weight, row),
          [=](Var a, Var b) { return right(a.value(), b.value()); });
}
double larger(double a, double b) { return a > b || a != a ? a : b; }
double smaller(double a, double b) { return a < b || a != a ? a : b; }
const bool arithmetic_of_two = [] {
  const PlainOfTwo add = [](double a, double b) { return a + b; },
                   sub = [](double a, double b) { return a - b; },
                   mul = [](double a, double b) { return a * b; },
                   div = [](double a, double b) { return a / b; };
  drive_arithmetic(
      "operator+", "add", "add_operation", add_operation, [](auto& a, auto& b) { return a + b; }, add);
  drive_arithmetic(
      "operator-", "sub", "subtract_operation", subtract_operation, [](auto& a, auto& b) { return a - b; },
      sub);
  drive_arithmetic(
      "operator*", "mul", "multiply_operation", multiply_operation, [](auto& a, auto& b) { return a * b; },
      mul);
  drive_arithmetic(
      "operator/", "div", "divide_operation", divide_operation, [](auto& a, auto& b) { return a / b; }, div);
  drive_arithmetic(
      "maximum", "maximum", "maximum_operation", maximum_operation,
      [](auto& a, auto& b) { return maximum(a, b); }, larger);
  drive_arithmetic(
      "minimum", "minimum", "minimum_operation", minimum_operation,
      [](auto& a, auto& b) { return minimum(a, b); }, smaller);
  drive_assignment(
      "operator+=", "add", [](Tensor& a, Tensor& b) { a += b; }, add);
  drive_assignment(
      "operator-=", "sub", [](Tensor& a, Tensor& b) { a -= b; }, sub);
  drive_assignment(
      "operator*=", "mul", [](Tensor& a, Tensor& b) { a *= b; }, mul);
  drive_assignment(
      "operator/=", "div", [](Tensor& a, Tensor& b) { a /= b; }, div);
  drive_assignment(
      "add_in_place", "add_in_place", [](Tensor& a, Tensor& b) { add_in_place(a, b); }, add);
  drive_comparison(
      "operator<", "less", [](auto& a, auto& b) { return a < b; },
      [](double a, double b) { return double(a < b); });
  drive_comparison(
      "operator<=", "less_equal", [](auto& a, auto& b) { return a <= b; },
      [](double a, double b) { return double(a <= b); });
  drive_comparison(
      "operator>", "less", [](auto& a, auto& b) { return a > b; },
      [](double a, double b) { return double(a > b); });
  drive_comparison(
      "operator>=", "less_equal", [](auto& a, auto& b) { return a >= b; },
      [](double a, double b) { return double(a >= b); });
  drive_comparison(
      "is_equal", "is_equal", [](auto& a, auto& b) { return is_equal(a, b); },
      [](double a, double b) { return double(a == b); });
  drive_comparison(
      "less", "less", [](auto& a, auto& b) { return less(tensor_of(a), tensor_of(b)); },
      [](double a, double b) { return double(a < b); });
  drive_comparison(
      "less_equal", "less_equal", [](auto& a, auto& b) { return less_equal(tensor_of(a), tensor_of(b)); },
      [](double a, double b) { return double(a <= b); });
  return true;
}();
const Plain negative = [](double v) { return -v; };
const Header& more_arithmetic =
    arithmetic
        .drives(
            "negate_operation|neg", [](Tensor x) { return worked_out(negate_operation(x)); }, std::tuple(six),
            [](Tensor x) {
              return std::vector<Tensor>{mapped(x, negative), Tensor::full(x.shape(), -1)};
            })
        .drives(
            "operator-|neg", [](Tensor x) { return -x; }, std::tuple(six),
            [](Tensor x) { return mapped(x, negative); })
        .drives(
            "operator-|neg|value", [](Var x) { return slopes(-x, {x}); }, std::tuple(weight))
        .drives(
            "where_operation|where",
            [](Tensor c, Tensor a, Tensor b) { return worked_out(where_operation(c, a, b)); },
            std::tuple(six, three, six))
        .drives(
            "where|value",
            [](Tensor c, Var a, Var b) {
              return slopes(where(c, a, b), {a, b});
            },
            std::tuple(six, weight, weight))
        .drives(
            "require_same_shape|this", [](Shape a, Shape b) { require_same_shape("this", a, b); },
            std::tuple(six.shape(), six.shape()))
        .drives(
            "assign|this", [](Tensor x, Tensor y) { return assign("this", x, y); }, std::tuple(six, six),
            [](Tensor, Tensor y) { return y; })
        .drives(
            "scale_in_place",
            [](Tensor x, Real factor) {
              scale_in_place(x, factor);
              return x;
            },
            std::tuple(six, Real(2)), [](Tensor x, Real factor) { return x * factor; });

// ---- Reductions and arrangement

const Indices places({2, 3}, {0, 1, 2, 2, 1, 0});
const Header& more_reductions =
    reductions
        .drives(
            "sum_operation|sum",
            [](Tensor x, Axes axes) { return worked_out(sum_operation(x, axes, Axis::kept)); },
            std::tuple(six, Axes{1}))
        .drives(
            "sum|value", [](Var x, Axes axes) { return slopes(sum(x, axes), {x}); },
            std::tuple(weight, Axes{1}))
        .drives(
            "sum", [](Tensor x) { return sum(x); }, std::tuple(six),
            [](Tensor x) {
              double total = 0;
              for (Real v : x) total += static_cast<double>(v);
              return Tensor::scalar(static_cast<Real>(total));
            })
        .drives(
            "mean_operation|mean",
            [](Tensor x, Axes axes) { return worked_out(mean_operation(x, axes, Axis::kept)); },
            std::tuple(six, Axes{1}))
        .drives(
            "mean|value", [](Var x, Axes axes) { return slopes(mean(x, axes), {x}); },
            std::tuple(weight, Axes{1}))
        .drives(
            "mean", [](Tensor x) { return mean(x); }, std::tuple(six))
        .drives(
            "variance_operation|variance",
            [](Tensor x, Axes axes) { return worked_out(variance_operation(x, axes, Axis::kept)); },
            std::tuple(six, Axes{1}))
        .drives(
            "variance|value", [](Var x, Axes axes) { return slopes(variance(x, axes), {x}); },
            std::tuple(weight, Axes{1}))
        .drives(
            "variance", [](Tensor x) { return variance(x); }, std::tuple(six))
        .drives(
            "max_operation|max",
            [](Tensor x, Axes axes) { return worked_out(max_operation(x, axes, Axis::kept)); },
            std::tuple(six, Axes{1}))
        .drives(
            "max|value", [](Var x, Axes axes) { return slopes(max(x, axes), {x}); },
            std::tuple(weight, Axes{1}))
        .drives(
            "max", [](Tensor x) { return max(x); }, std::tuple(six))
        .drives(
            "min_operation|min",
            [](Tensor x, Axes axes) { return worked_out(min_operation(x, axes, Axis::kept)); },
            std::tuple(six, Axes{1}))
        .drives(
            "min|value", [](Var x, Axes axes) { return slopes(min(x, axes), {x}); },
            std::tuple(weight, Axes{1}))
        .drives(
            "min", [](Tensor x) { return min(x); }, std::tuple(six))
        .drives(
            "cumsum_operation|cumsum",
            [](Tensor x, Index axis) { return worked_out(cumsum_operation(x, axis)); },
            std::tuple(six, Index(1)))
        .drives(
            "cumsum|value", [](Var x, Index axis) { return slopes(cumsum(x, axis), {x}); },
            std::tuple(weight, Index(1)))
        .drives(
            "argmax", [](Tensor x, Index axis) { return argmax(x, axis); }, std::tuple(six, Index(1)))
        .drives(
            "sum_products", [](Tensor a, Tensor b, Axes axes) { return sum_products(a, b, axes); },
            std::tuple(six, six, Axes{1}))
        .drives(
            "column_sums",
            [](Tensor x, Index width) {
              if (width == Index(1) << 31) throw std::bad_alloc();  // would take its time and memory, rightly
              return column_sums(x, width);
            },
            std::tuple(six, Index(3)));

const Header& more_arrangement =
    arrangement
        .drives(
            "reshape_operation|reshape|shape",
            [](Tensor x, std::vector<Index> s) { return worked_out(reshape_operation(x, s)); },
            std::tuple(six, std::vector<Index>{3, -1}))
        .drives(
            "reshape|shape|value", [](Var x, std::vector<Index> s) { return slopes(reshape(x, s), {x}); },
            std::tuple(weight, std::vector<Index>{3, -1}))
        .drives(
            "transpose_operation|transpose",
            [](Tensor x, Axes order) { return worked_out(transpose_operation(x, order)); },
            std::tuple(six, Axes{1, 0}))
        .drives(
            "transpose|value", [](Var x, Axes order) { return slopes(transpose(x, order), {x}); },
            std::tuple(weight, Axes{1, 0}))
        .drives(
            "transpose|value", [](Var x) { return slopes(transpose(x), {x}); }, std::tuple(weight))
        .drives(
            "last_two_swapped|transpose", [](Tensor x) { return last_two_swapped(x); }, std::tuple(six))
        .drives(
            "concat|shape", [](std::vector<Tensor> parts, Index axis) { return concat(parts, axis); },
            std::tuple(std::vector<Tensor>{six, six}, Index(0)))
        .drives(
            "concat|shape",
            [](Tensor a, Tensor b, Index axis) {
              return concat({a, b}, axis);
            },
            std::tuple(six, six, Index(0)))
        .drives(
            "stacked_sizes|stack",
            [](std::vector<Tensor> parts, Index axis) { return stacked_sizes(parts, axis); },
            std::tuple(std::vector<Tensor>{six, six}, Index(0)))
        .drives(
            "stack|shape", [](std::vector<Tensor> parts, Index axis) { return stack(parts, axis); },
            std::tuple(std::vector<Tensor>{six, six}, Index(0)))
        .drives(
            "stack|shape",
            [](Tensor a, Tensor b, Index axis) {
              return stack({a, b}, axis);
            },
            std::tuple(six, six, Index(0)))
        .drives(
            "slice|rows",
            [](Tensor x, Index axis, Index first, Index last) { return slice(x, axis, first, last); },
            std::tuple(six, Index(1), Index(0), Index(2)))
        .drives(
            "add_to_slice|shape",
            [](Tensor into, Tensor part, Index axis, Index first) {
              add_to_slice(into, part, axis, first);
              return into;
            },
            std::tuple(six, six, Index(1), Index(0)))
        .drives(
            "check_split|split|shape",
            [](Shape x, std::vector<Index> sizes, Index axis) { check_split(x, sizes, axis); },
            std::tuple(six.shape(), std::vector<Index>{1, 2}, Index(1)))
        .drives(
            "split|shape",
            [](Tensor x, std::vector<Index> sizes, Index axis) { return split(x, sizes, axis); },
            std::tuple(six, std::vector<Index>{1, 2}, Index(1)))
        .drives(
            "gather|shape", [](Tensor x, Index axis, Indices i) { return gather(x, axis, i); },
            std::tuple(six, Index(1), places))
        .drives(
            "add_gathered|shape",
            [](Tensor into, Tensor part, Index axis, Indices i) {
              add_gathered(into, part, axis, i);
              return into;
            },
            std::tuple(six, six, Index(1), places))
        .drives(
            "take_rows|embedding|shape", [](Tensor table, Indices i) { return take_rows(table, i); },
            std::tuple(six, Indices({2}, {0, 1})))
        .drives(
            "add_to_rows|shape",
            [](Tensor table, Tensor rows, Indices i) {
              add_to_rows(table, rows, i);
              return table;
            },
            std::tuple(six, six, Indices({2}, {0, 1})));

const Header broadcast =
    Header("core/elements/broadcast.hpp")
        .drives(
            "broadcast_to", [](Tensor x, Shape s) { return broadcast_to(x, s); },
            std::tuple(three, six.shape()))
        .drives(
            "sum_to", [](Tensor x, Shape s) { return sum_to(x, s); }, std::tuple(six, three.shape()))
        .drives(
            "sum_products_to", [](Tensor a, Tensor b, Shape s) { return sum_products_to(a, b, s); },
            std::tuple(six, six, three.shape()));

}  // namespace
