// What the library asks of its machine: memory, threads, cores; random numbers, errors and names.
#include <algorithm>
#include <atomic>
#include <numeric>

#include <gradual/core/allocation_limit.hpp>
#include <gradual/core/cores.hpp>
#include <gradual/core/error.hpp>
#include <gradual/core/machine.hpp>
#include <gradual/core/names.hpp>
#include <gradual/core/random.hpp>
#include <gradual/core/threads.hpp>

#include "hostile/drive.hpp"
#include "support/threads.hpp"

using namespace gradual;
using namespace gradual::hostile;

namespace {

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

const Header allocation_limit =
    Header("core/allocation_limit.hpp")
        .drives(
            "AllocationLimit::AllocationLimit|allocation",
            [](std::int64_t bytes) {
              const AllocationLimit limit(bytes);
              try {
                return Block(500).data() != nullptr;
              } catch (const AllocationLimitError&) {
                return false;
              }
            },
            std::tuple(std::int64_t(10000)),
            [](std::int64_t bytes) { return bytes >= 500 * std::int64_t(sizeof(Real)); });

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
            "parallel_each_row",
            [](Index rows, Index work) {
              rows = std::min<Index>(rows, 1000);
              return distinct(rows, [&](auto body) { parallel_each_row(rows, work, body); });
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

const Header errors =
    Header("core/error.hpp")
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
            [](std::string words, Index number) { return words + std::to_string(number); })
        .drives(
            "list_of",
            [](Index a, Index b) {
              return list_of(std::vector<Index>{a, b});
            },
            std::tuple(Index(2), Index(0)),
            [](Index a, Index b) { return "[" + std::to_string(a) + ", " + std::to_string(b) + "]"; });

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
