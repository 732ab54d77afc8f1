#include <gradual/core/products/split_product.hpp>

#include <algorithm>
#include <stdexcept>

#include <gradual/core/memory.hpp>
#include <gradual/core/products/split_tiles.hpp>

namespace gradual {
namespace {

void require_unit() {
  if (!has_matrix_unit())
    throw std::logic_error("split_product: there must be a matrix unit: there is none, or it is not used");
}

}  // namespace

bool prefers_splitting(Index m, Index n, Index k) {
  constexpr Index shortest = 96, least_work = 1 << 21;  // below, splitting takes longer than it saves
  return has_matrix_unit() && std::min({m, n, k}) >= shortest && m * n * k >= least_work;
}

#ifndef GRADUAL_AMX

void split_product(Index, Index, Index, MatrixView, MatrixView, const ProductResult&) { require_unit(); }

#else

namespace {

struct TileShapes {
  std::uint8_t palette = 1, start_row = 0, reserved[14] = {};
  std::uint16_t row_bytes[16] = {};
  std::uint8_t rows[16] = {};
};

// While one of these lives, the thread's eight tile registers hold 16 rows of 64 bytes each.
class Tiles {
 public:
  Tiles() {
    TileShapes shapes;
    std::fill_n(shapes.row_bytes, 8, std::uint16_t(64));
    std::fill_n(shapes.rows, 8, std::uint8_t(16));
    _tile_loadconfig(&shapes);
  }
  ~Tiles() { _tile_release(); }
  Tiles(const Tiles&) = delete;
  Tiles& operator=(const Tiles&) = delete;
};

// What the sums of a block start from: zero, or rows that lie `stride` floats apart. Those of a bias lie 0
// apart: each is the same.
struct Start {
  const float* from = nullptr;
  Index stride = 0;

  Start moved(Index rows, Index columns) const {
    return {from ? from + rows * stride + columns : nullptr, stride};
  }
};

// C ← start + A·B for 2 x 2 tiles of C, whose sums stay in the registers 0 … 3. Tiles of A use 4 and 5, those
// of B 6 and 7. The order of the six products needs the fewest loads.
template <bool two_rows, bool two_columns>
void multiply_tiles(Index steps, const Words* a, const Words* b, Start start, float* c, Index c_stride) {
  const Index next = steps * step_words;  // to the tiles below, or to the right
  constexpr Index float_bytes = sizeof(float);
  if (start.from) {
    const Index row_bytes = start.stride * float_bytes;
    const float* const below = start.from + side * start.stride;
    _tile_loadd(0, start.from, row_bytes);
    if constexpr (two_columns) _tile_loadd(1, start.from + side, row_bytes);
    if constexpr (two_rows) _tile_loadd(2, below, row_bytes);
    if constexpr (two_rows && two_columns) _tile_loadd(3, below + side, row_bytes);
  } else {
    _tile_zero(0);
    _tile_zero(1);
    _tile_zero(2);
    _tile_zero(3);
  }
#define GRADUAL_LOAD_A(part)                 \
  _tile_loadd(4, a + (part)*tile_words, 64); \
  if constexpr (two_rows) _tile_loadd(5, a + next + (part)*tile_words, 64)
#define GRADUAL_LOAD_B(part)                 \
  _tile_loadd(6, b + (part)*tile_words, 64); \
  if constexpr (two_columns) _tile_loadd(7, b + next + (part)*tile_words, 64)
#define GRADUAL_MULTIPLY                              \
  _tile_dpbf16ps(0, 4, 6);                            \
  if constexpr (two_columns) _tile_dpbf16ps(1, 4, 7); \
  if constexpr (two_rows) _tile_dpbf16ps(2, 5, 6);    \
  if constexpr (two_rows && two_columns) _tile_dpbf16ps(3, 5, 7)
  for (Index step = 0; step < steps; ++step, a += step_words, b += step_words) {
    GRADUAL_LOAD_A(0);
    GRADUAL_LOAD_B(2);
    GRADUAL_MULTIPLY;
    GRADUAL_LOAD_B(1);
    GRADUAL_MULTIPLY;
    GRADUAL_LOAD_B(0);
    GRADUAL_MULTIPLY;
    GRADUAL_LOAD_A(2);
    GRADUAL_MULTIPLY;
    GRADUAL_LOAD_A(1);
    GRADUAL_MULTIPLY;
    GRADUAL_LOAD_B(1);
    GRADUAL_MULTIPLY;
  }
#undef GRADUAL_LOAD_A
#undef GRADUAL_LOAD_B
#undef GRADUAL_MULTIPLY
  const Index row_bytes = c_stride * float_bytes;
  float* const below = c + side * c_stride;
  _tile_stored(0, c, row_bytes);
  if constexpr (two_columns) _tile_stored(1, c + side, row_bytes);
  if constexpr (two_rows) _tile_stored(2, below, row_bytes);
  if constexpr (two_rows && two_columns) _tile_stored(3, below + side, row_bytes);
}

void multiply_tiles(Index rows, Index columns, Index steps, const Words* a, const Words* b, Start start,
                    float* c, Index c_stride) {
  const auto multiply = rows > side
                            ? (columns > side ? multiply_tiles<true, true> : multiply_tiles<true, false>)
                            : (columns > side ? multiply_tiles<false, true> : multiply_tiles<false, false>);
  if (rows % side == 0 && columns % side == 0) return multiply(steps, a, b, start, c, c_stride);
  // At an edge, into a place of its own first.
  constexpr Index width = 2 * side;
  alignas(64) float sums[width * width];
  for (Index i = 0; start.from && i < rows; ++i)
    std::copy_n(start.from + i * start.stride, columns, sums + i * width);
  multiply(steps, a, b, start.from ? Start{sums, width} : start, sums, width);
  for (Index i = 0; i < rows; ++i) std::copy_n(sums + i * width, columns, c + i * c_stride);
}

void scale(Index m, Index n, float factor, float* c, Index c_stride) {
  for (Index i = 0; i < m; ++i, c += c_stride)
    for (Index j = 0; j < n; ++j) c[j] *= factor;
}

// Blocks of the factors that stay in the caches while they are used: A's in the second, all of B's for long.
constexpr Index most_rows = 256, most_inner = 128, most_columns = 1024;

Index tiles_of(Index count, Index size) { return (count + size - 1) / size; }

}  // namespace

void split_product(Index m, Index n, Index k, MatrixView a, MatrixView b, const ProductResult& result) {
  require_unit();
  const Index rows_at_once = std::min(m, most_rows), inner_at_once = std::min(k, most_inner),
              columns_at_once = std::min(n, most_columns);
  const Index a_words = tiles_of(rows_at_once, side) * tiles_of(inner_at_once, depth) * step_words,
              b_words = tiles_of(columns_at_once, side) * tiles_of(inner_at_once, depth) * step_words;
  const Block memory(a_words + b_words);
  Words* const packed_a = reinterpret_cast<Words*>(memory.data());
  Words* const packed_b = packed_a + a_words;
  const Start so_far{result.c, result.stride};
  if (result.beta != 0 && result.beta != 1) scale(m, n, result.beta, result.c, result.stride);
  const Start before = result.beta != 0 ? so_far : result.bias ? Start{result.bias, 0} : Start{};
  const Tiles tiles;
  for (Index column = 0; column < n; column += columns_at_once) {
    const Index columns = std::min(columns_at_once, n - column);
    for (Index p = 0; p < k; p += inner_at_once) {
      const Index inner = std::min(inner_at_once, k - p), steps = tiles_of(inner, depth);
      const Start start = p > 0 ? so_far : before;
      pack<Side::right>(b.from(p, column), columns, inner, 1, packed_b);
      for (Index row = 0; row < m; row += rows_at_once) {
        const Index rows = std::min(rows_at_once, m - row);
        pack<Side::left>(a.from(row, p), rows, inner, result.alpha, packed_a);
        for (Index j = 0; j < columns; j += 2 * side) {
          for (Index i = 0; i < rows; i += 2 * side)
            multiply_tiles(std::min(2 * side, rows - i), std::min(2 * side, columns - j), steps,
                           packed_a + i / side * steps * step_words, packed_b + j / side * steps * step_words,
                           start.moved(row + i, column + j), result.from(row + i, column + j).c,
                           result.stride);
        }
      }
    }
  }
}

#endif

}  // namespace gradual
