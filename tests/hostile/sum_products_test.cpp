// core/elements/: sums of products that are not stored.
#include <gradual/core/elements/broadcast.hpp>
#include <gradual/core/elements/reductions.hpp>

#include "hostile/drive.hpp"

using namespace gradual;
using namespace gradual::hostile;

namespace {

const Header summed_products =
    Header("core/elements/reductions.hpp")
        .drives(
            "sum_products", [](Tensor a, Tensor b, Axes axes) { return sum_products(a, b, axes); },
            std::tuple(numbers({2, 3}), numbers({2, 3}), Axes{1}));
const Header summed_to =
    Header("core/elements/broadcast.hpp")
        .drives(
            "sum_products_to|sum_to", [](Tensor a, Tensor b, Shape s) { return sum_products_to(a, b, s); },
            std::tuple(numbers({2, 3}), numbers({2, 3}), Shape{3}));

}  // namespace
