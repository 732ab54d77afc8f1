// Work split over a pool of threads.
//
// One operation at a time is cut into chunks, and the threads share them. The cut depends on the sizes alone,
// never on the number of threads, and no two chunks write to the same place: so a result has the same bits on
// any machine.
#pragma once

#include <algorithm>
#include <limits>
#include <type_traits>

#include <gradual/core/real.hpp>

namespace gradual {

/// How many threads share the work; at first hardware_threads().
int thread_count();
/// Throws std::invalid_argument below 1 and above 64. More threads than hardware_threads() is allowed, and
/// slower.
void set_thread_count(int count);
/// The cores that this process may use (see core/cores.hpp), at most 64.
int hardware_threads();

namespace threads {
/// A body without its type: it is called with a chunk.
using Call = void (*)(const void* body, Index chunk);
/// As parallel_for(), for a body without its type.
void run(Index chunks, Call call, const void* body);
/// Calls a body for one chunk after the other, on this thread.
void run_in_order(Index chunks, Call call, const void* body);

/// Calls a copy of the body that is this chunk's own: what it captured can then stay in registers, where a
/// compiler that has to fear writes to the shared one would neither keep it there nor turn loops into vector
/// instructions.
template <class Body>
void call_copy(const void* shared, Index chunk) {
  const Body own = *static_cast<const Body*>(shared);
  own(chunk);
}
}  // namespace threads

/// Calls body(chunk) for each chunk in 0 … chunks - 1, on any thread, in any order, and returns when all are
/// done; then rethrows what the first of the chunks that threw has thrown. Inside a body, and while another
/// thread is in here, the chunks run one after the other.
template <class Body>
void parallel_for(Index chunks, Body&& body) {
  threads::run(chunks, threads::call_copy<std::decay_t<Body>>, &body);
}

/// The largest power of two that is at most `wanted`, `most` and 1 or more: two threads share three chunks
/// badly.
inline Index even_chunks(Index wanted, Index most) {
  Index chunks = 1;
  while (chunks <= std::min(wanted, most) / 2) chunks *= 2;  // twice the chunks could overflow
  return chunks;
}

/// Cuts `rows` rows, each `work` elements long, into ranges and calls body(first, last) for each of them;
/// where there are no rows, never. Small work stays in one piece: handing it to another thread would cost
/// more than doing it.
template <class Body>
void parallel_rows(Index rows, Index work, Body&& body) {
  constexpr Index worthwhile = 12288;  // elements in a chunk: a few microseconds of a simple loop
  constexpr Index most_chunks = 16;
  if (rows == 0) return;
  Index elements;
  if (__builtin_mul_overflow(rows, work, &elements)) elements = std::numeric_limits<Index>::max();
  const Index chunks = even_chunks(elements / worthwhile, std::min(most_chunks, rows));
  if (chunks == 1) return body(Index(0), rows);
  parallel_for(chunks, [=](Index chunk) { body(rows * chunk / chunks, rows * (chunk + 1) / chunks); });
}

/// As parallel_rows(), for a body that takes one row after the other: body(row).
template <class Body>
void parallel_each_row(Index rows, Index work, Body&& body) {
  parallel_rows(rows, work, [=](Index first, Index last) {
    for (Index row = first; row < last; ++row) body(row);
  });
}

/// Calls body(first, last) for ranges of 0 … count - 1, cut at multiples of 64 so that every range starts on
/// a cache line.
template <class Body>
void parallel_elements(Index count, Body&& body) {
  const Index lines = (count + 63) / 64;
  parallel_rows(lines, 64, [=](Index first, Index last) { body(first * 64, std::min(last * 64, count)); });
}

/// Calls body(task) for some large, independent tasks, which have parallel work of their own. Where there are
/// enough of them, each thread takes whole ones, which saves them from waiting for each other; else they come
/// one after the other, each with all threads.
template <class Body>
void parallel_tasks(Index tasks, Body&& body) {
  const auto run = tasks < thread_count() ? threads::run_in_order : threads::run;
  run(tasks, threads::call_copy<std::decay_t<Body>>, &body);
}

}  // namespace gradual
