// Functions of one number, for numbers of every size: a sample of all there are, and those at the ends of
// something.
#include <cstdint>
#include <cstring>

#include <gradual/core/elements/arithmetic.hpp>
#include <gradual/core/elements/functions.hpp>

#include "report.hpp"

namespace gradual {
namespace {

using Exactly = std::function<long double(long double)>;

struct Function {
  const char* name;
  std::function<Operation(const Tensor&)> operation;
  Exactly value, slope;
  double most_value, most_slope;
  long double least = 0;  // what is smaller counts as this
};

const long double root_half = std::sqrt(0.5L), pi = std::acos(-1.0L);

long double sigma(long double x) { return 1 / (1 + std::exp(-x)); }
long double normal_share(long double x) { return std::erfc(-x * root_half) / 2; }
long double normal_density(long double x) { return std::exp(-x * x / 2) / std::sqrt(2 * pi); }
// x·f(x), which is 0 where f is.
long double times(long double x, long double f) { return f == 0 ? 0 : x * f; }

std::vector<Function> functions() {
  const auto pow_of = [](const char* name, Real p, double most, double most_slope) {
    const long double exponent = p;
    return Function{name,
                    [p](const Tensor& x) { return pow_operation(x, p); },
                    [exponent](long double x) { return std::pow(x, exponent); },
                    [exponent](long double x) { return exponent * std::pow(x, exponent - 1); },
                    most,
                    most_slope};
  };
  return {
      {"abs", abs_operation, [](long double x) { return std::fabs(x); },
       [](long double x) { return std::isnan(x) ? x : static_cast<long double>((x > 0) - (x < 0)); }, 0, 0},
      {"exp", exp_operation, [](long double x) { return std::exp(x); },
       [](long double x) { return std::exp(x); }, 2, 2},
      {"log", log_operation, [](long double x) { return std::log(x); }, [](long double x) { return 1 / x; },
       1, 1},
      {"log1p", log1p_operation, [](long double x) { return std::log1p(x); },
       [](long double x) { return 1 / (1 + x); }, 1, 2},
      {"sqrt", sqrt_operation, [](long double x) { return std::sqrt(x); },
       [](long double x) { return 0.5L / std::sqrt(x); }, 1, 2},
      pow_of("pow(x, 2)", 2, 1, 1),
      pow_of("pow(x, -1)", -1, 1, 1),
      pow_of("pow(x, 2.5)", 2.5F, 1, 2),
      {"sin", sin_operation, [](long double x) { return std::sin(x); },
       [](long double x) { return std::cos(x); }, 1, 1},
      {"cos", cos_operation, [](long double x) { return std::cos(x); },
       [](long double x) { return -std::sin(x); }, 1, 1},
      {"tanh", tanh_operation, [](long double x) { return std::tanh(x); },
       [](long double x) { return 1 / (std::cosh(x) * std::cosh(x)); }, 4, 2},
      {"sigmoid", sigmoid_operation, sigma, [](long double x) { return sigma(x) * sigma(-x); }, 4, 4,
       least_sigmoid},
      {"softplus", softplus_operation,
       [](long double x) { return x > 0 ? x + std::log1p(std::exp(-x)) : std::log1p(std::exp(x)); }, sigma, 4,
       4},
      {"relu", relu_operation, [](long double x) { return x < 0 ? 0 : x; },
       [](long double x) { return std::isnan(x) ? x : static_cast<long double>(x > 0); }, 0, 0},
      {"leaky_relu(x, 0.1)", [](const Tensor& x) { return leaky_relu_operation(x, Real(0.1)); },
       [](long double x) { return x > 0 ? x : x * static_cast<long double>(Real(0.1)); },
       [](long double x) { return x > 0 ? 1 : static_cast<long double>(Real(0.1)); }, 1, 1},
      {"elu", elu_operation, [](long double x) { return x > 0 ? x : std::expm1(x); },
       [](long double x) { return x > 0 ? 1 : std::exp(x); }, 2, 1},
      {"gelu", gelu_operation, [](long double x) { return times(x, normal_share(x)); },
       [](long double x) { return normal_share(x) + times(x, normal_density(x)); }, 150, 4, least_sigmoid},
      {"silu", silu_operation, [](long double x) { return times(x, sigma(x)); },
       [](long double x) { return sigma(x) + times(x, sigma(x) * sigma(-x)); }, 4, 10, least_sigmoid},
  };
}

// Every 16411th number there is, beginning with 0, and the ends.
Tensor all_sizes() {
  std::vector<Real> all;
  for (std::uint64_t bits = 0; bits <= UINT32_MAX; bits += 16411) {
    const auto low = static_cast<std::uint32_t>(bits);
    float x;
    std::memcpy(&x, &low, sizeof x);
    all.push_back(x);
  }
  using Limits = std::numeric_limits<float>;
  for (const float x : {0.0F, 1.0F, 0.3F, 0.5F, 87.3F, 88.72F, 88.73F, 89.0F, 103.9F, 104.0F, 9.01F,
                        Limits::min(), Limits::max(), Limits::denorm_min(), Limits::infinity()})
    for (const float each : {x, -x, std::nextafter(x, 0.0F), std::nextafter(x, Limits::infinity())})
      all.push_back(each);
  all.push_back(Limits::quiet_NaN());
  return Tensor(Shape{static_cast<Index>(all.size())}, all);
}

}  // namespace

void measure_functions(Report& values, Report& slopes) {
  const Tensor x = all_sizes(), ones = Tensor::ones(x.shape());
  for (const Function& each : functions()) {
    const Operation done = each.operation(x);
    const Tensor slope = done.da(ones);
    values.begin(each.name, each.most_value);
    for (Index i = 0; i < x.size(); ++i) {
      const Real at = x.data()[i];
      const long double expected = each.value(at);
      values.add(units_between(done.value.data()[i], expected, std::fmax(each.least, std::fabs(expected))),
                 at);
    }
    slopes.begin(each.name, each.most_slope);
    for (Index i = 0; i < x.size(); ++i) {
      const Real at = x.data()[i];
      if (std::isnan(at)) continue;
      const long double expected = each.slope(at);  // which is often made of the value, near 1
      slopes.add(units_between(slope.data()[i], expected, std::fmax(1.0L, std::fabs(expected))), at);
    }
  }
}

}  // namespace gradual
