// The root of core/.
#include <algorithm>
#include <atomic>
#include <numeric>

#include <gradual/core/checks.hpp>
#include <gradual/core/cores.hpp>
#include <gradual/core/error.hpp>
#include <gradual/core/machine.hpp>
#include <gradual/core/names.hpp>
#include <gradual/core/random.hpp>
#include <gradual/core/threads.hpp>
#include <gradual/core/xtensor.hpp>

#include "hostile/drive.hpp"
#include "support/threads.hpp"

using namespace gradual;
using namespace gradual::hostile;

namespace {

std::string printed(const Tensor& x) { return text(x).substr(0, 6); }

std::vector<Index> sizes_of(const Shape& shape) { return {shape.begin(), shape.end()}; }

// The axis of a shape by hand.
Index axis_of(const Shape& shape, Index axis) { return axis < 0 ? axis + shape.rank() : axis; }

const Shape some_shape{2, 3};
const Tensor six = numbers({2, 3});

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

const Header memory =
    Header("core/memory.hpp")
        .drives(
            "Block::Block", [](Index count) { return Block(count).data() != nullptr; }, std::tuple(Index(3)),
            [](Index) { return true; })
        .drives(
            "Block::Block", [] { return Block(static_cast<const Block&>(Block())).data() == nullptr; },
            std::tuple(), [] { return true; })
        .drives(
            "Block::Block",
            [] {
              Block block(3);
              return Block(std::move(block)).is_shared();
            },
            std::tuple(), [] { return false; })
        .drives(
            "Block::operator=",
            [] {
              Block block(3);
              const Block& itself = block;
              block = itself;
              const Block two = block;
              return block.is_shared();
            },
            std::tuple(), [] { return true; })
        .drives(
            "Block::data", [] { return Block().data() == nullptr; }, std::tuple(), [] { return true; })
        .drives(
            "Block::is_shared", [] { return Block().is_shared(); }, std::tuple(), [] { return false; })
        .drives(
            "memory_statistics",
            [] { return memory_statistics().bytes_held >= memory_statistics().bytes_in_use; }, std::tuple(),
            [] { return true; })
        .drives(
            "release_unused_memory", [] { release_unused_memory(); }, std::tuple())
        .drives(
            "reset_peak_memory",
            [] {
              reset_peak_memory();
              return memory_statistics().peak_bytes == memory_statistics().bytes_in_use;
            },
            std::tuple(), [] { return true; });

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

const Header random_numbers =
    Header("core/random.hpp")
        .drives(
            "Random::Random", [](std::uint64_t seed) { return Random(seed).state().seed == seed; },
            std::tuple(std::uint64_t(1)), [](std::uint64_t) { return true; })
        .drives(
            "Random::state", [](std::uint64_t seed) { return Random(seed).state().position; },
            std::tuple(std::uint64_t(1)), [](std::uint64_t) { return 0; })
        .drives(
            "Random::set_state",
            [](std::uint64_t seed, std::uint64_t position) {
              Random random(7);
              random.set_state({seed, position});
              return random.uniform();
            },
            std::tuple(std::uint64_t(1), std::uint64_t(2)))
        .drives(
            "Random::split", [](std::uint64_t seed) { return Random(seed).split().uniform(); },
            std::tuple(std::uint64_t(1)))
        .drives(
            "Random::next_u64", [](std::uint64_t seed) { return Random(seed).next_u64(); },
            std::tuple(std::uint64_t(1)))
        .drives(
            "Random::uniform",
            [](std::uint64_t seed) {
              const double x = Random(seed).uniform();
              return x >= 0 && x < 1;
            },
            std::tuple(std::uint64_t(1)), [](std::uint64_t) { return true; })
        .drives(
            "Random::normal", [](std::uint64_t seed) { return std::isfinite(Random(seed).normal()); },
            std::tuple(std::uint64_t(1)), [](std::uint64_t) { return true; })
        .drives(
            "Random::below",
            [](std::uint64_t seed, Index bound) {
              const Index drawn = Random(seed).below(bound);
              return drawn >= 0 && drawn < bound;
            },
            std::tuple(std::uint64_t(1), Index(6)), [](std::uint64_t, Index) { return true; })
        .drives(
            "Random::permutation",
            [](std::uint64_t seed, Index count) {
              if (count > 1000000) throw std::bad_alloc();  // would take its time and memory, rightly
              std::vector<Index> order = Random(seed).permutation(count);
              std::sort(order.begin(), order.end());
              return order;
            },
            std::tuple(std::uint64_t(1), Index(5)),
            [](std::uint64_t, Index count) {
              std::vector<Index> order(static_cast<std::size_t>(count));
              std::iota(order.begin(), order.end(), Index(0));
              return order;
            });

const Header cores =
    Header("core/cores.hpp")
        .drives(
            "usable_cores", [] { return usable_cores() >= 1; }, std::tuple(), [] { return true; })
        .drives(
            "core_quota", [](std::string root) { return root == "/" ? inf : core_quota(root); },
            std::tuple(std::string("/nowhere")), [](std::string) { return inf; });

const Header machine =
    Header("core/machine.hpp")
        .drives(
            "measure_products", [] { return measure_products() > 0; }, std::tuple(), [] { return true; })
        .drives(
            "measure_memory", [] { return measure_memory() > 0; }, std::tuple(), [] { return true; })
        .drives(
            "measure_machine", [] { return measure_machine().flops > 0; }, std::tuple(), [] { return true; });

// How many calls `run` makes for a number of chunks, no chunk twice.
template <class Run>
Index distinct(Index count, const Run& run) {
  std::vector<std::atomic<int>> seen(static_cast<std::size_t>(std::clamp<Index>(count, 0, 1000)));
  run([&](Index i) { ++seen.at(static_cast<std::size_t>(i)); });
  return std::count(seen.begin(), seen.end(), 1);
}
Index clamped(Index count) { return std::clamp<Index>(count, 0, 1000); }

const Header threads =
    Header("core/threads.hpp")
        .drives(
            "thread_count", [] { return thread_count() >= 1; }, std::tuple(), [] { return true; })
        .drives(
            "set_thread_count|threads",
            [](int count) {
              const ThreadCount before(thread_count());
              set_thread_count(count);
              return thread_count();
            },
            std::tuple(2), [](int count) { return count; })
        .drives(
            "hardware_threads", [] { return hardware_threads() >= 1; }, std::tuple(), [] { return true; })
        .drives(
            "parallel_for",
            [](Index chunks) {
              chunks = std::min<Index>(chunks, 1000);
              return distinct(chunks, [&](auto body) { parallel_for(chunks, body); });
            },
            std::tuple(Index(5)), clamped)
        .drives(
            "parallel_tasks",
            [](Index tasks) {
              tasks = std::min<Index>(tasks, 1000);
              return distinct(tasks, [&](auto body) { parallel_tasks(tasks, body); });
            },
            std::tuple(Index(5)), clamped)
        .drives(
            "parallel_rows",
            [](Index rows, Index work) {
              rows = std::min<Index>(rows, 1000);
              return distinct(rows, [&](auto body) {
                parallel_rows(rows, work, [&](Index first, Index last) {
                  for (Index i = first; i < last; ++i) body(i);
                });
              });
            },
            std::tuple(Index(5), Index(9)), [](Index rows, Index) { return clamped(rows); })
        .drives(
            "parallel_elements",
            [](Index count) {
              count = std::min<Index>(count, 1000);
              return distinct(count, [&](auto body) {
                parallel_elements(count, [&](Index first, Index last) {
                  for (Index i = first; i < last; ++i) body(i);
                });
              });
            },
            std::tuple(Index(5)), clamped)
        .drives(
            "even_chunks", [](Index wanted, Index most) { return even_chunks(wanted, most); },
            std::tuple(Index(5), Index(7)),
            [](Index wanted, Index most) {
              Index exponent = 0;
              while (exponent < 62 && Index(2) << exponent <= std::min(wanted, most)) ++exponent;
              return Index(1) << exponent;
            });

const Header errors = Header("core/error.hpp")
                          .drives(
                              "FileError::FileError",
                              [](std::string path, std::string problem) {
                                return std::string(FileError(path, problem).what());
                              },
                              std::tuple(std::string("a"), std::string("b")))
                          .drives(
                              "FileError::at_line",
                              [](std::string path, Index line) {
                                return std::string(FileError::at_line(path, line, "odd").what());
                              },
                              std::tuple(std::string("a"), Index(1)))
                          .drives(
                              "FileError::at_byte",
                              [](std::string path, Index byte) {
                                return std::string(FileError::at_byte(path, byte, "odd").what());
                              },
                              std::tuple(std::string("a"), Index(1)))
                          .drives(
                              "text", [](std::string words, Index number) { return text(words, number); },
                              std::tuple(std::string("a"), Index(1)),
                              [](std::string words, Index number) { return words + std::to_string(number); });

Names<int> two_names() { return {"hostile: the kind", {{"one", 1}, {"two", 2}}}; }
const Header names =
    Header("core/names.hpp")
        .drives(
            "Names::Names", [](std::string what) { return Names<int>(what, {}).all().size(); },
            std::tuple(std::string("what")), [](std::string) { return 0; })
        .drives(
            "Names::value|hostile", [](std::string name) { return two_names().value(name); },
            std::tuple(std::string("one")), [](std::string) { return 1; })
        .drives(
            "Names::name|hostile", [](int value) { return two_names().name(value); }, std::tuple(1),
            [](int value) { return std::string(value == 1 ? "one" : "two"); })
        .drives(
            "Names::all", [] { return two_names().all(); }, std::tuple())
        .drives(
            "Names::begin", [] { return two_names().begin()->second; }, std::tuple(), [] { return 1; })
        .drives(
            "Names::end",
            [] {
              const Names<int> all = two_names();
              return all.end() - all.begin();
            },
            std::tuple(), [] { return 2; });

}  // namespace
