// core/shape.hpp and indices.hpp.
#include <algorithm>
#include <numeric>

#include <gradual/core/indices.hpp>
#include <gradual/core/shape.hpp>

#include "hostile/drive.hpp"

using namespace gradual;
using namespace gradual::hostile;

namespace {

std::vector<Index> sizes_of(const Shape& shape) { return {shape.begin(), shape.end()}; }

const Header shape =
    Header("core/shape.hpp")
        .drives(
            "Shape::Shape|shape",
            [](Index a, Index b) {
              return sizes_of(Shape{a, b});
            },
            std::tuple(Index(2), Index(3)),
            [](Index a, Index b) {
              return std::vector<Index>{a, b};
            })
        .drives(
            "Shape::Shape|shape", [](std::vector<Index> sizes) { return sizes_of(Shape(sizes)); },
            std::tuple(std::vector<Index>{2, 3}), [](std::vector<Index> sizes) { return sizes; })
        .drives(
            "Shape::rank", [](Shape s) { return s.rank(); }, std::tuple(some_shape),
            [](Shape s) { return s.end() - s.begin(); })
        .drives(
            "Shape::size", [](Shape s) { return s.size(); }, std::tuple(some_shape),
            [](Shape s) { return std::accumulate(s.begin(), s.end(), Index(1), std::multiplies<Index>()); })
        .drives(
            "Shape::operator[]|shape|axis", [](Shape s, Index axis) { return s[axis]; },
            std::tuple(some_shape, Index(0)), [](Shape s, Index axis) { return s.begin()[axis_of(s, axis)]; })
        .drives(
            "Shape::set|shape|axis",
            [](Shape s, Index axis, Index size) {
              s.set(axis, size);
              return sizes_of(s);
            },
            std::tuple(some_shape, Index(0), Index(5)),
            [](Shape s, Index axis, Index size) {
              std::vector<Index> sizes = sizes_of(s);
              sizes[static_cast<std::size_t>(axis_of(s, axis))] = size;
              return sizes;
            })
        .drives(
            "Shape::push_back|shape",
            [](Shape s, Index size) {
              s.push_back(size);
              return sizes_of(s);
            },
            std::tuple(some_shape, Index(4)),
            [](Shape s, Index size) {
              std::vector<Index> sizes = sizes_of(s);
              sizes.push_back(size);
              return sizes;
            })
        .drives(
            "Shape::normalized_axis|shape|axis", [](Shape s, Index axis) { return s.normalized_axis(axis); },
            std::tuple(some_shape, Index(-1)), axis_of)
        .drives(
            "Shape::slice|shape",
            [](Shape s, Index first, Index last) { return sizes_of(s.slice(first, last)); },
            std::tuple(some_shape, Index(0), Index(1)),
            [](Shape s, Index first, Index last) {
              return std::vector<Index>(s.begin() + first, s.begin() + last);
            })
        .drives(
            "Shape::strides", [](Shape s) { return s.strides(); }, std::tuple(some_shape))
        .drives(
            "Shape::to_string", [](Shape s) { return s.to_string(); }, std::tuple(some_shape),
            [](Shape s) { return text(s); })
        .drives(
            "Shape::begin", [](Shape s) { return std::vector<Index>(s.begin(), s.end()); },
            std::tuple(some_shape))
        .drives(
            "Shape::end", [](Shape s) { return s.end() - s.begin(); }, std::tuple(some_shape),
            [](Shape s) { return s.rank(); })
        .drives(
            "operator==", [](Shape a, Shape b) { return a == b; }, std::tuple(some_shape, some_shape),
            [](Shape a, Shape b) { return sizes_of(a) == sizes_of(b); })
        .drives(
            "operator!=", [](Shape a, Shape b) { return a != b; }, std::tuple(some_shape, some_shape),
            [](Shape a, Shape b) { return sizes_of(a) != sizes_of(b); })
        .drives(
            "operator<<", [](Shape s) { return text(s); }, std::tuple(some_shape))
        .drives(
            "broadcast_shapes|this",
            [](Shape a, Shape b) { return sizes_of(broadcast_shapes("this", a, b)); },
            std::tuple(some_shape, some_shape),
            [](Shape a, Shape b) {
              std::vector<Index> result = sizes_of(a.rank() < b.rank() ? b : a);
              const Shape& shorter = a.rank() < b.rank() ? a : b;
              for (Index i = 1; i <= shorter.rank(); ++i) {
                Index& size = result[result.size() - static_cast<std::size_t>(i)];
                if (size == 1) size = shorter[-i];
              }
              return result;
            });
const Header indices =
    Header("core/indices.hpp")
        .drives(
            "Indices::Indices", [] { return Indices(); }, std::tuple())
        .drives(
            "Indices::Indices|indices", [](Shape s, std::vector<std::int32_t> v) { return Indices(s, v); },
            std::tuple(Shape{3}, std::vector<std::int32_t>{0, 1, 2}))
        .drives(
            "Indices::shape", [](Indices i) { return i.shape(); }, std::tuple(Indices()))
        .drives(
            "Indices::shape", [](Indices i) { return Indices(i).shape(); }, std::tuple(Indices()),
            [](Indices i) { return i.shape(); })
        .drives(
            "Indices::dim|shape|axis", [](Indices i, Index axis) { return i.dim(axis); },
            std::tuple(Indices({2}, {0, 1}), Index(0)),
            [](Indices i, Index axis) { return i.shape().begin()[axis_of(i.shape(), axis)]; })
        .drives(
            "Indices::size", [](Indices i) { return i.size(); }, std::tuple(Indices()),
            [](Indices i) { return i.end() - i.begin(); })
        .drives(
            "Indices::data", [](Indices i) { return i.data() == i.begin(); }, std::tuple(Indices()))
        .drives(
            "Indices::begin", [](Indices i) { return std::vector<std::int32_t>(i.begin(), i.end()); },
            std::tuple(Indices()))
        .drives(
            "Indices::end", [](Indices i) { return i.end() - i.begin(); }, std::tuple(Indices()),
            [](Indices i) { return i.shape().size(); })
        .drives(
            "Indices::operator[]|indices", [](Indices i, Index at) { return i[at]; },
            std::tuple(Indices({2}, {0, 1}), Index(1)), [](Indices i, Index at) { return i.begin()[at]; });

}  // namespace
