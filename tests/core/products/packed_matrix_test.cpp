#include <gradual/core/products/packed_matrix.hpp>
#include <gradual/core/products/row_blocks.hpp>

#include <algorithm>
#include <utility>
#include <vector>

#include <gradual/core/products/flop_count.hpp>
#include <gradual/core/random.hpp>

#include "support/catch.hpp"
#include "support/tensors.hpp"

using namespace gradual;

namespace {

Tensor random_matrix(Index rows, Index columns, Random& random) {
  Tensor x({rows, columns});
  for (Index i = 0; i < x.size(); ++i) x.mutable_data()[i] = static_cast<Real>(random.uniform() - 0.5);
  return x;
}

struct Sizes {
  Index m, n, k;
};

// alpha·A·B + beta·C or + bias, by the definition, in double.
Tensor by_definition(Sizes s, MatrixView a, MatrixView b, double alpha, double beta, const Tensor& c,
                     const Real* bias) {
  Tensor result({s.m, s.n});
  for (Index i = 0; i < s.m; ++i) {
    for (Index j = 0; j < s.n; ++j) {
      double sum = 0;
      for (Index p = 0; p < s.k; ++p)
        sum += static_cast<double>(a.transposed ? a.data[p * a.stride + i] : a.data[i * a.stride + p]) *
               static_cast<double>(b.transposed ? b.data[j * b.stride + p] : b.data[p * b.stride + j]);
      const double before =
          bias ? static_cast<double>(bias[j]) : beta * static_cast<double>(c.data()[i * s.n + j]);
      result.mutable_data()[i * s.n + j] = static_cast<Real>(alpha * sum + before);
    }
  }
  return result;
}

}  // namespace

TEST_CASE("packed matrix: products of any sizes, transposed or not, scaled, added to or with a bias") {
  Random random(1);
  // Around the borders of tiles (6 × 16 and 12 × 32), of blocks of rows (72 and 144) and of the inner axis
  // (256).
  const std::vector<Sizes> all = {{1, 1, 1},      {6, 16, 8},    {13, 33, 9},    {71, 31, 257},
                                  {72, 64, 256},  {25, 48, 300}, {143, 100, 40}, {144, 17, 40},
                                  {200, 100, 40}, {5, 7, 0},     {0, 7, 3},      {5, 0, 3}};
  for (const Sizes s : all) {
    for (const bool a_transposed : {false, true}) {
      for (const bool b_transposed : {false, true}) {
        INFO("m " << s.m << ", n " << s.n << ", k " << s.k << ", transposed " << a_transposed
                  << b_transposed);
        const Tensor a = a_transposed ? random_matrix(s.k, s.m, random) : random_matrix(s.m, s.k, random);
        const Tensor b = b_transposed ? random_matrix(s.n, s.k, random) : random_matrix(s.k, s.n, random);
        const Tensor before = random_matrix(s.m, s.n, random), bias = random_matrix(1, s.n, random);
        const MatrixView a_view{a.data(), a.dim(1), a_transposed}, b_view{b.data(), b.dim(1), b_transposed};
        const PackedMatrix packed(s.k, s.n, b_view);
        Tensor c = before;
        parallel_multiply(s.m, a_view, packed, {c.mutable_data(), s.n, 2, Real(-0.5)});
        CHECK(difference(c, by_definition(s, a_view, b_view, 2, -0.5, before, nullptr)) == "");
        parallel_multiply(s.m, a_view, packed, {c.mutable_data(), s.n, 1, 0, bias.data()});
        CHECK(difference(c, by_definition(s, a_view, b_view, 1, 0, before, bias.data())) == "");
      }
    }
  }
}

TEST_CASE("packed matrix: a product with none of its panels counts no operation") {
  const Tensor ones = Tensor::ones({3, 3});
  const PackedMatrix b(3, 3, {ones.data(), 3});
  const std::int64_t before = flop_count();
  b.multiply(3, {ones.data(), 3}, b.panels(), b.panels(), {nullptr, 3});
  CHECK(flop_count() == before);
}

TEST_CASE("packed matrix: some of its rows are a matrix of their own, and so are some of these") {
  Random random(2);
  const Index m = 14, n = 70, k = 300;
  const Tensor a = random_matrix(m, 100, random), b = random_matrix(k, n, random);
  const PackedMatrix all(k, n, {b.data(), n}), some = all.rows(40, 260).rows(20, 120);
  CHECK(some.rows() == 100);
  Tensor c({m, n});
  some.multiply(m, {a.data(), 100}, 0, some.panels(), {c.mutable_data(), n});
  const MatrixView rows{b.data() + 60 * n, n};
  CHECK(difference(c, by_definition({m, n, 100}, {a.data(), 100}, rows, 1, 0, c, nullptr)) == "");
  CHECK_THROWS_WITH(some.rows(0, 101),
                    "packed matrix: rows must be some that there are: rows 0 to 101 of 100");
  CHECK_THROWS_WITH(some.rows(-1, 5), "packed matrix: rows must be some that there are: rows -1 to 5 of 100");
  CHECK_THROWS_WITH(some.rows(5, 4), "packed matrix: rows must be some that there are: rows 5 to 4 of 100");
  CHECK(some.rows(5, 5).rows() == 0);
}

TEST_CASE("row blocks: all but equally many rows in each, and none for a few rows more") {
  const Index tile = 6, most = 12 * tile - 1;  // one and a half blocks of eight tiles
  for (const auto& [rows, blocks] : std::vector<std::pair<Index, Index>>{
           {0, 1}, {1, 1}, {48, 1}, {50, 1}, {most, 1}, {most + 1, 2}, {96, 2}, {100, 2}, {250, 5}}) {
    CAPTURE(rows);
    const RowBlocks cut(rows, tile);
    CHECK(cut.count == blocks);
    CHECK(cut.first(0) == 0);
    CHECK(cut.first(blocks) == rows);
    for (Index block = 0; block < blocks; ++block) {
      const Index here = cut.first(block + 1) - cut.first(block);
      CHECK(here >= rows / blocks);
      CHECK(here <= std::min(rows / blocks + 1, most));
    }
  }
}

TEST_CASE("packed matrix: what lies beside the result is not touched") {
  const Tensor a = Tensor::ones({3, 4}), b = Tensor::ones({4, 5});
  Tensor c = Tensor::zeros({3, 8});
  parallel_multiply(3, {a.data(), 4}, PackedMatrix(4, 5, {b.data(), 5}), {c.mutable_data() + 1, 8});
  for (Index i = 0; i < 3; ++i) {
    for (Index j = 0; j < 8; ++j) CHECK(c.data()[i * 8 + j] == (j >= 1 && j <= 5 ? 4 : 0));
  }
}
