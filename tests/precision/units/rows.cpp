// Kernels over rows: softmax, norms, losses, sums.
#include <gradual/core/elements/reductions.hpp>
#include <gradual/core/rows/loss.hpp>
#include <gradual/core/rows/norms.hpp>
#include <gradual/core/rows/rows.hpp>

#include "report.hpp"

namespace gradual {
namespace {

using Row = std::vector<Exact>;

Row row_of(const Tensor& x, Index row, Index width) {
  Row values;
  for (Index i = 0; i < width; ++i) values.emplace_back(x.data()[row * width + i]);
  return values;
}

Exact total(const Row& row) {
  return sum_of(static_cast<Index>(row.size()), [&](Index i) { return row[static_cast<std::size_t>(i)]; });
}

template <class Term>
Row row_by(std::size_t width, Term term) {
  Row row;
  for (std::size_t i = 0; i < width; ++i) row.push_back(term(i));
  return row;
}

struct Softmax {
  Row shares;
  Exact log_sum;
};
Softmax softmax_of(const Row& x) {
  long double top = x[0].value;
  for (const Exact& each : x) top = std::fmax(top, each.value);
  const Row powers = row_by(x.size(), [&](std::size_t i) { return exp(x[i] - Exact(top)); });
  const Exact sum = total(powers);
  return {row_by(x.size(), [&](std::size_t i) { return powers[i] / sum; }), Exact(top) + log(sum)};
}

// The numbers of one tensor, row by row, are to be what of_row(row) says.
template <class OfRow>
void compare_rows(Report& report, const char* name, double most, const Tensor& got, Index width,
                  OfRow of_row) {
  report.begin(name, most);
  for (Index row = 0; row < got.size() / width; ++row) {
    const Row expected = of_row(row);
    for (Index i = 0; i < width; ++i)
      report.compare(got.data()[row * width + i], expected[static_cast<std::size_t>(i)]);
  }
}

void measure_softmax(Report& report, const Tensor& x, const Tensor& dy, Index width) {
  const Tensor y = softmax(x), logs = log_softmax(x);
  compare_rows(report, "softmax", 2, y, width,
               [&](Index row) { return softmax_of(row_of(x, row, width)).shares; });
  compare_rows(report, "softmax_backward", 2, softmax_backward(y, dy), width, [&](Index row) {
    const Row p = row_of(y, row, width), d = row_of(dy, row, width);
    const Exact mean = total(row_by(p.size(), [&](std::size_t i) { return p[i] * d[i]; }));
    return row_by(p.size(), [&](std::size_t i) { return p[i] * (d[i] - mean); });
  });
  compare_rows(report, "log_softmax", 2, logs, width, [&](Index row) {
    const Row values = row_of(x, row, width);
    const Exact log_sum = softmax_of(values).log_sum;
    return row_by(values.size(), [&](std::size_t i) { return values[i] - log_sum; });
  });
  compare_rows(report, "log_softmax_backward", 2, log_softmax_backward(logs, dy), width, [&](Index row) {
    const Row l = row_of(logs, row, width), d = row_of(dy, row, width);
    const Exact sum = total(d);
    return row_by(d.size(), [&](std::size_t i) { return d[i] - exp(l[i]) * sum; });
  });
}

struct Norm {
  Row normal;
  Exact inverse;
};
// x̂, with the mean taken out or not.
Norm norm_of(const Row& x, bool centred, long double epsilon) {
  const Exact n(static_cast<long double>(x.size()));
  const Exact mean = centred ? total(x) / n : Exact();
  const Row from_mean = centred ? row_by(x.size(), [&](std::size_t i) { return x[i] - mean; }) : x;
  const Exact variance =
      total(row_by(x.size(), [&](std::size_t i) { return from_mean[i] * from_mean[i]; })) / n;
  const Exact inverse = Exact(1) / sqrt(variance + Exact(epsilon));
  return {row_by(x.size(), [&](std::size_t i) { return from_mean[i] * inverse; }), inverse};
}

void measure_norms(Report& report, const Tensor& x, const Tensor& dy, Index width, Random random) {
  const Tensor gain = numbers({width}, random.split()), bias = numbers({width}, random.split());
  const Real epsilon = Real(1e-5);
  const Row g = row_of(gain, 0, width), b = row_of(bias, 0, width);
  for (const bool centred : {true, false}) {
    NormStatistics statistics;
    const Tensor y =
        centred ? layer_norm(x, gain, bias, epsilon, statistics) : rms_norm(x, gain, epsilon, statistics);
    compare_rows(report, centred ? "layer_norm" : "rms_norm", 2, y, width, [&](Index row) {
      const Norm norm = norm_of(row_of(x, row, width), centred, epsilon);
      return row_by(g.size(),
                    [&](std::size_t i) { return norm.normal[i] * g[i] + (centred ? b[i] : Exact()); });
    });
    Tensor dx(x.shape());
    const Tensor d_gain = centred ? layer_norm_backward(x, gain, statistics, dy, dx, false).gain
                                  : rms_norm_backward(x, gain, statistics, dy, dx, false);
    compare_rows(
        report, centred ? "layer_norm_backward, dx" : "rms_norm_backward, dx", 2, dx, width, [&](Index row) {
          const Norm norm = norm_of(row_of(x, row, width), centred, epsilon);
          const Row d = row_of(dy, row, width),
                    slopes = row_by(g.size(), [&](std::size_t i) { return d[i] * g[i]; });
          const Exact n(static_cast<long double>(width)), mean = centred ? total(slopes) / n : Exact();
          const Exact along =
              total(row_by(g.size(), [&](std::size_t i) { return slopes[i] * norm.normal[i]; })) / n;
          return row_by(g.size(), [&](std::size_t i) {
            return (slopes[i] - mean - norm.normal[i] * along) * norm.inverse;
          });
        });
    const Index rows = x.size() / width;
    std::vector<Row> terms;
    for (Index row = 0; row < rows; ++row) {
      const Norm norm = norm_of(row_of(x, row, width), centred, epsilon);
      const Row d = row_of(dy, row, width);
      terms.push_back(row_by(g.size(), [&](std::size_t i) { return d[i] * norm.normal[i]; }));
    }
    report.begin(centred ? "layer_norm_backward, gain" : "rms_norm_backward, gain", 2);
    report.compare_all(d_gain, [&](Index i) {
      return sum_of(
          rows, [&](Index row) { return terms[static_cast<std::size_t>(row)][static_cast<std::size_t>(i)]; });
    });
  }
}

void measure_loss(Report& report, const Tensor& x, Index width, Random random) {
  const Index rows = x.size() / width;
  std::vector<std::int32_t> targets;
  for (Index row = 0; row < rows; ++row) targets.push_back(static_cast<std::int32_t>(random.below(width)));
  CrossEntropyOptions options;
  options.label_smoothing = 0.125;
  const LossGradients got = cross_entropy(x.reshaped({rows, width}), Indices({rows}, targets), options, true);
  const Exact spread(static_cast<long double>(options.label_smoothing / static_cast<double>(width)));
  const auto wanted = [&](Index row, std::size_t i) {
    const bool is_target = static_cast<std::int32_t>(i) == targets[static_cast<std::size_t>(row)];
    return is_target ? Exact(1 - static_cast<long double>(options.label_smoothing)) + spread : spread;
  };
  const Exact counted(static_cast<long double>(rows));
  report.begin("cross_entropy, loss", 2);
  report.compare(got.loss, sum_of(rows, [&](Index row) {
                             const Row values = row_of(x, row, width);
                             const Exact log_sum = softmax_of(values).log_sum;
                             return total(row_by(values.size(), [&](std::size_t i) {
                               return wanted(row, i) * (log_sum - values[i]);
                             }));
                           }) / counted);
  compare_rows(report, "cross_entropy, gradient", 2, got.inputs, width, [&](Index row) {
    const Row shares = softmax_of(row_of(x, row, width)).shares;
    return row_by(shares.size(), [&](std::size_t i) { return (shares[i] - wanted(row, i)) / counted; });
  });
}

void measure_sums(Report& report, const Tensor& x, Index width) {
  const Exact n(static_cast<long double>(width));
  const auto mean = [&](Index row) { return total(row_of(x, row, width)) / n; };
  report.begin("sum", 2);
  report.compare_all(sum(x, {-1}), [&](Index row) { return total(row_of(x, row, width)); });
  report.begin("mean", 2);
  report.compare_all(gradual::mean(x, {-1}), mean);
  report.begin("variance", 2);
  report.compare_all(variance(x, {-1}), [&](Index row) {
    const Row values = row_of(x, row, width);
    const Exact middle = mean(row);
    return total(row_by(values.size(),
                        [&](std::size_t i) { return (values[i] - middle) * (values[i] - middle); })) /
           n;
  });
  compare_rows(report, "cumsum", 2, cumsum(x, -1), width, [&](Index row) {
    const Row values = row_of(x, row, width);
    Row sums;
    Exact so_far;
    for (const Exact& each : values) {
      so_far.value += each.value;
      so_far.cost += std::fabs(each.value);
      sums.push_back(so_far);
    }
    return sums;
  });
}

}  // namespace

void measure_rows(Report& report) {
  Random random(1);
  for (const Index width : {1, 2, 7, 64, 513, 4096})
    for (const double size : {1e-30, 1e-3, 1.0, 30.0, 1e4, 1e15}) {
      const Shape shape{6, width};
      const Tensor x = numbers(shape, random.split(), size), dy = numbers(shape, random.split());
      measure_softmax(report, x, dy, width);
      measure_norms(report, x, dy, width, random.split());
      measure_loss(report, x, width, random.split());
      measure_sums(report, x, width);
    }
}

}  // namespace gradual
