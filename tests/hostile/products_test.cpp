// core/products/. Kernels of pointers and sizes get memory as large as they claim, and any numbers in it.
#include <gradual/core/products/matrix_unit.hpp>
#include <gradual/core/products/packed_matrix.hpp>
#include <gradual/core/products/products.hpp>

#include "hostile/drive.hpp"

using namespace gradual;
using namespace gradual::hostile;

namespace {

// alpha·A·B + beta·C + bias, of matrices that may be transposed and whose rows lie apart.
struct PlainProduct {
  Index m, n, k;
  MatrixView a, b;
  double alpha = 1, beta = 0;
  const Real* bias = nullptr;

  static double at(const MatrixView& x, Index row, Index column) {
    return static_cast<double>(x.data[x.transposed ? column * x.stride + row : row * x.stride + column]);
  }
  void into(Real* c, Index stride) const {
    for (Index i = 0; i < m; ++i)
      for (Index j = 0; j < n; ++j) {
        double sum = 0;
        for (Index p = 0; p < k; ++p) sum += at(a, i, p) * at(b, p, j);
        double y = k == 0 ? 0 : alpha * sum;
        if (bias)
          y += static_cast<double>(bias[j]);
        else if (beta != 0)
          y += beta * static_cast<double>(c[i * stride + j]);
        c[i * stride + j] = static_cast<Real>(y);
      }
  }
};

Tensor plain_matmul(const Tensor& a, const Tensor& b, bool ta, bool tb) {
  const Index m = a.dim(ta ? -1 : -2), k = a.dim(ta ? -2 : -1), n = b.dim(tb ? -2 : -1);
  Shape shape = broadcast_shapes("plain", a.shape().slice(0, a.rank() - 2), b.shape().slice(0, b.rank() - 2));
  const Shape batches = shape;
  shape.push_back(m);
  shape.push_back(n);
  Tensor y(shape);
  const auto matrix = [&](const Tensor& x, Index batch) {
    Index place = 0, stride = 1;
    for (Index back = 1; back <= x.rank() - 2; ++back) {
      if (x.dim(-2 - back) != 1) place += batch % batches[-back] * stride;
      batch /= batches[-back];
      stride *= x.dim(-2 - back);
    }
    return x.data() + place * x.dim(-2) * x.dim(-1);
  };
  for (Index batch = 0; y.size() > 0 && batch < batches.size(); ++batch)
    PlainProduct{m, n, k, {matrix(a, batch), a.dim(-1), ta}, {matrix(b, batch), b.dim(-1), tb}}.into(
        y.unguarded_data() + batch * m * n, n);
  return y;
}

using Product = void (*)(Index, Index, Index, Real, MatrixView, MatrixView, Real, Real*, Index, const Real*);

// C after a product, plainly or by the library.
Tensor multiplied(Product product, Index m, Index n, Index k, bool ta, bool tb, Real alpha, Real beta,
                  bool with_bias) {
  const Tensor a = room(m, k), b = room(k, n), bias = room(1, n);
  Tensor c = room(m, n, beta == 0 ? hostile::nan : 0.5);
  const MatrixView left{a.data(), ta ? m : k, ta}, right{b.data(), tb ? k : n, tb};
  const Real* added = with_bias ? bias.data() : nullptr;
  if (product)
    product(m, n, k, alpha, left, right, beta, c.unguarded_data(), n, added);
  else
    PlainProduct{m, n, k, left, right, static_cast<double>(alpha), static_cast<double>(beta), added}.into(
        c.unguarded_data(), n);
  return c;
}
// The same for rows that lie `stride` apart, of 2 × 2 or of 1 × 1 matrices.
Tensor multiplied_apart(Product product, bool single, bool transposed, Index a_stride, Index b_stride,
                        Index c_stride) {
  const Index size = single ? 1 : 2;
  const Tensor a = room(2, a_stride), b = room(2, b_stride);
  Tensor c = room(2, c_stride);
  const MatrixView left{a.data(), a_stride, transposed}, right{b.data(), b_stride, transposed};
  if (product)
    product(size, size, size, 1, left, right, 1, c.unguarded_data(), c_stride, nullptr);
  else
    PlainProduct{size, size, size, left, right, 1, 1}.into(c.unguarded_data(), c_stride);
  return c;
}

void drive_product(const Header& header, const std::string& name, Product product) {
  header
      .drives(
          name + "|gemm",
          [=](Index m, Index n, Index k, bool ta, bool tb, Real alpha, Real beta, bool bias) {
            return multiplied(product, m, n, k, ta, tb, alpha, beta, bias);
          },
          std::tuple(Index(5), Index(3), Index(4), false, false, Real(1), Real(0), false),
          [](Index m, Index n, Index k, bool ta, bool tb, Real alpha, Real beta, bool bias) {
            return multiplied(nullptr, m, n, k, ta, tb, alpha, beta, bias);
          })
      .drives(
          name + "|gemm",
          [=](bool single, bool transposed, Index a, Index b, Index c) {
            return multiplied_apart(product, single, transposed, a, b, c);
          },
          std::tuple(false, false, Index(2), Index(3), Index(8)),
          [](bool single, bool transposed, Index a, Index b, Index c) {
            return multiplied_apart(nullptr, single, transposed, a, b, c);
          });
  header.drives(
      name + "|gemm",
      [=](bool has_a, bool has_b, bool has_c) {
        Tensor x = numbers({4});
        Real* data = x.unguarded_data();
        const MatrixView a{has_a ? data : nullptr, 1}, b{has_b ? data + 1 : nullptr, 1};
        product(1, 1, 1, 1, a, b, 0, has_c ? data + 2 : nullptr, 1, nullptr);
        return has_a && has_b && has_c;
      },
      std::tuple(true, true, true), [](bool, bool, bool) { return true; });
}
const bool products_of_pointers = [] {
  const Header header("core/products/products.hpp");
  drive_product(header, "gemm", gemm);
  drive_product(header, "parallel_gemm", parallel_gemm);
  return true;
}();

const Header products =
    Header("core/products/products.hpp")
        .drives(
            "matmul|shape",
            [](Tensor a, Tensor b, bool ta, bool tb) {
              return matmul(a, b, {ta, tb});
            },
            std::tuple(six, numbers({3, 2}), false, false), plain_matmul)
        .drives(
            "linear|shape", [](Tensor x, Tensor w, Tensor b) { return linear(x, w, b); },
            std::tuple(six, six, numbers({2})),
            [](Tensor x, Tensor w, Tensor b) {
              Shape shape = x.shape();
              shape.set(-1, w.dim(0));
              Tensor y(shape);
              const Index in = w.dim(1), out = w.dim(0), rows = x.shape().slice(0, x.rank() - 1).size();
              if (y.size() > 0)
                PlainProduct{rows, out, in, {x.data(), in}, {w.data(), in, true}, 1, 0, b.data()}.into(
                    y.unguarded_data(), out);
              return y;
            })
        .drives(
            "blas_description", [] { return blas_description().empty(); }, std::tuple(),
            [] { return false; });

const Header packed_matrices =
    Header("core/products/packed_matrix.hpp")
        .drives(
            "PackedMatrix::PackedMatrix|packed matrix",
            [](Index k, Index n, bool transposed, bool has_b) {
              const Tensor b = room(k, n);
              const PackedMatrix packed(k, n, {has_b ? b.data() : nullptr, transposed ? k : n, transposed});
              return std::vector<Index>{packed.rows(), packed.columns()};
            },
            std::tuple(Index(3), Index(5), false, true),
            [](Index k, Index n, bool, bool) {
              return std::vector<Index>{k, n};
            })
        .drives(
            "PackedMatrix::of_weight|packed matrix",
            [](Tensor w) {
              const PackedMatrix packed = PackedMatrix::of_weight(w);
              return std::vector<Index>{packed.columns(), packed.rows()};
            },
            std::tuple(six),
            [](Tensor w) {
              return std::vector<Index>{w.shape().begin()[0], w.shape().begin()[1]};
            })
        .drives(
            "PackedMatrix::rows|packed matrix",
            [](Index first, Index last) { return PackedMatrix::of_weight(six).rows(first, last).rows(); },
            std::tuple(Index(1), Index(3)), [](Index first, Index last) { return last - first; })
        .drives(
            "PackedMatrix::rows", [] { return PackedMatrix::of_weight(six).rows(); }, std::tuple(),
            [] { return 3; })
        .drives(
            "PackedMatrix::columns", [] { return PackedMatrix::of_weight(six).columns(); }, std::tuple(),
            [] { return 2; })
        .drives(
            "PackedMatrix::panels|packed matrix|shape",
            [](Index n) {
              return PackedMatrix(0, n, {nullptr, 0}).panels();
            },
            std::tuple(Index(5)),
            [](Index n) {
              const Index width = PackedMatrix::panel_width();
              return n / width + (n % width > 0);
            })
        .drives(
            "PackedMatrix::panel_width", [] { return PackedMatrix::panel_width() > 0; }, std::tuple(),
            [] { return true; })
        .drives(
            "PackedMatrix::multiply|packed matrix",
            [](Index m, Index first, Index last) {
              const Index width = PackedMatrix::panel_width(), n = 2 * width + 1;
              const Tensor a = room(m, 3), b = room(3, n);
              Tensor c = room(m, 3 * width);
              PackedMatrix(3, n, {b.data(), n})
                  .multiply(m, {a.data(), 3}, first, last, {c.unguarded_data(), 3 * width});
              return c;
            },
            std::tuple(Index(2), Index(0), Index(3)))
        .drives(
            "prefers_packing",
            [](Index m, Index n) {
              return prefers_packing(m, n, 3, {nullptr, 3});
            },
            std::tuple(Index(2), Index(3)), [](Index, Index) { return false; })
        .drives(
            "parallel_multiply|packed matrix",
            [](Index m, Index n) {
              const Tensor a = room(m, 3), b = room(3, n);
              Tensor c = room(m, n, hostile::nan);
              parallel_multiply(m, {a.data(), 3}, PackedMatrix(3, n, {b.data(), n}), {c.unguarded_data(), n});
              return c;
            },
            std::tuple(Index(2), Index(3)),
            [](Index m, Index n) { return multiplied(nullptr, m, n, 3, false, false, 1, 0, false); });

// What lies before the matrix nobody asks for; the others are pointers into it.
const Header views =
    Header("core/products/matrix_view.hpp")
        .drives(
            "MatrixView::from",
            [](bool transposed, bool far) {
              const MatrixView all{six.data(), 3, transposed};
              return *(far ? all.from(transposed ? 2 : 1, transposed ? 1 : 2) : all.from(0, 0)).data;
            },
            std::tuple(false, true), [](bool, bool far) { return six.data()[far ? 5 : 0]; })
        .drives(
            "check_matrix|hostile",
            [](Index rows, Index columns, bool is_there) {
              check_matrix("hostile", rows, columns, {is_there ? six.data() : nullptr, 3});
              return true;
            },
            std::tuple(Index(2), Index(3), true),
            [](Index rows, Index columns, bool is_there) {
              return rows >= 0 && columns >= 0 && (is_there || rows == 0 || columns == 0);
            })
        .drives(
            "ProductResult::from",
            [](bool with_bias) {
              Tensor c = numbers({2, 3});
              ProductResult all{c.unguarded_data(), 3};
              all.bias = with_bias ? three.data() : nullptr;
              const ProductResult corner = all.from(1, 2);
              return std::vector<Index>{corner.c - all.c, corner.bias ? corner.bias - three.data() : -1};
            },
            std::tuple(true),
            [](bool with_bias) {
              return std::vector<Index>{5, with_bias ? 2 : -1};
            });

const Header counts = Header("core/products/flop_count.hpp")
                          .drives(
                              "flop_count",
                              [] {
                                const std::int64_t before = flop_count();
                                matmul(six, three.with_shape({3, 1}));
                                return flop_count() - before;
                              },
                              std::tuple(), [] { return 2 * 2 * 3; })
                          .drives(
                              "count_flops",
                              [](int flops) {
                                const std::int64_t before = flop_count();
                                count_flops(flops);
                                const std::int64_t counted = flop_count() - before;
                                count_flops(-counted);
                                return counted;
                              },
                              std::tuple(6), [](int flops) { return flops; });

const Header unit = Header("core/products/matrix_unit.hpp")
                        .drives(
                            "has_matrix_unit",
                            [] {
                              const bool before = use_matrix_unit(false), off = has_matrix_unit();
                              use_matrix_unit(before);
                              return off;
                            },
                            std::tuple(), [] { return false; })
                        .drives(
                            "use_matrix_unit",
                            [](bool on) {
                              const bool before = use_matrix_unit(on), is_on = has_matrix_unit();
                              use_matrix_unit(before);
                              return is_on && !on;
                            },
                            std::tuple(true), [](bool) { return false; });

}  // namespace
