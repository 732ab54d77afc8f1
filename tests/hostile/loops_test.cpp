// The loops, operands and mathematics under core/elements/.
#include <cmath>

#include <gradual/core/checks.hpp>
#include <gradual/core/elements/axis_view.hpp>
#include <gradual/core/elements/loops.hpp>
#include <gradual/core/elements/sums.hpp>
#include <gradual/core/elements/vector_math.hpp>

#include "hostile/plain_elements.hpp"

using namespace gradual;
using namespace gradual::hostile;

namespace {

const Header axis_view = Header("core/elements/axis_view.hpp")
                             .drives(
                                 "AxisView::AxisView",
                                 [](Index outer, Index size, Index inner) {
                                   const AxisView view(outer, size, inner);
                                   return std::vector<Index>{view.outer, view.size, view.inner};
                                 },
                                 std::tuple(Index(2), Index(3), Index(4)),
                                 [](Index outer, Index size, Index inner) {
                                   return std::vector<Index>{outer, size, inner};
                                 })
                             .drives(
                                 "AxisView::AxisView|this",
                                 [](Shape s, Index axis) {
                                   const AxisView view("this", s, axis);
                                   return std::vector<Index>{view.size, view.outer * view.size * view.inner};
                                 },
                                 std::tuple(six.shape(), Index(1)),
                                 [](Shape s, Index axis) {
                                   return std::vector<Index>{s.begin()[axis_of(s, axis)], s.size()};
                                 });

const auto difference_of = [](Real a, Real b) { return a - b; };
Tensor plain_difference(const Tensor& a, const Tensor& b) {
  return zipped(a, b, [](double x, double y) { return x - y; });
}
std::vector<Tensor> plain_sine(const Tensor& x) {
  return {mapped(x, [](double v) { return std::sin(v); }), mapped(x, [](double v) { return std::cos(v); })};
}
Tensor plain_less_seven(const Tensor& x) {
  return mapped(x, [](double v) { return v - 7; });
}

const Header loops =
    Header("core/elements/loops.hpp")
        .drives(
            "Broadcast::Broadcast|this",
            [](Shape a, Shape b) {
              const Broadcast plan(broadcast_shapes("this", a, b), a, b);
              return plan.rows * plan.width;
            },
            std::tuple(six.shape(), three.shape()),
            [](Shape a, Shape b) { return broadcast_shapes("this", a, b).size(); })
        .drives(
            "Broadcast::start|this",
            [](Shape a, Shape b, Index which) {  // of the rows that there are
              const Shape y = broadcast_shapes("this", a, b);
              const Broadcast plan(y, a, b);
              if (y.size() == 0 || which < 0 || which >= plan.rows) return std::vector<Index>{0, 0};
              return std::vector<Index>{plan.start(which).a, plan.start(which).b};
            },
            std::tuple(Shape{2, 3, 4}, Shape{3, 1}, Index(2)))
        .drives(
            "loop|this",
            [](Tensor x) {
              check_defined("this", "x", x);
              Tensor y(x.shape());
              loop(x.data(), y.unguarded_data(), x.size(), [](Real v) { return v - 7; });
              return y;
            },
            std::tuple(six), plain_less_seven)
        .drives(
            "loop|this",
            [](Tensor a, Tensor b) {
              check_defined("this", "a", a);
              check_shape("this", "b", b, a.shape());
              Tensor y(a.shape());
              loop(a.data(), b.data(), y.unguarded_data(), a.size(), difference_of);
              return y;
            },
            std::tuple(six, six), plain_difference)
        .drives(
            "map|this", [](Tensor x) { return map("this", x, [](Real v) { return v - 7; }); },
            std::tuple(six), plain_less_seven)
        .drives(
            "zip_to|this",
            [](Tensor a, Tensor b) {
              check_defined("this", "a", a);
              check_defined("this", "b", b);
              Tensor y(broadcast_shapes("this", a.shape(), b.shape()));
              zip_to(y, a.data(), b.data(), {y.shape(), a.shape(), b.shape()}, difference_of);
              return y;
            },
            std::tuple(six, three), plain_difference)
        .drives(
            "zip|this", [](Tensor a, Tensor b) { return zip("this", a, b, difference_of); },
            std::tuple(six, three), plain_difference)
        .drives(
            "pointwise|this",
            [](Tensor x) {
              return worked_out(pointwise(
                  "this", x, [](Real v) { return std::sin(v); }, [](Real v) { return std::cos(v); }));
            },
            std::tuple(six), plain_sine)
        .drives(
            "pointwise_by_value|this",
            [](Tensor x) {
              return worked_out(pointwise_by_value(
                  "this", x, [](Real v) { return v - 7; }, [](Real y) { return y; }));
            },
            std::tuple(six),
            [](Tensor x) {
              return std::vector<Tensor>{plain_less_seven(x), plain_less_seven(x)};
            });

// Sums over the middle axis, one term after the other.
Tensor plain_sums(const Tensor& x, const AxisView& v) {
  Tensor y({v.outer * v.inner});
  for (Index r = 0; r < y.size(); ++r) {
    double sum = 0;
    for (Index i = 0; i < v.size; ++i)
      sum += static_cast<double>(x.data()[(r / v.inner * v.size + i) * v.inner + r % v.inner]);
    y.mutable_data()[r] = static_cast<Real>(sum);
  }
  return y;
}
const auto number_of = [](const Tensor& x) { return [from = x.data()](Index i) { return from[i]; }; };
AxisView whole_rows(const Tensor& x) {
  check_defined("this", "x", x);
  const AxisView v("this", x.shape(), -1);
  return {v.outer, v.size, 1};
}
AxisView whole_columns(const Tensor& x) {
  check_defined("this", "x", x);
  const AxisView v("this", x.shape(), 0);
  return {1, v.size, v.inner};
}
// What sum(to) writes to, of a view.
template <class Sum>
Tensor written_by(const AxisView& v, Sum sum) {
  Tensor y({v.outer * v.inner});
  sum(y.unguarded_data());
  return y;
}
Tensor sums_of_rows(const Tensor& x) { return plain_sums(x, whole_rows(x)); }
Tensor sums_of_columns(const Tensor& x) { return plain_sums(x, whole_columns(x)); }

const Header sums =
    Header("core/elements/sums.hpp")
        .drives(
            "sum_row|this",
            [](Tensor x) {
              const AxisView v = whole_rows(x);
              Tensor y({v.outer});
              for (Index r = 0; r < v.outer; ++r)
                y.mutable_data()[r] = static_cast<Real>(sum_row(number_of(x), r, v.size));
              return y;
            },
            std::tuple(six), sums_of_rows)
        .drives(
            "sum_rows|this",
            [](Tensor x) {
              const AxisView v = whole_rows(x);
              return written_by(v, [&](Real* to) { sum_rows(number_of(x), v.outer, v.size, to); });
            },
            std::tuple(six), sums_of_rows)
        .drives(
            "sum_some_columns|this",
            [](Tensor x, Index first) {  // of the columns that there are
              const AxisView v = whole_columns(x);
              if (first < 0 || first >= v.inner) return sums_of_columns(x);
              Tensor y = sums_of_columns(x);
              sum_some_columns(number_of(x), v.size, v.inner, first, std::min(most_columns, v.inner - first),
                               y.mutable_data(), 1);
              return y;
            },
            std::tuple(six, Index(1)), [](Tensor x, Index) { return sums_of_columns(x); })
        .drives(
            "sum_columns|this",
            [](Tensor x) {
              const AxisView v = whole_columns(x);
              return written_by(v, [&](Real* to) { sum_columns(number_of(x), v.size, v.inner, to); });
            },
            std::tuple(six), sums_of_columns)
        .drives(
            "sum_view|this",
            [](Tensor x, Index axis) {
              check_defined("this", "x", x);
              const AxisView v("this", x.shape(), axis);
              return written_by(v, [&](Real* to) { sum_view(number_of(x), v, to); });
            },
            std::tuple(Tensor::ones({2, 3, 4}), Index(1)),
            [](Tensor x, Index axis) {
              return plain_sums(x, {"plain", x.shape(), axis});
            })
        .drives(
            "sums_of_distances|this",
            [](Tensor x) {
              check_defined("this", "x", x);
              if (x.size() == 0) return std::vector<double>();
              const auto [mean, squares] =
                  sums_of_distances([from = x.data()](Index i) { return from[i]; }, 0, x.size());
              return std::vector<double>{mean, squares};
            },
            std::tuple(six),
            [](Tensor x) {
              if (x.size() == 0) return std::vector<double>();
              double sum = 0, squares = 0;
              for (Real v : x) sum += static_cast<double>(v);
              const double mean = sum / static_cast<double>(x.size());
              for (Real v : x) squares += std::pow(static_cast<double>(v) - mean, 2);
              return std::vector<double>{mean, squares};
            });

const Header operands =
    Header("core/elements/operation.hpp")
        .drives(
            "tensor_of", [](Tensor x) { return tensor_of(x); }, std::tuple(six), [](Tensor x) { return x; })
        .drives(
            "tensor_of", [](Real x) { return tensor_of(x); }, std::tuple(Real(1)),
            [](Real x) { return Tensor::scalar(x); })
        .drives(
            "operand_as", [](Real x) { return operand_as<Tensor>(x); }, std::tuple(Real(1)),
            [](Real x) { return Tensor::scalar(x); })
        .drives(
            "apply|neg", [](Tensor x) { return apply(negate_operation, x); }, std::tuple(six),
            [](Tensor x) { return mapped(x, [](double v) { return -v; }); })
        .drives(
            "apply_both|sub", [](Tensor a, Tensor b) { return apply_both(subtract_operation, a, b); },
            std::tuple(six, three), plain_difference)
        .drives(
            "combine|sub", [](Tensor a, Real b) { return combine(subtract_operation, a, b); },
            std::tuple(six, Real(2)),
            [](Tensor a, Real b) { return plain_difference(a, Tensor::scalar(b)); });

// Each function in float and in double, and what the standard library says of it.
template <class Function>
void drive_vector_function(const Header& header, const std::string& name, Function function, Plain plain) {
  header
      .drives(
          name, [=](float x) { return function(x); }, std::tuple(1.0f),
          [=](float x) { return static_cast<float>(plain(static_cast<double>(x))); })
      .drives(
          name, [=](double x) { return function(x); }, std::tuple(1.0), [=](double x) { return plain(x); });
}
const bool vector_math = [] {
  const Header header("core/elements/vector_math.hpp");
  drive_vector_function(
      header, "vector_exp", [](auto x) { return vector_exp(x); }, [](double x) { return std::exp(x); });
  drive_vector_function(
      header, "vector_exp_of_negative", [](auto x) { return vector_exp_of_negative(x > 0 ? -x : x); },
      [](double x) { return std::exp(-std::abs(x)); });
  drive_vector_function(
      header, "vector_expm1", [](auto x) { return vector_expm1(x); }, [](double x) { return std::expm1(x); });
  drive_vector_function(
      header, "vector_erfc", [](auto x) { return vector_erfc(x); }, [](double x) { return std::erfc(x); });
  drive_vector_function(
      header, "vector_tanh", [](auto x) { return vector_tanh(x); }, [](double x) { return std::tanh(x); });
  header
      .drives(
          "parts_of_exp",
          [](float x) {
            const PartsOfExp parts = parts_of_exp(x > -80 && x < 80 ? x : 0);
            return std::ldexp(parts.of_r, static_cast<std::int32_t>(parts.n));
          },
          std::tuple(1.0f), [](float x) { return std::exp(x > -80 && x < 80 ? x : 0); })
      .drives(
          "power_of_two",
          [](std::int32_t n) { return power_of_two(static_cast<std::uint32_t>(std::clamp(n, -126, 127))); },
          std::tuple(std::int32_t(3)),
          [](std::int32_t n) { return std::ldexp(1.0f, std::clamp(n, -126, 127)); })
      .drives(
          "polynomial", [](float x, float a, float b) { return polynomial(x, a, b, 1.0f); },
          std::tuple(2.0f, 3.0f, 5.0f), [](float x, float a, float b) { return (a * x + b) * x + 1; })
      .drives(
          "logistic", [](Real x) { return logistic(x); }, std::tuple(Real(1)),
          [](Real x) { return 1 / (1 + std::exp(-static_cast<double>(x))); })
      .drives(
          "hash32",  // a bijection: another counter has another hash
          [](std::uint32_t counter, std::uint32_t key) {
            return hash32(counter, key) != hash32(counter + 1, key);
          },
          std::tuple(std::uint32_t(1), std::uint32_t(7)), [](std::uint32_t, std::uint32_t) { return true; });
  return true;
}();

}  // namespace
