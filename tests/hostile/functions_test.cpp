// core/elements/functions.hpp: of tensors and of variables, with gradients under a gradient of ones.
#include <algorithm>
#include <cmath>

#include "hostile/plain_elements.hpp"

using namespace gradual;
using namespace gradual::hostile;

namespace {

const Header functions("core/elements/functions.hpp");

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

}  // namespace
