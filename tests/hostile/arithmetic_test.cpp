// core/elements/arithmetic.hpp: of tensors and of variables, with gradients under a gradient of ones.
#include "hostile/plain_elements.hpp"

using namespace gradual;
using namespace gradual::hostile;

namespace {

const Header arithmetic("core/elements/arithmetic.hpp");

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
          std::tuple(weight, three_weights))
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
          name + "|" + says + "|value", [=](Var a, Var b) { return call(a, b); },
          std::tuple(weight, three_weights), [=](Var a, Var b) { return right(a.value(), b.value()); });
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

}  // namespace
