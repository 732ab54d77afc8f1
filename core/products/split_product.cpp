#include <gradual/core/products/split_product.hpp>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <utility>

#include <gradual/core/memory.hpp>

#if defined(__AMX_BF16__) && defined(__AVX512BF16__) && defined(__linux__) && !defined(GRADUAL_DOUBLE)
#define GRADUAL_AMX

// gcc 12 takes intrinsics that leave lanes undefined on purpose for mistakes.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#pragma GCC diagnostic ignored "-Wuninitialized"
#endif
#include <immintrin.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

namespace gradual {
namespace {

#ifdef GRADUAL_AMX

// Linux keeps the tile registers of a process that has asked for them.
bool tiles_are_permitted() {
  constexpr long request_permission = 0x1023, tile_data = 18;  // ARCH_REQ_XCOMP_PERM, XFEATURE_XTILEDATA
  return __builtin_cpu_supports("avx512bf16") && syscall(SYS_arch_prctl, request_permission, tile_data) == 0;
}

#else

bool tiles_are_permitted() { return false; }

#endif

bool is_wanted() {
  const char* setting = std::getenv("GRADUAL_MATRIX_UNIT");
  return setting == nullptr || std::strcmp(setting, "0") != 0;
}

bool unit_exists() {
  static const bool exists = tiles_are_permitted();
  return exists;
}

std::atomic<bool>& switched_on() {
  static std::atomic<bool> on{is_wanted() && unit_exists()};
  return on;
}

}  // namespace

bool has_matrix_unit() { return switched_on().load(std::memory_order_relaxed); }
bool use_matrix_unit(bool on) { return switched_on().exchange(on && unit_exists()); }

bool prefers_splitting(Index m, Index n, Index k) {
  constexpr Index shortest = 96, least_work = 1 << 21;  // below, splitting takes longer than it saves
  return has_matrix_unit() && std::min({m, n, k}) >= shortest && m * n * k >= least_work;
}

#ifndef GRADUAL_AMX

void split_product(Index, Index, Index, Real, MatrixView, MatrixView, Real, Real*, Index, const Real*) {}

#else

namespace {

// A tile has 16 rows of 64 bytes. In a tile of A a row is a row of A, 32 numbers long: 16 pairs. In a tile of
// B a row holds a pair of neighbouring rows of B for 16 columns. Each tile comes three times: the first, the
// middle and the last digits.
constexpr Index side = 16, depth = 32, tile_words = 16 * 16, parts = 3;
constexpr Index step_words = parts * tile_words;

using Words = std::uint32_t;  // two bfloat16 numbers

// The upper halves of 2 x 16 floats, which are bfloat16 numbers: those of the first vector and then those of
// the second, or one of each in turn.
enum class Order { after_each_other, in_pairs };

template <Order order>
__m512i upper_halves(__m512i first, __m512i second) {
  if constexpr (order == Order::in_pairs)
    return _mm512_mask_blend_epi16(0xaaaaaaaa, _mm512_srli_epi32(first, 16), second);
  alignas(64) static constexpr std::uint16_t places[32] = {1,  3,  5,  7,  9,  11, 13, 15, 17, 19, 21,
                                                           23, 25, 27, 29, 31, 33, 35, 37, 39, 41, 43,
                                                           45, 47, 49, 51, 53, 55, 57, 59, 61, 63};
  return _mm512_permutex2var_epi16(first, _mm512_load_si512(places), second);
}

// The nearest number that a bfloat16 can hold, as a float: the lower half of its digits is zero.
__m512i first_digits(__m512 x) {
  const __m512i half = _mm512_set1_epi32(0x8000), upper = _mm512_set1_epi32(static_cast<int>(0xffff0000));
  return _mm512_and_si512(_mm512_add_epi32(_mm512_castps_si512(x), half), upper);
}

struct Split {
  __m512i high{}, middle{}, low{};
};

// 32 floats in their three parts. What an infinite number leaves, ∞ - ∞, is no number: so it stays
// noticeable.
template <Order order>
Split split(__m512 first, __m512 second) {
  Split result;
  for (__m512i Split::*part : {&Split::high, &Split::middle}) {
    const __m512i a = first_digits(first), b = first_digits(second);
    result.*part = upper_halves<order>(a, b);
    first = _mm512_sub_ps(first, _mm512_castsi512_ps(a));
    second = _mm512_sub_ps(second, _mm512_castsi512_ps(b));
  }
  result.low = upper_halves<order>(_mm512_castps_si512(first), _mm512_castps_si512(second));
  return result;
}

__mmask16 first_lanes(Index count) {
  return static_cast<__mmask16>((1u << std::clamp<Index>(count, 0, 16)) - 1);
}

void transpose_words(Words* tile) {
  __m512i rows[16], other[16];
  for (int i = 0; i < 16; ++i) rows[i] = _mm512_load_si512(tile + i * side);
  for (int i = 0; i < 16; i += 2) {
    other[i] = _mm512_unpacklo_epi32(rows[i], rows[i + 1]);
    other[i + 1] = _mm512_unpackhi_epi32(rows[i], rows[i + 1]);
  }
  for (int i = 0; i < 16; i += 4) {
    rows[i] = _mm512_unpacklo_epi64(other[i], other[i + 2]);
    rows[i + 1] = _mm512_unpackhi_epi64(other[i], other[i + 2]);
    rows[i + 2] = _mm512_unpacklo_epi64(other[i + 1], other[i + 3]);
    rows[i + 3] = _mm512_unpackhi_epi64(other[i + 1], other[i + 3]);
  }
  for (int i = 0; i < 4; ++i) {
    for (int j = 0; j < 16; j += 8) {
      other[i + j] = _mm512_shuffle_i32x4(rows[i + j], rows[i + j + 4], 0x88);
      other[i + j + 4] = _mm512_shuffle_i32x4(rows[i + j], rows[i + j + 4], 0xdd);
    }
  }
  for (int i = 0; i < 8; ++i) {
    rows[i] = _mm512_shuffle_i32x4(other[i], other[i + 8], 0x88);
    rows[i + 8] = _mm512_shuffle_i32x4(other[i], other[i + 8], 0xdd);
  }
  for (int i = 0; i < 16; ++i) _mm512_store_si512(tile + i * side, rows[i]);
}

// A tile of `outer` rows of A, or columns of B, by `inner` numbers of the axis that is summed over.
struct TileSource {
  const float* from;
  Index stride;
  bool inner_is_contiguous;
  Index outer, inner;
};

enum class Side { left, right };

// The three parts of a tile, times a factor; zeros behind its last row and column. A tile of A wants pairs of
// neighbours on the inner axis side by side, one of B wants those of a column below each other: what lies the
// other way round in memory is turned.
template <Side place>
void pack_tile(const TileSource& x, float factor, Words* to) {
  const __m512 factors = _mm512_set1_ps(factor);
  const auto load = [&](__mmask16 lanes, const float* from) {
    return _mm512_mul_ps(factors, _mm512_maskz_loadu_ps(lanes, from));
  };
  const auto store = [&](Index row, const Split& split) {
    _mm512_store_si512(to + row * side, split.high);
    _mm512_store_si512(to + tile_words + row * side, split.middle);
    _mm512_store_si512(to + 2 * tile_words + row * side, split.low);
  };
  if (x.inner_is_contiguous) {
    const __mmask16 left = first_lanes(x.inner), right = first_lanes(x.inner - 16);
    for (Index i = 0; i < x.outer; ++i) {
      const float* row = x.from + i * x.stride;
      store(i, split<Order::after_each_other>(load(left, row), load(right, row + 16)));
    }
    for (Index i = x.outer; i < side; ++i) store(i, Split{});
  } else {
    const __mmask16 lanes = first_lanes(x.outer);
    for (Index pair = 0; pair < side; ++pair) {
      const float* row = x.from + 2 * pair * x.stride;
      const __mmask16 first = 2 * pair < x.inner ? lanes : 0, second = 2 * pair + 1 < x.inner ? lanes : 0;
      store(pair, split<Order::in_pairs>(load(first, row), load(second, row + x.stride)));
    }
  }
  if (x.inner_is_contiguous == (place == Side::left)) return;
  for (Index part = 0; part < parts; ++part, to += tile_words) transpose_words(to);
}

// All tiles of a block of A or B: for each 16 rows or columns, one after the other along the inner axis.
template <Side place>
void pack(const MatrixView& x, Index outer, Index inner, float factor, Words* to) {
  const bool inner_is_contiguous = (place == Side::left) != x.transposed;
  for (Index i = 0; i < outer; i += side) {
    for (Index p = 0; p < inner; p += depth, to += step_words) {
      const float* from = inner_is_contiguous ? x.data + i * x.stride + p : x.data + p * x.stride + i;
      pack_tile<place>(
          {from, x.stride, inner_is_contiguous, std::min(side, outer - i), std::min(depth, inner - p)},
          factor, to);
    }
  }
}

MatrixView from_place(const MatrixView& x, Index row, Index column) {
  return {x.data + (x.transposed ? column * x.stride + row : row * x.stride + column), x.stride,
          x.transposed};
}

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

void split_product(Index m, Index n, Index k, Real alpha, MatrixView a, MatrixView b, Real beta, Real* c,
                   Index c_stride, const Real* bias) {
  const Index rows_at_once = std::min(m, most_rows), inner_at_once = std::min(k, most_inner),
              columns_at_once = std::min(n, most_columns);
  const Index a_words = tiles_of(rows_at_once, side) * tiles_of(inner_at_once, depth) * step_words,
              b_words = tiles_of(columns_at_once, side) * tiles_of(inner_at_once, depth) * step_words;
  const Block memory(a_words + b_words);
  Words* const packed_a = reinterpret_cast<Words*>(memory.data());
  Words* const packed_b = packed_a + a_words;
  if (!bias && beta != 0 && beta != 1) scale(m, n, beta, c, c_stride);
  const Start before = bias ? Start{bias, 0} : beta != 0 ? Start{c, c_stride} : Start{};
  const Tiles tiles;
  for (Index column = 0; column < n; column += columns_at_once) {
    const Index columns = std::min(columns_at_once, n - column);
    for (Index p = 0; p < k; p += inner_at_once) {
      const Index inner = std::min(inner_at_once, k - p), steps = tiles_of(inner, depth);
      const Start start = p > 0 ? Start{c, c_stride} : before;
      pack<Side::right>(from_place(b, p, column), columns, inner, 1, packed_b);
      for (Index row = 0; row < m; row += rows_at_once) {
        const Index rows = std::min(rows_at_once, m - row);
        pack<Side::left>(from_place(a, row, p), rows, inner, alpha, packed_a);
        for (Index j = 0; j < columns; j += 2 * side) {
          for (Index i = 0; i < rows; i += 2 * side)
            multiply_tiles(std::min(2 * side, rows - i), std::min(2 * side, columns - j), steps,
                           packed_a + i / side * steps * step_words, packed_b + j / side * steps * step_words,
                           start.moved(row + i, column + j), c + (row + i) * c_stride + column + j, c_stride);
        }
      }
    }
  }
}

#endif

}  // namespace gradual
