// core/rows/. Kernels of plain rows get rows as long as they claim.
#include <algorithm>
#include <cmath>

#include <gradual/core/checks.hpp>
#include <gradual/core/products/products.hpp>
#include <gradual/core/rows/loss.hpp>
#include <gradual/core/rows/norms.hpp>
#include <gradual/core/rows/passes.hpp>
#include <gradual/core/rows/rows.hpp>
#include <gradual/core/rows/top_rows.hpp>

#include "hostile/drive.hpp"

using namespace gradual;
using namespace gradual::hostile;

namespace {

// x after a function of each of its rows.
template <class OfRow>
Tensor by_rows(const Tensor& x, OfRow of_row) {
  Tensor y = x;
  const Index width = x.dim(-1);
  Real* const all = y.mutable_data();
  for (Index first = 0; first < x.size(); first += width) of_row(all + first, width);
  return y;
}
// The weights of the first `valid` numbers, 0 behind them, and 0 for all where every number is -∞.
void plain_softmax_row(Real* row, Index valid, Index width) {
  double top = -inf, total = 0;
  for (Index i = 0; i < valid; ++i) top = row[i] > top ? double(row[i]) : top;
  if (top == -inf) top = 0;
  for (Index i = 0; i < valid; ++i) total += std::exp(double(row[i]) - top);
  for (Index i = 0; i < width; ++i)
    row[i] = i < valid && total != 0 ? static_cast<Real>(std::exp(double(row[i]) - top) / total) : Real(0);
}
Tensor plain_softmax(const Tensor& x) {
  return by_rows(x, [](Real* row, Index width) { plain_softmax_row(row, width, width); });
}
Tensor plain_log_softmax(const Tensor& x) {
  return by_rows(x, [](Real* row, Index width) {
    const double top = *std::max_element(row, row + width, [](Real a, Real b) { return a < b || a != a; });
    double total = 0;
    for (Index i = 0; i < width; ++i) total += std::exp(double(row[i]) - top);
    for (Index i = 0; i < width; ++i) row[i] = static_cast<Real>(double(row[i]) - top - std::log(total));
  });
}
Tensor plain_softmax_backward(const Tensor& y, const Tensor& dy) {
  const Real* weights = y.data();
  return by_rows(dy, [&](Real* d, Index width) {
    double dot = 0;
    for (Index i = 0; i < width; ++i) dot += double(weights[i]) * double(d[i]);
    for (Index i = 0; i < width; ++i) d[i] = static_cast<Real>(double(weights[i]) * (double(d[i]) - dot));
    weights += width;
  });
}

const Header softmaxes =
    Header("core/rows/rows.hpp")
        .drives(
            "softmax", [](Tensor x) { return softmax(x); }, std::tuple(six), plain_softmax)
        .drives(
            "softmax_backward", [](Tensor y, Tensor dy) { return softmax_backward(y, dy); },
            std::tuple(six, six), plain_softmax_backward)
        .drives(
            "log_softmax", [](Tensor x) { return log_softmax(x); }, std::tuple(six), plain_log_softmax)
        .drives(
            "log_softmax_backward", [](Tensor y, Tensor dy) { return log_softmax_backward(y, dy); },
            std::tuple(six, six))
        .drives(
            "masked_softmax", [](Tensor x, Indices valid) { return masked_softmax(x, valid); },
            std::tuple(six, Indices({2}, {1, 2})),
            [](Tensor x, Indices valid) {
              Index r = 0;
              const Index rows_of_length =
                  valid.size() > 0 && x.dim(-1) > 0 ? x.size() / x.dim(-1) / valid.size() : 1;
              return by_rows(x, [&](Real* row, Index width) {
                plain_softmax_row(row, valid[r++ / rows_of_length], width);
              });
            })
        .drives(
            "softmax_row|this",
            [](Tensor x, Index valid) {
              check_defined("this", "x", x);
              softmax_row(x.mutable_data(), std::clamp<Index>(valid, 0, x.size()), x.size());
              return x;
            },
            std::tuple(six, Index(3)),
            [](Tensor x, Index valid) {
              plain_softmax_row(x.mutable_data(), std::clamp<Index>(valid, 0, x.size()), x.size());
              return x;
            })
        .drives(
            "softmax_backward_row|this",
            [](Tensor y, Tensor dy) {
              check_defined("this", "y", y);
              check_shape("this", "dy", dy, y.shape());
              softmax_backward_row(y.data(), dy.mutable_data(), y.size());
              return dy;
            },
            std::tuple(six, six),
            [](Tensor y, Tensor dy) {
              const Shape flat{y.size()};
              return plain_softmax_backward(y.with_shape(flat), dy.with_shape(flat)).with_shape(y.shape());
            });

double plain_largest(const Tensor& x) {
  double top = -inf;
  for (Real v : x) top = v > top ? double(v) : top;
  return top;
}
const Header passes =
    Header("core/rows/passes.hpp")
        .drives(
            "largest", [](Tensor x) { return largest(x.data(), x.defined() ? x.size() : 0); },
            std::tuple(six), plain_largest)
        .drives(
            "exponent_offset", [](Tensor x) { return exponent_offset(x.data(), x.defined() ? x.size() : 0); },
            std::tuple(six), [](Tensor x) { return plain_largest(x) == -inf ? 0 : plain_largest(x); })
        .drives(
            "inverse_total", [](Real total) { return inverse_total(total); }, std::tuple(Real(4)),
            [](Real total) { return total == 0 ? Real(0) : 1 / total; })
        .drives(
            "sum_of_exponentials",
            [](Tensor x, Real offset) {
              return sum_of_exponentials(x.data(), x.defined() ? x.size() : 0, offset);
            },
            std::tuple(six, Real(1)),
            [](Tensor x, Real offset) {
              double total = 0;
              for (Real v : x) total += std::exp(static_cast<double>(v - offset));
              return static_cast<Real>(total);
            });

// (x - mean) / √(mean((x - mean)²) + ε) ⊙ gain + bias, or the same with 0 for the mean, without the bias.
Tensor plain_norm(const Tensor& x, const Tensor& gain, const Tensor& bias, double epsilon) {
  return by_rows(x, [&](Real* row, Index width) {
    const auto count = static_cast<double>(width);
    double mean = 0, squares = 0;
    for (Index i = 0; bias.defined() && i < width; ++i) mean += double(row[i]) / count;
    for (Index i = 0; i < width; ++i) squares += (double(row[i]) - mean) * (double(row[i]) - mean) / count;
    for (Index i = 0; i < width; ++i) {
      const double y = (double(row[i]) - mean) / std::sqrt(squares + epsilon) * double(gain.data()[i]);
      row[i] = static_cast<Real>(bias.defined() ? y + double(bias.data()[i]) : y);
    }
  });
}
// A gain of ∞ makes NaN of what is the mean, and ∞ of what rounding takes away from it: here both are NaN.
Tensor blurred(Tensor y) {
  for (Real *v = y.mutable_data(), *end = v + y.size(); v != end; ++v)
    if (!std::isfinite(*v)) *v = static_cast<Real>(hostile::nan);
  return y;
}
const Header norms =
    Header("core/rows/norms.hpp")
        .drives(
            "layer_norm",
            [](Tensor x, Tensor gain, Tensor bias, Real epsilon) {
              NormStatistics statistics;
              return blurred(layer_norm(x, gain, bias, epsilon, statistics));
            },
            std::tuple(six, three, three, Real(1e-5)),
            [](Tensor x, Tensor gain, Tensor bias, Real epsilon) {
              return blurred(plain_norm(x, gain, bias, static_cast<double>(epsilon)));
            })
        .drives(
            "rms_norm",
            [](Tensor x, Tensor gain, Real epsilon) {
              NormStatistics statistics;
              return rms_norm(x, gain, epsilon, statistics);
            },
            std::tuple(six, three, Real(1e-5)),
            [](Tensor x, Tensor gain, Real epsilon) {
              return plain_norm(x, gain, {}, static_cast<double>(epsilon));
            })
        .drives(
            "layer_norm_backward",
            [](Tensor x, Tensor gain, Tensor mean, Tensor inverse, Tensor dy, Tensor dx, bool accumulate) {
              const NormGradients d = layer_norm_backward(x, gain, {mean, inverse}, dy, dx, accumulate);
              return std::vector<Tensor>{dx, d.gain, d.bias};
            },
            std::tuple(six, three, numbers({2}), numbers({2}), six, six, true))
        .drives(
            "rms_norm_backward",
            [](Tensor x, Tensor gain, Tensor inverse, Tensor dy, Tensor dx, bool accumulate) {
              const Tensor d_gain = rms_norm_backward(x, gain, {{}, inverse}, dy, dx, accumulate);
              return std::vector<Tensor>{dx, d_gain};
            },
            std::tuple(six, three, numbers({2}), six, six, true));

// -Σ q·log p of the counted rows, their mean; a class of probability 0 that nothing wants costs nothing.
double plain_loss(const Tensor& logits, const Indices& targets, int ignored, double smoothing) {
  const Tensor log_p = plain_log_softmax(logits);
  const Index classes = logits.dim(-1);
  double total = 0, counted = 0;
  for (Index r = 0; r < targets.size(); ++r) {
    if (targets[r] == ignored) continue;
    const Real* row = log_p.data() + r * classes;
    total -= (1 - smoothing) * double(row[targets[r]]);
    for (Index j = 0; smoothing > 0 && j < classes; ++j)
      total -= smoothing / double(classes) * double(row[j]);
    ++counted;
  }
  return counted == 0 ? 0 : total / counted;
}
const Header losses =
    Header("core/rows/loss.hpp")
        .drives(
            "cross_entropy",
            [](Tensor logits, Indices targets, int ignored, double smoothing, bool with_gradient) {
              const LossGradients result =
                  cross_entropy(logits, targets, {ignored, smoothing}, with_gradient);
              return result.inputs.defined() == with_gradient ? result.loss : -1;
            },
            std::tuple(six, Indices({2}, {0, 1}), -1, 0.1, true),
            [](Tensor logits, Indices targets, int ignored, double smoothing, bool) {
              return plain_loss(logits, targets, ignored, smoothing);
            })
        .drives(
            "linear_cross_entropy",
            [](Tensor x, Tensor w, Indices targets, int ignored, double smoothing, bool with_gradient) {
              const LossGradients result =
                  linear_cross_entropy(x, w, targets, {ignored, smoothing}, with_gradient);
              return result.weight.defined() == with_gradient ? result.loss : -1;
            },
            std::tuple(six, six, Indices({2}, {0, 1}), -1, 0.1, true),
            [](Tensor x, Tensor w, Indices targets, int ignored, double smoothing, bool) {
              return plain_loss(linear(x, w, {}), targets, ignored, smoothing);
            });

using Classes = std::vector<std::int32_t>;
// The best classes, the lower one first of equal ones; none of a row with a NaN, or of an impossible class.
std::vector<Classes> plain_top(const Tensor& logits, Index count, const Classes& excluded) {
  const Tensor log_p = logits.dim(1) > 0 ? plain_log_softmax(logits) : logits;
  std::vector<Classes> result(1);
  for (Index r = 0; r < logits.dim(0); ++r) {
    std::vector<std::pair<double, std::int32_t>> best;
    for (Index j = 0; j < logits.dim(1); ++j) {
      const double p = log_p.data()[r * logits.dim(1) + j];
      const auto id = static_cast<std::int32_t>(j);
      if (std::isfinite(p) && std::find(excluded.begin(), excluded.end(), id) == excluded.end())
        best.push_back({-p, id});
    }
    std::stable_sort(best.begin(), best.end(), [](auto& a, auto& b) { return a.first < b.first; });
    for (Index i = 0; i < count; ++i)
      result[0].push_back(i < static_cast<Index>(best.size()) ? best[static_cast<std::size_t>(i)].second
                                                              : -1);
  }
  return result;
}
// No machine holds so many places.
void check_places(const Tensor& rows, Index count) {
  if (rows.rank() == 2 && (rows.dim(0) == huge || (count > 1000 && count <= 0x7fffffff)))
    throw std::bad_alloc();
}
const Header top_rows = Header("core/rows/top_rows.hpp")
                            .drives(
                                "top_log_softmax",
                                [](Tensor logits, Index count, Classes excluded) {
                                  check_places(logits, count);
                                  return std::vector<Classes>{top_log_softmax(logits, count, excluded).ids};
                                },
                                std::tuple(six, Index(2), Classes{1}), plain_top)
                            .drives(
                                "top_log_softmax|packed matrix",
                                [](Tensor x, Tensor w, Index count, Classes excluded) {
                                  check_places(x, count);
                                  return std::vector<Classes>{
                                      top_log_softmax(x, PackedMatrix::of_weight(w), count, excluded).ids};
                                },
                                std::tuple(six, numbers({4, 3}), Index(2), Classes{1}),
                                [](Tensor x, Tensor w, Index count, Classes excluded) {
                                  return plain_top(linear(x, w, {}), count, excluded);
                                });

}  // namespace
