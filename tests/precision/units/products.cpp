// Matrix products, by OpenBLAS and by the ways round it.
#include <gradual/core/products/products.hpp>

#include "report.hpp"

namespace gradual {

void measure_products(Report& report) {
  Random random(2);
  for (const Index depth : {1, 3, 64, 1000, 4096})
    for (const double size : {1e-18, 1.0, 1e15}) {
      const Tensor a = numbers({9, depth}, random.split(), size),
                   b = numbers({depth, 33}, random.split(), size);
      const Tensor weight = numbers({17, depth}, random.split(), size),
                   bias = numbers({17}, random.split(), size);
      report.begin("matmul", 4);
      report.compare_all(matmul(a, b), [&](Index at) {
        return sum_of(depth, [&](Index k) {
          return Exact(a.data()[at / 33 * depth + k]) * Exact(b.data()[k * 33 + at % 33]);
        });
      });
      report.begin("linear", 4);
      report.compare_all(linear(a, weight, bias), [&](Index at) {
        const Exact product = sum_of(depth, [&](Index k) {
          return Exact(a.data()[at / 17 * depth + k]) * Exact(weight.data()[at % 17 * depth + k]);
        });
        return product + Exact(bias.data()[at % 17]);
      });
    }
}

}  // namespace gradual
