#include <gradual/core/attention/cached_attention.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

#include <gradual/core/error.hpp>
#include <gradual/core/rows/rows.hpp>
#include <gradual/core/threads.hpp>

namespace gradual {
namespace {

// One row of the batch. The head width is a constant of the usual models: its loops then become a few vector
// instructions. With `any` it is the number given.
constexpr Index any = 0;

struct Row {
  Index heads, key_heads, head_width;
  const Real* query;
  const Real* const* keys;
  Index count;
  const Real* bias;  // [H, most], or null
  Index most;
  Real* scores;  // [H, stride], stride a multiple of 16 so that passes over them have no remainder
  Index stride;
  Real* out;
};

// Σ a_i·b_i. Of a constant width in a vector whose numbers are added by pairs: those of OpenMP's reductions
// are added one after the other, which takes as long as the products. 32 bytes are a register nearly
// everywhere.
template <Index constant_width>
Real dot(const Real* a, const Real* b, Index width) {
  using Vector __attribute__((vector_size(32), aligned(sizeof(Real)), may_alias)) = Real;
  constexpr Index lanes = 32 / static_cast<Index>(sizeof(Real));
  if constexpr (constant_width == any) {
    Real sum = 0;
#pragma omp simd reduction(+ : sum)
    for (Index i = 0; i < width; ++i) sum += a[i] * b[i];
    return sum;
  } else {
    Vector sum{};
    for (Index i = 0; i < constant_width; i += lanes)
      sum += *reinterpret_cast<const Vector*>(a + i) * *reinterpret_cast<const Vector*>(b + i);
    for (Index half = lanes / 2; half > 0; half /= 2)
      for (Index lane = 0; lane < half; ++lane) sum[lane] += sum[lane + half];
    return sum[0];
  }
}

template <Index constant_width>
void attend(const Row& row) {
  const Index d = constant_width == any ? row.head_width : constant_width;
  const Index heads = row.heads, groups = row.key_heads, stride = row.stride;
  const Real scale = 1 / std::sqrt(static_cast<Real>(d));
  for (Index h = 0; h < heads; ++h) {
    const Real* query = row.query + h * d;
    const Index first = h * groups / heads * d;
    Real* scores = row.scores + h * stride;
    for (Index s = 0; s < row.count; ++s)
      scores[s] = scale * dot<constant_width>(query, row.keys[s] + first, d);
  }
  for (Index h = 0; h < heads; ++h) {
    Real* scores = row.scores + h * stride;
    for (Index s = 0; row.bias && s < row.count; ++s) scores[s] += row.bias[h * row.most + s];
    std::fill(scores + row.count, scores + stride, -std::numeric_limits<Real>::infinity());
    softmax_row(scores, stride, stride);
  }
  for (Index h = 0; h < heads; ++h) {
    const Real* weights = row.scores + h * stride;
    const Index first = (groups + h * groups / heads) * d;  // values lie behind the keys of all heads
    Real* out = row.out + h * d;
    std::fill_n(out, d, Real(0));
    for (Index s = 0; s < row.count; ++s) {
      const Real weight = weights[s];
      const Real* value = row.keys[s] + first;
#pragma omp simd
      for (Index i = 0; i < d; ++i) out[i] += weight * value[i];
    }
  }
}

void check(Index heads, Index head_width, const HeadsView& queries, const KeyTable& table,
           const WritableHeadsView& out, const Tensor& bias) {
  const auto rows = static_cast<Index>(table.counts.size());
  if (heads < 1 || head_width < 1)
    throw std::invalid_argument(
        text("cached_attention: heads must be one or more, of a width of one or more: H is ", heads,
             ", d is ", head_width));
  if (table.heads < 0 || (table.heads > 0 && heads % table.heads != 0))
    throw std::invalid_argument(text("cached_attention: the heads of keys must divide the heads: G is ",
                                     table.heads, ", H is ", heads));
  if (table.most < 0 || table.most > std::numeric_limits<std::int32_t>::max() ||
      static_cast<Index>(table.keys.size()) != rows * table.most)
    throw std::invalid_argument(
        text("cached_attention: the table must have a place for each row and key, [B, most]: B is ", rows,
             ", most is ", table.most, ", places are ", table.keys.size()));
  for (std::size_t row = 0; row < table.counts.size(); ++row) {
    const std::int32_t count = table.counts[row];
    if (count < 0 || count > table.most)
      throw std::invalid_argument(
          text("cached_attention: counts must lie in 0 … the most keys of a row: got ", count, " of ",
               table.most, " keys"));
    const auto keys = table.keys.begin() + static_cast<Index>(row) * table.most;
    if (std::find(keys, keys + count, nullptr) != keys + count)
      throw std::invalid_argument(text("cached_attention: each counted key must lie somewhere: row ", row,
                                       " has ", count, " keys, and one of them is null"));
  }
  if (rows > 0 && (!queries.data || !out.data))
    throw std::invalid_argument(text("cached_attention: queries and out must be defined: B is ", rows));
  if (bias.defined() && bias.shape() != Shape{heads, table.most})
    throw std::invalid_argument(text("cached_attention: the bias must be [H, most]: expected ",
                                     Shape{heads, table.most}, ", got ", bias.shape()));
}

}  // namespace

void cached_attention(Index heads, Index head_width, HeadsView queries, const KeyTable& table,
                      WritableHeadsView out, Tensor* weights, const Tensor& bias) {
  check(heads, head_width, queries, table, out, bias);
  const auto rows = static_cast<Index>(table.counts.size());
  const Index most = table.most, stride = (most + 15) / 16 * 16;
  Tensor scores({rows, heads, stride});
  if (weights) *weights = Tensor({rows, heads, 1, most});
  const auto attend_row = head_width == 16   ? attend<16>
                          : head_width == 32 ? attend<32>
                          : head_width == 64 ? attend<64>
                                             : attend<any>;
  parallel_each_row(
      rows, 2 * heads * head_width * most,
      [&, all_scores = scores.unguarded_data(),
       kept = weights ? weights->unguarded_data() : nullptr](Index r) {
        Real* row_scores = all_scores + r * heads * stride;
        attend_row({heads, table.heads > 0 ? table.heads : heads, head_width,
                    queries.data + r * queries.stride, table.keys.data() + r * most,
                    table.counts[static_cast<std::size_t>(r)], bias.defined() ? bias.data() : nullptr, most,
                    row_scores, stride, out.data + r * out.stride});
        for (Index h = 0; kept && h < heads; ++h)
          std::copy_n(row_scores + h * stride, most, kept + (r * heads + h) * most);
      });
}

}  // namespace gradual
