#include <gradual/core/layers/optimizer.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

#include <gradual/core/error.hpp>
#include <gradual/core/threads.hpp>

namespace gradual {
namespace {

// A part of one of many tensors. Cut into pieces of about the same size, a few large tensors and many small
// ones are shared evenly among the threads.
struct Piece {
  std::size_t tensor;
  Index first, last;
};

template <class SizeOf>
std::vector<Piece> pieces_of(std::size_t tensors, SizeOf size_of) {
  constexpr Index most = 16384;
  std::vector<Piece> pieces;
  for (std::size_t t = 0; t < tensors; ++t) {
    for (Index first = 0; first < size_of(t); first += most)
      pieces.push_back({t, first, std::min(size_of(t), first + most)});
  }
  return pieces;
}

}  // namespace

double sum_of_squares(const std::vector<Tensor>& tensors) {
  const std::vector<Piece> pieces =
      pieces_of(tensors.size(), [&](std::size_t t) { return tensors[t].defined() ? tensors[t].size() : 0; });
  std::vector<double> partial(pieces.size());
  parallel_for(static_cast<Index>(pieces.size()), [&](Index p) {
    const Piece piece = pieces[static_cast<std::size_t>(p)];
    const Real* from = tensors[piece.tensor].data();
    double total = 0;
#pragma omp simd reduction(+ : total)
    for (Index i = piece.first; i < piece.last; ++i)
      total += static_cast<double>(from[i]) * static_cast<double>(from[i]);
    partial[static_cast<std::size_t>(p)] = total;
  });
  return std::accumulate(partial.begin(), partial.end(), 0.0);
}

void adam_step(const AdamStep& step, const std::vector<AdamParameter>& parameters) {
  for (const AdamParameter& p : parameters) {
    if (p.size < 0 || (p.size > 0 && !(p.gradient && p.value && p.m && p.v)))
      throw std::invalid_argument(
          text("adam_step: each parameter must have its numbers: of one, ", p.size, " are missing"));
  }
  const std::vector<Piece> pieces =
      pieces_of(parameters.size(), [&](std::size_t t) { return parameters[t].size; });
  const Real step_size = step.rate / step.correction1;
  const Real inverse_root = 1 / std::sqrt(step.correction2);
  parallel_for(static_cast<Index>(pieces.size()), [&, step](Index p) {
    const Piece piece = pieces[static_cast<std::size_t>(p)];
    const AdamParameter parameter = parameters[piece.tensor];
    const Real* gradient = parameter.gradient;
    Real *value = parameter.value, *m = parameter.m, *v = parameter.v;
    const Real keep = 1 - parameter.decay;
#pragma omp simd
    for (Index i = piece.first; i < piece.last; ++i) {
      const Real slope = gradient[i] * step.scale;
      const Real mean = step.beta1 * m[i] + (1 - step.beta1) * slope;
      const Real square = step.beta2 * v[i] + (1 - step.beta2) * slope * slope;
      m[i] = mean;
      v[i] = square;
      value[i] = value[i] * keep - step_size * mean / (std::sqrt(square) * inverse_root + step.epsilon);
    }
  });
}

}  // namespace gradual
