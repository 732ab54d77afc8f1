// core/elements/: reductions, arrangement, broadcasting; gradients under a gradient of ones.
#include "hostile/plain_elements.hpp"

using namespace gradual;
using namespace gradual::hostile;

namespace {

const Header reductions("core/elements/reductions.hpp"), arrangement("core/elements/arrangement.hpp");
const Indices places({2, 3}, {0, 1, 2, 2, 1, 0});
const Header& more_reductions =
    reductions
        .drives(
            "sum_operation|sum",
            [](Tensor x, Axes axes) { return worked_out(sum_operation(x, axes, Axis::kept)); },
            std::tuple(six, Axes{1}))
        .drives(
            "sum|value", [](Var x, Axes axes) { return slopes(sum(x, axes), {x}); },
            std::tuple(weight, Axes{1}))
        .drives(
            "sum", [](Tensor x) { return sum(x); }, std::tuple(six),
            [](Tensor x) {
              double total = 0;
              for (Real v : x) total += static_cast<double>(v);
              return Tensor::scalar(static_cast<Real>(total));
            })
        .drives(
            "mean_operation|mean",
            [](Tensor x, Axes axes) { return worked_out(mean_operation(x, axes, Axis::kept)); },
            std::tuple(six, Axes{1}))
        .drives(
            "mean|value", [](Var x, Axes axes) { return slopes(mean(x, axes), {x}); },
            std::tuple(weight, Axes{1}))
        .drives(
            "mean", [](Tensor x) { return mean(x); }, std::tuple(six))
        .drives(
            "variance_operation|variance",
            [](Tensor x, Axes axes) { return worked_out(variance_operation(x, axes, Axis::kept)); },
            std::tuple(six, Axes{1}))
        .drives(
            "variance|value", [](Var x, Axes axes) { return slopes(variance(x, axes), {x}); },
            std::tuple(weight, Axes{1}))
        .drives(
            "variance", [](Tensor x) { return variance(x); }, std::tuple(six))
        .drives(
            "max_operation|max",
            [](Tensor x, Axes axes) { return worked_out(max_operation(x, axes, Axis::kept)); },
            std::tuple(six, Axes{1}))
        .drives(
            "max|value", [](Var x, Axes axes) { return slopes(max(x, axes), {x}); },
            std::tuple(weight, Axes{1}))
        .drives(
            "max", [](Tensor x) { return max(x); }, std::tuple(six))
        .drives(
            "min_operation|min",
            [](Tensor x, Axes axes) { return worked_out(min_operation(x, axes, Axis::kept)); },
            std::tuple(six, Axes{1}))
        .drives(
            "min|value", [](Var x, Axes axes) { return slopes(min(x, axes), {x}); },
            std::tuple(weight, Axes{1}))
        .drives(
            "min", [](Tensor x) { return min(x); }, std::tuple(six))
        .drives(
            "cumsum_operation|cumsum",
            [](Tensor x, Index axis) { return worked_out(cumsum_operation(x, axis)); },
            std::tuple(six, Index(1)))
        .drives(
            "cumsum|value", [](Var x, Index axis) { return slopes(cumsum(x, axis), {x}); },
            std::tuple(weight, Index(1)))
        .drives(
            "argmax", [](Tensor x, Index axis) { return argmax(x, axis); }, std::tuple(six, Index(1)))
        .drives(
            "sum_products", [](Tensor a, Tensor b, Axes axes) { return sum_products(a, b, axes); },
            std::tuple(six, six, Axes{1}))
        .drives(
            "column_sums",
            [](Tensor x, Index width) {
              if (width == Index(1) << 31) throw std::bad_alloc();  // would take its time and memory, rightly
              return column_sums(x, width);
            },
            std::tuple(six, Index(3)));

const Header& more_arrangement =
    arrangement
        .drives(
            "reshape_operation|reshape|shape",
            [](Tensor x, std::vector<Index> s) { return worked_out(reshape_operation(x, s)); },
            std::tuple(six, std::vector<Index>{3, -1}))
        .drives(
            "reshape|shape|value", [](Var x, std::vector<Index> s) { return slopes(reshape(x, s), {x}); },
            std::tuple(weight, std::vector<Index>{3, -1}))
        .drives(
            "transpose_operation|transpose",
            [](Tensor x, Axes order) { return worked_out(transpose_operation(x, order)); },
            std::tuple(six, Axes{1, 0}))
        .drives(
            "transpose|value", [](Var x, Axes order) { return slopes(transpose(x, order), {x}); },
            std::tuple(weight, Axes{1, 0}))
        .drives(
            "transpose|value", [](Var x) { return slopes(transpose(x), {x}); }, std::tuple(weight))
        .drives(
            "last_two_swapped|transpose", [](Tensor x) { return last_two_swapped(x); }, std::tuple(six))
        .drives(
            "concat|shape", [](std::vector<Tensor> parts, Index axis) { return concat(parts, axis); },
            std::tuple(std::vector<Tensor>{six, six}, Index(0)))
        .drives(
            "concat|shape",
            [](Tensor a, Tensor b, Index axis) {
              return concat({a, b}, axis);
            },
            std::tuple(six, six, Index(0)))
        .drives(
            "stacked_sizes|stack",
            [](std::vector<Tensor> parts, Index axis) { return stacked_sizes(parts, axis); },
            std::tuple(std::vector<Tensor>{six, six}, Index(0)))
        .drives(
            "stack|shape", [](std::vector<Tensor> parts, Index axis) { return stack(parts, axis); },
            std::tuple(std::vector<Tensor>{six, six}, Index(0)))
        .drives(
            "stack|shape",
            [](Tensor a, Tensor b, Index axis) {
              return stack({a, b}, axis);
            },
            std::tuple(six, six, Index(0)))
        .drives(
            "slice|rows",
            [](Tensor x, Index axis, Index first, Index last) { return slice(x, axis, first, last); },
            std::tuple(six, Index(1), Index(0), Index(2)))
        .drives(
            "add_to_slice|shape",
            [](Tensor into, Tensor part, Index axis, Index first) {
              add_to_slice(into, part, axis, first);
              return into;
            },
            std::tuple(six, six, Index(1), Index(0)))
        .drives(
            "check_split|split|shape",
            [](Shape x, std::vector<Index> sizes, Index axis) { check_split(x, sizes, axis); },
            std::tuple(six.shape(), std::vector<Index>{1, 2}, Index(1)))
        .drives(
            "split|shape",
            [](Tensor x, std::vector<Index> sizes, Index axis) { return split(x, sizes, axis); },
            std::tuple(six, std::vector<Index>{1, 2}, Index(1)))
        .drives(
            "gather|shape", [](Tensor x, Index axis, Indices i) { return gather(x, axis, i); },
            std::tuple(six, Index(1), places))
        .drives(
            "add_gathered|shape",
            [](Tensor into, Tensor part, Index axis, Indices i) {
              add_gathered(into, part, axis, i);
              return into;
            },
            std::tuple(six, six, Index(1), places))
        .drives(
            "take_rows|embedding|shape", [](Tensor table, Indices i) { return take_rows(table, i); },
            std::tuple(six, Indices({2}, {0, 1})))
        .drives(
            "add_to_rows|shape",
            [](Tensor table, Tensor rows, Indices i) {
              add_to_rows(table, rows, i);
              return table;
            },
            std::tuple(six, six, Indices({2}, {0, 1})));

const Header broadcast =
    Header("core/elements/broadcast.hpp")
        .drives(
            "broadcast_to", [](Tensor x, Shape s) { return broadcast_to(x, s); },
            std::tuple(three, six.shape()))
        .drives(
            "sum_to", [](Tensor x, Shape s) { return sum_to(x, s); }, std::tuple(six, three.shape()))
        .drives(
            "sum_products_to", [](Tensor a, Tensor b, Shape s) { return sum_products_to(a, b, s); },
            std::tuple(six, six, three.shape()));

}  // namespace
