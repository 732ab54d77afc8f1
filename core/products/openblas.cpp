#include <gradual/core/products/openblas.hpp>

#include <algorithm>
#include <mutex>
#include <sstream>
#include <string>

#include <cblas.h>

#include <gradual/core/products/openblas_kernel.hpp>
#include <gradual/core/products/products.hpp>

namespace gradual {
namespace {

// While the library is loaded, before there can be threads that multiply.
[[maybe_unused]] const bool kernel_was_chosen = choose_openblas_kernel();

// The threads are ours: each product runs on one. OpenBLAS built on OpenMP keeps this setting for each
// calling thread, so every thread makes it once.
void use_one_blas_thread() {
  thread_local const bool done = [] {
    openblas_set_num_threads(1);
    return true;
  }();
  (void)done;
}

std::unique_lock<std::mutex> turn_to_multiply() {
  static std::mutex mutex;
  return blas_is_thread_safe() ? std::unique_lock<std::mutex>() : std::unique_lock(mutex);
}

// A view as BLAS wants it. It refuses rows that lie closer than they are wide, which says nothing of a single
// row or of an empty one, and a distance of 0.
struct BlasMatrix {
  const Real* data;
  blasint stride;
  CBLAS_TRANSPOSE transpose;

  BlasMatrix(const MatrixView& x, Index rows, Index columns)
      : data(x.data),
        stride(static_cast<blasint>(std::max<Index>(
            (x.transposed ? columns : rows) > 1 ? x.stride : (x.transposed ? rows : columns), 1))),
        transpose(x.transposed ? CblasTrans : CblasNoTrans) {}
};

void call_blas(Index m, Index n, Index k, const MatrixView& a, const MatrixView& b,
               const ProductResult& result) {
  const BlasMatrix left(a, m, k), right(b, k, n);
  const auto c_stride = static_cast<blasint>(m > 1 ? result.stride : n);
#ifdef GRADUAL_DOUBLE
  constexpr auto product = cblas_dgemm;
#else
  constexpr auto product = cblas_sgemm;
#endif
  product(CblasRowMajor, left.transpose, right.transpose, static_cast<blasint>(m), static_cast<blasint>(n),
          static_cast<blasint>(k), result.alpha, left.data, left.stride, right.data, right.stride,
          result.beta, result.c, c_stride);
}

// Calls body(first, count) for even pieces of an axis, once for an empty one.
template <class Body>
void for_pieces(Index size, Index most, Body body) {
  if (size <= most) return body(Index(0), size);  // small products take no longer than divisions
  const Index pieces = std::max<Index>((size - 1) / most + 1, 1);
  for (Index i = 0, first = 0; i < pieces; ++i) {
    const Index count = (size - first) / (pieces - i);
    body(first, count);
    first += count;
  }
}

}  // namespace

bool blas_is_thread_safe() {
  static const bool safe = openblas_get_parallel() != OPENBLAS_SEQUENTIAL;
  return safe;
}

void openblas_product(Index m, Index n, Index k, MatrixView a, MatrixView b, const ProductResult& result,
                      Index most) {
  constexpr Index longest_sum = 4096;
  use_one_blas_thread();
  const std::unique_lock<std::mutex> turn = turn_to_multiply();
  // Rows that lie too far apart come one at a time.
  const bool far_a = a.stride > most, far_b = b.stride > most, far_c = result.stride > most;
  const Index rows_at_once = far_c || (far_a && !a.transposed) ? 1 : most;
  const Index columns_at_once = far_b && b.transposed ? 1 : most;
  const Index inner_at_once =
      (far_a && a.transposed) || (far_b && !b.transposed) ? 1 : std::min(most, longest_sum);
  for_pieces(m, rows_at_once, [&](Index row, Index rows) {
    for_pieces(n, columns_at_once, [&](Index column, Index columns) {
      ProductResult piece = result.from(row, column);
      if (piece.bias) {  // the product is added to rows that hold it already
        for (Index i = 0; i < rows; ++i) std::copy_n(piece.bias, columns, piece.c + i * piece.stride);
        piece.beta = 1;
      }
      for_pieces(k, inner_at_once, [&](Index p, Index inner) {
        call_blas(rows, columns, inner, a.from(row, p), b.from(p, column), piece);
        piece.beta = 1;
      });
    });
  });
}

std::string blas_description() {
  std::istringstream built(openblas_get_config());  // "OpenBLAS 0.3.21 NO_AFFINITY …"
  std::string name, version;
  built >> name >> version;
  return name + " " + version + ", " + openblas_get_corename();
}

}  // namespace gradual
