// Floats in three parts of half as many digits, packed in the tiles that a matrix unit multiplies. For
// split_product.cpp alone.
#pragma once

#include <algorithm>
#include <cstdint>

#include <gradual/core/products/matrix_unit.hpp>
#include <gradual/core/products/matrix_view.hpp>

#ifdef GRADUAL_AMX

// gcc 12 takes intrinsics that leave lanes undefined on purpose for mistakes.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#pragma GCC diagnostic ignored "-Wuninitialized"
#endif
#include <immintrin.h>

namespace gradual {
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

// The nearest number that a bfloat16 can hold, as a float: the lower half of its digits is zero. The last one
// below where that would be ∞.
__m512i first_digits(__m512 x) {
  const __m512i half = _mm512_set1_epi32(0x8000), upper = _mm512_set1_epi32(static_cast<int>(0xffff0000));
  const __m512i infinity = _mm512_set1_epi32(0x7f800000), bits = _mm512_castps_si512(x);
  const __m512i rounded = _mm512_add_epi32(bits, half);
  const __mmask16 too_large = _mm512_cmpeq_epi32_mask(_mm512_and_si512(rounded, infinity), infinity);
  return _mm512_and_si512(_mm512_mask_mov_epi32(rounded, too_large, bits), upper);
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

}  // namespace
}  // namespace gradual

#endif
