// Products in 8 bits, of core/products/ and core/rows/. Kernels of pointers and sizes get memory as large as
// they claim.
#include <algorithm>
#include <cmath>

#include <gradual/core/products/int8_matrix.hpp>
#include <gradual/core/reference/products.hpp>
#include <gradual/core/rows/top_rows.hpp>

#include "hostile/drive.hpp"

using namespace gradual;
using namespace gradual::hostile;

namespace {

// No machine holds so many scales or places.
void check_rows(const Tensor& x, Index count = 1) {
  if (x.rank() == 2 && (x.dim(0) == huge || (count > 1000 && count <= 0x7fffffff))) throw std::bad_alloc();
}

const Header quantized =
    Header("core/products/quantized_rows.hpp")
        .drives(
            "QuantizedRows::row",
            [](bool last) {
              return int(quantize_rows(2, 3, {six.data(), 3}).row(last)[0]);
            },
            std::tuple(false), [](bool last) { return last ? -54 : -127; })  // -0.15 of 0.35, and the largest
        .drives(
            "quantize_rows|quantized rows",
            [](Index rows, Index columns, bool transposed, bool has_x) {
              const Tensor x = room(rows, columns);
              return quantize_rows(rows, columns,
                                   {has_x ? x.data() : nullptr, transposed ? rows : columns, transposed})
                  .scales;
            },
            std::tuple(Index(3), Index(5), false, true),
            [](Index rows, Index columns, bool transposed, bool) {
              const Tensor x = room(rows, columns);
              Tensor scales = Tensor::zeros({rows});
              for (Index i = 0; i < rows; ++i)
                for (Index p = 0; p < columns; ++p) {
                  const Real each = std::abs(x.data()[transposed ? p * rows + i : i * columns + p]) / 127;
                  scales.unguarded_data()[i] = std::max(scales.data()[i], each);
                }
              return scales;
            });

const Header in_8_bits =
    Header("core/products/int8_matrix.hpp")
        .drives(
            "Int8Rows::Int8Rows|quantized rows",
            [](Index m, Index k) {
              const Tensor a = room(m, k);
              const Int8Rows rows(m, k, {a.data(), k});
              return std::vector<Index>{rows.rows(), rows.columns()};
            },
            std::tuple(Index(2), Index(3)),
            [](Index m, Index k) {
              return std::vector<Index>{m, k};
            })
        .drives(
            "Int8Rows::rows",
            [] {
              return Int8Rows(2, 3, {six.data(), 3}).rows();
            },
            std::tuple(), [] { return 2; })
        .drives(
            "Int8Rows::columns",
            [] {
              return Int8Rows(2, 3, {six.data(), 3}).columns();
            },
            std::tuple(), [] { return 3; })
        .drives(
            "Int8Matrix::Int8Matrix|int8 matrix",
            [](Index k, Index n, bool transposed, bool has_b) {
              const Tensor b = room(k, n);
              const Int8Matrix matrix(k, n, {has_b ? b.data() : nullptr, transposed ? k : n, transposed});
              return std::vector<Index>{matrix.rows(), matrix.columns()};
            },
            std::tuple(Index(3), Index(5), false, true),
            [](Index k, Index n, bool, bool) {
              return std::vector<Index>{k, n};
            })
        .drives(
            "Int8Matrix::of_weight|int8 matrix",
            [](Tensor w) {
              check_rows(w);
              const Int8Matrix matrix = Int8Matrix::of_weight(w);
              return std::vector<Index>{matrix.columns(), matrix.rows()};
            },
            std::tuple(six))
        .drives(
            "Int8Matrix::rows", [] { return Int8Matrix::of_weight(six).rows(); }, std::tuple(),
            [] { return 3; })
        .drives(
            "Int8Matrix::columns", [] { return Int8Matrix::of_weight(six).columns(); }, std::tuple(),
            [] { return 2; })
        .drives(
            "Int8Matrix::panels|int8 matrix",
            [](Index n) {
              const Tensor b = room(1, n);
              return Int8Matrix(1, n, {b.data(), n}).panels();
            },
            std::tuple(Index(5)),
            [](Index n) {
              const Index width = Int8Matrix::panel_width();
              return n / width + (n % width > 0);
            })
        .drives(
            "Int8Matrix::panel_width", [] { return Int8Matrix::panel_width() > 0; }, std::tuple(),
            [] { return true; })
        .drives(
            "Int8Matrix::multiply|int8 matrix|quantized rows",
            [](Index k, Index first_row, Index last_row, Index first, Index last) {
              const Index width = Int8Matrix::panel_width(), n = 2 * width + 1;
              const Tensor a = room(9, k), b = room(3, n);
              Tensor c = room(9, 3 * width);
              Int8Matrix(3, n, {b.data(), n})
                  .multiply(Int8Rows(9, k, {a.data(), k}), first_row, last_row, first, last,
                            {c.unguarded_data(), 3 * width});
              return c;
            },
            std::tuple(Index(3), Index(0), Index(9), Index(0), Index(3)))
        .drives(
            "parallel_multiply|int8 matrix|quantized rows",
            [](Index m, Index n) {
              const Tensor a = room(m, 3), b = room(3, n);
              Tensor c = room(m, n, hostile::nan);
              parallel_multiply(m, {a.data(), 3}, Int8Matrix(3, n, {b.data(), n}), {c.unguarded_data(), n});
              return c;
            },
            std::tuple(Index(2), Index(3)),
            [](Index m, Index n) {
              const Tensor a = room(m, 3), b = room(3, n);
              Tensor c = room(m, n, hostile::nan);
              const Tensor product = reference::int8_matmul(quantize_rows(m, 3, {a.data(), 3}),
                                                            quantize_rows(n, 3, {b.data(), n, true}));
              std::copy(product.begin(), product.end(), c.unguarded_data());
              return c;
            });

using Classes = std::vector<std::int32_t>;
// Not the classes of the exact logits: where two are close, rounding may turn them round.
const Header top_rows_of_int8 =
    Header("core/rows/top_rows.hpp")
        .drives(
            "top_log_softmax|int8 matrix",
            [](Tensor x, Tensor w, Index count, Classes excluded) {
              check_rows(x, count);
              check_rows(w);
              return std::vector<Classes>{top_log_softmax(x, Int8Matrix::of_weight(w), count, excluded).ids};
            },
            std::tuple(six, numbers({4, 3}), Index(2), Classes{1}));

}  // namespace
