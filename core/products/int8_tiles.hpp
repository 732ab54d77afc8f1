// Products of whole numbers of 8 bits, summed up in 32. For int8_matrix.cpp alone.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

#include <gradual/core/real.hpp>

#if defined(__AVX512VNNI__) || defined(__AVXVNNI__) || defined(__AVX2__)
// gcc 12 takes intrinsics that leave lanes undefined on purpose for mistakes.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#pragma GCC diagnostic ignored "-Wuninitialized"
#endif
#include <immintrin.h>
#endif

namespace gradual::int8_tiles {
namespace {

// Each lane of a vector of sums belongs to a column of B. A step adds to it the products of a few neighbours
// in a row of A, which lie in 32 bits and meet all columns, with as many numbers of its column.
//
// What differs between processors is how many there are and what A's numbers are: VNNI multiplies numbers
// without a sign by numbers with one, four at a time, AVX2 pairs of 16 bits. Either way no sum is rounded or
// cut off, so all give the same.
#if defined(__AVX512VNNI__)

using Factor = std::uint8_t;
using Sums = __m512i;
using Columns = __m512i;
constexpr Index most_rows = 12;  // of 32 registers

Sums load_sums(const std::int32_t* from) { return _mm512_loadu_si512(from); }
void store_sums(std::int32_t* to, Sums sums) { _mm512_storeu_si512(to, sums); }
Columns load_columns(const std::int8_t* from) { return _mm512_loadu_si512(from); }
Sums add_products(Sums sums, std::int32_t a, Columns b) {
  return _mm512_dpbusd_epi32(sums, _mm512_set1_epi32(a), b);
}

#elif defined(__AVXVNNI__) || defined(__AVX2__)

using Sums = __m256i;
using Columns = __m256i;
constexpr Index most_rows = 6;  // of 16 registers

Sums load_sums(const std::int32_t* from) { return _mm256_loadu_si256(reinterpret_cast<const Sums*>(from)); }
void store_sums(std::int32_t* to, Sums sums) { _mm256_storeu_si256(reinterpret_cast<Sums*>(to), sums); }
#ifdef __AVXVNNI__
using Factor = std::uint8_t;
Columns load_columns(const std::int8_t* from) {
  return _mm256_loadu_si256(reinterpret_cast<const Columns*>(from));
}
Sums add_products(Sums sums, std::int32_t a, Columns b) {
  return _mm256_dpbusd_avx_epi32(sums, _mm256_set1_epi32(a), b);
}
#else
using Factor = std::int16_t;
Columns load_columns(const std::int8_t* from) {
  return _mm256_cvtepi8_epi16(_mm_loadu_si128(reinterpret_cast<const __m128i*>(from)));
}
Sums add_products(Sums sums, std::int32_t a, Columns b) {
  return _mm256_add_epi32(sums, _mm256_madd_epi16(_mm256_set1_epi32(a), b));
}
#endif

#else

using Factor = std::int16_t;
using Sums __attribute__((vector_size(16))) = std::int32_t;
struct Columns {
  Sums first, second;
};
constexpr Index most_rows = 4;

Sums load_sums(const std::int32_t* from) {
  Sums sums;
  std::memcpy(&sums, from, sizeof sums);
  return sums;
}
void store_sums(std::int32_t* to, Sums sums) { std::memcpy(to, &sums, sizeof sums); }
Columns load_columns(const std::int8_t* from) {
  using Bytes __attribute__((vector_size(8))) = std::int8_t;
  using Pairs __attribute__((vector_size(16))) = std::int16_t;
  Bytes bytes;
  std::memcpy(&bytes, from, sizeof bytes);
  const Pairs pairs = __builtin_convertvector(bytes, Pairs);
  Sums words;  // a pair each, its first number in the lower half
  std::memcpy(&words, &pairs, sizeof words);
  return {(words << 16) >> 16, words >> 16};
}
Sums add_products(Sums sums, std::int32_t a, const Columns& b) {
  std::int16_t pair[2];
  std::memcpy(pair, &a, sizeof a);
  return sums + b.first * std::int32_t(pair[0]) + b.second * std::int32_t(pair[1]);
}

#endif

constexpr Index lanes = sizeof(Sums) / sizeof(std::int32_t), width = 2 * lanes;
constexpr Index group = sizeof(std::int32_t) / sizeof(Factor);  // products in a step
// Numbers without a sign are those of A and this: the sums start from what takes it off again.
constexpr std::int32_t offset = std::is_unsigned_v<Factor> ? 128 : 0;

// The sums [rows, width] of some rows of A and a panel of B, which stay in registers from the first step to
// the last.
template <std::size_t... rows>
[[gnu::flatten]] void sum_products(std::index_sequence<rows...>, Index steps, const Factor* a, Index a_stride,
                                   const std::int8_t* panel, const std::int32_t* starts, std::int32_t* sums) {
  const auto neighbours = [&](std::size_t row) {
    std::int32_t word;
    std::memcpy(&word, a + static_cast<Index>(row) * a_stride, sizeof word);
    return word;
  };
  const Sums left_start = load_sums(starts), right_start = load_sums(starts + lanes);
  Sums left[sizeof...(rows)], right[sizeof...(rows)];
  ((left[rows] = left_start, right[rows] = right_start), ...);
  for (Index step = 0; step < steps; ++step, a += group, panel += width * group) {
    const Columns left_of_b = load_columns(panel), right_of_b = load_columns(panel + lanes * group);
    ((left[rows] = add_products(left[rows], neighbours(rows), left_of_b),
      right[rows] = add_products(right[rows], neighbours(rows), right_of_b)),
     ...);
  }
  ((store_sums(sums + static_cast<Index>(rows) * width, left[rows]),
    store_sums(sums + static_cast<Index>(rows) * width + lanes, right[rows])),
   ...);
}

using Tile = void (*)(Index steps, const Factor* a, Index a_stride, const std::int8_t* panel,
                      const std::int32_t* starts, std::int32_t* sums);
template <std::size_t rows>
void tile_of(Index steps, const Factor* a, Index a_stride, const std::int8_t* panel,
             const std::int32_t* starts, std::int32_t* sums) {
  sum_products(std::make_index_sequence<rows>(), steps, a, a_stride, panel, starts, sums);
}
template <std::size_t... rows>
constexpr std::array<Tile, sizeof...(rows)> tiles_of(std::index_sequence<rows...>) {
  return {tile_of<rows + 1>...};
}
// Of 1, 2 … most_rows rows.
constexpr auto tiles = tiles_of(std::make_index_sequence<most_rows>());

}  // namespace
}  // namespace gradual::int8_tiles
