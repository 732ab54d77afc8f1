#include <gradual/core/kernels/top_rows.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

#include <gradual/core/error.hpp>
#include <gradual/core/kernels/vector_math.hpp>
#include <gradual/core/threads.hpp>

namespace gradual {
namespace {

constexpr Index block_width = 64;
constexpr Real nothing = -std::numeric_limits<Real>::infinity();

Real largest(const Real* x, Index count) {
  Real top = nothing;
#pragma omp simd reduction(max : top)
  for (Index i = 0; i < count; ++i) top = x[i] > top ? x[i] : top;
  return top;
}

// top + log Σ e^(x - top)
Real log_sum_of_exponentials(const Real* x, Index count, Real top) {
  Real total = 0;
#pragma omp simd reduction(+ : total)
  for (Index i = 0; i < count; ++i) total += vector_exp(x[i] - top);
  return top + std::log(total);
}

// A sorted list of the best so far, in place in the result.
struct Best {
  Real* values;
  std::int32_t* ids;
  Index count;

  Real worst() const { return values[count - 1]; }
  void insert(Real value, std::int32_t id) const {
    Index place = count - 1;
    for (; place > 0 && values[place - 1] < value; --place) {
      values[place] = values[place - 1];
      ids[place] = ids[place - 1];
    }
    values[place] = value;
    ids[place] = id;
  }
};

}  // namespace

TopClasses top_log_softmax(const Tensor& logits, Index count, const std::vector<std::int32_t>& excluded) {
  if (logits.rank() != 2)
    throw std::invalid_argument(text("top_log_softmax: logits must be [B, V]: logits are ", logits.shape()));
  if (count < 1)
    throw std::invalid_argument(text("top_log_softmax: the count must be positive: got ", count));
  const Index rows = logits.dim(0), width = logits.dim(1);
  const Index blocks = (width + block_width - 1) / block_width;
  const auto size = static_cast<std::size_t>(rows * count);
  TopClasses top{count, std::vector<std::int32_t>(size, -1), std::vector<Real>(size, nothing)};

  parallel_rows(rows, width, [&](Index first, Index last) {
    std::vector<Real> maxima(static_cast<std::size_t>(blocks));
    for (Index r = first; r < last; ++r) {
      const Real* row = logits.data() + r * width;
      for (Index b = 0; b < blocks; ++b)
        maxima[static_cast<std::size_t>(b)] =
            largest(row + b * block_width, std::min(block_width, width - b * block_width));

      const Best best{top.log_probabilities.data() + r * count, top.ids.data() + r * count, count};
      for (Index b = 0; b < blocks; ++b) {
        if (!(maxima[static_cast<std::size_t>(b)] > best.worst())) continue;
        for (Index i = b * block_width; i < std::min((b + 1) * block_width, width); ++i) {
          const auto id = static_cast<std::int32_t>(i);
          if (row[i] > best.worst() && std::find(excluded.begin(), excluded.end(), id) == excluded.end())
            best.insert(row[i], id);
        }
      }
      const Real log_sum = log_sum_of_exponentials(row, width, largest(maxima.data(), blocks));
      if (std::isnan(log_sum)) {
        std::fill_n(best.ids, count, -1);
        std::fill_n(best.values, count, nothing);
      } else {
        for (Index i = 0; i < count; ++i) best.values[i] -= log_sum;
      }
    }
  });
  return top;
}

}  // namespace gradual
