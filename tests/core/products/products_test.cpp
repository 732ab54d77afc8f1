#include <gradual/core/products/products.hpp>

#include <array>
#include <atomic>
#include <cmath>
#include <cstdio>
#include <limits>
#include <thread>

#ifdef __linux__
#include <sys/mman.h>
#endif

#include <gradual/core/memory.hpp>
#include <gradual/core/products/openblas.hpp>

#include "support/catch.hpp"
#include "support/tensors.hpp"
#include "support/threads.hpp"

using namespace gradual;
using Gemm = void (*)(Index, Index, Index, Real, MatrixView, MatrixView, Real, Real*, Index, const Real*);

namespace {

// alpha·A·B + beta·C in double, one product after the other.
Tensor naive_gemm(Index m, Index n, Index k, double alpha, const MatrixView& a, const MatrixView& b,
                  double beta, const Tensor& c) {
  const auto at = [](const MatrixView& x, Index i, Index j) {
    return static_cast<double>(x.data[x.transposed ? j * x.stride + i : i * x.stride + j]);
  };
  Tensor result = c;
  Real* to = result.mutable_data();
  for (Index i = 0; i < m; ++i) {
    for (Index j = 0; j < n; ++j) {
      double total = 0;
      for (Index p = 0; p < k; ++p) total += at(a, i, p) * at(b, p, j);
      Real& element = to[i * c.dim(1) + j];
      element = static_cast<Real>(alpha * total + (beta == 0 ? 0 : beta * static_cast<double>(element)));
    }
  }
  return result;
}

// The product of matrices that lie in larger ones, 3 columns wider, with all four transposes.
void check_gemm(Gemm function, Index m, Index n, Index k, Real alpha, Real beta) {
  for (const bool transpose_a : {false, true}) {
    for (const bool transpose_b : {false, true}) {
      INFO("m " << m << ", n " << n << ", k " << k << ", alpha " << alpha << ", beta " << beta
                << ", transposed " << transpose_a << transpose_b);
      const Tensor a = random_tensor(transpose_a ? Shape{k, m + 3} : Shape{m, k + 3}, 1);
      const Tensor b = random_tensor(transpose_b ? Shape{n, k + 3} : Shape{k, n + 3}, 2);
      const MatrixView a_view{a.data(), a.dim(1), transpose_a}, b_view{b.data(), b.dim(1), transpose_b};
      const Tensor before = random_tensor({m, n + 3}, 3);
      Tensor c = before;
      function(m, n, k, alpha, a_view, b_view, beta, c.mutable_data(), c.dim(1), nullptr);
      CHECK(difference(c, naive_gemm(m, n, k, alpha, a_view, b_view, beta, before)) == "");
      bool rest_is_untouched = true;
      for (Index i = 0; i < m; ++i)
        for (Index j = n; j < n + 3; ++j)
          rest_is_untouched = rest_is_untouched && c({i, j}) == before({i, j});
      CHECK(rest_is_untouched);
    }
  }
}

}  // namespace

TEST_CASE("gemm: products of small matrices, with every transpose, factor and stride") {
  for (const auto& [m, n, k] :
       std::vector<std::array<Index, 3>>{{1, 1, 1}, {3, 4, 5}, {1, 7, 2}, {7, 1, 2}, {17, 33, 9}}) {
    check_gemm(gemm, m, n, k, 1, 0);
    check_gemm(gemm, m, n, k, Real(0.5), 1);
    check_gemm(gemm, m, n, k, -2, Real(0.25));
  }
}

TEST_CASE("gemm: with beta 0 what C held does not matter, even what is not a number") {
  const Tensor a = random_tensor({4, 4}, 1);
  Tensor c = Tensor::full({4, 4}, std::numeric_limits<Real>::quiet_NaN());
  gemm(4, 4, 4, 1, {a.data(), 4}, {a.data(), 4}, 0, c.mutable_data(), 4);
  bool all_finite = true;
  for (Real x : c) all_finite = all_finite && std::isfinite(x);
  CHECK(all_finite);
}

TEST_CASE("gemm: an empty inner axis gives zeros, or what there was with beta 1; empty outer axes nothing") {
  Tensor c = Tensor::full({2, 3}, 5);
  gemm(2, 3, 0, 1, {nullptr, 0}, {nullptr, 3}, 1, c.mutable_data(), 3);
  CHECK(c.to_vector() == std::vector<Real>(6, 5));
  gemm(2, 3, 0, 1, {nullptr, 2, true}, {nullptr, 0, true}, 0, c.mutable_data(), 3);
  CHECK(c.to_vector() == std::vector<Real>(6, 0));
  for (Index n : {1, 3}) {
    Tensor row = Tensor::full({1, n}, 5);
    gemm(1, n, 0, 1, {nullptr, 0}, {nullptr, n}, 0, row.mutable_data(), n);
    CHECK(row.to_vector() == std::vector<Real>(static_cast<std::size_t>(n), 0));
  }
  gemm(0, 3, 2, 1, {nullptr, 2}, {nullptr, 3}, 0, nullptr, 3);
  gemm(2, 0, 2, 1, {nullptr, 2}, {nullptr, 0}, 0, nullptr, 0);
}

TEST_CASE("parallel gemm: products cut by rows, by columns and by the inner axis equal the uncut ones") {
  const ThreadCount threads(4);
  for (const auto& [m, n, k] : std::vector<std::array<Index, 3>>{
           {1000, 45, 60}, {45, 1000, 60}, {33, 31, 4101}, {200, 200, 200}, {17, 1, 200003}, {5, 7, 3}}) {
    check_gemm(parallel_gemm, m, n, k, 1, 0);
    check_gemm(parallel_gemm, m, n, k, Real(0.5), 1);
    check_gemm(parallel_gemm, m, n, k, 2, Real(-0.5));
  }
}

TEST_CASE(
    "parallel gemm: a long inner axis is cut into four, whose products take memory, and a wide matrix is "
    "not") {
  const auto taken = [](Index m, Index n, Index k) {
    const Tensor a = random_tensor({m, k}, 1), b = random_tensor({k, n}, 2);
    Tensor c({m, n});
    reset_peak_memory();
    const auto before = memory_statistics().bytes_in_use;
    parallel_gemm(m, n, k, 1, {a.data(), k}, {b.data(), n}, 0, c.mutable_data(), n);
    return memory_statistics().peak_bytes - before;
  };
  if (!blas_is_thread_safe()) return;  // nothing is cut
  CHECK(taken(33, 31, 4101) >= static_cast<std::int64_t>(4 * 33 * 31 * sizeof(Real)));
  CHECK(taken(45, 1000, 60) == 0);
}

TEST_CASE("parallel gemm: with beta 0 what C held does not matter, however the product is cut") {
  for (const auto& [m, n, k] :
       std::vector<std::array<Index, 3>>{{1000, 45, 60}, {45, 1000, 60}, {33, 31, 4100}}) {
    const Tensor a = random_tensor({m, k}, 1), b = random_tensor({k, n}, 2);
    Tensor c = Tensor::full({m, n}, std::numeric_limits<Real>::quiet_NaN());
    parallel_gemm(m, n, k, 1, {a.data(), k}, {b.data(), n}, 0, c.mutable_data(), n);
    CHECK(difference(c, naive_gemm(m, n, k, 1, {a.data(), k}, {b.data(), n}, 0, c)) == "");
  }
}

TEST_CASE("parallel gemm: the bits are the same for 1, 2 and 4 threads") {
  check_same_bits_for_any_thread_count([] {
    std::vector<Tensor> results;
    for (const auto& [m, n, k] :
         std::vector<std::array<Index, 3>>{{1000, 45, 60}, {45, 1000, 60}, {33, 31, 4100}, {512, 512, 512}}) {
      const Tensor a = random_tensor({m, k}, 1), b = random_tensor({k, n}, 2);
      Tensor c = random_tensor({m, n}, 3);
      parallel_gemm(m, n, k, 1, {a.data(), k}, {b.data(), n}, 1, c.mutable_data(), n);
      results.push_back(c);
    }
    return results;
  });
}

TEST_CASE("gemm: can be called by several threads at once") {
  const Tensor a = random_tensor({60, 70}, 1), b = random_tensor({70, 80}, 2);
  const auto product = [&] {
    Tensor c({60, 80});
    gemm(60, 80, 70, 1, {a.data(), 70}, {b.data(), 80}, 0, c.mutable_data(), 80);
    return c;
  };
  const Tensor expected = product();
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 50; ++i) wrong += !same_bits(product(), expected);
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(wrong == 0);
}

TEST_CASE("gemm: a bias is added to each row, whatever was there, however the product is cut") {
  for (const auto& [m, n, k] :
       {std::array<Index, 3>{3, 5, 4}, {300, 200, 150}, {50, 60, 5000}, {20, 3000, 100}}) {
    const Tensor a = random_tensor({m, k}, 1), b = random_tensor({k, n}, 2), bias = random_tensor({n}, 3);
    Tensor rows({m, n});
    for (Index i = 0; i < m; ++i) std::copy(bias.data(), bias.data() + n, rows.mutable_data() + i * n);
    const Tensor expected = naive_gemm(m, n, k, 0.5, {a.data(), k}, {b.data(), n}, 1, rows);
    for (const auto function : {gemm, parallel_gemm}) {
      Tensor c = Tensor::full({m, n}, 99);
      function(m, n, k, Real(0.5), {a.data(), k}, {b.data(), n}, 0, c.mutable_data(), n, bias.data());
      CHECK(difference(c, expected) == "");
    }
  }
}

TEST_CASE("gemm: operations are counted, 2·m·n·k for each product, cut or not") {
  const Tensor x = random_tensor({200, 200}, 1);
  Tensor c({200, 200});
  const auto before = flop_count();
  gemm(2, 3, 4, 1, {x.data(), 200}, {x.data(), 200}, 0, c.mutable_data(), 200);
  CHECK(flop_count() - before == 2 * 2 * 3 * 4);
  parallel_gemm(200, 200, 200, 1, {x.data(), 200}, {x.data(), 200}, 0, c.mutable_data(), 200);
  CHECK(flop_count() - before == 2 * 2 * 3 * 4 + 2 * 200 * 200 * 200);
  CHECK(flop_count() % 2 == 0);  // as a sum of such numbers is, on all threads
}

TEST_CASE("gemm: OpenBLAS is told with its version and its kernel, and no more of how it was built") {
  CHECK_THAT(blas_description(), Catch::Matchers::Matches(R"(OpenBLAS [0-9.]+[a-z0-9.]*, \w+)"));
}

TEST_CASE("gemm: an inner axis that is cut, at an odd place, too, loses nothing") {
  for (const Index k : {4095, 4096, 4097, 8193, 20001}) {
    check_gemm(gemm, 3, 2, k, 1, 0);
    check_gemm(gemm, 1, 1, k, Real(0.5), 1);
  }
}

TEST_CASE("gemm: where BLAS cannot count the sizes or the distances, the product comes in pieces") {
  for (const auto& [m, n, k] : std::vector<std::array<Index, 3>>{
           {20, 3, 4}, {3, 20, 4}, {3, 4, 20}, {15, 16, 17}, {7, 7, 7}, {8, 8, 8}, {1, 1, 1}, {5, 6, 0}}) {
    for (const Index most : {1, 2, 7, 100}) {
      INFO("no more than " << most);
      for (const bool ta : {false, true}) {
        for (const bool tb : {false, true}) {
          for (const Index gap : {0, 90}) {  // which makes the rows lie farther apart than 100
            const Tensor a = random_tensor(ta ? Shape{k, m + gap} : Shape{m, k + gap}, 1);
            const Tensor b = random_tensor(tb ? Shape{n, k + gap} : Shape{k, n + gap}, 2);
            const Tensor before = random_tensor({m, n + gap}, 3), bias = random_tensor({n}, 4);
            const MatrixView a_view{a.data(), a.dim(1), ta}, b_view{b.data(), b.dim(1), tb};
            Tensor c = before;
            openblas_product(m, n, k, a_view, b_view, {c.mutable_data(), c.dim(1), 2, Real(-0.5)}, most);
            CHECK(difference(c, naive_gemm(m, n, k, 2, a_view, b_view, -0.5, before)) == "");
            Tensor rows = before;
            for (Index i = 0; i < m; ++i)
              std::copy(bias.begin(), bias.end(), rows.mutable_data() + i * rows.dim(1));
            c = before;
            openblas_product(m, n, k, a_view, b_view, {c.mutable_data(), c.dim(1), 2, 0, bias.data()}, most);
            CHECK(difference(c, naive_gemm(m, n, k, 2, a_view, b_view, 1, rows)) == "");
          }
        }
      }
    }
  }
}

TEST_CASE("gemm: of a single row or column, or of none, the distance of the rows does not matter") {
  const Tensor x({3}, {1, 2, 3});
  Real c[2] = {};
  for (const Index stride : {Index(0), Index(1), Index(1) << 40, Index(-5)}) {
    gemm(1, 1, 3, 1, {x.data(), stride}, {x.data(), stride, true}, 0, c, stride);
    CHECK(c[0] == 14);
  }
}

TEST_CASE("gemm: what cannot be a product is refused") {
  const Tensor x = Tensor::ones({4, 4});
  Tensor y({4, 4});
  const MatrixView view{x.data(), 4};
  Real* const c = y.mutable_data();
  for (const auto function : {gemm, parallel_gemm}) {
    CHECK_THROWS_WITH(function(-1, 4, 4, 1, view, view, 0, c, 4, nullptr),
                      "gemm: sizes must not be negative: A is -1 × 4");
    CHECK_THROWS_AS(function(4, 4, -1, 1, view, view, 0, c, 4, nullptr), std::invalid_argument);
    CHECK_THROWS_AS(function(4, -4, 4, 1, view, view, 0, c, 4, nullptr), std::invalid_argument);
    CHECK_THROWS_WITH(function(4, 4, 4, 1, {nullptr, 4}, view, 0, c, 4, nullptr),
                      "gemm: there must be a matrix: A is null");
    CHECK_THROWS_WITH(function(4, 4, 4, 1, view, view, 0, nullptr, 4, nullptr),
                      "gemm: there must be a matrix: C is null");
    CHECK_THROWS_WITH(function(4, 2, 4, 1, view, {x.data(), 3, true}, 0, c, 4, nullptr),
                      "gemm: rows must not overlap: those of B have 4 columns and lie 3 apart");
    CHECK_THROWS_AS(function(4, 4, 4, 1, view, view, 0, c, 3, nullptr), std::invalid_argument);
  }
}

#ifdef __linux__
namespace {

// More ones than there is memory for: the same few pages, over and over again.
class ManyOnes {
 public:
  explicit ManyOnes(Index count)
      : bytes_((static_cast<std::size_t>(count) * sizeof(Real) / part + 1) * part) {
    std::FILE* file = std::tmpfile();
    REQUIRE(file);
    const std::vector<Real> ones(part / sizeof(Real), Real(1));
    REQUIRE(std::fwrite(ones.data(), 1, part, file) == part);
    REQUIRE(std::fflush(file) == 0);
    start_ = static_cast<char*>(
        mmap(nullptr, bytes_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
    REQUIRE(start_ != MAP_FAILED);
    for (std::size_t at = 0; at < bytes_; at += part)
      REQUIRE(mmap(start_ + at, part, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fileno(file), 0) ==
              start_ + at);
    std::fclose(file);
  }
  ~ManyOnes() { munmap(start_, bytes_); }
  ManyOnes(const ManyOnes&) = delete;
  ManyOnes& operator=(const ManyOnes&) = delete;
  Real* data() const { return reinterpret_cast<Real*>(start_); }

 private:
  static constexpr std::size_t part = 1 << 25;
  std::size_t bytes_;
  char* start_;
};

}  // namespace

TEST_CASE("gemm: more numbers than 32 bits count are multiplied, all of them", "[heavy]") {
  const Index count = (Index(1) << 31) + 1;
  const ManyOnes ones(count);
  Real c = 0;
  parallel_gemm(1, 1, count, 1, {ones.data(), count}, {ones.data(), 1}, 0, &c, 1);
  CHECK(c == Approx(static_cast<double>(count)).epsilon(1e-3));
}

TEST_CASE("gemm: rows that lie farther apart than 32 bits count are found") {
  const Index far = (Index(1) << 31) + 5;
  const ManyOnes ones(far + 2), places(far + 2);
  const Real near[] = {1, 2, 3, 4};
  Real c[4] = {};
  gemm(2, 2, 2, 1, {ones.data(), far}, {near, 2}, 0, c, 2);
  CHECK(std::vector<Real>(c, c + 4) == std::vector<Real>{4, 6, 4, 6});
  std::fill_n(c, 4, Real(0));
  gemm(2, 2, 2, 1, {ones.data(), far, true}, {near, 2}, 0, c, 2);
  CHECK(std::vector<Real>(c, c + 4) == std::vector<Real>{4, 6, 4, 6});
  for (const bool transposed : {false, true}) {
    std::fill_n(c, 4, Real(0));
    gemm(2, 2, 2, 1, {near, 2, true}, {ones.data(), far, transposed}, 0, c, 2);
    CHECK(std::vector<Real>(c, c + 4) == std::vector<Real>{4, 4, 6, 6});
  }
  gemm(2, 2, 2, 1, {near, 2}, {near, 2}, 0, places.data(), far);
  CHECK((places.data()[0] == 7 && places.data()[1] == 10));
  CHECK((places.data()[far] == 15 && places.data()[far + 1] == 22));
}
#endif
