// core/tensor.hpp, checks.hpp and xtensor.hpp.
#include <algorithm>
#include <numeric>

#include <gradual/core/checks.hpp>
#include <gradual/core/xtensor.hpp>

#include "hostile/drive.hpp"

using namespace gradual;
using namespace gradual::hostile;

namespace {

std::string printed(const Tensor& x) { return text(x).substr(0, 6); }

const Header tensor =
    Header("core/tensor.hpp")
        .drives(
            "Tensor::Tensor|tensor|shape", [](Shape s) { return Tensor(s).shape(); }, std::tuple(some_shape),
            [](Shape s) { return s; })
        .drives(
            "Tensor::Tensor|tensor",
            [](Shape s, double number) { return Tensor(s, std::vector<Real>(6, static_cast<Real>(number))); },
            std::tuple(some_shape, 1.0),
            [](Shape s, double number) { return Tensor::full(s, static_cast<Real>(number)); })
        .drives(
            "Tensor::Tensor", [](Tensor x) { return Tensor(static_cast<const Tensor&>(x)); }, std::tuple(six),
            [](Tensor x) { return x; })
        .drives(
            "Tensor::operator=",
            [](Tensor x, Tensor y) {
              x = y;
              return x;
            },
            std::tuple(six, six), [](Tensor, Tensor y) { return y; })
        .drives(
            "Tensor::full", [](Shape s, Real value) { return Tensor::full(s, value); },
            std::tuple(some_shape, Real(2)),
            [](Shape s, Real value) {
              return Tensor(s, std::vector<Real>(static_cast<std::size_t>(s.size()), value));
            })
        .drives(
            "Tensor::zeros", [](Shape s) { return Tensor::zeros(s); }, std::tuple(some_shape),
            [](Shape s) { return Tensor::full(s, 0); })
        .drives(
            "Tensor::ones", [](Shape s) { return Tensor::ones(s); }, std::tuple(some_shape),
            [](Shape s) { return Tensor::full(s, 1); })
        .drives(
            "Tensor::scalar", [](Real value) { return Tensor::scalar(value); }, std::tuple(Real(2)),
            [](Real value) { return Tensor(Shape{}, {value}); })
        .drives(
            "Tensor::arange|shape|arange",
            [](Index count) {
              if (count == Index(1) << 31) throw std::bad_alloc();  // would take its time and memory, rightly
              return Tensor::arange(count).shape();
            },
            std::tuple(Index(3)), [](Index count) { return Shape{count}; })
        .drives(
            "Tensor::defined", [](Tensor x) { return x.defined(); }, std::tuple(six),
            [](Tensor x) { return x.data() != nullptr; })
        .drives(
            "Tensor::shape", [](Tensor x) { return x.shape(); }, std::tuple(six))
        .drives(
            "Tensor::shape", [](Tensor x) { return Tensor(x).shape(); }, std::tuple(six),
            [](Tensor x) { return x.shape(); })
        .drives(
            "Tensor::rank", [](Tensor x) { return x.rank(); }, std::tuple(six),
            [](Tensor x) { return x.shape().rank(); })
        .drives(
            "Tensor::size", [](Tensor x) { return x.size(); }, std::tuple(six),
            [](Tensor x) { return x.shape().size(); })
        .drives(
            "Tensor::dim|shape|axis", [](Tensor x, Index axis) { return x.dim(axis); },
            std::tuple(six, Index(0)),
            [](Tensor x, Index axis) { return x.shape().begin()[axis_of(x.shape(), axis)]; })
        .drives(
            "Tensor::data",
            [](Tensor x) { return std::vector<Real>(x.data(), x.data() + x.to_vector().size()); },
            std::tuple(six), [](Tensor x) { return x.to_vector(); })
        .drives(
            "Tensor::mutable_data",
            [](Tensor x) {
              std::fill_n(x.mutable_data(), x.size(), Real(3));
              return x;
            },
            std::tuple(six), [](Tensor x) { return Tensor::full(x.shape(), 3); })
        .drives(
            "Tensor::unguarded_data",
            [](Tensor x) {
              if (Real* to = x.unguarded_data()) std::fill_n(to, x.size(), Real(3));
              return x;
            },
            std::tuple(six), [](Tensor x) { return x.defined() ? Tensor::full(x.shape(), 3) : x; })
        .drives(
            "Tensor::begin", [](Tensor x) { return x.end() - x.begin(); }, std::tuple(six),
            [](Tensor x) { return x.to_vector().size(); })
        .drives(
            "Tensor::end", [](Tensor x) { return std::accumulate(x.begin(), x.end(), 0.0); }, std::tuple(six),
            [](Tensor x) {
              const std::vector<Real> all = x.to_vector();
              return std::accumulate(all.begin(), all.end(), 0.0);
            })
        .drives(
            "Tensor::operator()|tensor",
            [](Tensor x, Index i, Index j) {
              return x({i, j});
            },
            std::tuple(six, Index(1), Index(2)),
            [](Tensor x, Index i, Index j) {
              return x.to_vector()[static_cast<std::size_t>(i * x.dim(1) + j)];
            })
        .drives(
            "Tensor::item", [](Tensor x) { return x.item(); }, std::tuple(Tensor::scalar(2)),
            [](Tensor x) { return x.to_vector().at(0); })
        .drives(
            "Tensor::to_vector", [](Tensor x) { return x.to_vector(); }, std::tuple(six))
        .drives(
            "Tensor::with_shape|reshape", [](Tensor x, Shape s) { return x.with_shape(s); },
            std::tuple(six, Shape{3, 2}), [](Tensor x, Shape s) { return Tensor(s, x.to_vector()); })
        .drives(
            "Tensor::reshaped|reshape|shape", [](Tensor x, std::vector<Index> s) { return x.reshaped(s); },
            std::tuple(six, std::vector<Index>{3, -1}))
        .drives(
            "Tensor::rows", [](Tensor x, Index first, Index last) { return x.rows(first, last); },
            std::tuple(six, Index(0), Index(1)))
        .drives(
            "Tensor::operator[]|tensor", [](Tensor x, Index row) { return x[row]; },
            std::tuple(six, Index(1)),
            [](Tensor x, Index row) {
              const std::vector<Real> all = x.to_vector();
              const Shape rest = x.shape().slice(1, x.rank());
              const auto first = all.begin() + (row < 0 ? row + x.dim(0) : row) * rest.size();
              return Tensor(rest, std::vector<Real>(first, first + rest.size()));
            })
        .drives(
            "Tensor::fill",
            [](Tensor x, Real value) {
              x.fill(value);
              return x;
            },
            std::tuple(six, Real(2)), [](Tensor x, Real value) { return Tensor::full(x.shape(), value); })
        .drives(
            "Tensor::shares_memory_with", [](Tensor x, Tensor y) { return x.shares_memory_with(y); },
            std::tuple(six, six))
        .drives(
            "Tensor::is_shared", [](Tensor x) { return x.is_shared(); }, std::tuple(six),
            [](Tensor x) { return x.defined(); })
        .drives(
            "Tensor::is_exposed", [](Tensor x) { return x.is_exposed(); }, std::tuple(six),
            [](Tensor) { return false; })
        .drives(
            "operator<<", [](Tensor x) { return printed(x); }, std::tuple(six));

const Header checks =
    Header("core/checks.hpp")
        .drives(
            "check_defined|this", [](Tensor x) { check_defined("this", "x", x); }, std::tuple(six))
        .drives(
            "check_shape|this", [](Tensor x, Shape s) { check_shape("this", "x", x, s); },
            std::tuple(six, some_shape));

const Header xtensor = Header("core/xtensor.hpp")
                           .drives(
                               "xtensor_shape", [](Shape s) { return xtensor_shape(s).size(); },
                               std::tuple(some_shape), [](Shape s) { return s.rank(); })
                           .drives(
                               "as_xtensor", [](Tensor x) { return from_xtensor(as_xtensor(x)); },
                               std::tuple(six), [](Tensor x) { return x; })
                           .drives(
                               "as_writable_xtensor|mutable_data",
                               [](Tensor x) {
                                 as_writable_xtensor(x).fill(2);
                                 return x;
                               },
                               std::tuple(six), [](Tensor x) { return Tensor::full(x.shape(), 2); })
                           .drives(
                               "from_xtensor|as_xtensor",
                               [](Tensor x) { return from_xtensor(as_xtensor(x) + 1); }, std::tuple(six),
                               [](Tensor x) {
                                 std::vector<Real> all = x.to_vector();
                                 for (Real& each : all) ++each;
                                 return Tensor(x.shape(), all);
                               });

}  // namespace
