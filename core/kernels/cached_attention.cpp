#include <gradual/core/kernels/cached_attention.hpp>

#include <algorithm>
#include <cmath>

#include <gradual/core/kernels/rows.hpp>
#include <gradual/core/threads.hpp>

namespace gradual {
namespace {

Real dot(const Real* a, const Real* b, Index count) {
  Real total = 0;
#pragma omp simd reduction(+ : total)
  for (Index i = 0; i < count; ++i) total += a[i] * b[i];
  return total;
}

void add_scaled(Real* sum, const Real* x, Real factor, Index count) {
#pragma omp simd
  for (Index i = 0; i < count; ++i) sum[i] += factor * x[i];
}

}  // namespace

void cached_attention(Index heads, Index head_width, HeadsView queries, const KeyTable& table,
                      WritableHeadsView out, Tensor* weights) {
  const auto rows = static_cast<Index>(table.counts.size());
  const Index most = table.most, width = heads * head_width;
  const Real scale = 1 / std::sqrt(static_cast<Real>(head_width));
  Real* kept = nullptr;
  if (weights) {
    *weights = Tensor({rows, heads, 1, most});
    kept = weights->mutable_data();
  }

  parallel_rows(rows, 2 * width * most, [&](Index first, Index last) {
    std::vector<Real> scratch(static_cast<std::size_t>(kept ? 0 : heads * most));
    for (Index r = first; r < last; ++r) {
      const Index count = table.counts[static_cast<std::size_t>(r)];
      const Real* const* keys = table.keys.data() + r * most;
      const Real* query = queries.data + r * queries.stride;
      Real* scores = kept ? kept + r * heads * most : scratch.data();  // [H, most]
      for (Index s = 0; s < count; ++s) {
        for (Index h = 0; h < heads; ++h)
          scores[h * most + s] = scale * dot(query + h * head_width, keys[s] + h * head_width, head_width);
      }
      for (Index h = 0; h < heads; ++h) softmax_row(scores + h * most, count, most);

      Real* result = out.data + r * out.stride;
      std::fill_n(result, width, Real(0));
      for (Index s = 0; s < count; ++s) {
        for (Index h = 0; h < heads; ++h)
          add_scaled(result + h * head_width, keys[s] + width + h * head_width, scores[h * most + s],
                     head_width);
      }
    }
  });
}

}  // namespace gradual
